"""What looks like a path, and what looks like a place in a file.

A row `PATH:12:text` is a search hit or a diagnostic only when PATH could be a
path: times, IPv6, `C:\\x`, URLs with ports and `key:1:val` never are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: File name endings that make a bare name a path. Top-level domains that are
#: also endings (`.sh`, `.rs`) are accepted; `.com`, `.net`, `.org`, `.io` are not.
EXTENSIONS = frozenset(
    "adoc asm astro awk bash bat bazel bib bzl c cc cfg cjs clj cljs cmake cmd cnf "
    "coffee conf cpp cs csproj css csv cts cu cue cxx d dart desktop diff el elm env "
    "erb erl ex exs f90 fish fs fsx gd glsl go gql gradle graphql groovy gyp h haml "
    "hbs hcl hh hpp hrl hs htm html hxx in inc ini ino ipp ipynb java jinja jinja2 jl "
    "js json json5 jsonc jsonl jsp jsx just kt kts less lhs lisp lock log lua m m4 mak "
    "markdown md mdx mjs mk ml mli mm mod mts ndjson nim nix orig out patch php phtml "
    "pl plist po prisma proto ps1 pug py pyi pyx qml r rake rb rkt rs rst s sass sbt "
    "scala scm scss service sh snap sol sql styl sum sv svelte svg swift t tcl tex tf "
    "tfvars toml ts tsv tsx txt v vb vcxproj vhd vim vue wat wsgi xaml xml xsl xslt "
    "yaml yml zig zsh".split()
)

#: Names without an ending that are files.
NAMES = frozenset(
    "AUTHORS BUILD CHANGELOG CHANGES CODEOWNERS CONTRIBUTING COPYING Dockerfile "
    "Containerfile GNUmakefile Gemfile INSTALL Jenkinsfile Justfile LICENSE Makefile "
    "NEWS NOTICE Pipfile Procfile README Rakefile TODO VERSION Vagrantfile WORKSPACE "
    "justfile makefile .gitignore .gitattributes .dockerignore .editorconfig .npmrc "
    ".eslintrc .prettierrc .bashrc .env".split()
)

_PLAIN = re.compile(r"[\w.@+~,%()\[\]{}$#!&'/ -]+")
_SEPARATED = re.compile(r"([:=-])(\d{1,7})\1")
_SEVERITY = re.compile(
    r" (?:fatal |internal compiler )?(?:error|warning|note|info|remark|hint|help|"
    r"Error|Warning|ERROR|WARNING|CRITICAL|SEVERE|information)\b|"
    r" {1,6}(?:recursively )?required (?:from|by)|"
    r" \w{0,60}(?:Error|Exception|Warning)\b"
)
_COLUMN = re.compile(r"(\d{1,6})(?::(?=[^\d:])|:$|(?=-\d{1,6}: ))")

#: Beyond this a path is none; keeps the search for a place linear.
_LONGEST_PATH = 400


@dataclass(frozen=True, slots=True)
class Place:
    """A row that begins with a place in a file.

    Attributes:
        path: as printed.
        mark: ``:`` hit or diagnostic, ``-`` context, ``=`` function heading.
        line: 1-based, as printed.
        column: whether a column follows.
        diagnostic: a message follows, not the text of the line.
        spaced: exactly one space stands before what follows.
    """

    path: str
    mark: str
    line: int
    column: bool
    diagnostic: bool
    spaced: bool


def is_path(word: str) -> bool:
    """Whether `word` as a whole could be a relative or absolute POSIX path."""
    if not word or len(word) > _LONGEST_PATH or "\\" in word or "://" in word:
        return False
    if word[0] in " \t" or word[-1] in " \t" or word in ("-", "--", "---", ".."):
        return False
    if word[0] in "./~" and word.startswith(("./", "../", "/", "~/")):
        return "  " not in word and "\t" not in word and len(word) > 1
    if " " in word or not _PLAIN.fullmatch(word):
        return False
    last = word.rstrip("/").rsplit("/", 1)[-1]
    if last != word:
        return any(char.isalpha() for char in last) and not word.startswith("<")
    return is_file_name(word)


def is_file_name(word: str) -> bool:
    """Whether `word`, without a slash, is a file's name for sure."""
    if word in NAMES:
        return True
    stem, dot, ending = word.rpartition(".")
    return bool(dot) and bool(stem) and ending.lower() in EXTENSIONS


def place(line: str) -> Place | None:
    """Read a row that begins with a place in a file, or None."""
    at = 1
    for _ in range(8):
        found = _SEPARATED.search(line, at, _LONGEST_PATH)
        if not found:
            return None
        path = line[: found.start()]
        if is_path(path) or _is_revision_path(path):
            return _place(line, path, found)
        at = found.start() + 1
    return None


def _place(line: str, path: str, found: re.Match[str]) -> Place:
    mark, rest = found.group(1), line[found.end() :]
    column = False
    if mark == ":" and (second := _COLUMN.match(rest)):
        column = True
        rest = rest[second.end() :]
    spaced = rest[:1] == " " and rest[1:2] not in ("", " ", "\t")
    severity = _SEVERITY.match(rest[:80]) is not None
    diagnostic = mark == ":" and (severity or (spaced and column))
    return Place(path, mark, int(found.group(2)), column, diagnostic, spaced)


def _is_revision_path(path: str) -> bool:
    """`REVISION:PATH`, as `git grep -n PATTERN REVISION` prints it."""
    revision, colon, rest = path.partition(":")
    if (
        not colon
        or not rest
        or rest.startswith("//")
        or revision.isupper()
        and revision != "HEAD"
    ):
        return False
    plain = re.fullmatch(r"[A-Za-z0-9][\w./~^@{}-]{0,80}", revision) is not None
    return plain and not revision.isdigit() and is_path(rest) and " " not in rest
