"""Events of ``rg --json``: each file and its hits, without the JSON around them.

    {"type":"begin","data":{"path":{"text":"src/a.py"}}}
    {"type":"match","data":{... "line_number":12,"absolute_offset":480, ...}}
    {"type":"end","data":{... "stats":{...}}}
        ->
    src/a.py
    12@480(4-9):    raise KeyError
    end 0s 550667ns, 21483 bytes searched, 1116 printed, 1 lines, 1 matches

In parentheses: where the matches begin and end, in bytes. The text is decoded,
checked to give the same JSON again. What does not stays an event, as it was.

Source: https://docs.rs/grep-printer JSON output, ripgrep 14 (2026-11-30).
"""

from __future__ import annotations

import json
import re

from ...model import Change, Legend, Proof, Text
from ...text import lines as text_lines

HOW = "path, then line@offset(matches):text"

_STRING = r'((?:[^"\\]|\\.)*)'
_BEGIN = re.compile(
    r'\{"type":"begin","data":\{"path":\{"text":"' + _STRING + r'"\}\}\}'
)
_HIT = re.compile(
    r'\{"type":"(match|context)","data":\{"path":\{"text":"'
    + _STRING
    + r'"\},"lines":\{"text":"'
    + _STRING
    + r'"\},"line_number":(\d+),"absolute_offset":(\d+),"submatches":\[(.*)\]\}\}'
)
_MATCH = re.compile(
    r'\{"match":\{"text":"' + _STRING + r'"\},"start":(\d+),"end":(\d+)\}'
)
_END = re.compile(
    r'\{"type":"end","data":\{"path":\{"text":"'
    + _STRING
    + r'"\},"binary_offset":null,"stats":\{"elapsed":\{"secs":(\d+),"nanos":(\d+),'
    r'"human":"[\d.]+s"\},"searches":1,"searches_with_match":1,'
    r'"bytes_searched":(\d+),"bytes_printed":(\d+),"matched_lines":(\d+),'
    r'"matches":(\d+)\}\}\}'
)

_ROW = re.compile(r"(\d+)@(\d+)\(([\d,-]*)\)([:-])(.*)")
_STATS = re.compile(
    r"end (\d+)s (\d+)ns, (\d+) bytes searched, (\d+) printed,"
    r" (\d+) lines, (\d+) matches"
)


def reduce(text: Text) -> Change | None:
    """Return `text` as files and rows, None where it is no such stream."""
    if set(text.ends) - {"\n", ""} or not _BEGIN.match(text.lines[0]):
        return None
    out: list[str] = []
    path: str | None = None
    hits = 0
    for line, end in zip(text.lines, text.ends, strict=True):
        if not line.startswith("{"):
            return None  # it would be read as a file
        if found := _BEGIN.fullmatch(line):
            if _is_file(found.group(1)):
                path = found.group(1)
                line = "\n" * bool(out) + path
        elif path is not None and (short := _row(line, path) or _stats(line, path)):
            line = short
            hits += 1
        out.append(line + end)
    if not hits:
        return None
    return Change(Proof.EXACT, text="".join(out), legend=Legend(f"{hits} hits", HOW))


def inverse(new: str) -> str:
    """Write the events again."""
    text = text_lines.split(new)
    out: list[str] = []
    path = ""
    for line, end in zip(text.lines, text.ends, strict=True):
        if not line:
            continue
        if line.startswith("{"):
            out.append(line + end)
        elif found := _ROW.fullmatch(line):
            out.append(_hit(path, *found.groups()) + end)
        elif found := _STATS.fullmatch(line):
            out.append(_end(path, *found.groups()) + end)
        else:
            path = line
            out.append(f'{{"type":"begin","data":{{"path":{{"text":"{path}"}}}}}}{end}')
    return "".join(out)


def _is_file(path: str) -> bool:
    looks_else = _ROW.fullmatch(path) or _STATS.fullmatch(path)
    return bool(path) and not path.startswith("{") and not looks_else


def _row(event: str, path: str) -> str | None:
    found = _HIT.fullmatch(event)
    if found is None or found.group(2) != path:
        return None
    kind, _, raw, number, offset, matches = found.groups()
    try:
        shown = str(json.loads(f'"{raw}"')).removesuffix("\n")
        places = ",".join(f"{start}-{end}" for _, start, end in _MATCH.findall(matches))
        row = f"{number}@{offset}({places}){':' if kind == 'match' else '-'}{shown}"
        one_line = len(text_lines.split(shown).lines) <= 1 and not shown.endswith("\r")
        return row if one_line and _same(row, path, event) else None
    except ValueError:  # no JSON string, or no text that UTF-8 can hold
        return None


def _same(row: str, path: str, event: str) -> bool:
    found = _ROW.fullmatch(row)
    return found is not None and _hit(path, *found.groups()) == event


def _hit(
    path: str, number: str, offset: str, places: str, mark: str, shown: str
) -> str:
    data = shown.encode("utf-8")
    matches = []
    for place in filter(None, places.split(",")):
        start, _, stop = place.partition("-")
        matched = _string(data[int(start) : int(stop)].decode("utf-8"))
        matches.append(f'{{"match":{{"text":{matched}}},"start":{start},"end":{stop}}}')
    return (
        f'{{"type":"{"match" if mark == ":" else "context"}",'
        f'"data":{{"path":{{"text":"{path}"}},'
        f'"lines":{{"text":{_string(shown + chr(10))}}},'
        f'"line_number":{number},"absolute_offset":{offset},'
        f'"submatches":[{",".join(matches)}]}}}}'
    )


def _stats(event: str, path: str) -> str | None:
    found = _END.fullmatch(event)
    if found is None or found.group(1) != path:
        return None
    _, secs, nanos, searched, printed, lines, matches = found.groups()
    if len(secs) > 9 or _end(path, *found.groups()[1:]) != event:
        return None
    return (
        f"end {secs}s {nanos}ns, {searched} bytes searched, {printed} printed,"
        f" {lines} lines, {matches} matches"
    )


def _end(
    path: str,
    secs: str,
    nanos: str,
    searched: str,
    printed: str,
    lines: str,
    matches: str,
) -> str:
    human = f"{int(secs[:9]) + int(nanos[:9]) / 1e9:.6f}s"
    return (
        f'{{"type":"end","data":{{"path":{{"text":"{path}"}},"binary_offset":null,'
        f'"stats":{{"elapsed":{{"secs":{secs},"nanos":{nanos},"human":"{human}"}},'
        f'"searches":1,"searches_with_match":1,"bytes_searched":{searched},'
        f'"bytes_printed":{printed},"matched_lines":{lines},"matches":{matches}}}}}}}'
    )


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
