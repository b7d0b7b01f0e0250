# Sourced by compiled.sh and system.sh: run a tool, keep what it said as a case.
#
# Writes tests/cases/fidelity_native/<class>/<case>/input.txt. What must stay
# of it is written by hand into case.toml next to it; a changed exit status is
# reported, the tool may have changed. Times, addresses and the order of jobs differ
# from run to run: read the diff, and correct must_keep where it quotes them.

set -u
export LC_ALL=C.UTF-8 TZ=UTC CARGO_TERM_COLOR=never CARGO_NET_OFFLINE=true GOFLAGS=-mod=mod
export GOPROXY=off GOTOOLCHAIN=local GIT_CONFIG_GLOBAL=/dev/null GIT_PAGER=cat PAGER=cat
export GIT_AUTHOR_NAME=dev GIT_AUTHOR_EMAIL=dev@example.org
export GIT_COMMITTER_NAME=dev GIT_COMMITTER_EMAIL=dev@example.org
export COLUMNS=120

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CASES=$(cd "$HERE/../.." && pwd)/tests/cases/fidelity_native
SCRATCH=${SCRATCH:-$(mktemp -d)}
mkdir -p "$SCRATCH"
SCRATCH=$(cd "$SCRATCH" && pwd -P)

# project NAME: a fresh copy of projects/NAME as the working directory.
project() {
    rm -rf "${SCRATCH:?}/$1"
    mkdir -p "$SCRATCH/$1"
    [ -d "$HERE/projects/$1" ] && cp -r "$HERE/projects/$1/." "$SCRATCH/$1"
    cd "$SCRATCH/$1" || exit 1
}

# clean: no path of this machine, on stdin.
clean() {
    sed -e "s#$SCRATCH/[a-z_]*#/home/dev/app#g; s#$SCRATCH#/home/dev#g" \
        -e "s#$HOME#/home/dev#g" \
        -e 's#/tmp/\(cc\|go-build\|symbolize\)[A-Za-z0-9]*#/tmp/\1XXXXXX#g'
}

# capture STREAM CLASS/CASE COMMAND...: STREAM is out, err or all.
capture() {
    local stream=$1 name=$2 status expected
    shift 2
    local dir=$CASES/$name
    mkdir -p "$dir"
    case $stream in
    out) "$@" >"$SCRATCH/said" 2>/dev/null </dev/null ;;
    err) "$@" 2>&1 >/dev/null </dev/null | cat >"$SCRATCH/said"; status=${PIPESTATUS[0]} ;;
    all) "$@" >"$SCRATCH/said" 2>&1 </dev/null ;;
    esac
    status=${status:-$?}
    clean <"$SCRATCH/said" >"$dir/input.txt"
    expected=$(sed -n 's/^exit_code = //p' "$dir/case.toml" 2>/dev/null)
    printf '%-52s exit %s, %s lines\n' "$name" "$status" "$(wc -l <"$dir/input.txt")"
    [ "${expected:-$status}" = "$status" ] || echo "  case.toml says exit_code = $expected" >&2
}
