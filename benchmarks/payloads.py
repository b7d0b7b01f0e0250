"""Payloads for benchmarks and tests: what this machine holds, and made-up text.

The machine's share is the standard library, documentation, man pages, message
catalogues, listings and dumps; what is missing is left out. The made-up share
is logs, tables and JSON over random line templates: real field types, random
order and separators, so that no single format is learned by heart. The same
seed on the same machine gives the same payloads.
"""

from __future__ import annotations

import base64
import difflib
import gettext
import gzip
import json
import random
import re
import subprocess
import sysconfig
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Makes the line of a number.
Make = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Text:
    """One payload and what is known about it."""

    group: str
    text: str


def machine_texts(seed: int) -> Iterator[Text]:
    """Pieces of 0.6 to 16 KB of what this machine holds, and of made-up text."""
    dice = random.Random(seed)
    pools = _pools(dice)
    words = _words(pools)
    made = Synthesis(dice, *words)
    pools |= made.pools()
    real = [key for key in pools if not key.startswith("language")]

    def some(size: int) -> str:
        return _piece(dice, dice.choice(pools[dice.choice(real)]), size)

    pools["ci log"] = [made.ci(some(8000)) for _ in range(150)]
    pools["ci job"] = [made.job(some(5000)) for _ in range(80)]
    pools["ansi"] = [made.ansi(some(6000)) for _ in range(100)]
    pools["diff"] = [made.diff(some(12000)) for _ in range(130)]
    pools["escaped"] = [
        json.dumps([{"role": "tool", "content": some(6000)}]) for _ in range(90)
    ]
    pools["mixed"] = [
        "\n".join(
            some(dice.choice([300, 800, 2000])) for _ in range(dice.randrange(2, 6))
        )
        for _ in range(300)
    ]
    for group, texts in pools.items():
        usable = [text for text in texts if len(text) > 300]
        most = {
            "lines": 1500,
            "mixed": 300,
            "boxes": 300,
            "python": 200,
            "records": 200,
        }
        few = {"dump": 60, "base64": 40, "hex": 40, "numbers": 40, "rules": 40}
        usual = 45 if group.startswith("language") else 90
        for at in range((most | few).get(group, usual) if usable else 0):
            size = dice.choice([600, 1500, 2500, 4000, 8000, 16000])
            text = _piece(dice, usable[at % len(usable)], size)
            if len(text) > 200:
                yield Text(group, text)


def _pools(dice: random.Random) -> dict[str, list[str]]:
    """Whole texts of this machine, by kind; a kind that is missing is empty."""
    std = sysconfig.get_paths()["stdlib"]
    node = "/usr/lib/node_modules"

    def files(suffix: str, limit: int, *roots: str) -> list[str]:
        found = [
            path
            for root in roots
            for path in sorted(Path(root).rglob(f"*{suffix}"))
            if path.is_file() and 1500 < path.stat().st_size < 400_000
        ]
        dice.shuffle(found)
        return [text for path in found[:limit] if (text := _read(path))]

    pools = {
        "python": files(".py", 200, std),
        "json": files(".json", 100, node, "/usr/share"),
        "html": files(".html", 80, "/usr/share"),
        "yaml": files(".yaml", 80, "/usr/lib", "/usr/share"),
        "js": files(".js", 120, node, "/usr/share"),
        "c": files(".h", 90, "/usr/include"),
        "xml": files(".xml", 70, "/usr/share") + files(".svg", 40, "/usr/share"),
        "roff": files(".gz", 80, "/usr/share/man/man1", "/usr/share/man/man3"),
        "changelog": files(".gz", 90, "/usr/share/doc"),
        "markdown": files(".md", 90, node, "/usr/share"),
        "text": files(".txt", 80, "/usr/share", "/usr/lib"),
        "shell": files(".sh", 40, "/usr/share", "/usr/lib"),
        "csv": files(".csv", 40, "/usr/lib", "/usr/share"),
        "log": files(".log", 10, "/var/log"),
    }
    pools["json, minified"] = [
        json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        for text in pools["json"]
        if (value := _json(text)) is not None
    ]
    for language in _LANGUAGES:
        pools[f"language {language}"] = _catalogues(language)
    for language in ("ja", "ko", "ru", "de", "fr"):
        folder = f"/usr/share/man/{language}"
        pools[f"language man {language}"] = files(".gz", 20, folder)
    for group, commands in _COMMANDS.items():
        pools[group] = [_run(command.replace("STD", std)) for command in commands]
    return pools


_LANGUAGES = (
    "zh_CN zh_TW ja ko ru ar hi th he el uk de fr es pl vi tr pt_BR fa ta cs hu"
).split()

_COMMANDS = {
    "man": [
        f"man {page} | col -b"
        for page in "bash ls git-log tar find gcc ssh curl grep rsync make sed".split()
    ],
    "ps": ["ps auxww", "df -a", "cat /proc/meminfo", "cat /proc/cpuinfo", "mount"],
    "ls": ["ls -lR /usr/lib/python3", "ls -lR /etc", "ls -la /usr/bin", "dpkg -l"],
    "find": ["find /usr/share/perl5", "find /etc", "find /usr/include -ls"],
    "grep": [
        "grep -rn 'def ' STD/json STD/email",
        "grep -rn import STD/asyncio",
        "grep -rn define /usr/include/linux",
        "grep -rn error /etc",
        "grep -rn class STD/test/test_email",
    ],
    "sums": ["sha256sum /usr/bin/* | head -400", "md5sum /usr/bin/* | head -400"],
    "dump": [
        "head -c 60000 /usr/bin/ls | od -A x -t x1z",
        "head -c 60000 /usr/bin/ls | xxd",
        "head -c 40000 /usr/bin/ls | od -t o2",
    ],
    "tree": [
        "tree /usr/share/perl5",
        "tree --charset=ascii /usr/share/perl5",
        "npm ls -g --all",
        "npm ls -g --all --parseable",
        "find /usr/include -print | sed 's,/,\\\\,g'",
    ],
    "overstruck": ["MAN_KEEP_FORMATTING=1 man ls", "MAN_KEEP_FORMATTING=1 man ssh"],
    "objdump": ["objdump -d /usr/bin/ls | head -3000", "readelf -a /usr/bin/ls"],
}


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError, EOFError):
        return ""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _run(command: str) -> str:
    try:
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout[:400_000].decode("utf-8", "replace")


def _catalogues(language: str) -> list[str]:
    """All translated messages of the machine's programs, as one text."""
    folder = Path("/usr/share/locale", language, "LC_MESSAGES")
    out: list[str] = []
    for path in sorted(folder.glob("*.mo")):
        try:
            with path.open("rb") as file:
                catalogue: dict[Any, str] = vars(gettext.GNUTranslations(file))[
                    "_catalog"
                ]
        except (OSError, ValueError):
            continue
        out += catalogue.values()
    return ["\n".join(out)]


def _piece(dice: random.Random, text: str, size: int) -> str:
    if len(text) <= size:
        return text
    at = dice.randrange(len(text) - size)
    at = text.find("\n", at, at + size) + 1 or at
    return text[at : at + size]


def _words(pools: dict[str, list[str]]) -> tuple[list[str], list[str]]:
    """Words and identifiers, as often as they occur."""
    prose = ("text", "markdown", "changelog", "python", "js", "html")
    pool = " ".join(text[:6000] for key in prose for text in pools[key])
    code = " ".join(text[:8000] for key in ("python", "js", "c") for text in pools[key])
    return (
        re.findall(r"[a-z]{2,14}", pool) or ["word"],
        re.findall(r"[A-Za-z_][A-Za-z0-9_]{2,30}", code) or ["a_name"],
    )


class Synthesis:
    """Text made of random line templates over given words and identifiers."""

    def __init__(
        self, dice: random.Random, words: Sequence[str], names: Sequence[str]
    ) -> None:
        self._dice = dice
        self._words = words
        self._names = names

    def pools(self) -> dict[str, list[str]]:
        """All made-up kinds."""
        blob = base64.b64encode(self._bytes(60_000)).decode()
        hexes = (
            self._bytes(20_000).hex(),
            self._bytes(20_000).hex(" "),
            "\n".join(self._hex(32) for _ in range(1500)),
            "\n".join(str(uuid.UUID(bytes=self._bytes(16))) for _ in range(1500)),
        )
        return {
            "lines": [self.lines() for _ in range(1500)],
            "records": [self.records() for _ in range(200)],
            "base64": [blob, "\n".join(re.findall(".{1,76}", blob))],
            "hex": list(hexes),
            "numbers": [self._numbers(places) for places in range(6)],
            "rules": [self._rules(), self._dots(), self._blanks(), self._indents()],
            "boxes": [self._symbols() for _ in range(300)],
            "upper": [self.prose().upper() for _ in range(10)],
        }

    def prose(self) -> str:
        """Random words; no language, but its word lengths."""
        return "\n".join(self._some(12) for _ in range(300))

    def lines(self) -> str:
        """Lines after 1 to 14 random templates."""
        dice = self._dice
        templates = [
            self._template() for _ in range(dice.choice([1, 1, 2, 3, 5, 8, 14]))
        ]
        goal = dice.choice([600, 1500, 2500, 4000, 8000, 16000])
        end = dice.choice(["\n"] * 9 + ["\r\n"])
        blank = dice.random() < 0.15
        out: list[str] = []
        size = 0
        while size < goal:
            line = dice.choice(templates)(len(out))
            size += len(line) + 1
            out.append(line)
            if blank and dice.random() < 0.2:
                out.append("")
        return end.join(out)

    def records(self) -> str:
        """A JSON array, in one of the usual layouts."""
        dice = self._dice
        keys = [dice.choice(self._names) for _ in range(dice.randrange(4, 20))]
        rows = [
            {key: self._value(2, keys) for key in keys[: dice.randrange(3, 12)]}
            for _ in range(40)
        ]
        layout = dice.randrange(4)
        if layout == 0:
            return json.dumps(rows, indent=dice.choice([2, 4]))
        if layout == 1:
            return json.dumps(rows, separators=(",", ":"))
        if layout == 2:
            return "\n".join(json.dumps(row) for row in rows)
        return json.dumps(rows)

    def ci(self, text: str) -> str:
        """The same lines with a runner's time stamps."""
        return "\n".join(
            f"2026-11-0{1 + at % 9}T10:{at // 60 % 60:02}:{at % 60:02}"
            f".{self._dice.randrange(10**7):07}Z {line}"
            for at, line in enumerate(text.split("\n"))
        )

    def job(self, text: str) -> str:
        """The same lines with job and step before each."""
        job = self._dice.choice(["build", "test (3.11)", "lint / ubuntu-latest"])
        lines = self.ci(text).split("\n")
        return "\n".join(f"{job}\tRun tests\t{line}" for line in lines)

    def ansi(self, text: str) -> str:
        """The same lines with colours."""
        return "\n".join(
            f"\x1b[{self._dice.choice([31, 32, 33, 36, 1, 90])}m{line[:12]}"
            f"\x1b[0m{line[12:]}"
            for line in text.split("\n")
        )

    def diff(self, text: str) -> str:
        """A unified diff from `text` to a changed copy."""
        old = text.split("\n")
        new = [line for line in old if self._dice.random() > 0.03]
        for at in range(0, len(new), 17):
            new[at] += " " + self._word()
        return "\n".join(difflib.unified_diff(old, new, "a/x", "b/x", lineterm=""))

    def _bytes(self, size: int) -> bytes:
        return self._dice.randbytes(size)

    def _hex(self, size: int) -> str:
        return self._bytes(size).hex()[:size]

    def _word(self) -> str:
        return self._dice.choice(self._words)

    def _name(self) -> str:
        return self._dice.choice(self._names)

    def _some(self, count: int, joint: str = " ") -> str:
        return joint.join(self._word() for _ in range(count))

    def _template(self) -> Make:
        dice = self._dice
        fields = [self._field() for _ in range(dice.randrange(1, 10))]
        joints = [dice.choice(_JOINTS) for _ in fields[1:]] + [dice.choice(_ENDS)]
        indent = " " * dice.choice([0, 0, 0, 0, 2, 4, 8, 12])

        def make(at: int) -> str:
            return indent + "".join(
                field(at) + joint for field, joint in zip(fields, joints, strict=True)
            )

        return make

    def _field(self) -> Make:
        make = self._dice.choice(self._fields())
        if self._dice.random() < 0.25:
            constant = make(self._dice.randrange(99))
            return lambda at: constant
        return make

    def _fields(self) -> list[Make]:
        """One maker of each field type, with its own random parameters."""
        dice, word, name, some = self._dice, self._word, self._name, self._some
        digits, places = dice.randrange(1, 10), dice.randrange(1, 7)
        width, count = dice.randrange(4, 40), dice.randrange(2, 7)
        size = dice.choice([4, 7, 8, 12, 16, 32, 40, 64])
        key, rule, fixed = name(), dice.choice("-=.*_#"), dice.choice(_FIXED)
        day: Make = lambda at: f"2026-{1 + at % 12:02}-{1 + at % 28:02}"  # noqa: E731
        clock: Make = lambda at: f"{at % 24:02}:{at % 60:02}:{at * 7 % 60:02}"  # noqa: E731
        levels = ["INFO", "WARN", "ERROR", "DEBUG"]
        makers: list[Make] = [
            lambda at: f"{day(at)}T{clock(at)}.{dice.randrange(10**7):07}Z",
            lambda at: f"{day(at)} {clock(at)},{dice.randrange(1000):03}",
            clock,
            lambda at: ".".join(str(dice.randrange(256)) for _ in range(4)),
            lambda at: self._hex(size),
            lambda at: str(uuid.UUID(bytes=self._bytes(16))),
            *[lambda at: word()] * 3,
            *[lambda at: some(count)] * 2,
            *[lambda at: name()] * 3,
            lambda at: some(dice.randrange(2, 6), "/"),
            lambda at: f"{some(2, '/')}/{name()}{dice.choice(_SUFFIXES)}",
            lambda at: str(dice.randrange(10**digits)),
            lambda at: f"{dice.random() * 1000:.{places}f}",
            lambda at: word().ljust(width),
            lambda at: str(dice.randrange(10**5)).rjust(width // 2),
            lambda at: f"{key}={word()}",
            lambda at: f"{key}: {dice.randrange(1000)}",
            lambda at: dice.choice(levels),
            lambda at: f"[{word()}]",
            lambda at: f'"{word()}"',
            lambda at: "".join(word().title() for _ in range(dice.randrange(1, 4))),
            lambda at: some(2, "_").upper(),
            lambda at: (
                f"v{dice.randrange(9)}.{dice.randrange(40)}.{dice.randrange(20)}"
            ),
            lambda at: some(3, "::"),
            lambda at: "test_" + some(dice.randrange(1, 5), "_"),
            lambda at: rule * dice.randrange(3, 60),
            lambda at: "C:\\" + some(dice.randrange(2, 6), "\\") + ".obj",
            lambda at: f"https://{some(2, '.')}.com/{some(2, '/')}",
            lambda at: base64.b64encode(self._bytes(size // 2)).decode(),
            lambda at: fixed,
        ]
        return makers

    def _value(self, depth: int, keys: Sequence[str]) -> Any:
        dice = self._dice
        kind = dice.randrange(8)
        if depth and kind < 2:
            inner = range(dice.randrange(1, 6))
            return {dice.choice(keys): self._value(depth - 1, keys) for _ in inner}
        if depth and kind == 2:
            return [self._value(depth - 1, keys) for _ in range(dice.randrange(1, 4))]
        plain: list[Callable[[], Any]] = [
            lambda: dice.randrange(10 ** dice.randrange(1, 8)),
            lambda: round(dice.random() * 100, dice.randrange(6)),
            self._word,
            lambda: self._some(4),
            lambda: None,
            lambda: True,
            lambda: self._hex(dice.choice([8, 32, 40])),
            lambda: self._fields()[0](dice.randrange(99)),
            lambda: self._some(3, "/"),
        ]
        return dice.choice(plain)()

    def _numbers(self, places: int) -> str:
        joint = self._dice.choice([",", "\t", " ", "\n"])
        numbers = (f"{self._dice.gauss(0, 10**places):.{places}f}" for _ in range(8000))
        flat = joint.join(numbers)
        return flat.replace(joint, "\n", 800) if joint != "\n" else flat

    def _rules(self) -> str:
        dice = self._dice
        return "\n".join(
            dice.choice("-=*#_~.") * dice.randrange(10, 120) + " " + self._word()
            for _ in range(500)
        )

    def _dots(self) -> str:
        return "\n".join(
            f"tests/test_{self._word()}.py {'.' * self._dice.randrange(60)}"
            for _ in range(300)
        )

    def _blanks(self) -> str:
        return "\n".join(
            self._dice.choice(["", "", "  ", self._word()]) for _ in range(2000)
        )

    def _indents(self) -> str:
        dice = self._dice
        return "\n".join(
            " " * dice.randrange(90)
            + self._word()
            + " " * dice.randrange(60)
            + self._word()
            for _ in range(600)
        )

    def _symbols(self) -> str:
        """Lines with boxes, bars, ticks and spinners after one random template."""
        dice, word = self._dice, self._word
        width, share = dice.randrange(6, 40), dice.random()
        rule, bar, rest = dice.choice("─━═"), dice.choice("█━■#"), dice.choice("░╌ ·")
        tick, joint = dice.choice("✓✔✗×•→❯🚀✅⚠⠋…—"), dice.choice(["", " ", "  "])
        kinds: list[Make] = [
            lambda at: f"│ {word():<{width}} │ {self._some(3):<{width}} │",
            lambda at: f"├{rule * width}┼{rule * (width // 2)}┤",
            lambda at: f"┃{word():>{width}}┃{at}┃",
            lambda at: "│   " * dice.randrange(5) + "├── " + self._name(),
            lambda at: "    " * dice.randrange(3) + "└── " + word() + ".py",
            lambda at: "│ " * dice.randrange(6) + f"├─┬ {self._name()}@{at % 9}.1.0",
            lambda at: "│\xa0\xa0 " * dice.randrange(4) + "├── " + word() + ".md",
            lambda at: (
                f"{at}% {bar * (at % width)}{rest * (width - at % width)} {word()}"
            ),
            lambda at: f"{tick}{joint}{self._some(4)} ({at} ms)",
            lambda at: f"  {tick} {self._name()}{joint}{tick}",
            lambda at: f"{rule * width} {word()} {rule * width}",
        ]
        used = dice.sample(kinds, dice.randrange(1, 4))
        plain = self._template()
        return "\n".join(
            plain(at) if dice.random() < share / 2 else dice.choice(used)(at)
            for at in range(200)
        )


_JOINTS = [" "] * 5 + [
    ": ",
    ", ",
    "\t",
    "  ",
    " | ",
    "|",
    "/",
    "-",
    ":",
    ",",
    "; ",
    " - ",
]
_ENDS = ["", "", "", "", ".", ";", " {", ",", ")"]
_SUFFIXES = [".py", ".js", ".go", ".rs", ".c", ".java"]
_FIXED = "PASSED ok FAILED done ... --> | • ✓ true null ( ) { } % kB ms".split() + [
    "  ",
    "\t",
]
