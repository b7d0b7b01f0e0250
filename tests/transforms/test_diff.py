"""What stays of a diff is applied by the real git, with and without engine lines."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from unidiff.patch import PatchSet

from tersely.model import Change, Facts, Proof, Text, Tier
from tersely.pipeline import emit, guard
from tersely.text import lines
from tersely.transforms.diff import TRANSFORM
from tersely.transforms.diff.parse import sections

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")

FOOTER = "[full output: ctx expand 000000000000]\n"


class Repo:
    """A git repository in a folder, deaf to the user's settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q")

    def git(self, *args: str, data: str | None = None, ok: bool = True) -> str:
        world = {
            **{key: value for key, value in os.environ.items() if key[:4] != "GIT_"},
            **{"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
            **{f"GIT_{who}_NAME": "Dev" for who in ("AUTHOR", "COMMITTER")},
            **{
                f"GIT_{who}_EMAIL": "dev@example.org" for who in ("AUTHOR", "COMMITTER")
            },
            **{"GIT_AUTHOR_DATE": "2024-05-03T04:17:40Z"},
            **{"GIT_COMMITTER_DATE": "2024-05-03T04:17:40Z", "LC_ALL": "C.UTF-8"},
        }
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", *args],
            cwd=self.folder,
            env=world,
            input=None if data is None else data.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
        )
        assert not ok or done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape")

    def write(self, files: dict[str, str | None]) -> None:
        """Write files; None deletes one."""
        for name, content in files.items():
            path = self.folder / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8", "surrogateescape"))

    def commit(self, files: dict[str, str | None], subject: str = "change") -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD").strip()

    def tree_after(self, patch: str, base: str) -> str:
        """The tree that `git apply` makes of `base`, with renames and modes."""
        self.git("reset", "-q", "--hard", base)
        self.git("clean", "-fdq")
        self.git("apply", "--index", "--whitespace=nowarn", "-", data=patch)
        return self.git("ls-files", "-s")


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


def change_of(patch: str, **params: object) -> tuple[Text, Change]:
    text = lines.split(patch)
    defaults = {**TRANSFORM.defaults, "pins": ()}
    change = TRANSFORM.apply(text, {**defaults, **params}, Facts())
    assert change is not None
    assert guard.problem(text, change, transform=TRANSFORM) is None
    return text, change


def emission_of(patch: str, **params: object) -> str:
    text, change = change_of(patch, **params)
    return emit.render([emit.Part(text, change)], "0" * 12)


def without_engine_lines(emission: str) -> str:
    kept = emission.splitlines(keepends=True)
    assert kept[-1] == FOOTER
    assert kept[-2].endswith(" more lines]\n")
    return "".join(kept[:-2])


def numbered(count: int, **changed: str) -> str:
    named = {int(key[1:]): value for key, value in changed.items()}
    return "".join(f"{named.get(n, f'line {n}')}\n" for n in range(1, count + 1))


def npm_lock(versions: dict[str, str]) -> str:
    entries = [
        f'    "node_modules/{name}": {{\n      "version": "{version}",\n'
        f'      "resolved": "https://registry.example.org/{name}-{version}.tgz",\n'
        f'      "integrity": "sha512-{(name + version) * 8}==",\n'
        '      "license": "MIT",\n      "engines": {\n        "node": ">=18"\n'
        "      }\n    },\n"
        for name, version in versions.items()
    ]
    return '{\n  "packages": {\n' + "".join(entries) + '    "": {}\n  }\n}\n'


def base_files() -> dict[str, str | None]:
    files: dict[str, str | None] = {f"src/m{n}.py": numbered(40) for n in range(12)}
    versions = {f"pkg-{n}": "1.0.0" for n in range(60)}
    return {
        **files,
        "Cargo.lock": "".join(
            f'[[package]]\nname = "crate-{n}"\nversion = "0.{n}.0"\n'
            f'source = "registry+https://index.example.org"\nchecksum = "{n:064x}"\n\n'
            for n in range(60)
        ),
        "package-lock.json": npm_lock(versions),
        "old name.txt": numbered(30),
        "gone.txt": numbered(4),
        "run.sh": numbered(9),
        "no_end.txt": "one\ntwo",
        "crlf.txt": numbered(9).replace("\n", "\r\n"),
        "gen/api.pb.go": numbered(200),
    }


def changed_files() -> dict[str, str | None]:
    versions = {f"pkg-{n}": "1.1.0" if n % 2 else "1.0.0" for n in range(61)}
    cargo = base_files()["Cargo.lock"] or ""
    for n in range(0, 60, 3):
        cargo = cargo.replace(f'"0.{n}.0"', f'"0.{n}.1"')
        cargo = cargo.replace(f"{n:064x}", f"{n + 999:064x}")
    return {
        **{f"src/m{n}.py": numbered(40, _5="five", _30="thirty") for n in range(12)},
        "Cargo.lock": cargo,
        "package-lock.json": npm_lock(versions),
        "old name.txt": None,
        "new name.txt": numbered(30, _9="nine"),
        "gone.txt": None,
        "run.sh": numbered(9, _3="three"),
        "no_end.txt": "one\ntwo\nthree",
        "crlf.txt": numbered(9, _5="five").replace("\n", "\r\n"),
        "gen/api.pb.go": numbered(200, _9="nine", _90="ninety").replace(
            "line 1", "l 1"
        ),
        "fresh/é.txt": "new\n",
        "empty.txt": "",
    }


LOCKS = ("Cargo.lock", "package-lock.json", "gen/api.pb.go")


def test_what_stays_gives_the_same_tree_but_for_files_that_left(repo: Repo) -> None:
    base = repo.commit(base_files())
    repo.write(changed_files())
    (repo.folder / "run.sh").chmod(0o755)
    (repo.folder / "picture.bin").write_bytes(b"\0\1\2" * 90)
    (repo.folder / "link").symlink_to("run.sh")
    repo.git("add", "-A")
    raw = repo.git("diff", "--cached", "-M", "--binary", base)

    emission = emission_of(raw)

    def left_out(tree: str) -> str:
        return "".join(
            line
            for line in tree.splitlines(keepends=True)
            if not line.rstrip().endswith(LOCKS)
        )

    expected = left_out(repo.tree_after(raw, base))
    assert left_out(repo.tree_after(emission, base)) == expected
    assert left_out(repo.tree_after(without_engine_lines(emission), base)) == expected
    assert len(emission) < len(raw) / 2


def test_every_line_of_a_kept_file_stays(repo: Repo) -> None:
    base = repo.commit(base_files())
    repo.write({name: text for name, text in changed_files().items() if "src" in name})
    raw = repo.git("diff", base)

    emission = emission_of(raw)

    kept = without_engine_lines(emission).splitlines()
    gone = [line for line in raw.splitlines() if line not in kept]
    assert 12 == len(gone)
    assert all(line.startswith("index ") for line in gone)


def test_versions_of_a_lock_file_stay_below_its_name(repo: Repo) -> None:
    repo.commit(base_files())
    repo.write(changed_files())
    raw = repo.git("diff", "--", "Cargo.lock", "package-lock.json", "src/m1.py")

    emission = emission_of(raw)

    at = emission.index("--- a/Cargo.lock\n+++ b/Cargo.lock\n")
    npm = emission.index("--- a/package-lock.json\n+++ b/package-lock.json\n")
    assert (
        ' name = "crate-3"\n-version = "0.3.0"\n+version = "0.3.1"\n'
        in (emission[at:npm])
    )
    assert (
        '     "node_modules/pkg-7": {\n-      "version": "1.0.0",\n'
        '+      "version": "1.1.0",\n'
    ) in emission[npm:]
    assert '+    "node_modules/pkg-60": {\n       "version": "1.0.0",\n' in emission
    assert "sha512" not in emission
    assert "checksum" not in emission


def test_a_small_lock_change_is_kept_whole(repo: Repo) -> None:
    repo.commit(base_files())
    cargo = (base_files()["Cargo.lock"] or "").replace('"0.7.0"', '"0.7.1"')
    repo.write({**changed_files(), "Cargo.lock": cargo})
    raw = repo.git("diff", "--", "Cargo.lock", "src")

    emission = emission_of(raw)

    cargo_patch = raw.split("diff --git ")[1].splitlines()
    assert "\n".join(cargo_patch[2:]) in emission


def test_above_the_budget_whole_files_leave_and_the_rest_applies(repo: Repo) -> None:
    files: dict[str, str | None] = {
        "vendor/lib.js": numbered(400),
        "tests/fixtures/rows.csv": numbered(300),
        "src/big.py": numbered(300),
        "src/small.py": numbered(30),
    }
    base = repo.commit(files)
    repo.write({name: (text or "").upper() for name, text in files.items()})
    raw = repo.git("diff")

    for budget, kept in ((4000, 2), (900, 1)):
        emission = emission_of(raw, budget_tokens=budget)
        tree = repo.tree_after(emission, base)
        whole = [name for name in files if f"diff --git a/{name} " in emission]
        changed = repo.git("diff", "--cached", "--name-only", base).split()

        assert tree
        assert sorted(whole) == changed
        assert kept == len(changed)
        assert "src/small.py" in changed
        for name in files:
            assert f"+++ b/{name}\n" in emission


def test_a_diff_below_the_budget_loses_no_file(repo: Repo) -> None:
    repo.commit({"vendor/lib.js": numbered(400)})
    repo.write({"vendor/lib.js": numbered(400).upper()})
    raw = repo.git("diff")

    text = lines.split(raw)

    assert TRANSFORM.apply(text, {**TRANSFORM.defaults, "pins": ()}, Facts()) is None


#: Content that a careless parser takes for structure.
LOOK_ALIKES = (
    "",
    " ",
    "-- a/x.py",
    "++ b/x.py",
    "--- a/x.py",
    "+++ b/x.py",
    "@@ -1,2 +1,2 @@",
    "diff --git a/x b/x",
    "index 0123456..789abcd 100644",
    "Index: x",
    "=" * 67,
    "commit 0123456789",
    "\\ No newline at end of file",
    "GIT binary patch",
    "[3 more lines]",
    "\t",
    "ünïcode",
    "word",
)


def test_content_that_looks_like_a_header_is_content(repo: Repo) -> None:
    rnd = random.Random(5)

    def body() -> list[str]:
        return [rnd.choice(LOOK_ALIKES) for _ in range(rnd.randrange(1, 25))]

    for _ in range(25):
        before = {f"f{n}.txt": body() for n in range(8)}
        after = {}
        for name, rows in before.items():
            rows = list(rows)
            for _ in range(rnd.randrange(1, 6)):
                rows.insert(rnd.randrange(len(rows) + 1), rnd.choice(LOOK_ALIKES))
                del rows[rnd.randrange(len(rows))]
            after[name] = rows
        ends = [rnd.choice(("", "\n")) for _ in before]
        pairs = list(zip(before, ends, strict=True))
        base = repo.commit({n: "\n".join(before[n]) + end for n, end in pairs})
        repo.write({n: "\n".join(after[n]) + rnd.choice(("", "\n")) for n in after})
        repo.git("add", "-A")
        raw = repo.git("diff", "--cached", f"-U{rnd.randrange(4)}", base)

        emission = emission_of(raw)

        apply = ("apply", "--index", "--whitespace=nowarn", "--unidiff-zero", "-")
        trees = []
        for patch in (raw, emission, without_engine_lines(emission)):
            repo.git("reset", "-q", "--hard", base)
            repo.git(*apply, data=patch)
            trees.append(repo.git("write-tree"))
        assert 1 == len(set(trees))


def test_sections_agree_with_unidiff(repo: Repo) -> None:
    repo.commit(base_files())
    repo.write(changed_files())
    repo.git("add", "-A")
    raw = repo.git("diff", "--cached", "-M")
    rows = lines.split(raw).lines

    ours = [
        (
            section.path,
            len(section.hunks),
            sum(
                rows[at][:1] == "+"
                for start, stop in section.hunks
                for at in range(start + 1, stop)
            ),
        )
        for section in sections(rows)
        if section.hunks
    ]
    theirs = [
        (file.path.strip('"'), len(file), file.added)
        for file in PatchSet(raw)
        if len(file)
    ]
    assert ours == theirs


def test_commits_between_patches_stay(repo: Repo) -> None:
    repo.commit(base_files(), "first: all files")
    for n in range(12):
        repo.commit({f"src/m{n}.py": numbered(40, _7="seven")}, f"m{n}: line 7")
    raw = repo.git("log", "-p", "-12")

    emission = emission_of(raw)

    for line in raw.splitlines():
        assert line.startswith("index ") or line in emission
    assert 12 == emission.count("\ncommit ") + emission.startswith("commit ")


def test_a_cut_off_diff_keeps_its_last_file_and_says_so(repo: Repo) -> None:
    repo.commit(base_files())
    repo.write(changed_files())
    raw = repo.git("diff", "--", "src")
    rows = raw.splitlines(keepends=True)[:-3]

    _, change = change_of("".join(rows))

    assert Tier.DEGRADED is change.tier
    assert change.warnings == ("src/m9.py: hunks are not complete",)
    last = max(cut.start for cut in change.cuts)
    assert last < max(n for n, row in enumerate(rows) if row.startswith("diff --git"))


def test_pinned_lines_stay(repo: Repo) -> None:
    repo.commit(base_files())
    repo.write(changed_files())
    text = lines.split(repo.git("diff"))
    pins = tuple(n for n, line in enumerate(text.lines) if line.startswith("index "))

    change = TRANSFORM.apply(text, {**TRANSFORM.defaults, "pins": pins}, Facts())

    assert change is None or guard.problem(text, change, pins=pins) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "patching file a.py\nHunk #1 FAILED at 12.\n1 out of 1 hunk FAILED\n" * 9,
        " a.py | 3 ++-\n 1 file changed, 2 insertions(+), 1 deletion(-)\n" * 9,
        "Only in a: x\nOnly in b: y\n" * 9,
        "3c3\n< old\n---\n> new\n" * 9,
        "--- FAIL: TestX (0.00s)\n+++ not a name\n    x_test.go:3: no\n" * 9,
    ],
)
def test_what_is_no_unified_diff_is_left_alone(text: str) -> None:
    params = {**TRANSFORM.defaults, "pins": ()}

    assert TRANSFORM.apply(lines.split(text), params, Facts()) is None


def test_a_change_of_a_patch_is_a_cut_without_seams(repo: Repo) -> None:
    repo.commit(base_files())
    repo.write(changed_files())

    _, change = change_of(repo.git("diff"))

    assert Proof.CUT is change.proof
    assert change.seamless
