"""ctx pipe -- shorten what comes in on stdin.

Reads:  stdin, settings
Writes: stdout (the emission), archive, ledger
Exit:   0 done, 2 wrong use
"""

from __future__ import annotations

import os
import sys

from ....config import light
from ....errors import UsageError
from ....shell import runner
from .. import engines, output, words

TYPE_CHECKING = False  # typing costs more than what a short text needs
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ....model import Envelope
    from ....pipeline.run import Trace

HELP = """\
usage: ctx pipe [--command C] [--exit-code N] [--path P] [--task T]
                [--raw] [--json] [--explain]

Shorten what comes in on stdin. What is left out comes back with the line that
says so: [full output: ctx expand HANDLE].

options:
  --command C    the command that said it
  --exit-code N  how that ended; unknown if not given, which is never success
  --path P       the file it comes from
  --task T       what the reader is after
  --raw          shorten nothing
  --json         print one object, the envelope
  --explain      say on stderr what was decided, and why
  -h, --help     show this

No option is needed; what is known about the text makes the result better. When
stdout is a file, the text goes there as it is; over 64 MB, too.

  pytest -q 2>&1 | ctx pipe --command 'pytest -q'
  make 2>&1 | ctx pipe --command make --exit-code 2
"""

_FLAGS = ("--raw", "--json", "--explain")
_VALUED = ("--command", "--exit-code", "--path", "--task")


def run(argv: Sequence[str]) -> int:
    """Shorten stdin to stdout."""
    options, rest = words.options("pipe", argv, _FLAGS, _VALUED)
    if "--help" in options:
        print(HELP, end="")
        return 0
    if rest:
        raise UsageError(
            f"pipe: one word too many: {rest[0]!r}", f"ctx run -- {rest[0]}"
        )
    status = options.get("--exit-code")
    exit_code = None if status is None else words.exit_status("pipe", status)
    if os.isatty(0):
        raise UsageError("pipe: stdin is a terminal", "COMMAND | ctx pipe")
    as_json, explain = "--json" in options, "--explain" in options
    raw = "--raw" in options or (output.is_file(1) and not as_json)
    if not (as_json or explain) and (raw or light.switched_off()):
        _copy()
        return 0
    data = _read(None if as_json else runner.LIMIT_BYTES)
    if data is None:
        return 0
    if not (as_json or explain) and engines.is_small(data):
        output.write(data)
        return 0
    try:
        envelope, trace = _observe(data, options, exit_code, raw)
    except Exception:
        if as_json:
            raise
        engines.log().warning("stdin is passed on as it is", exc_info=True)
        output.write(data)
        return 0
    if as_json:
        output.print_json(output.as_dict(envelope))
    else:
        output.write(output.encoded(envelope))
    if explain:
        output.explain(envelope, trace, "stdin")
    return 0


def _observe(
    data: bytes, options: Mapping[str, str], exit_code: int | None, raw: bool
) -> tuple[Envelope, Trace]:
    from ....model import Observation

    with engines.open_engine() as engine:
        return engine.trace(
            Observation(
                data=data,
                command=options.get("--command"),
                exit_code=exit_code,
                path=options.get("--path"),
                task=options.get("--task"),
                raw=raw,
            )
        )


def _read(limit_bytes: int | None) -> bytes | None:
    """All of stdin; None when it was over the limit and has been passed on."""
    chunks, size = [], 0
    while chunk := os.read(0, 1 << 18):
        chunks.append(chunk)
        size += len(chunk)
        if limit_bytes is not None and size > limit_bytes:
            output.write(b"".join(chunks))
            _copy()
            return None
    return b"".join(chunks)


def _copy() -> None:
    sys.stdout.flush()
    while chunk := os.read(0, 1 << 18):
        output.write(chunk)
