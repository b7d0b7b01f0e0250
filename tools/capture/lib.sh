# Sourced by the capture scripts. A capture is what a real tool printed,
# sanitised, in tests/cases/fidelity/CLASS/CASE/input.txt.
#
#   capture CLASS/CASE STREAM DIR COMMAND   STREAM: both | stdout | stderr | tty
#
# The command runs in a copy of a project below $SCRATCH. Its exit code must be
# the one case.toml says; a case without one gets a skeleton to fill in.

set -u
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
CASES=$(cd "$HERE/../../tests/cases/fidelity" && pwd)
SCRATCH=${SCRATCH:-$(mktemp -d)}
export LC_ALL=C.UTF-8 COLUMNS=80 NO_COLOR=1 CI=
unset FORCE_COLOR

sanitise() {
    # Scratch and interpreter paths, people, hosts, terminal titles.
    sed -E \
        -e "s#(/private)?$SCRATCH/env#/home/dev/.venv#g" \
        -e "s#(/private)?$SCRATCH/home#/home/dev#g" \
        -e "s#(/private)?$SCRATCH#/home/dev/app#g" \
        -e "s#[^ \"'(:,=]*/lib/python3\.#/usr/lib/python3.#g; s#/usr/lib/(python3\.[0-9]+)/site-packages#/home/dev/.venv/lib/\1/site-packages#g" \
        -e "s#/tmp/(pip|build-env|npm|tmp)[-A-Za-z0-9_./]*#/tmp/\1-x#g" \
        -e "s#https?://[A-Za-z0-9._:@-]+(/[A-Za-z0-9._/-]*)?/simple/?#https://pypi.org/simple/#g" \
        -e "s#https?://(localhost|[0-9.]+)(:[0-9]+)?/#https://registry.npmjs.org/#g" \
        -e 's#, file:///opt[^ ,]*##g; /file:...opt/d; /Looking in links: .opt/d' \
        -e "s#/root/#/home/dev/#g"
}

capture() {
    local case=$1 stream=$2 dir=$3 command=$4 folder code
    case "$case" in ${ONLY:-*}) ;; *) return 0 ;; esac
    folder=$CASES/$case
    mkdir -p "$folder"
    local raw=$SCRATCH/raw
    case $stream in
        both) (cd "$dir" && bash -c "$command") >"$raw" 2>&1 </dev/null ;;
        stdout) (cd "$dir" && bash -c "$command") >"$raw" 2>/dev/null </dev/null ;;
        stderr) (cd "$dir" && bash -c "$command") 2>"$raw" >/dev/null </dev/null ;;
        tty) (cd "$dir" && script -qec "$command" /dev/null) >"$raw" 2>&1 </dev/null ;;
    esac
    code=$?
    sanitise <"$raw" >"$folder/input.txt"
    if [ ! -e "$folder/case.toml" ]; then
        {
            printf 'why = ""\nsource = "%s, captured 2026-11-30"\n' "${TOOL:-}"
            printf 'command = '
            printf '%s' "$command" | python3 -c 'import json,sys; print(json.dumps(sys.stdin.read()))'
            printf 'exit_code = %d\n' "$code"
            case $stream in both | tty) ;; *) printf 'stream = "%s"\n' "$stream" ;; esac
            printf 'must_keep = []\nmust_not_claim = []\n'
        } >"$folder/case.toml"
    elif ! grep -q "^exit_code = $code\$" "$folder/case.toml"; then
        echo "$case: exit code is now $code" >&2
    fi
    echo "$case: $(wc -l <"$folder/input.txt") lines, exit $code"
}
