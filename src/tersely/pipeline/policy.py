"""What may be done to an observation: pass it on, or shorten it within bounds.

The one place that decides what stays verbatim (REQUIREMENTS X5). Runs before
any transform, so what is pinned here no transform can drop.
"""

from __future__ import annotations

import re
import shlex
import zlib
from dataclasses import dataclass

from ..config import Config
from ..model import ContentType, Detection, Observation, Params, Segment, Text
from ..text import salience
from . import emit
from .classify import ROUTES

#: Printed files of these types are reads: they may be edited (DESIGN 13.3).
_VERBATIM = frozenset(
    {ContentType.CONFIG, ContentType.SOURCE_CODE, ContentType.MARKDOWN}
)
_REPORTS = frozenset({ContentType.BUILD_OUTPUT, ContentType.LOG, ContentType.UNKNOWN})
_LOSSLESS = frozenset(
    {ContentType.SEARCH_RESULTS, ContentType.DIFF, ContentType.LISTING}
)

#: Where `generic` may follow. Not what may be edited or parsed again: a fold
#: or a gap would break a patch or a JSON document.
_FALLBACK = frozenset(
    {
        ContentType.BUILD_OUTPUT,
        ContentType.LOG,
        ContentType.SEARCH_RESULTS,
        ContentType.LISTING,
    }
)

#: Commands that print a file, and endings of files that people edit.
_PRINTERS = frozenset({"cat", "head", "tail", "sed", "bat", "nl", "less"})
_EDITED = frozenset(
    """
    py pyi js jsx mjs cjs ts tsx rs go java kt kts scala c h cc cpp cxx hpp cs rb php
    swift lua pl pm sh bash zsh fish ps1 sql r jl ex exs erl hs ml clj dart zig vue
    svelte css scss less html md rst adoc toml yaml yml ini cfg conf env properties
    tf hcl gradle cmake mk dockerfile proto graphql
    """.split()
)

#: Flags that say a program reads the output. `-z` and `-0` only for tools
#: where they mean NUL-terminated.
_MACHINE_FLAG = re.compile(r"--porcelain(?:=\S*)?|--null|--print0|-print0|--null-data")
_NUL_TOOLS = frozenset({"git", "grep", "rg", "sort", "xargs", "env", "printenv"})

#: What only a CI runner writes: such a log holds many tools' output, of which
#: one step failed, and its failures may take two budgets, not four.
_CI_PROBES = ("##[error]", "##[group]", "##[endgroup]", "section_start:")

#: What makes a command line more than one plain command: no rule applies.
_SHELL = re.compile(r"[;&|<>`\n]|\$\(")

#: Shapes that only secrets have: how they begin, and the whole form, tried
#: where the beginning stands. Sources: the issuers' published prefixes.
_SECRETS: tuple[tuple[str, str], ...] = (
    ("-----BEGIN ", r"-----BEGIN (?:[A-Z]{1,12} ){0,2}PRIVATE KEY-----"),
    ("ghp_", r"ghp_[A-Za-z0-9]{36}\b"),
    ("gho_", r"gho_[A-Za-z0-9]{36}\b"),
    ("ghs_", r"ghs_[A-Za-z0-9]{36}\b"),
    ("github_pat_", r"github_pat_\w{60}"),
    ("glpat-", r"glpat-[\w-]{20}"),
    ("xoxb-", r"xoxb-[0-9A-Za-z-]{24}"),
    ("xoxp-", r"xoxp-[0-9A-Za-z-]{24}"),
    ("sk-ant-", r"sk-ant-[\w-]{24}"),
    ("sk-proj-", r"sk-proj-[\w-]{24}"),
    ("AKIA", r"AKIA(?!IOSFODNN7EXAMPLE)[A-Z0-9]{16}\b"),
    ("ASIA", r"ASIA[A-Z0-9]{16}\b"),
    ("npm_", r"npm_[A-Za-z0-9]{36}\b"),
    ("pypi-AgE", r"pypi-AgE[\w-]{50}"),
    ("hvs.", r"hvs\.[\w-]{24}"),
)
#: Bytes of each of the three samples that `density` takes of a long text.
_SAMPLE_BYTES = 16_384

#: Tools whose first word is a sub-command; of others it may be a file's name.
_SUB_COMMANDS = frozenset(
    """
    apt apt-get aws az brew bun bundle cargo composer conda ctx deno docker dotnet
    flutter gcloud gem gh git glab go gradle helm hg just kubectl make mix mvn npm
    nx pip pip3 pnpm podman poetry rails rustup svn systemctl task terraform tofu
    uv yarn
    """.split()
)

_ENV_COMMANDS = frozenset({"env", "printenv", "export", "set", "declare"})
_AUTH = re.compile(
    r"^(?:gh|glab|npm|docker|gcloud|aws|az|heroku|vault|op|pass|security)\s+"
    r"(?:auth|login|adduser|token|secrets?|configure|sso|read|print-access-token)\b"
)


@dataclass(frozen=True, slots=True)
class Step:
    """What may be done to one segment.

    Attributes:
        transforms: ids, the routed one first; a later one is tried only where
            those before it had nothing to offer.
        params: over the transform's defaults.
        pins: lines of the segment that must stay.
        fallback_lossless: the routed transform has weighed the text against
            its budget, so a later one may fold runs but cut nothing.
    """

    segment: Segment
    transforms: tuple[str, ...]
    params: Params
    pins: tuple[int, ...]
    fallback_lossless: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The decision: a reason to pass the text on untouched, or steps.

    Attributes:
        density: ``dense``, ``mixed`` or ``repetitive``, for ``--explain``.
    """

    reason: str
    steps: tuple[Step, ...] = ()
    density: str = ""


def early_reason(observation: Observation, config: Config) -> str:
    """Why to pass on without looking at the text, or an empty string."""
    if observation.raw or config.disable or config.mode == "off":
        return "asked_raw"
    command = command_line(observation.command)
    if _is_machine(command):
        return "machine"
    if _is_private(command, observation.path):
        return "secret"
    return ""


def plan(
    observation: Observation,
    original: str,
    text: Text,
    detection: Detection,
    config: Config,
    tokens: int,
    steps: tuple[str, ...] = (),
) -> Plan:
    """Decide for a decoded text.

    Args:
        original: the decoded text; `text` is its canonical form.
        tokens: estimated tokens of the original.
        steps: what made the canonical form of it.
    """
    if detection.content_type is ContentType.BINARY:
        return Plan("binary")
    if len(text.lines) <= config.small_lines and len(original) <= config.small_bytes:
        return Plan("small")
    if emit.is_emission(original):
        return Plan("verbatim")
    if has_secret(original):
        return Plan("secret")
    if len(detection.segments) < 2 and (
        detection.content_type in _VERBATIM
        or (detection.content_type is ContentType.UNKNOWN and _is_read(observation))
    ):
        return Plan("verbatim")
    k = density(original) if len(original) >= config.gate.min_bytes else 0.0
    ci = "ci_prefix" in steps or any(probe in original for probe in _CI_PROBES)
    planned = []
    for segment in detection.segments:
        part = text.part(segment.start, segment.stop)
        share = (segment.stop - segment.start) / max(1, len(text.lines))
        params = _params(observation, segment, config, int(tokens * share) + 1, ci)
        kind = segment.content_type
        names = (ROUTES[kind], "generic") if kind in _FALLBACK else (ROUTES[kind],)
        if k >= config.gate.ratio:
            params["lossless"] = True
        if params["lossless"] and kind in _REPORTS:
            names = ("generic",)
        pins = () if params["lossless"] else _pins(part, segment, params)
        planned.append(Step(segment, names, params, pins, kind in _REPORTS))
    return Plan("", tuple(planned), _label(k))


def density(text: str) -> float:
    """zlib bytes / bytes of `text`, of three samples where it is long (R62).

    Near 1 means that nothing repeats: noise, base64, what is packed already.
    """
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > 3 * _SAMPLE_BYTES:
        middle = len(data) // 2
        data = (
            data[:_SAMPLE_BYTES]
            + data[middle : middle + _SAMPLE_BYTES]
            + data[-_SAMPLE_BYTES:]
        )
    return len(zlib.compress(data, 1)) / max(1, len(data))


def _label(k: float) -> str:
    """The class of a density, for the manifest; it decides nothing."""
    if k >= 0.6:
        return "dense"
    return "mixed" if k >= 0.3 else "repetitive"


def command_line(command: str | tuple[str, ...] | None) -> str:
    """Return the command as one line, empty when unknown."""
    if command is None:
        return ""
    return command.strip() if isinstance(command, str) else shlex.join(command)


def command_name(command: str | tuple[str, ...] | None) -> str:
    """Return argv[0] and the sub-command: all that the ledger keeps (R76)."""
    words = _words(command_line(command))
    if not words:
        return ""
    name = words[0].rsplit("/", 1)[-1][:40]
    if name in _SUB_COMMANDS and len(words) > 1:
        if re.fullmatch(r"[a-z][a-z0-9-]{0,20}", words[1]):
            return f"{name} {words[1]}"
    return name


def has_secret(text: str) -> bool:
    """Whether a private key or a token of a known shape stands in `text`."""
    for begin, form in _SECRETS:
        at = text.find(begin)
        while at >= 0:
            inside = at > 0 and (text[at - 1].isalnum() or text[at - 1] == "_")
            if not inside and re.compile(form).match(text, at):
                return True
            at = text.find(begin, at + 1)
    return False


def _words(command: str) -> list[str]:
    """Words of one plain command; empty where the shell would do more."""
    if not command or _SHELL.search(command):
        return []
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        words.pop(0)
    return words


def _is_machine(command: str) -> bool:
    words = _words(command)
    if not words:
        return False
    if any(_MACHINE_FLAG.fullmatch(word) for word in words[1:]):
        return True
    tool = words[0].rsplit("/", 1)[-1]
    return tool in _NUL_TOOLS and any(word in ("-z", "-0") for word in words[1:])


def _is_private(command: str, path: str | None) -> bool:
    if path:
        name = path.rsplit("/", 1)[-1]
        if name == ".env" or name.startswith(".env."):
            return True
    if _AUTH.match(command):
        return True
    words = _words(command)
    if not words:
        return False
    tool = words[0].rsplit("/", 1)[-1]
    if tool in _ENV_COMMANDS and len(words) == 1:
        return True
    return tool in ("cat", "head", "tail", "less") and any(
        word.rsplit("/", 1)[-1] == ".env" or "/.env." in f"/{word}"
        for word in words[1:]
    )


def _is_read(observation: Observation) -> bool:
    """Whether a file that may be edited is printed, by its name's ending.

    For texts that show no type of their own: a fragment of code is no report.
    """
    names = [observation.path] if observation.path else []
    words = _words(command_line(observation.command))
    if words and words[0].rsplit("/", 1)[-1] in _PRINTERS:
        names += words[1:]
    return any(name.rpartition(".")[2].lower() in _EDITED for name in names)


def _params(
    observation: Observation, segment: Segment, config: Config, tokens: int, ci: bool
) -> dict[str, object]:
    budgets = config.budgets
    kind = segment.content_type
    budget, must = 10**9, budgets.must_keep_tokens
    if kind in _REPORTS:
        share = int(tokens * budgets.report_share)
        budget = min(max(share, budgets.report_min_tokens), budgets.report_max_tokens)
        if ci:
            budget = min(budget, budgets.ci_tokens)
            must = min(must, 2 * budgets.ci_tokens)
    elif kind in _LOSSLESS:
        budget = budgets.lossless_below_tokens
    elif kind in (ContentType.JSON, ContentType.JSON_ARRAY):
        budget = budgets.records_tokens
    if config.mode == "aggressive":
        budget //= 2
    params: dict[str, object] = {
        "budget_tokens": budget,
        "must_keep_tokens": must,
        "most_tokens": max(budget, budgets.report_max_tokens),
        "lossless": config.mode == "lossless",
    }
    if (
        kind is ContentType.BUILD_OUTPUT
        and observation.stream == "stderr"
        and observation.exit_code != 0
    ):
        params["floor"] = 0.0  # what is no proved progress goes by budget alone (V11)
    if kind is ContentType.UNKNOWN and not observation.path:
        lines = config.line_budgets
        params["limit_lines"] = lines.bash if observation.command else lines.fallback
    return params


def _pins(part: Text, segment: Segment, params: Params) -> tuple[int, ...]:
    """Lines that a tool's own error form marks, as far as half the budget goes."""
    if segment.content_type not in _REPORTS:
        return ()
    return salience.pins(part.lines, params["budget_tokens"] // 2)
