"""How lines begin that builds, linters, package managers, test runners and CI print.

One line of `TABLE` is one rule, `[NAME]` names the family of those below:

    !START        a banner: only a tool of this kind begins a line like this
    .START        a row: such tools print many lines that begin like this
    !START~REST   REST, a pattern, must match behind START

START is at least two characters, of a line without its indentation; `\\d` in it
stands for 1 to 9, `\\t` for a tab. Patterns see 600 characters and are
compiled when a line first begins with their START. Sources: the tools' own
output.
"""

from __future__ import annotations

TABLE = r"""
[pytest]
!===~=*+ (?:test session starts|FAILURES|ERRORS|PASSES|slowest |short test summary)
!===~=*+ (?:warnings summary|.{0,200}\b\d+ \w+.* in [\d.]+m?s.*|no tests ran.*) =+$
!collected ~\d+ items?
!collecting ~.*collected \d+
!platform ~\w+ -- (?:Python|PyPy)
!FAILED ~\S+::\S
!ERROR ~\S+\.py(?:::\S|$| - )
!ImportError while loading conftest
!bringing up nodes
!rootdir: ~
.[gw~\d+\]
.E   ~
.___~_*+ \S.* _+$
._ _ ~(?:_ ){3}
....~[.FEsxXR,]*(?: +\[ *\d+%\])?$
.PASSED ~\S+::
.SKIPPED [
.XFAIL ~
.---~-*+ (?:Captured|live log) 
[unittest]
!Ran ~\d+ tests? in 
!FAILED (~(?:failures|errors|skipped|unexpected)
!FAIL: ~\S+ \(
!ERROR: ~\S+ \(\S+\)$
!***Test Failed***
!Failed example:
!Test passed.
.Trying:
.Expecting:
.OK~(?: \(.*\))?$
[jest]
!Test Suites: ~.*\d+ total
!Test Files ~ +\d
!RUN  ~ *v\d
!Tests: ~.*\d+ total
!Snapshots: ~ *\d
!Ran all test suites
.PASS ~ *\S+\.\w
.FAIL ~ *\S+\.\w
.● ~
.✓ ~
.✔ ~
.✗ ~
.✘ ~
.✕ ~
.√ ~
.× ~
.❯ ~
.○ ~
.↓ ~
!⎯⎯⎯~⎯* Failed (?:Tests|Suites) \d+ ⎯
.⎯⎯⎯
.⎯ ~
.ℹ ~
[node_test]
!ℹ tests ~\d
!# tests ~\d+$
!# pass ~ *\d+$
!# fail ~ *\d+$
!TAP version ~
.ok ~\d+(?: |$)
.not ok ~\d+
.1..~\d+
.# Subtest
.▶ ~
.✖ ~
.﹣ ~
[playwright]
!Running ~\d+ tests? using \d+ worker
!running ~\d+ tests? from 
!(Run Starting)
!(Run Finished)
!bun test v
[cargo]
!running ~\d+ tests?$
!test result: ~
!Finished ~(?:`?\w+`? (?:profile|\[)|dev|release|test)
!error[E~\d
!error: could not compile
!error: aborting due
!Doc-tests ~
!warning: unused ~.*`
!For more information about this error, try
.Compiling ~\S+ v\d
.Checking ~\S+ v\d
.test ~.{1,300} \.\.\. (?:ok|FAILED|ignored|bench)
.Running ~(?:unittests|tests/|benches/)
.--> ~\S+:\d+:\d+
.Downloaded ~\S+ v\d
.Downloading ~
.Updating ~(?:crates\.io|git|\S+ v)
.Locking ~\d+
.Adding ~\S+ v\d
.Fresh ~\S+ v\d
.error: ~
.warning: ~
.note: ~
.help: ~
.= note: ~
.= help: ~
[go_test]
!--- FAIL: ~
!--- PASS: ~
!--- SKIP: ~
!=== RUN ~
!ok  \t~\S+\t
!FAIL\t~\S+
!panic: test timed out
!go: downloading ~
!WARNING: DATA RACE
!go: ~(?:finding|extracting|added|upgraded|\S+@)
!ok   ~ *\t
.=== PAUSE
.=== CONT
.=== NAME
.FAIL~$
.PASS~$
.?   \t
.coverage: ~\d
[ctest]
!Test project ~
!The following tests FAILED
!Total Test time
!Errors while running CTest
.Start ~ *\d+: 
[gtest]
![=====
![  PASSED~  \]
![  FAILED~  \]
.[ RUN ~
.[       OK
.[-----
.[  SKIPPED
[catch2]
!All tests passed (
!test cases: ~ *\d
!*** No errors detected
!*** ~\d+ failures? (?:is|are) detected
[junit]
!Tests run: ~ *\d+,
![INFO] Tests run
![ERROR] Tests run
![INFO] Running ~
!Test Suite '
!Test Run ~(?:Successful|Failed|Aborted)
!Passed!  - ~
!Failed!  - ~
.Test Case '
.Passed ~\S+ \[
.Failed ~\S+ \[
[phpunit]
!PHPUnit ~\d
!OK (~\d+ tests?
!There was 1 failure
!There were ~\d+ (?:failures|errors)
!Tests: ~\d+, Assertions
[rspec]
!Finished in ~[\d.]+ ?(?:seconds|s|minutes?)\b
!Failed examples:
!rspec ~\./\S+:\d+
!Randomized with seed
!Run options: ~
[prove]
!Result: ~(?:PASS|FAIL|NOTESTS)$
!Test Summary Report
!All tests successful.
!Files=~\d+, Tests=\d+
.Failed test~s? 
.# Failed test
.# Looks like you
[make]
!make: ~(?:\*\*\*|Nothing|Entering|Leaving|Target|`|'|\[|Circular)
!make[~\d+\]: 
!gmake~(?:\[\d+\])?: 
!ninja: ~
!collect2: error
!/usr/bin/ld: ~
.cc ~.*(?: -|\.o\b|\.c\b)
.gcc ~.*(?: -|\.o\b|\.c\b)
.g++ ~.*(?: -|\.o\b|\.c\b)
.c++ ~.*(?: -|\.o\b|\.c\b)
.clang ~.*(?: -|\.o\b|\.c\b)
.clang++ ~.*(?: -|\.o\b|\.c\b)
.ar ~.*(?: -|\.o\b|\.c\b)
.ld ~.*(?: -|\.o\b|\.c\b)
.rustc ~.*(?: -|\.o\b|\.c\b)
.javac ~.*(?: -|\.o\b|\.c\b)
.nvcc ~.*(?: -|\.o\b|\.c\b)
.libtool: ~
./usr/bin/c~(?:c|\+\+|lang)\b
.In file included from ~
.rm -f ~
.mkdir -p ~
.CC      ~
.CXX     ~
.LD      ~
.AR      ~
[cmake]
!-- The C
!-- Configuring ~
!-- Generating done
!-- Build files have
!CMake Error
!CMake Warning
![100%] ~(?:Building|Built|Linking|Generating)
![ ~[ \d]\d%\] (?:Building|Built|Linking|Generating|Performing|Running|Automatic)
!Scanning dependencies of target
.-- Detecting ~
.-- Found ~
.-- Check
.-- Looking for ~
.-- Performing Test
.-- Could NOT
.-- Installing: ~
.[ ~[ \d]\d%\] \S
[progress]
.[\d~\d*(?:/\d+)\] \S
[autotools]
!The Meson build system
!configure: ~(?:error|creating|WARNING|loading)
!Dependency ~\S+ found: 
.checking ~\S.*\.\.\.
.config.status: ~
[maven]
![INFO] Scanning for projects
![INFO] BUILD ~
![INFO] ---
![ERROR] Failed to execute goal
![ERROR] COMPILATION ERROR
![INFO] Total time
![INFO] Reactor ~
.[INFO] ~
.[ERROR] ~
.[WARNING] ~
.Downloaded from ~
.Downloading from ~
.Progress (
[gradle]
!> Task :
!> Configure project
!BUILD SUCCESSFUL~(?: in|$)
!BUILD FAILED~(?: in|$)
!FAILURE: Build ~
!* What went wrong:
!Starting a Gradle Daemon
!* Try:
!Execution failed for task
[javac]
!Note: Some messages have been simplified
!Note: Recompile with
!Note: ~\S+\.java uses
[dotnet]
!Build succeeded.
!Build FAILED.
!Determining projects to restore
!MSBuild version
!** BUILD ~(?:SUCCEEDED|FAILED)
!** TEST ~(?:SUCCEEDED|FAILED)
!Restore completed in
[bazel]
!INFO: Analyzed ~
!INFO: Build completed
!FAILED: Build did NOT
!INFO: Found ~\d+ targets?
!Executed ~\d+ out of \d+ tests?
.INFO: ~(?:Elapsed|Invocation|From|Build)
.//~\S+:\S+ +(?:\(cached\) )?(?:PASSED|FAILED|NO STATUS)
.Loading: ~
.Analyzing: ~
[bundler]
!vite v~\d
!webpack ~(?:\d|compiled)
!Compiled successfully
!Failed to compile
!Compiled with warnings
!✓ built in
!▲ Next.js
!Creating an optimized production build
!rollup v~\d
.asset ~\S+ [\d.]+ [KM]?i?B
.dist/~\S+ +[\d.,]+ [kKM]B
.transforming ~
.rendering chunks
[docs]
!Running Sphinx v
!build succeeded~(?:,|\.|$)
!build finished with problems
.reading sources...
.writing output...
.copying images
.loading ~(?:intersphinx|translations|pickled)
.WARNING: ~
[linter]
!Found ~(?:a total of )?\d+ (?:errors?|warnings?|problems?|issues?|fixable)\b
!All checks passed!
!Success: no issues found
![*] ~\d+ (?:potentially )?fixable
!✖ ~\d+ problems?
!************* Module ~
!Your code has been rated
!>> Issue: ~
!Inspecting ~\d+ files?
!All done! ~
!Oh no! ~
!Checking formatting...
!All matched files use Prettier
!- hook id: ~
!congratulations :)
!nox > ~
!No fixes available
!Found no defects in
!No errors found
!All files pass linting
!Run issues:
!Run started:
.would reformat ~
.Would reformat: ~
.reformatted ~
.error: cannot format
.[warn] ~
.[error] ~
.- exit code: ~
.unchanged ~ 
!In ~\S+ line \d+:$
.Listing '
.Compiling '
.bash: ~.*line \d+
[pip]
!Requirement already satisfied
!Installing collected packages
!Successfully installed ~
!Successfully built ~
!Successfully uninstalled
!ERROR: Could not find a version
!ERROR: No matching distribution
!ERROR: Cannot install ~
!ERROR: ResolutionImpossible
!error: subprocess-exited
!Resolved ~\d+ packages? in
!Installed ~\d+ packages?
!Prepared ~\d+ packages?
!× Encountered error
!note: This error originates
!Audited ~\d+ packages?
!Installing dependencies from lock file
!× No solution found
!Using Python ~\d.*environment
.Collecting ~\S+(?: \(from .*| *)$
.Downloading ~\S+ \(
.Using cached ~
.Building wheel
.Preparing metadata
.Attempting uninstall
.Getting requirements
.Installing build dep
.+ ~\S+==\S
.- ~\S+==\S+$
.Found existing installation
.Obtaining ~
.Processing ~(?:\S+/|triggers)
[npm]
!npm ERR!
!npm error
!npm warn
!npm WARN
!npm notice
!added ~\d+ packages?
!up to date~(?:, audited \d+|\s+in )
!changed ~\d+ packages?
!removed ~\d+ packages?
!found 0 vulnerabilities
!yarn install v
!yarn run v
!➤ YN0
!success Saved lockfile
!Packages: +
!Progress: resolved
!ERR_PNPM
!Lockfile is up to date
!> ~(?:@[\w-]+/)?[\w.-]+@\d+\.\S+ \S+
!audited ~\d+ packages
.+ ~(?:@[\w-]+/)?[\w.-]+@?[ \d]
.Done in ~
.warning ~\S+ > 
.info ~(?:No lockfile|There)
[apt]
!Reading package lists
!Building dependency tree
!Fetched ~[\d.,]+ 
!E: ~(?:Unable|Package|Failed|Could|Sub-process|Some|The|Version)
!The following NEW packages
!The following additional packages
!The following packages will be
!Setting up ~\S+ \(
!Selecting previously unselected
!(Reading database
.Get:~\d+ 
.Hit:~\d+ 
.Ign:~\d+ 
.Err:~\d+ 
.Unpacking ~\S+ \(
.Preparing to unpack
.Inst ~\S+ 
.Conf ~\S+ 
.Processing triggers for ~
.fetch http
.OK: ~[\d.]+ MiB in
.==> ~(?:Downloading|Installing|Pouring|Fetching|Summary|Caveats|Auto-updated)
[apk]
.(\d~\d*/\d+\) (?:Installing|Upgrading|Purging)
[gem]
!Bundle complete!
!Fetching gem metadata
!Package operations: ~
!Installing dependencies from ~
!Bundled gems are
[docker_build]
!Sending build context
!Successfully tagged ~
!ERROR: failed to solve
!ERROR: failed to build
!failed to solve: ~
![+] Building ~
![+] Running ~
!Step \d~\d*/\d+ : 
.#\d~\d* (?:\[|DONE|sha256:|\d+\.\d+|ERROR|CACHED|transferring|exporting|resolve)
.#\d~\d* (?:extracting|naming|writing|\.\.\.)
.---> ~
.=> ~(?:\[|=> |CACHED|ERROR|exporting|resolve|transferring)
[docker_pull]
!Digest: sha256:
!Status: ~(?:Downloaded|Image)
.Pulling from ~
[terraform]
!Terraform will perform
!Terraform used the selected
!Plan: ~\d+ to 
!Apply complete!
!Destroy complete!
!No changes. ~(?:Your|Infra)
!Terraform has been successfully init
!Initializing the backend
!OpenTofu will perform
[ansible]
!PLAY [
!TASK [
!PLAY RECAP
!RUNNING HANDLER [
.ok: [
.changed: [
.skipping: [
.fatal: [
.failed: [
[ci]
!##[~(?:group|endgroup|error|warning|section|command|debug|notice)
!##[~(?:start-action|end-action|add-)
!::group::
!::endgroup::
!::error~(?: |::)
!::warning~(?: |::)
!Post job cleanup.
!Current runner version
!Running with gitlab-runner
!Job succeeded
!ERROR: Job failed
!section_start:
!section_end:
!travis_fold:
![Pipeline] ~
!Finished: ~(?:SUCCESS|FAILURE|UNSTABLE|ABORTED)$
!Started by ~(?:user|an SCM|upstream|timer|GitHub)
!Cleaning up orphan processes
!Evaluating ~\S+\.if
!Complete job name:
!Prepare workflow directory
.[command]
.with:~$
.shell: ~.*bash
.[group]
[psql]
!psql:~\S{1,200}:\d+: (?:ERROR|NOTICE|FATAL|WARNING|error)
.CREATE ~[A-Z ]+$
.ALTER ~[A-Z ]+$
.DROP ~[A-Z ]+$
.INSERT 0 ~
.UPDATE ~\d+$
.DELETE ~\d+$
.COPY ~\d+$
.BEGIN~$
.COMMIT~$
.ROLLBACK~$
.Time: ~[\d.]+ ms
[git_run]
!Cloning into '
!! [rejected]~
!! [remote rejected]~
!error: failed to push
!CONFLICT (
!Automatic merge failed
!Bisecting: ~
!Receiving objects: ~
!Resolving deltas: ~
!Enumerating objects: ~
!Writing objects: ~
!remote: Enumerating
!remote: Counting
!Switched to ~(?:a new )?branch '
!Successfully rebased
!Hunk #~\d+ (?:succeeded|FAILED|merged)
!error: patch failed
!Fast-forward~$
!Everything up-to-date
!error: could not apply ~
!Updating ~[0-9a-f]{7,}\.\.
.remote: ~
.hint: ~
.Auto-merging ~
.Applying: ~
.Rebasing (
.Checking patch ~
.patching file ~
.checking file ~
.To ~(?:\S+:|/|https?://)
.From ~(?:\S+:|/|https?://)
.* [new ~
.+ ~[0-9a-f]{7,}\.\.\.
.running  ~
"""
