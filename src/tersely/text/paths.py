"""Fold a list of paths under their folders, reversibly.

    src/app/main.py          src/app/
    src/app/util.py    ->    main.py
    README.md                util.py
                             (an empty line)
                             README.md

A folder line ends in a slash and is no entry itself; what follows without a
slash lies in it, until an empty line or the next folder. A line with a slash
inside is a whole path. Where an entry itself ends in a slash, folder lines
end in ``/:`` instead. A name may carry more behind it (``path:count``).

A line with a blank before its last slash stays whole: what stands before the
path (``create mode 100644 docs/a.md``) belongs to one entry. So does a path
behind a status letter, but in long runs (``? build/``, then its files).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..model import Text
from . import lines as text_lines

#: What `git status --short` and `--name-status` put before a path.
_CODED = re.compile(r"(?:[ MADRCTUX?!]{1,2}|[MADRCTUX]\d{0,3})[ \t] ?[^\s]+/")

#: From so many entries on, a folder with a status letter is said once (chosen
#: by hand: the letter is then that of a folder, not of a file somebody looks for).
_CODED_RUN = 4


def fold(text: Text) -> str | None:
    """Return `text`, one path a line, with shared folders said once.

    Returns:
        None where a line is empty or ends like a folder line, and where no
        two paths in a row share their folder.
    """
    lines = text.lines
    if "" in lines or "\r" in text.ends:
        return None
    mark = _mark(lines, entry="/")
    if mark == "/:" and any(line.endswith("/:") for line in lines):
        return None
    ends = iter(text.ends)
    out: list[str] = []
    folders = 0
    under = ""
    for folder, names in _runs(lines):
        if _is_whole(folder, names):
            out += [folder + name + next(ends) for name in names]
            continue
        if folder != under and not folder:
            out.append("\n")
            under = ""
        elif folder != under and len(names) > 1:
            out.append(f"{folder[:-1]}{mark}\n")
            under = folder
            folders += 1
        whole = "" if folder == under else folder
        out += [whole + name + next(ends) for name in names]
    return "".join(out) if folders else None


def unfold(new: str) -> str:
    """Return what `fold` was given."""
    text = text_lines.split(new)
    mark = _mark(text.lines, entry="/:")
    out: list[str] = []
    under = ""
    for line, end in zip(text.lines, text.ends, strict=True):
        if not line:
            under = ""
        elif line.endswith(mark):
            under = line[: -len(mark)] + "/"
        else:
            out.append((line if "/" in line[:-1] else under + line) + end)
    return "".join(out)


def split(path: str) -> tuple[str, str]:
    """Folder with its slash, and name; a name may end in a slash itself."""
    at = path.rfind("/", 0, -1) + 1
    return path[:at], path[at:]


def _mark(lines: Sequence[str], entry: str) -> str:
    """How folder lines end, told by a line that ends in `entry`."""
    return "/:" if any(line.endswith(entry) for line in lines) else "/"


def _is_whole(folder: str, names: Sequence[str]) -> bool:
    """Whether words stand before the path, so that its lines stay in one piece."""
    if " " not in folder and "\t" not in folder:
        return False
    return len(names) < _CODED_RUN or _CODED.fullmatch(folder) is None


def _runs(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    runs: list[tuple[str, list[str]]] = []
    for line in lines:
        folder, name = split(line)
        if runs and runs[-1][0] == folder:
            runs[-1][1].append(name)
        else:
            runs.append((folder, [name]))
    return runs
