"""Lists of things a system has: files, processes, packages, commits, branches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from ..model import ContentType
from .paths import is_file_name, is_path
from .view import Evidence, View

#: Whole-line shapes; the share of lines that have one is the confidence.
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("ls_rows", re.compile(r"[-dlbcpsD][-rwxsStT]{9}[.+@]?\s|total \d")),
    ("find_ls_rows", re.compile(r"\s*\d+\s+\d+ [-dlbcps][-rwxsStT]{9}\s")),
    ("tar_rows", re.compile(r"[-dlhbcp][-rwxsStT]{9} \S+/\S+ +\d+ ")),
    ("du_rows", re.compile(r"\d+(?:[.,]\d+)?[KMGTP]?i?B?\t\S")),
    ("tree_rows",
        re.compile(
            r"[\s│|]*(?:[├└╰][─┬\s]|[|`+\\]--?-?\s)|\S{1,120}$|│|\d+ director"
            r"|\S+ v?\d\S*(?: \(?/|$)"
        ),
    ),
    ("status_rows", re.compile(r"(?:[MTADRCU?! ][MTADRCU?! ] \S|## \S)")),
    ("porcelain_rows", re.compile(
        r"# branch\.|[12] [.MTADRCU]{2} |[?!] \S|u [A-Z]{2} "
    )),
    ("name_status_rows", re.compile(r"[MADRCTUX]\d{0,3}\t\S")),
    ("commit_rows", re.compile(
        r"[|\\/*_ .-]{0,80}(?:[0-9a-f]{7,40}\b[ \t]\S|$)|[|\\/*_ .-]{1,80}$"
    )),
    ("branch_rows", re.compile(
        r"(?:[* +] \(?[\w./()-]|  )\S*(?: detached at \S+\))?\s*(?:$|[0-9a-f]{7,40} "
        r"|-> )"
    )),
    ("stat_rows", re.compile(
        r" \S.{0,300} \| +(?:\d+ ?[-+]*|Bin .*|Unmerged)$| \d+ files? changed"
        r"| (?:create|delete) mode| rename | mode change| copy "
    )),
    ("tree_entry_rows", re.compile(r"\d{6} (?:blob|tree|commit) [0-9a-f]{40}")),
    ("sum_rows", re.compile(r"[0-9a-f]{32,128} [ *]?\S")),
    ("wc_rows", re.compile(r"\s*\d+(?: +\d+){0,3} \S+$")),
    ("package_rows", re.compile(
        r"[A-Za-z][\w.\[\]-]*(?:==| @ |@)\S+$|-e \S|Listing\.\.\."
        r"|[\w.+-]{2,80}/\S+ \S+ \S+(?: \[|$)"
    )),
    ("dpkg_rows", re.compile(
        r"[uirph][nicurahWt][ R] +\S+|Desired=|\| Status=|\|/|\|\|/|\+\+\+-"
    )),
    ("mount_rows", re.compile(r"\S+ on /\S* type \S+ \(")),
    ("gomod_rows", re.compile(r"\S+\.\S+/\S+ v\d\S*(?: => .*| h1:\S+|/go\.mod .*)?$")),
)  # fmt: skip

#: First lines of listings whose columns are named; all words must be there.
_HEADERS: tuple[tuple[str, frozenset[str]], ...] = tuple(
    (signal, frozenset(words.split()))
    for signal, words in (
        ("ps_header", "PID COMMAND"),
        ("ps_header", "PID CMD"),
        ("df_header", "Filesystem Mounted"),
        ("docker_header", "CONTAINER ID IMAGE"),
        ("docker_header", "REPOSITORY TAG IMAGE"),
        ("docker_header", "IMAGE ID DISK USAGE"),
        ("docker_header", "NETWORK ID NAME DRIVER"),
        ("docker_header", "VOLUME NAME"),
        ("docker_header", "NAME IMAGE COMMAND SERVICE"),
        ("systemctl_header", "UNIT LOAD ACTIVE SUB"),
        ("systemctl_header", "UNIT FILE STATE"),
        ("pip_header", "Package Version"),
        ("lsblk_header", "NAME SIZE TYPE"),
        ("kubectl_header", "NAME READY"),
        ("kubectl_header", "NAME STATUS AGE"),
        ("kubectl_header", "NAMESPACE NAME"),
        ("kubectl_header", "NAME AGE"),
        ("helm_header", "NAME NAMESPACE REVISION"),
        ("archive_header", "Length Date Time Name"),
        ("archive_header", "File Name Modified Size"),
        ("run_header", "STATUS TITLE WORKFLOW BRANCH"),
    )
)
#: What stands before a name in a tree, its lines to other branches taken off.
_BRANCHES = ("├", "└", "╰", "+-", "\\-", "`-", "--")
_STATUS = re.compile(
    r"On branch \S|HEAD detached |Not currently on any branch|No commits yet"
)
_STATUS_PARTS = (
    "nothing to commit", "Changes not staged", "Changes to be committed",
    "Untracked files:", "Your branch ", "Unmerged paths:", "no changes added",
)  # fmt: skip
_COMMIT = re.compile(r"[|\\/* ]{0,40}commit [0-9a-f]{7,64}\b")
_MAX_NAME = 80
_NAME = re.compile(r"[\w.@+~#%,=()\[\]-]+[/*@|=]?$")


def evidence(view: View) -> Iterator[Evidence]:
    """Claim LISTING by header, by git's own words, or by the shape of most lines."""
    rows = view.sample
    if not rows:
        return
    yield from _headed(view)
    yield from _git(view)
    size = len(rows)
    for signal, pattern in _SHAPES:
        few = (rows[0], rows[size // 2], rows[-1])
        if size >= 3 and sum(1 for row in few if pattern.match(row)) < 2:
            continue
        share = view.share(pattern, 0.7)
        if share >= 0.7 and _holds(signal, view):
            yield Evidence(
                ContentType.LISTING, signal, _SCALE.get(signal, 0.95) * share
            )
    yield from _paths(view)


#: How much a shape says by itself; 0.95 where it is not here.
_SCALE = {
    "wc_rows": 0.75,
    "branch_rows": 0.75,
    "status_rows": 0.9,
    "package_rows": 0.88,
    "tree_rows": 0.97,
}


def _headed(view: View) -> Iterator[Evidence]:
    if len(view.sample) < 2:
        return
    for line in view.sample[:2]:
        words = frozenset(line.replace("|", " ").split())
        for signal, header in _HEADERS:
            if (
                header <= words
                and len(line) < 400
                and (
                    "  " in line.strip()
                    or "\t" in line
                    or " " in line
                    and len(words) > 6
                )
            ):
                yield Evidence(ContentType.LISTING, signal, 0.93)
                return


def _git(view: View) -> Iterator[Evidence]:
    text = view.text if len(view.text) < 200_000 else view.text[:200_000]
    head = view.sample[:3]
    if any(_STATUS.match(line) for line in head) and any(
        part in text for part in _STATUS_PARTS
    ):
        yield Evidence(ContentType.LISTING, "git_status", 0.96)
    if _COMMIT.match(view.first) and "Author: " in text[:2000]:
        yield Evidence(ContentType.LISTING, "git_log", 0.94)


def _holds(signal: str, view: View) -> bool:
    """A second look at shapes that other texts share."""
    rows = view.sample
    if signal == "tree_rows":
        marks = sum(1 for row in rows if row.lstrip(" │|\xa0").startswith(_BRANCHES))
        return marks >= 0.4 * len(rows)
    if signal == "status_rows":
        return any(row[:2].strip() for row in rows) and not any(
            row[:2].isalpha()
            and row[:2].isupper()
            and row[:2]
            not in (
                "AM",
                "MM",
                "AD",
                "MD",
                "UU",
                "AA",
                "DD",
                "UD",
                "DU",
                "RM",
                "AU",
                "UA",
            )
            for row in rows
        )
    if signal == "commit_rows":
        hashes = [
            found
            for row in rows
            if (found := re.search(r"\b[0-9a-f]{7,40}\b", row[:120]))
        ]
        return len(hashes) >= 0.5 * len(rows) and any(
            not h.group().isdigit() for h in hashes
        )
    if signal == "branch_rows":
        return (
            any(row.startswith("* ") for row in rows)
            and sum(1 for row in rows if row.startswith("* ")) == 1
            and all(row[:2] in ("* ", "  ", "+ ") for row in rows)
        )
    if signal == "wc_rows":
        total = any(row.split()[-1] == "total" for row in rows if row.split())
        return total or len(rows) >= 3 and all(is_path(row.split()[-1]) for row in rows)
    if signal == "package_rows":
        return len(rows) >= 3
    if signal in ("ls_rows", "dpkg_rows", "porcelain_rows"):
        return True
    return True


def _paths(view: View) -> Iterator[Evidence]:
    """Rows that are one path each, or end in one; names, as `ls` prints them."""
    rows = view.sample
    size = len(rows)
    paths = names = files = ends = headings = ls = 0
    for row in rows:
        row = row.rstrip()
        if row[:1] in "-dl" and row[1:2] in "r-" and len(row) > 10:
            ls += row[4:5] in "r-"
        elif (
            row[-1] == ":"
            and (is_path(row[:-1]) or _NAME.match(row[:-1]))
            or row.startswith(("total ", "find: ", "ls: "))
        ):
            headings += 1
        elif "/" in row and ": " not in row and is_path(row):
            paths += 1
        elif len(row) <= _MAX_NAME and _NAME.match(row):
            names += 1
            files += is_file_name(row.rstrip("*@")) or row[-1] == "/"
        elif "/" in row and is_path(row.split()[-1]) and row[:1].isdigit():
            ends += 1
    if size >= 2 and paths + names + headings >= 0.9 * size and paths >= 0.5 * size:
        yield Evidence(
            ContentType.LISTING, "path_rows", 0.93 * (paths + names + headings) / size
        )
    elif size >= 3 and ends + paths >= 0.9 * size and ends:
        yield Evidence(
            ContentType.LISTING, "path_end_rows", 0.85 * (ends + paths) / size
        )
    elif size >= 4 and ls and headings and ls + headings >= 0.9 * size:
        yield Evidence(ContentType.LISTING, "ls_rows", 0.95)
    elif (
        size >= 4
        and names + headings + paths >= 0.92 * size
        and (files >= 0.35 * size or headings >= 2)
    ):
        yield Evidence(
            ContentType.LISTING, "name_rows", 0.8 * (names + headings + paths) / size
        )
    elif size >= 12 and names + paths == size and _in_order(rows):
        yield Evidence(ContentType.LISTING, "sorted_names", 0.7)


def _in_order(rows: Sequence[str]) -> bool:
    """Whether names that are nearly all different are sorted, as `ls` sorts.

    Locales disagree about signs, so a few pairs may be out of order.
    """
    keys = [re.sub(r"[^a-z0-9]", "", row.lower()) for row in rows]
    rising = sum(1 for a, b in pairwise(keys) if a <= b)
    plain = sum(1 for a, b in pairwise(rows) if a <= b)
    pairs = len(rows) - 1
    return max(rising, plain) >= 0.95 * pairs and len(set(rows)) >= 0.95 * pairs
