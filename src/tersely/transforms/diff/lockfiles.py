"""Which files are written by tools, and what of their diffs still says something.

A lock file's diff says which package went from which version to which; the
hashes and URLs that follow from it say nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .parse import Section

_LOCKS = frozenset(
    """
    .terraform.lock.hcl Cargo.lock Gemfile.lock MODULE.bazel.lock Package.resolved
    Pipfile.lock Podfile.lock bun.lock buf.lock composer.lock conda-lock.yml deno.lock
    flake.lock go.sum go.work.sum gradle.lockfile mix.lock npm-shrinkwrap.json
    package-lock.json packages.lock.json paket.lock pdm.lock pixi.lock pnpm-lock.yaml
    poetry.lock pubspec.lock pylock.toml uv.lock yarn.lock
    """.split()
)
_GENERATED = re.compile(
    r"\.min\.(?:js|css|mjs)$|\.(?:js|css|mjs)\.map$|\.pb(?:\.gw)?\.(?:go|cc|h)$"
    r"|_pb2(?:_grpc)?\.pyi?$|\.g\.dart$|\.freezed\.dart$|\.generated\.\w+$"
    r"|(?:^|/)__generated__/|_generated\.\w+$|(?:^|/)zz_generated\."
)
_MARKER = re.compile(
    r"\s*(?:#|//|/\*|\*|--|<!--|;|%|\"\"\").{0,80}(?:@generated\b|DO NOT EDIT"
    r"|[Aa]uto(?:matically |-)?generated\b|\bCode generated\b)"
)
_VENDORED = re.compile(
    r"(?:^|/)(?:vendor|vendored|_vendor|node_modules|third[_-]?party|bower_components"
    r"|dist|\.yarn)/"
)
_FIXTURE = re.compile(
    r"(?:^|/)(?:fixtures?|testdata|test[_-]data|__snapshots__|snapshots|goldens?"
    r"|cassettes)/|\.(?:snap|svg|csv|ipynb|lock|golden)$"
)

_HASH = re.compile(
    r"sha(?:1|256|384|512)[-:]|[0-9a-fA-F]{32}|\b(?:integrity|resolved|checksum"
    r"|content-hash|narHash|lastModified)\b|\{ ?(?:file|url) = "
)
_NAME = re.compile(
    r"\s*(?!['\"]?(?:(?:dev|peer|optional|bundled)?[dD]ependencies(?:Meta)?|engines"
    r"|requires?(?:-dev)?|bin|funding|support|autoload(?:-dev)?|source|dist|extra"
    r"|config|scripts)['\"]? ?:)"
    r"(?:name ?[=:]|\"(?:name|identity|package)\" ?:|\"[^\"]+\" ?: ?\{"
    r"|['\"]?/?@?[\w.+\-/]+@[^ ].*:$|['\"]?/?@?[\w.+\-/]+['\"]?:$)"
)
_VERSION = re.compile(
    r"\s*\"?(?:version|specifier|rev|revision|tag)\"? ?[:=]? "
    r"|\s+(?:- )?\"?[\w@.+/\-]+ \([^()]*\d[^()]*\)"
)
_COPIES = 2
_WORD = re.compile(r"\w")
#: Lock files that put name, version and hash on one line.
_ONE_LINE = frozenset({"go.sum", "go.work.sum", "mix.lock", "gradle.lockfile"})


def is_lock(path: str) -> bool:
    """Whether a package manager writes this file."""
    return path.rpartition("/")[2] in _LOCKS


def is_generated(section: Section, lines: Sequence[str]) -> bool:
    """Whether name or head of the file say that a tool writes it."""
    if _GENERATED.search(section.path):
        return True
    if not section.hunks:
        return False
    start, stop = section.hunks[0]
    if not re.match(r"@@ -[0-9](?:,\d+)? \+[0-9](?:,| @@)", lines[start]):
        return False
    head = lines[start + 1 : min(stop, start + 13)]
    return any(_MARKER.match(line, 1) for line in head)


def rank(section: Section, lines: Sequence[str]) -> int:
    """How important a file is: 0 written by tools, 1 vendored, 2 data, 3 the rest."""
    if is_lock(section.path) or is_generated(section, lines):
        return 0
    if _VENDORED.search(section.path):
        return 1
    return 2 if _FIXTURE.search(section.path) else 3


def telling(section: Section, lines: Sequence[str], limit_lines: int) -> list[int]:
    """Lines of a lock file's hunks that say what changed, ascending.

    All changed lines but hashes, URLs and what stands there over and over
    (``+groups = ["dev"]``); where these are more than `limit_lines`, only names
    and versions. A name that did not change stays where something below it did.
    """
    name = section.path.rpartition("/")[2]
    if name in _ONE_LINE:
        keep = [at for at in _changed(section, lines) if not _repeats(lines[at])]
    else:
        keep = _rare(_changed(section, lines), lines)
        if len(keep) > limit_lines:
            keep = [at for at in keep if _names_or_versions(lines[at])]
    return sorted({*keep, *_owners(section, lines, set(keep))})


def _changed(section: Section, lines: Sequence[str]) -> list[int]:
    """Changed lines with a word, but those a patch tool could take for a header."""
    return [
        at
        for start, stop in section.hunks
        for at in range(start + 1, stop)
        if lines[at][:1] in ("+", "-")
        and _WORD.search(lines[at])
        and not lines[at].startswith(("--- ", "+++ "))
    ]


def _rare(changed: Sequence[int], lines: Sequence[str]) -> list[int]:
    """Lines without a hash, each text twice at most but for names and versions."""
    seen: dict[str, int] = {}
    keep = []
    for at in changed:
        line = lines[at]
        if _HASH.search(line):
            continue
        seen[line] = seen.get(line, 0) + 1
        if seen[line] <= _COPIES or _names_or_versions(line):
            keep.append(at)
    return keep


def _repeats(line: str) -> bool:
    """Whether go.sum says the same version once more, for the module's go.mod."""
    return "/go.mod h1:" in line


def _names_or_versions(line: str) -> bool:
    return bool(_NAME.match(line, 1) or _VERSION.match(line, 1))


def _owners(section: Section, lines: Sequence[str], keep: set[int]) -> list[int]:
    """Unchanged lines without which a kept one does not say what changed.

    The name above a change, and the version below a name that came or went.
    """
    owners = []
    for start, stop in section.hunks:
        owner, moved = None, False
        for at in range(start + 1, stop):
            same = lines[at].startswith(" ")
            if _NAME.match(lines[at], 1):
                owner, moved = (at, False) if same else (None, True)
            elif at in keep and owner is not None:
                owners.append(owner)
                owner = None
            elif moved and same and _VERSION.match(lines[at], 1):
                owners.append(at)
                moved = False
    return owners
