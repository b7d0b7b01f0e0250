#!/bin/bash
# Capture what compilers, build tools and test runners of compiled languages print.
#
# Needs, on Debian: gcc g++ clang make ninja-build cmake libgtest-dev golang-go
# default-jdk-headless junit4 maven ruby-minitest ruby-rspec phpunit shellcheck
# yamllint valgrind, and cargo. `compiled.sh install` asks apt for them.
#
#   SCRATCH=/tmp/scratch tools/capture/compiled.sh [PART...]
#
# Parts: c cxx make ninja cmake gtest cargo go java ruby php tap lint. All by default.
. "$(dirname "$0")/native.sh"

if [ "${1:-}" = install ]; then
    exec apt-get install -y --no-install-recommends gcc g++ clang make ninja-build \
        cmake libgtest-dev golang-go default-jdk-headless junit4 maven ruby-minitest \
        ruby-rspec phpunit shellcheck yamllint valgrind gdb rsync tree
fi

c() {
    project c_app
    capture all v04_severity/gcc_21_warnings_1_error gcc -Wall -Wextra -c many.c
    capture all v04_severity/gcc_errors_with_frames gcc -Wall -Wextra -c broken.c
    capture all v01_verdict/gcc_link_undefined make link
    gcc -g -fsanitize=address -o overrun overrun.c
    capture all v01_verdict/asan_heap_overflow ./overrun
    gcc -g -o crash crash.c
    gcc -g -O0 -o overrun_plain overrun.c
    capture all v02_counts/valgrind_one_error valgrind --error-exitcode=9 ./overrun_plain
    capture all v02_counts/valgrind_no_error valgrind --leak-check=full make -v
    capture all v01_verdict/gdb_backtrace gdb -batch -nx -ex run -ex 'bt full' -ex 'info locals' ./crash
}

cxx() {
    project cpp_templates
    capture all v04_severity/gcc_template_errors g++ -std=c++17 -c sorted.cpp
    capture all v04_severity/clang_template_errors clang++ -std=c++17 -c sorted.cpp
}

make_() {
    project c_app
    capture all v05_wrapper/make_keep_going make -k all
    project c_app
    capture all v05_wrapper/make_parallel_interleaved make -j4 -k all
    project c_app
    capture err v11_stderr/make_stderr_alone make -k all
    capture all v05_wrapper/make_check_unknown_tool make deploy
    capture out v01_verdict/make_up_to_date make parse.o store.o
}

ninja_() {
    project c_app
    {
        echo 'rule cc'
        echo '  command = gcc -Wall -Wextra -c $in -o $out'
        echo '  description = CC $out'
        for n in $(seq 1 40); do cp parse.c "unit_$n.c"; echo "build unit_$n.o: cc unit_$n.c"; done
        echo 'build broken.o: cc broken.c'
    } >build.ninja
    capture all v05_wrapper/ninja_one_failed ninja -k0 -j2
    rm -f ./*.o broken.c .ninja_*
    capture all v01_verdict/ninja_missing_input ninja
}

cmake_() {
    project cmake_missing
    capture all v01_verdict/cmake_package_missing cmake -S . -B out
    capture err v11_stderr/cmake_stderr_alone cmake -S . -B out
}

gtest() {
    project gtest_app
    cmake -S . -B out >/dev/null
    capture all v05_wrapper/cmake_build_passes cmake --build out
    capture all v14_assertion/gtest_two_failures out/price_test
    cd out || return
    capture all v05_wrapper/ctest_failures ctest
    capture all v05_wrapper/ctest_output_on_failure ctest --output-on-failure
    capture all v01_verdict/ctest_all_pass ctest -R smoke_
    capture all v01_verdict/ctest_no_tests ctest -R nothing_of_that_name
}

cargo_() {
    project cargo_app
    capture err v11_stderr/cargo_build_warnings cargo build
    touch src/lib.rs
    capture err v11_stderr/cargo_check_short cargo check --message-format short
    bash many_tests.sh >tests/totals.rs
    capture all v01_verdict/cargo_test_one_of_201 cargo test
    capture out v01_verdict/cargo_test_one_of_201_stdout cargo test
    export RUST_BACKTRACE=1
    capture all v01_verdict/cargo_run_panic_backtrace cargo run -- '12 EUR' 'x12 EUR'
    unset RUST_BACKTRACE
    mv broken.rs src/book.rs
    echo 'pub mod book;' >>src/lib.rs
    capture all v04_severity/cargo_build_errors cargo build
    capture out v04_severity/cargo_build_json cargo build --message-format json
    capture all v01_verdict/cargo_manifest_broken cargo build --manifest-path missing/Cargo.toml
    echo 'serde = "nine"' >>Cargo.toml
    printf '[dependencies]\nno_such_crate = "1"\n' >>Cargo.toml
    capture all v01_verdict/cargo_registry_offline cargo build
}

go_() {
    project go_app
    capture all v04_severity/go_build_errors go build ./...
    capture all v04_severity/go_vet go vet ./vet ./job
    capture all v05_wrapper/go_test_build_failed go test ./...
    capture all v01_verdict/go_test_verbose go test -v ./job
    capture out v01_verdict/go_test_json go test -json ./job
    capture all v01_verdict/go_test_json_build_failed go test -json ./broken ./job
    capture all v01_verdict/go_test_race go test -race ./race
    mv job/panic_test.go.off job/panic_test.go
    capture all v01_verdict/go_test_panic go test ./job
    capture all v01_verdict/go_test_no_such_test go test -run NothingOfThatName ./job
    capture all v01_verdict/go_module_missing go build example.org/absent/tool
}

java_() {
    project java_app
    capture all v04_severity/javac_syntax javac Broken.java
    capture all v04_severity/javac_types javac Types.java
    export CLASSPATH=/usr/share/java/junit4.jar:/usr/share/java/hamcrest-core.jar:.
    javac CartTest.java
    capture all v14_assertion/junit4_failures java org.junit.runner.JUnitCore CartTest
    unset CLASSPATH
    printf '<project><modelVersion>4.0.0</modelVersion><groupId>org.example</groupId><artifactId>shop</artifactId><version>1</version></project>\n' >pom.xml
    capture all v01_verdict/maven_offline_no_plugin mvn -o -B compile
}

ruby_() {
    project ruby_app
    capture all v14_assertion/minitest_diff ruby cart_test.rb --seed 1
    capture all v14_assertion/minitest_verbose ruby cart_test.rb --seed 1 -v
    capture all v14_assertion/rspec_diff rspec cart_spec.rb
    capture all v14_assertion/rspec_documentation rspec -fd cart_spec.rb
    echo 'require "no_such_library"' >load_spec.rb
    capture all v01_verdict/rspec_load_error rspec load_spec.rb
}

php_() {
    project php_app
    capture all v14_assertion/phpunit_diff phpunit CartTest.php
    capture all v14_assertion/phpunit_testdox phpunit --testdox CartTest.php
}

tap() {
    project tap_app
    capture all v14_assertion/prove_failures prove pass.t fail.t dies.t
    capture all v14_assertion/prove_verbose prove -v pass.t fail.t dies.t
    capture all v14_assertion/tap_direct perl fail.t
}

lint() {
    project c_app
    cat >deploy.sh <<'END'
#!/bin/sh
for f in $(ls *.tar); do
  cd $f
  [ $f == "a.tar" ] && rm -rf $HOME/$dir
  echo `date` > /tmp/$f
done
read line
function go { local x=$1; echo $x; }
END
    for n in 1 2 3 4; do sed "s/tar/t$n/" deploy.sh >"deploy_$n.sh"; done
    capture out v02_counts/shellcheck_findings shellcheck deploy.sh deploy_1.sh deploy_2.sh
    capture out v02_counts/shellcheck_gcc_form shellcheck -f gcc deploy.sh deploy_1.sh deploy_2.sh deploy_3.sh deploy_4.sh
    printf 'a: 1\na: 2\nb:   [1,2 ]\nkey: "unclosed\nlist:\n- x\n  - y\n' >bad.yaml
    { for n in $(seq 1 30); do echo "key_$n: 'value number $n'   "; done; echo 'key_3: again'; } >long.yaml
    capture out v02_counts/yamllint_findings yamllint bad.yaml long.yaml
}

for part in "${@:-}"; do
    case $part in
    '') c; cxx; make_; ninja_; cmake_; gtest; cargo_; go_; java_; ruby_; php_; tap; lint ;;
    make | ninja | cmake | cargo | go | java | ruby | php) "${part}_" ;;
    *) "$part" ;;
    esac
done
