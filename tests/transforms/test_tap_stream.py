"""TAP streams: what passed goes with its block, what failed stays with it."""

from __future__ import annotations

from tersely.transforms.build_run import tap_stream

STREAM = """TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 1
  ...
# Subtest: takes
not ok 2 - takes
  ---
  error: 'x'
  ...
ok 3 - later # SKIP not today
not ok 4 - some day # TODO
not ok 5 - plain
#   Failed test 'plain'
#   at a.t line 3.
1..5
# tests 5""".split("\n")


def test_a_passed_point_goes_with_its_comment_and_block() -> None:
    marks = tap_stream.read(STREAM)

    assert "tap" == marks.format
    assert [range(1, 6)] == marks.noise


def test_a_failed_point_stays_with_its_block_to_the_closing_dots() -> None:
    marks = tap_stream.read(STREAM)

    assert [range(7, 11), range(13, 16)] == marks.failures


def test_what_was_skipped_or_is_to_do_is_no_noise_and_no_failure() -> None:
    marks = tap_stream.read(STREAM)

    assert [11, 12] == marks.notable


def test_ok_without_a_plan_is_no_tap() -> None:
    assert "" == tap_stream.read(["ok 1", "not ok 2", "Upload ok"]).format


def test_a_block_that_is_never_closed_takes_nothing_with_it() -> None:
    torn = ["1..2", "ok 1", "  ---", *["  x: 1"] * 400, "not ok 2"]

    marks = tap_stream.read(torn)

    assert [range(1, 2)] == marks.noise
    assert [range(403, 404)] == marks.failures
