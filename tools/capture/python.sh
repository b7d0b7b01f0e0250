#!/usr/bin/env bash
# Capture what Python tools print. Needs python3 (3.11 or newer) and a package
# index.
#
#   tools/capture/python.sh                all cases
#   ONLY=V14_diffs/pytest_diff tools/capture/python.sh
#   SCRATCH=/tmp/x tools/capture/python.sh   keeps the tools for next time
. "$(dirname "$0")/lib.sh"

WORK=$SCRATCH/python
mkdir -p "$WORK" "$SCRATCH/home"
cp -R "$HERE/projects/python/." "$WORK"
if [ ! -x "$SCRATCH/env/bin/pytest" ]; then
    python3 -m venv "$SCRATCH/env" && "$SCRATCH/env/bin/pip" install -q pytest \
        pytest-xdist pytest-timeout mypy ruff flake8 pylint coverage tox nox uv \
        pre-commit || exit 1
fi
export PATH="$SCRATCH/env/bin:$PATH" PYTHONDONTWRITEBYTECODE=1
export PYTEST_ADDOPTS="-p no:cacheprovider" MYPY_CACHE_DIR=/dev/null
export PIP_DISABLE_PIP_VERSION_CHECK=1 RUFF_NO_CACHE=true PRE_COMMIT_HOME="$SCRATCH/home/pre"

TOOL="pytest 9"
capture V4_severity/pytest_many_one_fails both "$WORK" "pytest -v tests/test_many.py"
capture V4_severity/pytest_quiet both "$WORK" "pytest -q tests/test_many.py"
capture V4_severity/pytest_xdist both "$WORK" "pytest -n2 -v tests/test_many.py"
capture V4_severity/pytest_21_warnings_1_error both "$WORK" "pytest -v tests/test_warn.py -W always"
capture V14_diffs/pytest_diff both "$WORK" "pytest -vv tests/test_diff.py tests/test_many.py"
capture V14_diffs/pytest_captured_output both "$WORK" "pytest tests/test_log.py tests/test_many.py"
capture V14_diffs/pytest_tb_short both "$WORK" "pytest --tb=short tests/test_diff.py tests/test_log.py"
capture V14_diffs/pytest_tb_line both "$WORK" "pytest --tb=line tests"
capture V14_diffs/pytest_tb_native both "$WORK" "pytest --tb=native tests/test_log.py tests/test_many.py"
capture V4_severity/pytest_everything_rA both "$WORK" "pytest -rA -v tests -x --maxfail=8"
capture V4_severity/pytest_unicode_ids both "$WORK" "pytest -v tests/test_unicode.py"
capture V4_severity/pytest_subtests both "$WORK" "pytest -v tests/test_sub.py"
capture V1_verdict/pytest_timeout both "$WORK" "pytest -v tests/test_slow.py"
capture V1_verdict/pytest_timeout_thread both "$WORK" "pytest -v --timeout-method=thread tests/test_slow.py"
capture V1_verdict/pytest_collection_errors both "$WORK" "pytest broken"
capture V1_verdict/pytest_collect_only both "$WORK" "pytest --collect-only -q tests/test_many.py"
capture V1_verdict/pytest_collect_only_tree both "$WORK" "pytest --collect-only tests/test_many.py"
capture V1_verdict/pytest_usage_error both "$WORK" "pytest --no-such-option"
capture V1_verdict/pytest_no_tests both "$WORK" "pytest shop"
capture V1_verdict/pytest_internal_error both "$WORK" "pytest crash"
capture V1_verdict/pytest_all_pass both "$WORK" "pytest -v tests/test_many.py -k 'not 117'"
capture V11_stderr/pytest_stderr stderr "$WORK" "pytest --no-such-option; pytest -q crash >&2"

TOOL="unittest of Python 3.11"
capture V4_severity/unittest_verbose both "$WORK" "python -m unittest discover -v -s unit"
capture V11_stderr/unittest_stderr stderr "$WORK" "python -m unittest discover -s unit"
TOOL="doctest of Python 3.11"
capture V14_diffs/doctest both "$WORK" "python -m doctest -v shop/cart.py"

TOOL="mypy 2"
capture V4_severity/mypy_errors both "$WORK" "mypy --strict lint/bad.py lint/many.py"
printf '[mypy]\nstrict = perhaps\nno_such_key = 1\n' >"$SCRATCH/wrong.ini"
capture V1_verdict/mypy_config_error both "$WORK" "mypy --config-file ../wrong.ini no_such_file.py"
capture V1_verdict/mypy_clean both "$WORK" "mypy lint/good.py"
printf 'def plugin(version):\n    raise RuntimeError("plugin cannot start")\n' >"$SCRATCH/crash.py"
printf '[mypy]\nplugins = %s/crash.py\n' "$SCRATCH" >"$SCRATCH/crash.ini"
capture V1_verdict/mypy_plugin_crash both "$WORK" "mypy --show-traceback --config-file ../crash.ini lint/good.py"
printf 'from mypy.plugin import Plugin\n\n\nclass P(Plugin):\n    def get_function_hook(self, name):\n        raise KeyError(name)\n\n\ndef plugin(version):\n    return P\n' >"$SCRATCH/crash2.py"
printf '[mypy]\nplugins = %s/crash2.py\n' "$SCRATCH" >"$SCRATCH/crash2.ini"
capture V1_verdict/mypy_internal_error both "$WORK" "mypy --config-file ../crash2.ini lint/bad.py"

TOOL="ruff"
capture V4_severity/ruff_full both "$WORK" "ruff check --output-format full lint"
capture V4_severity/ruff_concise both "$WORK" "ruff check --output-format concise --select ALL lint"
capture V2_counts/ruff_statistics both "$WORK" "ruff check --statistics --select ALL lint"
capture V1_verdict/ruff_format_check both "$WORK" "ruff format --check lint broken"
capture V1_verdict/ruff_config_error both "$WORK" "ruff check --config 'lint.select=[\"NOPE\"]' lint"
TOOL="flake8"
capture V4_severity/flake8 both "$WORK" "flake8 --count --statistics lint"
TOOL="pylint"
capture V4_severity/pylint both "$WORK" "pylint --score y lint/bad.py lint/many.py"
capture V2_counts/pylint_clean both "$WORK" "pylint lint/good.py"

TOOL="coverage"
capture V1_verdict/coverage_fail_under both "$WORK" "COVERAGE_FILE=../cov coverage run -m pytest -q tests/test_diff.py >/dev/null; COVERAGE_FILE=../cov coverage report --fail-under 99"

TOOL="tox 4"
capture V5_wrappers/tox_pytest both "$WORK/wrap" "tox --workdir ../../tox --sitepackages"
TOOL="nox"
capture V5_wrappers/nox_pytest both "$WORK/wrap" "nox"
TOOL="GNU make"
capture V5_wrappers/make_pytest both "$WORK/wrap" "make"
(cd "$WORK" && git init -q . && cp wrap/pre-commit-config.yaml .pre-commit-config.yaml && git add -A) 2>/dev/null
TOOL="pre-commit"
capture V5_wrappers/pre_commit both "$WORK" "pre-commit run --all-files"

TOOL="pip"
mkdir -p "$SCRATCH/torn"
printf 'raise SystemExit("setup.py: compiler for libtill not found")\n' >"$SCRATCH/torn/setup.py"
capture V1_verdict/pip_no_version both "$WORK" "pip install 'pytest>=9999'"
capture V1_verdict/pip_conflict both "$WORK" "pip install --dry-run 'pytest==8.3.5' 'pluggy==0.13'"
capture V1_verdict/pip_build_failure both "$WORK" "pip install ../torn"
TOOL="uv"
capture V1_verdict/uv_unsatisfiable both "$WORK" "uv pip install --dry-run 'pytest==8.3.5' 'pluggy==0.13'"
capture V11_stderr/uv_progress stderr "$WORK" "uv venv --clear ../uv && VIRTUAL_ENV=../uv uv pip install --no-cache rich attrs"
capture V15_redraws/uv_terminal tty "$WORK" "uv venv -q --clear ../uv && VIRTUAL_ENV=../uv uv pip install --no-cache rich attrs"
