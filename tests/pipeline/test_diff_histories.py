"""What the engine makes of a diff gives the real git the same tree as the diff.

Two hundred generated histories: text of every kind, renames, copies, modes,
binary files, CRLF, no newline at the end, empty files, symlinks, odd names.
The emission is applied as it is, marker and footer included.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tersely import Engine, Observation
from tersely.model import Envelope, Facts
from tersely.pipeline import emit
from tersely.text import lines
from tersely.transforms.diff import TRANSFORM as DIFF

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

#: path -> mode and content
Tree = dict[str, tuple[str, bytes]]

HISTORIES = 200
FILE, SCRIPT, LINK = "100644", "100755", "120000"

FOLDERS = ("", "src/", "src/app/deep/er/", "docs/ü/", "a b/c  d/", "x/", "lib/-o/")
NAMES = (
    "main.py", "read me.txt", "naïve.md", "日本.txt", 'quo"te.c', "tab\there.rs",
    "back\\slash.h", "-dash", "a => b.txt", "[1 more lines]", "b", "dev null", "é à",
    "new\nline.txt", "data.csv", "--- a", "@@ -1 +1 @@", "diff --git a b", "Ω.lock",
)  # fmt: skip
ROWS = (
    b"", b" ", b"\t", b"-- a/x.py", b"++ b/x.py", b"--- a/x.py", b"+++ b/x.py",
    b"@@ -1,2 +1,2 @@", b"diff --git a/x b/x", b"index 0123456..789abcd 100644",
    b"\\ No newline at end of file", b"GIT binary patch", b"[3 more lines]",
    b"[full output: ctx expand 0123456789ab]", b"commit 0123456789", b"Index: x",
    b"=" * 67, b"\x1b[31mred\x1b[0m", b"10%\r20%\r30%", b"^[[1mbold", b"x\x08x",
    b"form\x0cfeed", "line\u2028sep\u0085".encode(), "\ufeffmark".encode(),
    b"latin \xe9\xff", "emoji \U0001f600".encode(), b"trailing   ", b"z" * 300,
    b"ERROR: failed", b"2024-05-01T10:32:07.0000000Z stamp", b"word", b"again",
)  # fmt: skip
LOCKS = ("Cargo.lock", "web/package-lock.json", "go.sum", "api/v1.pb.go")


@dataclass(frozen=True)
class History:
    number: int
    before: Tree
    after: Tree
    flags: tuple[str, ...]


class Repo:
    """A bare repository, deaf to the user's settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "--bare")

    def git(
        self, *args: str, data: bytes | None = None, index: str = "", ok: bool = True
    ) -> bytes:
        world = {key: value for key, value in os.environ.items() if key[:4] != "GIT_"}
        world |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        world |= {"LC_ALL": "C.UTF-8"}
        if index:
            world["GIT_INDEX_FILE"] = str(self.folder / index)
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", *args],
            cwd=self.folder,
            env=world,
            input=data if data is not None else b"",
            capture_output=True,
            check=False,
        )
        assert not ok or done.returncode == 0, done.stderr.decode()
        return done.stdout

    def write(self, histories: list[History]) -> None:
        """Store both trees of each history as tags, in one process."""
        out: list[bytes] = []
        for history in histories:
            for side, tree in (("a", history.before), ("b", history.after)):
                out.append(f"commit refs/tags/{side}{history.number}\n".encode())
                out.append(
                    b"committer Dev <dev@example.org> 1700000000 +0000\ndata 0\n"
                )
                for path, (mode, content) in tree.items():
                    name = path.replace("\\", "\\\\").replace('"', '\\"')
                    name = name.replace("\n", "\\n").replace("\t", "\\t")
                    out.append(f'M {mode} inline "{name}"\n'.encode())
                    out.append(f"data {len(content)}\n".encode() + content + b"\n")
                out.append(b"\n")
        self.git("fast-import", "--quiet", data=b"".join(out))

    def diff(self, history: History) -> bytes:
        sides = (f"a{history.number}", f"b{history.number}")
        return self.git("diff", "--binary", *history.flags, *sides)

    def wrong_after(self, patch: bytes, history: History) -> list[str]:
        """Paths that differ from the new side after `git apply` of `patch`."""
        self.git("read-tree", f"a{history.number}", index="i")
        strip = "-p0" if "--no-prefix" in history.flags else "-p1"
        flags = ("--cached", "--allow-empty", "--whitespace=nowarn", strip)
        self.git("apply", "--unidiff-zero", *flags, "-", data=patch, index="i")
        rows = self.git(
            "diff-index", "--cached", "--name-only", "-z", f"b{history.number}",
            index="i",
        )  # fmt: skip
        return rows.decode().split("\0")[:-1]


def a_row(rnd: random.Random) -> bytes:
    if rnd.random() < 0.5:
        return rnd.choice(ROWS)
    return b"line %d of something" % rnd.randrange(60)


def content(rnd: random.Random, size: int | None = None) -> bytes:
    kind = rnd.random()
    if kind < 0.04:
        return b""
    if kind < 0.1:
        return rnd.randbytes(rnd.randrange(1, 400)) + b"\0"
    count = size or rnd.choice((1, 3, 20, 60, 60, 120))
    end = b"\r\n" if rnd.random() < 0.15 else b"\n"
    text = end.join([a_row(rnd) for _ in range(count)])
    return text + (end if rnd.random() < 0.85 else b"")


def edited(rnd: random.Random, old: bytes) -> bytes:
    if b"\0" in old:
        return old[: len(old) // 2] + rnd.randbytes(30)
    rows = old.split(b"\n")
    for _ in range(rnd.randrange(1, 6)):
        at = rnd.randrange(len(rows))
        deed = rnd.random()
        if deed < 0.4:
            rows[at] = a_row(rnd)
        elif deed < 0.7:
            rows.insert(at, a_row(rnd))
        elif len(rows) > 1:
            del rows[at]
    if rnd.random() < 0.1:
        rows = rows[:-1] if rows[-1] == b"" and len(rows) > 1 else [*rows, b""]
    if rnd.random() < 0.05:
        rows = [row.rstrip(b"\r") for row in rows]
    return b"\n".join(rows)


def a_path(rnd: random.Random) -> str:
    return rnd.choice(FOLDERS) + rnd.choice(NAMES)


def fits(path: str, tree: Tree) -> bool:
    """Whether `path` is free, and no file where it has a folder or vice versa."""
    return not any(
        path == other or path.startswith(other + "/") or other.startswith(path + "/")
        for other in tree
    )


def a_tree(rnd: random.Random) -> Tree:
    tree: Tree = {}
    for _ in range(rnd.choice((1, 4, 9, 14))):
        path = a_path(rnd)
        if not fits(path, tree):
            continue
        deed = rnd.random()
        if deed < 0.08:
            tree[path] = (LINK, rnd.choice((b"main.py", b"../a b/c", "ü".encode())))
        else:
            mode = SCRIPT if deed < 0.2 else FILE
            tree[path] = (mode, content(rnd))
    if rnd.random() < 0.08:
        tree["big.txt"] = (FILE, b"".join(b"row %d\n" % n for n in range(1_200)))
    return tree


def changed(rnd: random.Random, before: Tree) -> Tree:
    after = dict(before)
    for path, (mode, old) in before.items():
        deed = rnd.random()
        if deed < 0.5:
            new = b"elsewhere" if mode == LINK else edited(rnd, old)
            after[path] = (mode, new)
        elif deed < 0.62:
            target = a_path(rnd)
            if fits(target, after):
                del after[path]
                new = old if mode == LINK or rnd.random() < 0.4 else edited(rnd, old)
                after[target] = (mode, new)
        elif deed < 0.7 and mode != LINK:
            new = old if rnd.random() < 0.5 else edited(rnd, old)
            after[path] = (FILE if mode == SCRIPT else SCRIPT, new)
        elif deed < 0.78:
            del after[path]
        elif deed < 0.82:
            after[path] = (FILE, b"no link\n") if mode == LINK else (LINK, b"a link")
        elif deed < 0.86 and fits(path + ".copy", after):
            after[path + ".copy"] = (mode, old)
    for _ in range(rnd.randrange(4)):
        path = a_path(rnd)
        if fits(path, after):
            after[path] = (FILE, content(rnd))
    return after


def histories(seed: int, count: int) -> list[History]:
    rnd = random.Random(seed)
    out = []
    for number in range(count):
        before = a_tree(rnd)
        flags = [f"-U{rnd.choice((0, 1, 3, 3, 3, 12))}"]
        flags += rnd.sample(
            ["-M30%", "-C", "--patience", "--full-index", "-B", "--minimal"], 2
        )
        flags.append(rnd.choice(("-M", "--no-renames")))
        if rnd.random() < 0.2:
            flags.append("--no-prefix")
        if rnd.random() < 0.2:
            flags.append("--stat")
            flags.append("--patch")
            flags.append("--summary")
        out.append(History(number, before, changed(rnd, before), tuple(flags)))
    return out


def lock(rnd: random.Random, path: str, versions: list[int]) -> bytes:
    rows = []
    for n, version in enumerate(versions):
        digest = f"{n * 7919 + version:064x}"
        if path.endswith(".json"):
            rows.append(
                f'    "node_modules/p{n}": {{\n      "version": "1.{version}.0",\n'
                f'      "integrity": "sha512-{digest}"\n    }},\n'
            )
        elif path == "go.sum":
            rows.append(f"example.org/p{n} v1.{version}.0 h1:{digest[:43]}=\n")
        elif path.endswith(".pb.go"):
            rows.append(f"func p{n}() int {{ return {version} }}\n")
        else:
            rows.append(
                f'[[package]]\nname = "p{n}"\nversion = "1.{version}.0"\n'
                f'checksum = "{digest}"\n\n'
            )
    return "".join(rows).encode()


def with_locks(rnd: random.Random, history: History) -> History:
    before, after = dict(history.before), dict(history.after)
    for path in rnd.sample(LOCKS, rnd.randrange(1, 4)):
        old = [rnd.randrange(3) for _ in range(rnd.randrange(20, 90))]
        new = [v + (rnd.random() < 0.6) for v in old] + [0] * rnd.randrange(4)
        before[path] = (FILE, lock(rnd, path, old))
        after[path] = (FILE, lock(rnd, path, new))
    return History(history.number, before, after, history.flags)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.open(store=":memory:") as engine:
        yield engine


def emitted(engine: Engine, raw: bytes) -> tuple[Envelope, bytes]:
    envelope = engine.observe(Observation(data=raw, command="git diff"))
    return envelope, envelope.text.encode(envelope.encoding, "surrogateescape")


def test_an_emitted_diff_gives_the_same_tree(engine: Engine, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    made = histories(3, HISTORIES)
    repo.write(made)

    transforms, cut = set(), 0
    for history in made:
        raw = repo.diff(history)
        envelope, emission = emitted(engine, raw)
        if raw == emission:
            continue
        cut += 1
        transforms.add(envelope.transform)
        assert [] == repo.wrong_after(raw, history)
        assert [] == repo.wrong_after(emission, history), history.flags
        assert raw == engine.restore(envelope)

    assert {"diff"} == transforms
    # The rest went out as it came: too small for a footer.
    assert cut > HISTORIES / 3


def test_with_locks_all_other_files_are_the_same(
    engine: Engine, tmp_path: Path
) -> None:
    repo = Repo(tmp_path / "repo")
    rnd = random.Random(4)
    made = [with_locks(rnd, history) for history in histories(5, 40)]
    repo.write(made)

    left = 0
    for history in made:
        raw = repo.diff(history)
        _, emission = emitted(engine, raw)
        wrong = repo.wrong_after(emission, history)
        assert set(wrong) <= set(LOCKS)
        left += len(wrong)

    assert left > len(made) / 2


@pytest.mark.skipif(not shutil.which("patch"), reason="GNU patch is not installed")
def test_gnu_patch_applies_it_too(engine: Engine, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    rows = {f"src/m{n}.py": [f"line {k}" for k in range(50)] for n in range(12)}
    before: Tree = {
        path: (FILE, "\n".join(text).encode() + b"\n") for path, text in rows.items()
    }
    before["crlf.txt"] = (FILE, b"one\r\ntwo\r\nthree\r\n")
    before["no end.txt"] = (FILE, b"one\ntwo")
    before["Cargo.lock"] = (FILE, lock(random.Random(1), "Cargo.lock", [1] * 60))
    after = {
        path: (mode, text.replace(b"line 7\n", b"seven\n").replace(b"two", b"2"))
        for path, (mode, text) in before.items()
    }
    after["new file.txt"] = (FILE, b"fresh\n")
    after["Cargo.lock"] = (FILE, lock(random.Random(1), "Cargo.lock", [2] * 60))
    del after["src/m11.py"]
    history = History(0, before, after, ())
    repo.write([history])
    for path, (_, text) in before.items():
        (tmp_path / "work" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work" / path).write_bytes(text)

    envelope, emission = emitted(engine, repo.diff(history))
    done = subprocess.run(
        ["patch", "-p1", "--binary", "--batch", "--no-backup-if-mismatch"],
        cwd=tmp_path / "work",
        input=emission,
        capture_output=True,
        check=False,
    )

    assert "diff" == envelope.transform
    assert 0 == done.returncode, done.stdout.decode()
    after["Cargo.lock"] = before["Cargo.lock"]
    found = {
        path.relative_to(tmp_path / "work").as_posix(): path.read_bytes()
        for path in (tmp_path / "work").rglob("*")
        if path.is_file()
    }
    assert {path: text for path, (_, text) in after.items()} == found


def test_above_a_budget_what_stays_still_applies(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    rnd = random.Random(6)
    made = [with_locks(rnd, history) for history in histories(7, 40)]
    repo.write(made)
    params = {**DIFF.defaults, "pins": (), "budget_tokens": 400}

    left = 0
    for history in made:
        data = repo.diff(history)
        text = lines.split(data.decode("utf-8", "surrogateescape"))
        change = DIFF.apply(text, params, Facts())
        if change is None:
            continue
        emission = emit.render([emit.Part(text, change)], "0" * 12)
        wrong = repo.wrong_after(emission.encode("utf-8", "surrogateescape"), history)
        assert any("budget" in cut.why for cut in change.cuts) or set(wrong) <= set(
            LOCKS
        )
        left += len(wrong)

    assert left > len(made)
