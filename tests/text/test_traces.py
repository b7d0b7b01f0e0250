"""text/traces.py: a stack trace is one block."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tersely.text import traces


def found(text: str) -> list[str]:
    lines = text.split("\n")
    return ["\n".join(lines[span.start : span.stop]) for span in traces.find(lines)]


PYTHON = """Traceback (most recent call last):
  File "a.py", line 3, in f
    g()
    ~^^
KeyError: 'x'"""

CHAINED = f"""{PYTHON}

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "b.py", line 9, in h
RuntimeError: gave up"""

JAVA = """java.lang.IllegalStateException: no order
	at shop.Orders.find(Orders.java:40)
	at shop.Main.main(Main.java:9)
Caused by: java.io.IOException: disk
	... 2 more"""

NODE = """TypeError: x is not a function
    at Object.<anonymous> (/srv/a.js:3:1)
    at node:internal/main:12:5"""

GO = """goroutine 6 [running]:
main.(*Shard).compact(...)
	/srv/crash.go:19

goroutine 1 [chan receive]:
main.main()
	/srv/crash.go:27"""

RUST = """thread 'main' panicked at src/main.rs:6:75:
called `Result::unwrap()` on an `Err` value
stack backtrace:
   0: rust_begin_unwind"""

NATIVE = """#0  0x000055 in crash () at a.c:3
#1  0x000066 in main () at a.c:9"""


def test_each_runtimes_trace_is_found_whole() -> None:
    for trace in (PYTHON, CHAINED, JAVA, NODE, GO, RUST, NATIVE):
        text = f"before\n\n{trace}\n\nafter"

        assert [trace] == found(text), trace


def test_a_log_prefix_before_the_traceback_is_part_of_its_lines() -> None:
    text = "\n".join("web | " + line for line in PYTHON.split("\n"))

    assert [text] == found(f"web | start\n{text}\nweb | end")


def test_faulthandler_dump() -> None:
    text = """Current thread 0x7f (most recent call first):
  File "a.py", line 3 in f
  File "b.py", line 9 in g"""

    assert [text] == found(f"Fatal Python error: Segmentation fault\n\n{text}\n\nend")


def test_prose_is_no_trace() -> None:
    assert [] == found("we met at noon\nat the office\n  and # 0 more\nTraceback soon")


LINES = st.lists(
    st.sampled_from(
        [*PYTHON.split("\n"), *JAVA.split("\n"), *GO.split("\n"), "", "x", "    at y"]
    )
)


@given(LINES)
def test_traces_never_overlap(lines: list[str]) -> None:
    last = 0
    for span in traces.find(lines):
        assert last <= span.start < span.stop <= len(lines)
        last = span.stop
