"""pipeline/policy.py: what stays verbatim, and why."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import tersely
from tersely.config import Config
from tersely.model import ContentType, Detection, Observation, Segment
from tersely.pipeline import policy
from tersely.text import lines

LONG = "".join(f"row {n} of something\n" for n in range(40))
#: A token's shape, put together here so that no scanner takes it for one.
TOKEN = "gh" + "p_" + "a1B2c3D4" * 4 + "e5F6"


def plan(
    text: str,
    content_type: ContentType = ContentType.UNKNOWN,
    config: Config | None = None,
) -> policy.Plan:
    split = lines.split(text)
    segment = Segment(0, len(split.lines), content_type, "given")
    detection = Detection(content_type, "given", 1.0, (segment,))
    observation = Observation(text.encode())
    return policy.plan(observation, text, split, detection, config or Config(), 400)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("git status --porcelain", "machine"),
        ("git status --porcelain=v2 --branch", "machine"),
        ("git diff -z --name-only", "machine"),
        ("grep -rlZ --null x .", "machine"),
        ("find . -print0", "machine"),
        ("tar -z -xf a.tgz", ""),
        ("git status", ""),
        ("git status --porcelain | cat", ""),
        ("echo '--porcelain'", "machine"),
        ("env", "secret"),
        ("printenv", "secret"),
        ("env A=1 make", ""),
        ("cat .env", "secret"),
        ("cat config/.env.local", "secret"),
        ("cat environment.md", ""),
        ("gh auth login", "secret"),
        ("npm login", "secret"),
        ("vault read secret/x", "secret"),
        ("gh pr list", ""),
        ("unbalanced ' quote --porcelain", ""),
        (("git", "status", "--porcelain"), "machine"),
    ],
)
def test_commands_that_pass_before_their_text_is_seen(
    command: str | tuple[str, ...], reason: str
) -> None:
    observation = Observation(b"x", command=command)

    assert reason == policy.early_reason(observation, Config())


def test_raw_and_switched_off_pass() -> None:
    asked = Observation(b"x", raw=True)

    assert "asked_raw" == policy.early_reason(asked, Config())
    off = replace(Config(), mode="off")
    assert "asked_raw" == policy.early_reason(Observation(b"x"), off)
    disabled = replace(Config(), disable=True)
    assert "asked_raw" == policy.early_reason(Observation(b"x"), disabled)


def test_a_dotenv_file_is_a_secret_by_its_path() -> None:
    assert "secret" == policy.early_reason(Observation(b"x", path="a/.env"), Config())


def test_small_texts_are_never_touched() -> None:
    assert "small" == plan("a\n" * 5).reason
    assert "" == plan("a\n" * 6).reason
    assert "" == plan("a" * 501).reason


def test_an_emission_is_not_shortened_again() -> None:
    again = LONG + "[3 more lines]\n[full output: ctx expand 3f2a9c0b7d1e]\n"

    assert "verbatim" == plan(again).reason


@pytest.mark.parametrize(
    "secret",
    [
        TOKEN,
        "-----BEGIN RSA PRIVATE " + "KEY-----",
        "AK" + "IA" + "Q3EGRIGHT7EXAMPL",
        "sk-" + "ant-" + "x" * 40,
    ],
)
def test_known_secret_shapes_pass_and_are_named(secret: str) -> None:
    assert "secret" == plan(LONG + f"key {secret}\n").reason


@pytest.mark.parametrize("text", ["AKIAIOSFODNN7EXAMPLE", "ghp_short", "npm_config_x"])
def test_words_that_only_begin_like_one_do_not(text: str) -> None:
    assert "" == plan(LONG + text + "\n").reason


@pytest.mark.parametrize("content_type", list(ContentType))
def test_every_type_has_a_plan(content_type: ContentType) -> None:
    got = plan(LONG, content_type)

    verbatim = {ContentType.CONFIG, ContentType.SOURCE_CODE, ContentType.MARKDOWN}
    want = "verbatim" if content_type in verbatim else ""
    want = "binary" if content_type is ContentType.BINARY else want
    assert want == got.reason
    assert bool(want) != bool(got.steps)


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"command": "cat src/a.py"}, "verbatim"),
        ({"command": "sed -n 1,80p app/main.go"}, "verbatim"),
        ({"path": "conf/site.yaml"}, "verbatim"),
        ({"command": "cat notes"}, ""),
        ({"command": "./a.py"}, ""),
        ({"command": "cat a.py | wc"}, ""),
    ],
)
def test_a_printed_source_of_no_sure_type_is_a_read(
    facts: dict[str, str], reason: str
) -> None:
    split = lines.split(LONG)
    segment = Segment(0, len(split.lines), ContentType.UNKNOWN, "none")
    detection = Detection(ContentType.UNKNOWN, "none", 0.0, (segment,))
    observation = Observation(LONG.encode(), **facts)  # type: ignore[arg-type]

    got = policy.plan(observation, LONG, split, detection, Config(), 400)

    assert reason == got.reason


def test_error_forms_are_pinned_before_any_transform_runs() -> None:
    text = LONG + "src/a.c:3:1: error: expected ';'\n"

    (step,) = plan(text, ContentType.BUILD_OUTPUT).steps

    assert (40,) == step.pins


def test_aggressive_halves_the_budget() -> None:
    (standard,) = plan(LONG, ContentType.LOG).steps
    config = replace(Config(), mode="aggressive")
    (aggressive,) = plan(LONG, ContentType.LOG, config).steps

    assert standard.params["budget_tokens"] == 2 * aggressive.params["budget_tokens"]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("git log -1 --format=%H", "git log"),
        ("/usr/bin/pytest -q tests/secret_name.py", "pytest"),
        ("A=1 cargo test", "cargo test"),
        ("a | b", ""),
        (None, ""),
        (("docker", "compose", "up"), "docker compose"),
        ("python /home/x/run.py", "python"),
    ],
)
def test_of_a_command_two_words_are_noted(
    command: str | tuple[str, ...] | None, name: str
) -> None:
    assert name == policy.command_name(command)


def test_no_other_module_decides_what_stays_verbatim() -> None:
    """X5: the reasons to pass on untouched text are given in policy alone."""
    reasons = {"verbatim", "machine", "secret", "asked_raw"}
    root = Path(tersely.__path__[0])
    found = set()
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
                "Plan",
                "_PassOn",
            ):
                for arg in node.args[:1]:
                    if isinstance(arg, ast.Constant) and arg.value in reasons:
                        found.add(path.name)

    assert {"policy.py"} == found


@pytest.mark.parametrize(
    ("stream", "exit_code", "floor"),
    [
        ("stderr", 2, 0.0),
        ("stderr", None, 0.0),
        ("stderr", 0, None),
        ("stdout", 2, None),
        (None, 2, None),
    ],
)
def test_stderr_of_a_failing_build_loses_progress_only(
    stream: str | None, exit_code: int | None, floor: float | None
) -> None:
    split = lines.split(LONG)
    kind = ContentType.BUILD_OUTPUT
    segment = Segment(0, len(split.lines), kind, "given")
    detection = Detection(kind, "given", 1.0, (segment,))
    observation = Observation(LONG.encode(), stream=stream, exit_code=exit_code)

    planned = policy.plan(observation, LONG, split, detection, Config(), 400)

    assert floor == planned.steps[0].params.get("floor")
