"""ctx run -- COMMAND ... -- run a command, shorten what it says.

The command runs exactly as it would without us: same arguments, folder,
environment, stdin and signals. Its stdout and its stderr are shortened each on
its own. When stdout is a file, nothing is held and nothing is changed.

Reads:  stdin (the command's), settings
Writes: stdout and stderr (the command's, shortened), archive, ledger
Exit:   the command's own, or its signal; 127 no such program, 126 not
        runnable; 2 wrong use of ctx
"""

from __future__ import annotations

from ....config import light
from ....errors import UsageError
from ....shell import runner
from ....shell.runner import Result
from .. import words

TYPE_CHECKING = False  # typing costs more than what a short output needs
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....model import Envelope
    from ....pipeline.run import Trace

HELP = """\
usage: ctx run [--raw] [--json] [--explain] -- COMMAND ...

Run a command, shorten what it says, and end as it ended. The command gets our
arguments, folder, environment, stdin and signals unchanged; its stdout and its
stderr are shortened each on its own, once it has ended. What is left out comes
back with the line that says so: [full output: ctx expand HANDLE].

options:
  --raw       shorten nothing
  --json      print one object: exit_code, stdout, stderr (each an envelope)
  --explain   say on stderr what was decided, and why
  -h, --help  show this

When stdout is a file, nothing is held and nothing is changed. Over 64 MB, a
stream is passed on as it is.

  ctx run -- pytest -q
  ctx run --explain -- npm ci
"""

_NAMES = {1: "stdout", 2: "stderr"}


def run(argv: Sequence[str]) -> int:
    """Run the command and end as it ended."""
    options, command = words.options("run", argv, ("--raw", "--json", "--explain"))
    if "--help" in options:
        print(HELP, end="")
        return 0
    if not command:
        raise UsageError("run: no command given", "ctx run -- COMMAND ...")
    as_json = "--json" in options
    if not as_json and ("--raw" in options or _is_unwatched(options)):
        return _failed(runner.replace(command))
    result = runner.run(
        command,
        when_large=(light.SMALL_BYTES, _load),
        limit_bytes=1 << 62 if as_json else runner.LIMIT_BYTES,
    )
    if as_json:
        _print_json(result, command, "--raw" in options)
    elif "--explain" in options or not _all_small(result):
        _write(result, command, "--explain" in options)
    else:
        _pass_on(result.chunks)
    return runner.end_like(result)


def _is_unwatched(options: dict[str, str]) -> bool:
    """Whether nothing of the output is ours to touch."""
    if light.switched_off():
        return True
    import os
    import stat

    try:
        to_file = stat.S_ISREG(os.fstat(1).st_mode)
    except OSError:
        return False
    if to_file and "--explain" in options:
        runner.write(2, b"explain\n  decision   raw, because stdout is a file\n")
    return to_file


def _failed(result: Result) -> int:
    """Say why a program could not be started."""
    _pass_on(result.chunks)
    return result.exit_code


def _load() -> None:
    """Import the engine while the child is still talking."""
    try:
        from .... import Engine
        from .. import engines, output  # noqa: F401

        Engine.open  # noqa: B018  it is loaded on first use
    except Exception:
        pass  # it will fail again where it is handled


def _all_small(result: Result) -> bool:
    streams = [data for data in (result.stdout, result.stderr) if data]
    if not streams:
        return True
    if any(len(data) > light.SMALL_BYTES for data in streams):
        return False
    from .. import engines

    return all([engines.is_small(data) for data in streams])


def _pass_on(chunks: Sequence[tuple[int, bytes]]) -> None:
    for fd, data in chunks:
        runner.write(fd, data)


def _write(result: Result, command: Sequence[str], explain: bool) -> None:
    """Write the emission of each stream, whichever spoke first first.

    Whatever fails in the engine, the bytes come out as they came in.
    """
    try:
        done = _observe(result, command, raw=False)
    except Exception:
        from .. import engines

        engines.log().warning("output is passed on as it is", exc_info=True)
        _pass_on(result.chunks)
        return
    if all(not envelope.transform and envelope.reason for envelope, _ in done.values()):
        _pass_on(result.chunks)
    else:
        from .. import output

        for fd, (envelope, _) in done.items():
            runner.write(fd, output.encoded(envelope))
    if explain:
        from .. import output

        for fd, (envelope, trace) in done.items():
            output.explain(envelope, trace, _NAMES[fd])


def _print_json(result: Result, command: Sequence[str], raw: bool) -> None:
    from .. import output

    done = _observe(result, command, raw=raw, empty=True)
    streams = {
        _NAMES[fd]: output.as_dict(envelope)
        for fd, (envelope, _) in sorted(done.items())
    }
    output.print_json({"exit_code": result.exit_code, **streams})


def _observe(
    result: Result, command: Sequence[str], *, raw: bool, empty: bool = False
) -> dict[int, tuple[Envelope, Trace]]:
    from ....model import Observation
    from .. import engines

    streams = {1: result.stdout, 2: result.stderr}
    first = result.chunks[0][0] if result.chunks else 1
    done = {}
    with engines.open_engine() as engine:
        for fd in (first, 3 - first):
            if fd in result.passed or not (streams[fd] or empty):
                continue
            done[fd] = engine.trace(
                Observation(
                    data=streams[fd],
                    command=tuple(command),
                    exit_code=result.exit_code,
                    stream=_NAMES[fd],
                    raw=raw,
                )
            )
    return done
