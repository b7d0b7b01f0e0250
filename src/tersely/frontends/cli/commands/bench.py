"""ctx bench DIR -- measure a folder of texts: saved, kept, recoverable.

Reads:  every file of DIR, or those its MANIFEST.jsonl names
Writes: stdout; nothing is archived
Exit:   0 done, 1 a text grew, could not be brought back, or less was saved
        than --min-saved or fewer facts kept than --min-recall; 2 wrong use
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ....errors import TerselyError
from .. import engines, facts, output
from ..arguments import Parser

if TYPE_CHECKING:
    from ....pipeline.run import Engine
    from ....text.tokens import Counter

MANIFEST = "MANIFEST.jsonl"

EPILOG = """\
MANIFEST.jsonl holds one object a line: path, and where known class, command,
exit_code and must_keep (strings that must be readable afterwards). Without it
every file counts, by folder. Columns: raw and out are tokens; median is the
median file's share saved; kept is the share of must_keep facts; grew counts
files that became longer, lost those that could not be brought back byte for
byte; ms is the median time for one file.
"""


@dataclass(frozen=True, slots=True)
class Item:
    """One text and what is known about it."""

    path: str
    group: str
    command: str | None = None
    exit_code: int | None = None
    must_keep: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Measured:
    """What the engine did with one text."""

    path: str
    group: str
    tokens_raw: int
    tokens_out: int
    facts: int
    missing: tuple[str, ...]
    recoverable: bool
    ms: float
    transform: str
    reason: str

    @property
    def saved(self) -> float:
        """Share saved, in percent; below zero where the text grew."""
        return _share(self.tokens_raw, self.tokens_out)


@dataclass(slots=True)
class Row:
    """Sums over one class."""

    group: str
    files: int = 0
    tokens_raw: int = 0
    tokens_out: int = 0
    saved: float = 0.0
    median: float = 0.0
    facts: int = 0
    kept: int = 0
    grew: int = 0
    lost: int = 0
    ms: float = 0.0
    of: list[Measured] = field(default_factory=list, repr=False)


def run(argv: Sequence[str]) -> int:
    """Measure a folder and print a row per class."""
    args = _parser().parse_args(argv)
    folder = Path(args.dir)
    items = list(_items(folder))
    if not items:
        raise TerselyError(f"{folder}: no files to measure")
    measured = _measure(folder, items, args.counter)
    rows = _rows(measured)
    whole = rows[-1]
    bad = _complaints(whole, args.min_saved, args.min_recall)
    if args.json:
        output.print_json(_as_dict(rows, measured, args.counter, bad))
        return int(bool(bad))
    print(_table(rows), end="")
    for one in measured:
        if args.misses:
            for fact in one.missing:
                print(f"not kept   {one.path}: {fact!r}")
        if one.tokens_out > one.tokens_raw:
            print(f"grew       {one.path}: {one.tokens_raw} -> {one.tokens_out}")
        if not one.recoverable:
            print(f"lost       {one.path}: did not come back byte for byte")
    print(f"tokens: {args.counter}")
    for line in bad:
        print(f"FAILED: {line}")
    return int(bool(bad))


def _parser() -> Parser:
    parser = Parser("bench", __doc__ or "", EPILOG)
    parser.add_argument("dir", metavar="DIR", help="see below")
    parser.add_argument(
        "--counter",
        choices=("o200k", "cl100k", "estimate"),
        default="o200k",
        help="what tokens are counted with (o200k)",
    )
    parser.add_argument(
        "--min-saved", metavar="PERCENT", type=float, help="fail below this in all"
    )
    parser.add_argument(
        "--min-recall",
        metavar="PERCENT",
        type=float,
        help="fail when fewer facts of must_keep are kept",
    )
    parser.add_argument("--misses", action="store_true", help="list facts not kept")
    parser.add_argument("--json", action="store_true", help="print one object")
    return parser


def _items(folder: Path) -> Iterator[Item]:
    manifest = folder / MANIFEST
    try:
        if manifest.is_file():
            yield from _listed(manifest)
            return
        names = sorted(_names(folder))
    except OSError as exc:
        raise TerselyError(f"{exc.filename}: {exc.strerror}") from None
    for name in names:
        yield Item(path=name, group=os.path.dirname(name) or ".")


def _names(folder: Path) -> Iterator[str]:
    """Files below `folder`, but hidden ones."""
    if not folder.is_dir():
        raise TerselyError(f"{folder}: no such folder")
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(where, name)
            if not name.startswith(".") and path.is_file():
                yield str(path.relative_to(folder))


def _listed(manifest: Path) -> Iterator[Item]:
    for number, line in enumerate(manifest.read_text("utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            path = row["path"]
        except (ValueError, KeyError, TypeError):
            raise TerselyError(f"{manifest}:{number}: no object with a path") from None
        if (manifest.parent / path).is_file():
            yield Item(
                path=path,
                group=row.get("class") or os.path.dirname(path) or ".",
                command=row.get("command"),
                exit_code=row.get("exit_code"),
                must_keep=tuple(row.get("must_keep") or ()),
            )


def _measure(folder: Path, items: Sequence[Item], counter: str) -> list[Measured]:
    from ....text import tokens

    count = tokens.counter(counter)
    measured = []
    # one engine to load what is needed, one to measure: its cache is empty
    with (
        engines.open_engine(":memory:") as warm,
        engines.open_engine(":memory:") as engine,
    ):
        for at, item in enumerate(items, 1):
            if sys.stderr.isatty():
                print(
                    f"\r\x1b[K{at}/{len(items)} {item.path}"[:79],
                    end="",
                    file=sys.stderr,
                )
            try:
                data = (folder / item.path).read_bytes()
            except OSError as exc:
                raise TerselyError(f"{item.path}: {exc.strerror}") from None
            _observe(warm, item, data)
            measured.append(_one(engine, item, data, count))
        _progress("")
    return measured


def _progress(line: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _observe(engine: Engine, item: Item, data: bytes) -> Any:
    from .... import Observation

    return engine.observe(
        Observation(
            data=data,
            command=item.command,
            exit_code=item.exit_code,
            path=None if item.command else item.path,
        )
    )


def _one(engine: Engine, item: Item, data: bytes, count: Counter) -> Measured:
    start = time.perf_counter()
    made = _observe(engine, item, data)
    ms = (time.perf_counter() - start) * 1e3
    try:
        back = engine.restore(made) == data
        back = back and (made.handle is None or engine.expand(made.handle) == data)
    except TerselyError:
        back = False
    raw = data.decode(made.encoding, "surrogateescape")
    return Measured(
        path=item.path,
        group=item.group,
        tokens_raw=count.count(raw),
        tokens_out=count.count(made.text),
        facts=len(item.must_keep),
        missing=tuple(facts.missing(list(item.must_keep), made.text)),
        recoverable=back,
        ms=ms,
        transform=made.transform or "",
        reason=made.reason,
    )


def _rows(measured: Sequence[Measured]) -> list[Row]:
    """A row per class, and one for all."""
    rows: dict[str, Row] = {}
    for one in measured:
        rows.setdefault(one.group, Row(one.group)).of.append(one)
    whole = Row("all", of=list(measured))
    ordered = [rows[name] for name in sorted(rows)] + [whole]
    for row in ordered:
        row.files = len(row.of)
        row.tokens_raw = sum(one.tokens_raw for one in row.of)
        row.tokens_out = sum(one.tokens_out for one in row.of)
        row.saved = _share(row.tokens_raw, row.tokens_out)
        row.median = statistics.median(one.saved for one in row.of)
        row.facts = sum(one.facts for one in row.of)
        row.kept = row.facts - sum(len(one.missing) for one in row.of)
        row.grew = sum(one.tokens_out > one.tokens_raw for one in row.of)
        row.lost = sum(not one.recoverable for one in row.of)
        row.ms = statistics.median(one.ms for one in row.of)
    return ordered


def _share(raw: int, out: int) -> float:
    return 100 * (raw - out) / raw if raw else 0.0


def _complaints(
    whole: Row, min_saved: float | None, min_recall: float | None
) -> list[str]:
    found = []
    if whole.grew:
        found.append(f"{whole.grew} texts grew")
    if whole.lost:
        found.append(f"{whole.lost} texts did not come back byte for byte")
    if min_saved is not None and whole.saved < min_saved:
        found.append(f"{whole.saved:.1f} % saved, {min_saved} % wanted")
    recall = 100 * whole.kept / whole.facts if whole.facts else 100.0
    if min_recall is not None and recall < min_recall:
        found.append(f"{recall:.1f} % of facts kept, {min_recall} % wanted")
    return found


def _table(rows: Sequence[Row]) -> str:
    head = "class files raw out saved% median% kept% grew lost ms".split()
    return output.table(
        head,
        [
            [
                row.group,
                row.files,
                row.tokens_raw,
                row.tokens_out,
                row.saved,
                row.median,
                100 * row.kept / row.facts if row.facts else "-",
                row.grew,
                row.lost,
                row.ms,
            ]
            for row in rows
        ],
    )


def _as_dict(
    rows: Sequence[Row], measured: Sequence[Measured], counter: str, bad: Sequence[str]
) -> dict[str, Any]:
    classes = []
    for row in rows:
        facts_of = asdict(row)
        del facts_of["of"]
        classes.append(facts_of)
    return {
        "counter": counter,
        "classes": classes[:-1],
        "all": classes[-1],
        "files": [asdict(one) for one in measured],
        "failed": list(bad),
    }
