import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tersely.text.canonical import Canonical, canonical

STAMP = "2024-05-03T04:17:40.1234567Z "

# Pieces that terminals and runners write, and pieces of pieces.
PIECES = [
    *"\x1b\r\n\b\t[]()?;^#|_ aK7mG9",
    *("\x1b[31m", "\x1b[0m", "\x1b[2K", "\x1b[1A", "\x1b[1G", "\x1b[3C", "\x1b[5;1H"),
    *(
        "\x1b[s",
        "\x1b[u",
        "\x1b7",
        "\x1b8",
        "\x1b]8;;u\x1b\\",
        "\x1b]0;t\x07",
        "\x1b(B",
    ),
    *("^[[31m", "^[[0m", "^[", "[0m", "\r\n", "x\bx", "_\bx", "\ufeff", "\0", "\x9c"),
    *("##[group]", STAMP, STAMP[:10], "job\tstep\t", "50% ", "##--", "word", "é█"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def form(text: str) -> str:
    return canonical(text).text


@given(st.one_of(TEXTS, st.text(max_size=60)))
@example("\x1b\x1b[31m[0m")
@example("^[^[[31m[0m^[[0m")
@example("\x1b[\x1b[0m2K")
@example("a\r\x1b7b")
@example("\x1b[2K\bx")
def test_a_canonical_text_is_its_own_form(text: str) -> None:
    done = canonical(text)

    assert canonical(done.text) == Canonical(done.text, ())
    assert len(done.text) <= len(text)
    assert bool(done.steps) == (done.text != text)


@given(st.text(st.characters(exclude_characters="\x1b\r\b^"), max_size=200))
def test_a_text_that_no_step_concerns_is_the_same_object(text: str) -> None:
    assert canonical(text).text is text


def test_control_sequences_go_and_the_text_stays() -> None:
    link = "\x1b]8;;https://example.org/\x1b\\docs\x1b]8;;\x1b\\"
    text = (
        f"\x1b]0;title\x07\x1b(B\x1b[1;31merror\x1b[0m: see {link}\x1b[K\n\x1b[?25l\n"
    )

    assert canonical(text) == Canonical("error: see docs\n\n", ("ansi",))


def test_columns_that_the_cursor_jumps_to_stay_apart() -> None:
    assert form("name\x1b[20Gsize\x1b[4Cdate\n") == "name size date\n"


def test_caret_text_of_a_ci_log_is_an_escape() -> None:
    text = "^[[36;1mpytest -q^[[0m\n^[[31mFAILED^[[0m a.py\n"

    assert canonical(text) == Canonical(
        "pytest -q\nFAILED a.py\n", ("caret_ansi", "ansi")
    )


@pytest.mark.parametrize(
    "text",
    [
        'RED = "^[[31m"\nEND = "^[[0m"\n',
        "Write `^[[1m` for bold and `^[[0m` to end it.\n",
        "The key sends ^[[31m here.\n",
        "regex: ^[[a-z]+m and ^[[^a]+K\n",
    ],
)
def test_caret_text_that_is_content_stays(text: str) -> None:
    assert canonical(text).text is text


def test_what_a_plain_patch_holds_is_content() -> None:
    patch = (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n"
        " \x1b[31mred\x1b[0m\n-a\rb\n+a\rc\n"
    )

    assert canonical(patch).text is patch


def test_a_coloured_patch_loses_its_colours() -> None:
    text = (
        "\x1b[1mdiff --git a/x b/x\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-a\x1b[m\n"
    )

    assert form(text) == "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n"


def test_a_redrawn_progress_line_keeps_its_last_state() -> None:
    text = (
        "\rReceiving objects:   0% (1/40)\rReceiving objects:  50% (20/40), 1 KiB"
        "\rReceiving objects: 100% (40/40), 3 MiB | 2 MiB/s, done.\nnext\n"
    )

    assert form(text) == (
        "Receiving objects: 100% (40/40), 3 MiB | 2 MiB/s, done.\nnext\n"
    )


def test_bars_units_and_times_do_not_make_a_new_state() -> None:
    text = (
        "start\n  0%|          | 0/400 [00:00<?, ?it/s]"
        "\r 52%|█████▏    | 210/400 [00:01<00:01, 171.32it/s]"
        "\r100%|██████████| 400/400 [00:02<00:00, 17.3s/it]\n"
    )

    assert form(text) == ("start\n100%|██████████| 400/400 [00:02<00:00, 17.3s/it]\n")


def test_states_that_differ_in_words_stay_as_lines() -> None:
    text = "x\nRebasing (1/6)\rAuto-merging a.py\rRebasing (2/6)\rRebasing (3/6)\nend\n"

    assert form(text) == ("x\nRebasing (1/6)\nAuto-merging a.py\nRebasing (3/6)\nend\n")


def test_names_with_digits_are_words() -> None:
    text = "x\nGet libfoo-1.2 9%\rGet libfoo-1.3 9%\rtest_1 ok\rtest_2 ok\n"

    assert form(text) == (
        "x\nGet libfoo-1.2 9%\nGet libfoo-1.3 9%\ntest_1 ok\ntest_2 ok\n"
    )


def test_lines_that_end_in_cr_are_lines() -> None:
    rows = "id,count\r1,20\r2,30\r3,40\r"

    assert canonical(rows).text is rows
    assert form(rows + "\n").split() == rows.split()


def test_a_text_of_one_redrawn_line_without_an_end_is_progress() -> None:
    text = "".join(f"\r{n:3}% |{'#' * n}| {n}/99 [00:0{n}]" for n in range(1, 9))

    assert form(text) == "  8% |########| 8/99 [00:08]"


def test_crlf_stays() -> None:
    text = "one\r\ntwo\r\n"

    assert canonical(text).text is text
    assert form("a\rb\r\nc\r\r\n") == "a\nb\r\nc\r\n"


def test_frames_of_several_lines_keep_their_last_state() -> None:
    frames = [
        "[+] Running 0/2\n - web Pulling 0.1s\n - db Pulling 0.1s\n",
        "[+] Running 1/2\n - web Pulled 1.1s\n - db Pulling 1.1s\n",
        "[+] Running 2/2\n - web Pulled 1.1s\n - db Pulled 2.4s\n",
    ]
    back = "\x1b[1A\x1b[2K" * 3

    text = "pull\n" + back.join(frames) + "done\n"

    assert form(text) == (
        "pull\n - web Pulling 0.1s\n - db Pulling 1.1s\n"
        "[+] Running 2/2\n - web Pulled 1.1s\n - db Pulled 2.4s\ndone\n"
    )


def test_erased_lines_show_what_was_drawn_last() -> None:
    text = "\x1b[2K\x1b[1G[1/4] Resolving\x1b[2K\x1b[1G[2/4] Resolving\nok\n"

    assert form(text) == "[2/4] Resolving\nok\n"


def test_a_status_line_at_a_fixed_row_is_one_line() -> None:
    def bar(percent: int) -> str:
        return f"\x1b7\x1b[24;0f\x1b[42mProgress: [{percent:3}%]\x1b[49m\x1b8"

    text = f"Unpacking a\n{bar(10)}Unpacking b\n{bar(60)}Setting up a\n{bar(90)}end\n"

    assert (
        form(text) == "Unpacking a\nUnpacking b\nSetting up a\nProgress: [ 90%]\nend\n"
    )


def test_overstrike_is_read_as_one_character() -> None:
    text = "N\bNA\bAM\bME\bE\n  l\bls\bs [_\bf_\bi_\bl_\be] _\b_x\b_ +\bo\n"

    assert canonical(text) == Canonical("NAME\n  ls [file] _x o\n", ("overstrike",))


def test_a_spinner_by_backspace_shows_its_last_state() -> None:
    assert form("Loading 10%\b\b\b20%\b\b\b30%\n") == "Loading 30%\n"


def test_runner_stamps_go() -> None:
    text = (
        f"\ufeff{STAMP}##[group]Run pytest\n{STAMP}\x1b[31mFAILED\x1b[0m a\n{STAMP}\n"
    )

    assert canonical(text) == Canonical(
        "##[group]Run pytest\nFAILED a\n\n", ("ci_prefix", "ansi")
    )


def test_runner_stamps_before_a_redraw_are_no_state() -> None:
    text = "".join(
        f"{STAMP}{line}\n"
        for line in ("##[group]pip", "  0/9 [a]", "\x1b[1A\x1b[2K  9/9 [a]", "end")
    )

    assert form(text) == "##[group]pip\n  9/9 [a]\nend\n"


def test_job_and_step_stay_where_they_change() -> None:
    text = (
        f"build\tSet up job\t\ufeff{STAMP}Current runner\n"
        f"build\tSet up job\t{STAMP}Linux\n"
        f"build\tRun tests\t\ufeff{STAMP}##[group]Run make\n"
        f"build\tRun tests\t{STAMP}ok\n"
        f"lint\tRun tests\t{STAMP}clean\n"
    )

    assert canonical(text) == Canonical(
        "build\tSet up job\tCurrent runner\nLinux\n"
        "build\tRun tests\t##[group]Run make\nok\nlint\tRun tests\tclean\n",
        ("ci_prefix",),
    )


def test_gitlab_sections_and_stamps_go() -> None:
    stamp = "2024-05-21T08:15:24.123456Z 00O "
    text = (
        f"{stamp}section_start:1716279324:get_sources\r\x1b[0K\x1b[36;1mSources\x1b[0;m\n"
        f"{stamp}Fetching changes\n"
        f"{stamp}section_end:1716279325:get_sources\r\x1b[0K\n"
    )

    assert form(text) == "Sources\nFetching changes\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-03T04:17:40.1234567Z [INF] listening\n" * 5,
        "2024-05-03T04:17:40.123456789Z GET /health 200\n" * 5,
        "2024-05-03 04:17:40,123 INFO app: ##[group]\n" * 5,
        "web-1  | ready\ndb-1   | ready\n",
        f"{STAMP}##[group]only one of many\nplain\nplain\nplain\n",
    ],
    ids=[".NET", "docker logs -t", "python", "compose", "few"],
)
def test_stamps_of_applications_and_container_names_are_content(text: str) -> None:
    assert canonical(text).text is text


@pytest.mark.parametrize(
    "unit",
    ["\x1b", "\b", "\r", "\x1b[", "\x1b]", "a\b", "1%\r", "^[[", "^[[m", "\x1b[2K"],
)
def test_long_runs_settle(unit: str) -> None:
    """Time grows with the length only: a quadratic step would not end here."""
    text = "x\n" + unit * (200_000 // len(unit)) + "\ny"

    done = form(text)

    assert form(done) == done
    assert len(done) <= len(text)
