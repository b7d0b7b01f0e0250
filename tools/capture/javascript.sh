#!/usr/bin/env bash
# Capture what JavaScript tools print. Needs node, npm and a package registry.
#
#   tools/capture/javascript.sh            all cases
#   ONLY=tests/jest_diff tools/capture/javascript.sh
#   SCRATCH=/tmp/x tools/capture/javascript.sh   keeps the tools for next time
. "$(dirname "$0")/lib.sh"

WORK=$SCRATCH/javascript
mkdir -p "$WORK" "$SCRATCH/home"
cp -R "$HERE/projects/javascript/." "$WORK"
TOOLS="jest@29 vitest@2 mocha@10 eslint@9 typescript@5 @biomejs/biome@1 prettier@3
    webpack@5 webpack-cli@5 vite@5"
if [ ! -d "$WORK/node_modules/.bin" ]; then
    # shellcheck disable=SC2086
    (cd "$WORK" && npm install --no-save --no-package-lock --no-audit --no-fund \
        --legacy-peer-deps $TOOLS) || exit 1
fi
export PATH="$WORK/node_modules/.bin:$PATH" NO_UPDATE_NOTIFIER=1
export npm_config_update_notifier=false npm_config_cache="$SCRATCH/home/.npm"
JEST="jest --config jest/jest.config.js"

TOOL="jest 29"
capture V1_verdict/jest_suite_fails_to_compile both "$WORK" "$JEST jest/fine.test.js jest/broken.test.js jest/gone.test.js jest/good"
capture V1_verdict/jest_no_tests both "$WORK" "$JEST no_such_file"
capture V1_verdict/jest_all_pass both "$WORK" "$JEST --verbose jest/fine.test.js jest/good"
capture V4_severity/jest_many_one_fails both "$WORK" "$JEST --verbose jest/many.test.js"
capture V14_diffs/jest_snapshots both "$WORK" "$JEST --ci jest/diff.test.js"
capture V11_stderr/jest_stderr stderr "$WORK" "$JEST jest/many.test.js"
capture V2_counts/jest_zero_failures both "$WORK" "$JEST --verbose jest/fine.test.js"
capture V1_verdict/jest_coverage_threshold both "$WORK" "$JEST --coverage --coverageDirectory /tmp/cov --coverageThreshold '{\"global\":{\"lines\":100}}' --collectCoverageFrom 'cart.js' jest/good"

TOOL="vitest 2"
capture V4_severity/vitest_many_one_fails both "$WORK" "vitest run --root vitest --reporter verbose many"
capture V14_diffs/vitest_diffs both "$WORK" "vitest run --root vitest diff"
capture V1_verdict/vitest_suite_fails_to_load both "$WORK" "vitest run --root vitest gone many"
capture V11_stderr/vitest_stderr stderr "$WORK" "vitest run --root vitest"

TOOL="mocha 10"
capture V4_severity/mocha_many_three_fail both "$WORK" "mocha mocha/many.js"
capture V14_diffs/mocha_dot both "$WORK" "mocha --reporter dot mocha/many.js"

TOOL="node 20 node:test"
capture V4_severity/node_test_spec both "$WORK" "node --test --test-reporter spec node/many.test.js"
capture V4_severity/node_test_tap both "$WORK" "node --test --test-reporter tap node/many.test.js"
capture V1_verdict/node_test_pass both "$WORK" "node --test --test-reporter spec node/fine.test.js"

TOOL="eslint 9"
capture V4_severity/eslint_21_warnings_1_error both "$WORK/lint" "eslint many.js good.js"
capture V1_verdict/eslint_config_error both "$WORK/lint/wrong" "eslint good.js"
capture V3_silence/eslint_clean both "$WORK/lint" "eslint good.js"

TOOL="typescript 5"
capture V14_diffs/tsc_plain both "$WORK" "tsc -p ts --pretty false"
capture V14_diffs/tsc_pretty both "$WORK" "tsc -p ts --pretty true"
capture V1_verdict/tsc_config_error both "$WORK" "tsc -p ts/wrong"

TOOL="biome 1"
capture V14_diffs/biome_check both "$WORK" "biome check lint/biome.js lint/ugly.js"
TOOL="prettier 3"
capture V1_verdict/prettier_check both "$WORK" "prettier --check lint"

TOOL="vite 5"
capture V1_verdict/vite_build_fails both "$WORK/web" "vite build --outDir /tmp/vite-out"
capture V15_redraws/vite_build_ok both "$WORK/web/ok" "vite build --outDir /tmp/vite-out --emptyOutDir"
capture V15_redraws/vite_terminal tty "$WORK/web/ok" "vite build --outDir /tmp/vite-out --emptyOutDir"
TOOL="vitest 2"
capture V15_redraws/vitest_terminal tty "$WORK" "vitest run --root vitest"
TOOL="jest 29"
capture V15_redraws/jest_terminal tty "$WORK" "$JEST jest/many.test.js jest/good"
TOOL="webpack 5"
capture V1_verdict/webpack_errors both "$WORK/web" "webpack --config webpack.config.js"

TOOL="npm 11"
capture V1_verdict/npm_missing_script both "$WORK" "npm run tset"
capture V5_wrappers/npm_test_jest both "$WORK" "npm test"
cp "$WORK/lint/eslint.config.mjs" "$WORK/"
capture V5_wrappers/npm_run_eslint both "$WORK" "npm run lint"
capture V5_wrappers/npm_run_tsc both "$WORK" "npm run build"
in_package() { rm -rf "$SCRATCH/pkg"; mkdir "$SCRATCH/pkg"; cp "$WORK/pkg/$1.json" "$SCRATCH/pkg/package.json"; }
in_package eresolve
capture V11_stderr/npm_eresolve stderr "$SCRATCH/pkg" "npm install"
capture V1_verdict/npm_ci_without_lock both "$SCRATCH/pkg" "npm ci"
in_package gone
capture V1_verdict/npm_no_matching_version both "$SCRATCH/pkg" "npm install"
capture V1_verdict/npm_audit_without_lock both "$SCRATCH/pkg" "npm audit"
in_package postinstall
capture V1_verdict/npm_postinstall_fails both "$SCRATCH/pkg" "npm install"
in_package audited
capture V2_counts/npm_install_audited both "$SCRATCH/pkg" "npm install"
