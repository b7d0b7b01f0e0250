"""ctx doctor -- check installation, settings and store.

Reads:  settings, environment, archive, ledger
Writes: stdout, the store's file (to see that it can be written)
Exit:   0 nothing is wrong, 1 something is, 2 wrong use
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from ....config import layers, light
from ....config.sources import variable
from ....errors import TerselyError
from .. import engines, output
from ..arguments import Parser

if TYPE_CHECKING:
    from ....store import Event

EPILOG = """\
Each line is a check: ok, note (works, but you may want to know) or FAULT. With a
fault here an agent still gets its outputs, untouched.
"""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        state: ``ok``, ``note`` or ``FAULT``.
        hint: what to do about it; may be empty.
    """

    name: str
    state: str
    detail: str
    hint: str = ""


def run(argv: Sequence[str]) -> int:
    """Check everything and print what was found."""
    args = _parser().parse_args(argv)
    checks = [check for name in _CHECKS for check in _guarded(name)]
    fault = any(check.state == "FAULT" for check in checks)
    if args.json:
        output.print_json(
            {"ok": not fault, "checks": [asdict(check) for check in checks]}
        )
        return int(fault)
    for check in checks:
        print(f"{check.state:<6} {check.name:<9} {check.detail}")
        if check.hint:
            print(f"{'':<16} hint: {check.hint}")
    return int(fault)


def _parser() -> Parser:
    parser = Parser("doctor", __doc__ or "", EPILOG)
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def _guarded(name: str) -> list[Check]:
    """The results of one check; one that cannot be made is a fault of its own."""
    try:
        return list(_CHECKS[name]())
    except TerselyError as exc:
        return [Check(name, "FAULT", str(exc), exc.hint)]
    except Exception as exc:
        return [Check(name, "FAULT", f"{type(exc).__name__}: {exc}")]


def _version() -> Iterator[Check]:
    from importlib.metadata import version

    python = ".".join(map(str, sys.version_info[:3]))
    yield Check("version", "ok", f"tersely {version('tersely')}, Python {python}")


def _command() -> Iterator[Check]:
    """Footers tell an agent to call `ctx`: its shell must find it."""
    found = shutil.which("ctx")
    if found is None:
        yield Check(
            "command",
            "note",
            "ctx is not on PATH",
            "shortened texts name `ctx expand`: add its folder to PATH",
        )
    else:
        yield Check("command", "ok", found)


def _settings() -> Iterator[Check]:
    loaded = layers()
    if not loaded.sources:
        where = os.path.join(light.user_dir("config"), light.FILE)
        yield Check("settings", "ok", f"all built-in; {where} would be read")
    for name, source in sorted(loaded.sources.items()):
        if name in ("disable", "mode"):
            continue
        yield Check("settings", "ok", f"{name} is set by {source}")
    for note in loaded.notes:
        yield Check("settings", "note", note)
    config = loaded.config
    source = loaded.sources.get("disable", "")
    if config.disable:
        yield Check("mode", "note", f"switched off by {source}: all is sent raw")
    elif config.mode != "standard":
        yield Check("mode", "note", f"{config.mode}, set by {loaded.sources['mode']}")
    else:
        yield Check("mode", "ok", f"standard; {variable('mode')} sets another")


def _store() -> Iterator[Check]:
    with engines.open_engine() as engine:
        where = engine.config.store_url()
        if problem := engine.store.problem():
            yield Check(
                "store",
                "FAULT",
                problem,
                "without a store only what loses nothing is shortened",
            )
            return
        status = engine.store.archive.status()
        yield Check(
            "store",
            "ok",
            f"{where}: {status.rows} originals, {status.file_bytes} bytes on disk, "
            f"cap {status.cap_bytes}",
        )
        yield from _modes(where)
        yield from _faults(engine.store.ledger.faults(5))


def _modes(path: str) -> Iterator[Check]:
    """What is in the store is private."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        try:
            mode = stat.S_IMODE(os.stat(name).st_mode)
        except OSError:
            continue
        if mode & 0o077:
            yield Check(
                "store",
                "FAULT",
                f"{name} can be read by others ({mode:o})",
                f"chmod 600 {name}",
            )


def _faults(events: Sequence[Event]) -> Iterator[Check]:
    """What went wrong lately; the agent got the raw text."""
    for event in events:
        what = event.detail or event.reason
        command = event.command or "unknown command"
        yield Check("faults", "note", f"{command}: {what}, sent raw at {int(event.at)}")
    if not events:
        yield Check("faults", "ok", "none on record")


def _engine() -> Iterator[Check]:
    """Shorten a text in memory and take it back."""
    from .... import Observation

    rows = [f"tests/test_part.py::test_{at:03} PASSED" for at in range(400)]
    data = "\n".join(["collected 400 items", *rows, "== 400 passed in 1.00s ==", ""])
    with engines.open_engine(":memory:") as engine:
        made = engine.observe(
            Observation(data=data.encode(), command="pytest -v", exit_code=0)
        )
        back = engine.restore(made)
        config = engine.config
    if back != data.encode():
        yield Check("engine", "FAULT", "a text did not come back byte for byte")
    elif made.reason == "failed":
        yield Check("engine", "FAULT", "; ".join(made.warnings) or "a test text failed")
    elif config.disable or config.mode in ("off", "measure"):
        yield Check("engine", "ok", f"loads; mode {config.mode} leaves texts alone")
    else:
        what = made.transform or made.reason
        yield Check(
            "engine",
            "ok",
            f"a test text: {made.tokens_raw} -> {made.tokens_out} tokens by {what}, "
            "and back",
        )


_CHECKS: dict[str, Callable[[], Iterator[Check]]] = {
    "version": _version,
    "command": _command,
    "settings": _settings,
    "store": _store,
    "engine": _engine,
}
