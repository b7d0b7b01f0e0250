"""What a reader of one report format says about lines: the common model."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Marks:
    """Findings of one reader over one text.

    Attributes:
        format: its name; empty means that the text holds none of it.
        noise: line ranges that only say that something passed or goes on.
        factors: ranges whose scores are multiplied: less or more interest.
        failures: ranges that belong to one failure each: shown whole as far
            as the allowance goes.
        summary: the tool's own summary lines, and lines that name a step.
        notable: lines that look like noise and are not.
        frames: errors with their code: what is below the first line goes with it.
        leaning: lines that say nothing without the one above (carets).
    """

    format: str = ""
    noise: list[range] = field(default_factory=list)
    factors: list[tuple[range, float]] = field(default_factory=list)
    failures: list[range] = field(default_factory=list)
    summary: list[int] = field(default_factory=list)
    notable: list[int] = field(default_factory=list)
    frames: list[range] = field(default_factory=list)
    leaning: list[int] = field(default_factory=list)
