"""Every other command as a person or an agent calls it."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from frontends.process import CTX, Ctx

FOOTER = re.compile(rb"\[full output: ctx expand ([0-9a-f]{12})\]")


def _shorten(ctx: Ctx, data: bytes) -> bytes:
    """The emission of a failing pytest run."""
    done = ctx("pipe", "--command", "pytest -v", "--exit-code", "1", input=data)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def _handle(emission: bytes) -> str:
    found = FOOTER.fullmatch(emission.splitlines()[-1])
    assert found
    return found.group(1).decode()


def test_pipe_needs_no_options(ctx: Ctx, failing_run: bytes) -> None:
    done = ctx("pipe", input=failing_run)

    assert done.returncode == 0
    assert b"assert 151 == 152" in done.stdout
    assert len(done.stdout) < len(failing_run) / 2
    assert ctx("expand", "-", input=done.stdout).stdout == failing_run


def test_what_pipe_made_is_left_alone_the_second_time(
    ctx: Ctx, failing_run: bytes
) -> None:
    once = _shorten(ctx, failing_run)

    assert ctx("pipe", input=once).stdout == once


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\0\xff\xfe", b"no end", b"a\rb\r\nc\n", b"\xef\xbb\xbfx\n"]
)
def test_pipe_passes_short_texts_on(ctx: Ctx, data: bytes) -> None:
    assert ctx("pipe", input=data).stdout == data


def test_options_of_pipe_are_what_the_engine_is_told(
    ctx: Ctx, failing_run: bytes
) -> None:
    data = json.dumps({"secret": "x" * 600}).encode()

    plain = ctx("pipe", "--json", input=data)
    private = ctx("pipe", "--json", "--path=app/.env", input=data)
    machine = ctx("pipe", "--json", "--command", "git status -z", input=failing_run)
    raw = ctx("pipe", "--json", "--raw", input=failing_run)

    reasons = [json.loads(done.stdout)["reason"] for done in (private, machine, raw)]
    assert reasons == ["secret", "machine", "asked_raw"]
    assert json.loads(plain.stdout)["reason"] != "secret"


def test_a_text_above_the_limit_passes_whole(ctx: Ctx) -> None:
    data = b"0123456789abcde\n" * (65 << 16)

    assert ctx("pipe", input=data).stdout == data


def test_pipe_to_a_file_changes_nothing_unless_json_is_asked_for(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    with open(tmp_path / "plain", "wb") as out:
        ctx("pipe", input=failing_run, stdout=out)
    with open(tmp_path / "json", "wb") as out:
        ctx("pipe", "--json", input=failing_run, stdout=out)

    assert (tmp_path / "plain").read_bytes() == failing_run
    assert json.loads((tmp_path / "json").read_bytes())["proof"] == "cut"


def test_pipe_says_in_json_and_words_what_it_did(ctx: Ctx, failing_run: bytes) -> None:
    plain = ctx("pipe", input=failing_run)
    as_json = json.loads(ctx("pipe", "--json", input=failing_run).stdout)
    explained = ctx("pipe", "--explain", input=failing_run)

    assert as_json["text"].encode() == plain.stdout == explained.stdout
    assert set(as_json) >= {"handle", "tier", "proof", "transform", "blocks", "reason"}
    stages = [line.split()[0] for line in explained.stderr.decode().splitlines()]
    order = "ingest classify policy transform guard archive emit ledger".split()
    assert [name for name in stages if name in order] == order


def test_every_form_of_a_handle_opens(ctx: Ctx, failing_run: bytes) -> None:
    emission = _shorten(ctx, failing_run)
    handle = _handle(emission)
    key = json.loads(ctx("pipe", "--json", input=failing_run).stdout)["key"]

    for form in (handle, key, f"ccr:{key}", f"<<ccr:{key}>>", handle.upper()):
        assert ctx("expand", form).stdout == failing_run
    assert ctx("expand", "-", input=emission).stdout == failing_run


@pytest.mark.parametrize("shell", ["bash", "dash", "zsh", "sh"])
def test_the_footer_is_a_command_that_works(
    ctx: Ctx, failing_run: bytes, shell: str, tmp_path: Path
) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    footer = _shorten(ctx, failing_run).splitlines()[-1].decode()
    command = footer.removeprefix("[full output: ").removesuffix("]")
    program = tmp_path / "ctx"
    program.write_text(f'#!/bin/sh\nexec {CTX[0]} -c "{CTX[2]}" "$@"\n')
    program.chmod(0o755)
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}

    done = subprocess.run([shell, "-c", command], capture_output=True, env=environ)

    assert (done.returncode, done.stdout) == (0, failing_run)


def test_the_long_footer_opens_too(ctx: Ctx, failing_run: bytes) -> None:
    environ = {**os.environ, "CTX_FOOTER": "ccr"}
    done = ctx("pipe", input=failing_run, env=environ)

    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(rb"\[full output: ctx expand <<ccr:[0-9a-f]{24}>>\]", last)
    assert ctx("expand", last.decode()).stdout == failing_run


def test_expand_takes_parts(ctx: Ctx, failing_run: bytes) -> None:
    handle = _handle(_shorten(ctx, failing_run))
    lines = failing_run.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines, 1) if line.startswith(b"E  "))

    assert ctx("expand", handle, "--lines", "3-5").stdout == b"".join(lines[2:5])
    assert ctx("expand", handle, "--head", "2").stdout == b"".join(lines[:2])
    assert ctx("expand", handle, "--tail", "1").stdout == lines[-1]
    assert ctx("expand", handle, "--grep", "^E  .*==").stdout == b"%d:%s" % (
        at,
        lines[at - 1],
    )
    around = ctx("expand", handle, "--grep", "^E  .*==", "-C", "1").stdout
    assert around.splitlines()[0] == b"%d-%s" % (at - 1, lines[at - 2].rstrip())


def test_expand_finds_json_values(ctx: Ctx) -> None:
    rows = [
        {"id": at, "price": 1.5, "name": f"item {at}", "shop": "north"}
        for at in range(200)
    ]
    data = json.dumps(rows, indent=1).encode()
    made = json.loads(ctx("pipe", "--json", input=data).stdout)
    assert made["tokens_out"] < made["tokens_raw"]
    if made["handle"] is None:
        pytest.skip("this text is shortened without a handle")

    done = ctx("expand", made["handle"], "--json-path", "$[7].name")

    assert done.stdout == b'"item 7"\n'


def test_unknown_handles_are_one_line_a_hint_and_exit_5(ctx: Ctx) -> None:
    for asked in ("0123456789ab", "what?", ""):
        done = ctx("expand", asked)

        assert (done.returncode, done.stdout) == (5, b"")
        lines = done.stderr.decode().splitlines()
        assert lines[0].startswith("ctx: ") and lines[1].startswith("hint: ")


def test_a_purged_handle_is_expired_and_exit_4(ctx: Ctx, failing_run: bytes) -> None:
    handle = _handle(_shorten(ctx, failing_run))

    purged = ctx("archive", "purge")
    done = ctx("expand", handle)

    assert purged.returncode == 0
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"hint: " in done.stderr


def test_the_archive_tells_about_itself(ctx: Ctx, failing_run: bytes) -> None:
    _shorten(ctx, failing_run)

    status = json.loads(ctx("archive", "status", "--json").stdout)
    verify = ctx("archive", "verify")
    gc = json.loads(ctx("archive", "gc", "--json").stdout)

    assert (status["rows"], status["size_bytes"]) == (1, len(failing_run))
    assert (verify.returncode, gc["expired"]) == (0, 0)
    assert b"rows" in ctx("archive", "status").stdout


def test_a_damaged_original_is_found(ctx: Ctx, failing_run: bytes, home: Path) -> None:
    import sqlite3

    _shorten(ctx, failing_run)
    [path] = home.rglob("store.db")
    database = sqlite3.connect(path)
    tables = database.execute(
        "select m.name, p.name from sqlite_master m, pragma_table_info(m.name) p "
        "where m.type = 'table' and p.type = 'BLOB'"
    ).fetchall()
    for table, column in tables:
        database.execute(
            f"update {table} set {column} = zeroblob(length({column}))"  # noqa: S608
            f" where length({column}) > 100"
        )
    database.commit()
    database.close()

    done = ctx("archive", "verify")

    assert done.returncode == 1
    assert done.stdout.strip()


def test_the_store_is_private(ctx: Ctx, failing_run: bytes, home: Path) -> None:
    _shorten(ctx, failing_run)

    [path] = home.rglob("store.db")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_stats_debit_what_was_fetched_again(ctx: Ctx, failing_run: bytes) -> None:
    assert b"nothing yet" in ctx("stats").stdout

    handle = _handle(_shorten(ctx, failing_run))
    [before] = json.loads(ctx("stats", "--json").stdout)["totals"]
    for _ in range(3):
        ctx("expand", handle)
    [after] = json.loads(ctx("stats", "--json").stdout)["totals"]

    assert before["net"] == before["tokens_raw"] - before["tokens_out"] > 0
    assert after["net"] < 0
    table = ctx("stats", "--by", "transform").stdout.decode().splitlines()
    assert table[0].split()[0] == "transform"
    assert any(line.startswith("build_run") for line in table)


def test_stats_group_by_all_they_offer(ctx: Ctx, failing_run: bytes) -> None:
    from tersely.frontends.cli.commands.stats import GROUPS
    from tersely.store import GROUPS as KNOWN

    _shorten(ctx, failing_run)

    assert GROUPS == KNOWN
    for by in GROUPS:
        assert ctx("stats", "--by", by).returncode == 0


def test_detect_names_type_and_evidence(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    (tmp_path / "said").write_bytes(failing_run)

    plain = ctx("detect", str(tmp_path / "said"))
    as_json = json.loads(ctx("detect", "--json", input=failing_run).stdout)

    assert plain.stdout.startswith(b"BUILD_OUTPUT  ")
    assert as_json["content_type"] == "BUILD_OUTPUT"
    assert as_json["segments"][0]["start"] == 0
    assert ctx("detect", input=b"\x89PNG\r\n\x1a\n\0\0\0").stdout[:6] == b"BINARY"


def test_detect_of_a_missing_file_is_exit_1(ctx: Ctx, tmp_path: Path) -> None:
    done = ctx("detect", str(tmp_path / "none"))

    assert done.returncode == 1
    assert b"none: No such file or directory" in done.stderr


def test_doctor_is_content_with_a_fresh_home(ctx: Ctx) -> None:
    done = ctx("doctor")

    assert (done.returncode, done.stderr) == (0, b"")
    assert b"FAULT" not in done.stdout
    facts = json.loads(ctx("doctor", "--json").stdout)
    assert facts["ok"] is True
    names = {check["name"] for check in facts["checks"]}
    assert names >= {"version", "settings", "mode", "store", "engine", "faults"}


def test_doctor_notes_what_is_set(ctx: Ctx) -> None:
    environ = {**os.environ, "CTX_MODE": "measure", "CTX_ARCHIVE_TTL": "1"}

    done = ctx("doctor", env=environ)

    assert done.returncode == 0
    assert b"measure, set by CTX_MODE" in done.stdout
    assert b"did you mean CTX_ARCHIVE_TTL_S?" in done.stdout


def test_measuring_sends_raw_and_counts_what_would_have_been_saved(
    ctx: Ctx, failing_run: bytes
) -> None:
    environ = {**os.environ, "CTX_MODE": "measure"}

    done = ctx("pipe", input=failing_run, env=environ)

    assert done.stdout == failing_run
    [total] = json.loads(ctx("stats", "--json").stdout)["totals"]
    assert total["tokens_measured"] > 0
    assert total["net"] == 0


def test_bench_measures_a_folder(ctx: Ctx, failing_run: bytes, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "run.txt").write_bytes(failing_run)
    (tmp_path / "short.txt").write_bytes(b"hello\n")

    done = ctx("bench", "--counter", "estimate", str(tmp_path))
    facts = json.loads(ctx("bench", "--json", str(tmp_path)).stdout)

    assert (done.returncode, done.stderr) == (0, b"")
    rows = [line.split() for line in done.stdout.decode().splitlines()]
    assert [row[0] for row in rows[:4]] == ["class", ".", "tests", "all"]
    assert facts["all"]["files"] == 2
    assert facts["all"]["tokens_out"] < facts["all"]["tokens_raw"]
    assert (facts["all"]["grew"], facts["all"]["lost"]) == (0, 0)


def test_bench_reads_a_manifest_and_judges_by_it(
    ctx: Ctx, failing_run: bytes, tmp_path: Path
) -> None:
    (tmp_path / "run.txt").write_bytes(failing_run)
    row = {
        "path": "run.txt",
        "class": "test_log",
        "command": "pytest -v",
        "exit_code": 1,
        "must_keep": ["assert 151 == 152", "test_sum_017 PASSED"],
    }
    (tmp_path / "MANIFEST.jsonl").write_text(json.dumps(row) + "\n")

    done = ctx(
        "bench",
        "--counter",
        "estimate",
        str(tmp_path),
        "--misses",
        "--min-recall",
        "60",
    )
    greedy = ctx("bench", "--counter", "estimate", str(tmp_path), "--min-saved", "99.9")

    assert done.returncode == 1
    assert b"not kept   run.txt: 'test_sum_017 PASSED'" in done.stdout
    assert b"FAILED: 50.0 % of facts kept" in done.stdout
    assert greedy.returncode == 1
    assert b"% saved, 99.9 % wanted" in greedy.stdout


@pytest.mark.parametrize("row", ["{", "[]", '{"class": "x"}'])
def test_bench_names_the_line_of_a_bad_manifest(
    ctx: Ctx, row: str, tmp_path: Path
) -> None:
    (tmp_path / "MANIFEST.jsonl").write_text(row + "\n")

    done = ctx("bench", "--counter", "estimate", str(tmp_path))

    assert done.returncode == 1
    assert b"MANIFEST.jsonl:1: no object with a path" in done.stderr


def test_the_demo_brings_everything_back(ctx: Ctx, home: Path) -> None:
    done = ctx("demo")
    said = done.stdout.decode()

    assert (done.returncode, done.stderr) == (0, b"")
    assert "test_discount_never_makes_it_negative" in said
    assert "not in it:" not in said
    assert "NOT THE SAME" not in said
    assert not list(home.rglob("store.db"))
    assert "\x1b[" not in said


def test_the_demos_handles_can_be_kept(ctx: Ctx) -> None:
    said = ctx("demo", "--keep").stdout.decode()

    handles = re.findall(r"back    ctx expand ([0-9a-f]{12}): (\d+) bytes", said)
    assert handles
    for handle, size in handles:
        assert len(ctx("expand", handle).stdout) == int(size)
