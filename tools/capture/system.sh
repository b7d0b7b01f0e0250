#!/bin/bash
# Capture what git and the tools of the system print.
#
# Needs, on Debian: git tree rsync tar curl python3 apt, and to be root. Nothing is
# installed or sent: apt only simulates, curl talks to a server of our own.
#
#   SCRATCH=/tmp/scratch tools/capture/system.sh [PART...]
#
# Parts: git listings search files net system bytes. All by default.
. "$(dirname "$0")/native.sh"

# history: a repository with 30 commits, two merges, three authors' days.
history() {
    git init -q -b main .
    local n
    for n in $(seq 1 30); do
        mkdir -p "src/mod_$((n % 5))" docs
        printf 'line %s\nshared\n' "$n" >>"src/mod_$((n % 5))/part_$n.py"
        echo "- change $n" >>docs/changes.md
        git add -A
        GIT_AUTHOR_DATE="2026-03-$(printf %02d "$n")T09:00:00Z" \
            GIT_COMMITTER_DATE="2026-03-$(printf %02d "$n")T09:00:00Z" \
            git commit -q -m "mod_$((n % 5)): step $n fails no more" -m "Reason $n, see #$((100 + n))."
        if [ "$n" = 10 ] || [ "$n" = 20 ]; then
            git checkout -q -b "side_$n"
            echo side >"src/side_$n.py"
            git add -A
            git commit -q -m "side work $n" --date "2026-03-$n 10:00 +0000"
            git checkout -q main
            git merge -q --no-ff -m "Merge side_$n" "side_$n"
        fi
    done
}

git_() {
    export GIT_AUTHOR_DATE=2026-03-20T10:00:00Z GIT_COMMITTER_DATE=2026-03-20T10:00:00Z
    project git_app
    history
    capture out v07_git/log git log
    capture out v07_git/log_oneline_graph git log --oneline --graph --all
    capture out v07_git/log_stat git log --stat -12
    capture out v07_git/log_short_60 git log --oneline -60
    local n
    for n in $(seq 1 25); do echo more >>"src/mod_$((n % 5))/part_$n.py"; done
    for n in $(seq 1 40); do mkdir -p "src/new_$((n % 4))"; echo x >"src/new_$((n % 4))/file with space $n.py"; done
    git add src/new_1 src/mod_1/part_1.py
    rm src/mod_2/part_2.py
    git mv src/mod_3/part_3.py src/mod_3/renamed.py
    capture out v07_git/status_many git status -uall
    capture out v07_git/status_short git status -s -uall
    capture out v07_git/diff_stat git diff --stat
    capture all v07_git/commit_summary git commit -am "many: one commit"
    capture out v07_git/branches git branch -avv
    # A conflict in several files.
    git checkout -q -b other HEAD~3
    for n in 5 10 15 20 25 30; do echo "other $n" >>"src/mod_0/part_$n.py"; done
    git add -A
    git commit -q -m other
    git checkout -q main
    for n in 5 10 15 20 25 30; do echo "main $n" >>"src/mod_0/part_$n.py"; done
    git commit -q -am main
    capture all v01_verdict/git_merge_conflict git merge other
    capture out v07_git/status_unmerged git status
    capture all v01_verdict/git_commit_unmerged git commit -m x
    git merge --abort
    git checkout -q other
    capture all v15_redraw/git_rebase_conflict git rebase main
    git rebase --abort
    git checkout -q main
    git init -q --bare ../remote.git
    git remote add origin ../remote.git
    git push -q origin main
    git commit -q --amend -m "many: amended"
    capture all v01_verdict/git_push_rejected git push --progress origin main
    capture err v15_redraw/git_clone_progress git clone --progress "file://$SCRATCH/remote.git" clone
    capture all v01_verdict/git_no_such_ref git checkout no-such-branch
    unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
}

# grove: a tree of files with hidden, odd and unreadable names.
grove() {
    local n
    for n in $(seq 1 60); do
        mkdir -p "pkg/part_$((n % 6))/deep" .hidden
        echo "value = $n  # TODO error $n" >"pkg/part_$((n % 6))/module_$n.py"
        printf 'x%.0s' $(seq "$n") >"pkg/part_$((n % 6))/deep/data_$n.bin"
    done
    echo secret-free >.hidden/settings
    echo 'TODO later' >'pkg/a name with  two spaces.txt'
    echo 'TODO größe' >'pkg/größe_漢字.md'
    printf 'TODO\0binary\0' >pkg/image.dat
    ln -s ../pkg/image.dat pkg/link.dat
    ln -s nowhere pkg/dangling
    mkdir pkg/locked
    echo TODO >pkg/locked/inside.txt
    chmod 000 pkg/locked
    find . -print0 | xargs -0 touch -h -d '2026-03-20 10:00'
}

# As somebody who may not read everything: root reads what is locked.
nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

listings() {
    chmod -R a+rX "$SCRATCH"
    project grove
    grove
    chown -R 65534:65534 .
    capture all v08_entries/find_permission nobody find .
    capture out v08_entries/find_absolute nobody find "$PWD" -type f
    capture all v08_entries/ls_recursive_long nobody ls -laR --time-style=long-iso
    capture out v08_entries/ls_long nobody ls -la --time-style=long-iso pkg/part_1
    capture out v08_entries/ls_names nobody ls -A pkg/part_2/deep pkg/part_3/deep
    capture out v08_entries/tree_all nobody tree -a
    capture all v08_entries/du nobody du -ab
    capture out v08_entries/stat nobody stat -c '%n %s %F' pkg/part_1/module_1.py pkg/image.dat pkg/dangling pkg/part_*/deep
    chmod 700 pkg/locked
}

search() {
    project grove
    grove
    chown -R 65534:65534 .
    capture all v08_entries/grep_binary_and_denied nobody grep -rn TODO .
    capture all v08_entries/grep_names_only nobody grep -rl TODO .
    capture out v08_entries/grep_context nobody grep -rn -C1 'value = 3' pkg
    capture out v08_entries/grep_count nobody grep -rc TODO pkg --include '*.py'
    chmod 700 pkg/locked
}

files() {
    project grove
    grove
    chmod 700 pkg/locked
    mkdir out
    capture all v08_entries/tar_list tar -tvf <(tar -cf - --owner=dev:1000 --group=dev:1000 pkg) --full-time
    capture all v01_verdict/tar_truncated bash -c 'tar -czf all.tgz pkg; head -c 700 all.tgz >cut.tgz; tar -xvzf cut.tgz -C out'
    capture all v11_stderr/rsync_verbose rsync -av --stats pkg/ copy/
    capture all v01_verdict/rsync_missing rsync -av pkg/ absent/ copy2/
    capture all v15_redraw/rsync_progress rsync -a --progress pkg/ copy3/
    capture all v01_verdict/cp_errors cp -v pkg/part_1/module_1.py pkg/absent_1 pkg/absent_2 pkg/part_1/module_7.py out/ pkg/part_1
}

net() {
    project www
    seq 1 200000 >big.txt
    printf '{"error": "no such job"}\n' >job.json
    python3 -m http.server 18765 --bind 127.0.0.1 >server.log 2>&1 &
    local server=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do curl -s -o /dev/null 127.0.0.1:18765/ && break; sleep 0.3; done
    capture all v11_stderr/curl_verbose_404 curl -sv http://127.0.0.1:18765/missing
    capture err v15_redraw/curl_progress curl -o got --limit-rate 400k http://127.0.0.1:18765/big.txt
    capture all v11_stderr/curl_headers curl -sv -o got http://127.0.0.1:18765/job.json
    kill "$server"
    wait "$server" 2>/dev/null
    capture all v01_verdict/curl_refused curl -v http://127.0.0.1:18765/
    capture all v01_verdict/curl_no_host curl -v http://no-such-host.invalid/
}

system() {
    cd "$SCRATCH" || return
    capture out v08_entries/df df -h --output=source,size,used,avail,pcent,target / /dev /dev/shm
    capture all v01_verdict/apt_unknown_package apt-get install -s no-such-package-of-ours
    capture out v01_verdict/apt_simulate apt-get install -s --no-install-recommends gnuplot-nox
    capture all v01_verdict/apt_remove_simulate apt-get remove -s python3
    capture out v08_entries/dpkg_list bash -c "dpkg -l 'lib*' | head -80"
}

bytes() {
    project bytes
    {
        for n in $(seq 1 30); do printf 'copying part %s of 30\r' "$n"; done
        printf 'copying done\nwarn: \xff\xfe caf\xe9 is not UTF-8\nerror: 漢字のファイル.txt: 書き込みに失敗\r\n'
        for n in $(seq 1 40); do printf 'row %s \360\237\232\200 ok\r\n' "$n"; done
        printf 'nul \0 inside\nfatal: the end\n'
    } >mixed.out
    capture out v10_bytes/mixed_encodings cat mixed.out
    capture all v10_bytes/dd_progress dd if=/dev/zero of=zeros bs=1M count=40 status=progress
    capture out v10_bytes/strings_long_line bash -c "printf 'ok %s\n' {1..20}; printf 'key=%05d;' {1..3000}; echo; echo 'error: state file is damaged'"
    capture out v03_silence/true true
    capture err v03_silence/grep_nothing grep nothing_of_that_name mixed.out
}

for part in "${@:-}"; do
    case $part in
    '') git_; listings; search; files; net; system; bytes ;;
    git) git_ ;;
    *) "$part" ;;
    esac
done
