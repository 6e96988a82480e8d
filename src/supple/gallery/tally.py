"""Result of a tour: counts, unexpected verdicts, and the JSON output."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from supple.gallery.outcome import Outcome
from supple.gallery.panel import Panel
from supple.gallery.tour import Tour
from supple.gallery.verdicts import Figure, Verdict

KEYS = {
    Verdict.REPRODUCED: "reproduced",
    Verdict.CORRECTED: "corrected",
    Verdict.NOT_REPRODUCED: "not_reproduced",
    Verdict.FAILED: "failed",
}


def counts(tour: Tour) -> dict[Verdict, int]:
    found = Counter(outcome.verdict for outcome in tour.outcomes.values())
    return {verdict: found[verdict] for verdict in Verdict}


def alarms(tour: Tour) -> list[str]:
    """A sentence for each panel with an unexpected verdict."""
    return [_alarm(panel, tour.outcomes[panel.name]) for panel in tour.panels if _differs(panel, tour)]


def as_plain(tour: Tour) -> dict[str, Any]:
    """The output of `--json`."""
    panels = [_plain(panel, tour.outcomes[panel.name]) for panel in tour.panels if panel.name in tour.outcomes]
    return {"panels": panels, **{KEYS[verdict]: count for verdict, count in counts(tour).items()}, "full": tour.full}


def _differs(panel: type[Panel], tour: Tour) -> bool:
    return panel.name in tour.outcomes and tour.outcomes[panel.name].verdict is not panel.expects


def _alarm(panel: type[Panel], outcome: Outcome) -> str:
    if outcome.verdict is Verdict.FAILED:
        return f"{panel.name}: failed: {outcome.error}"
    missed = [f"{f.what} is {f.value:.4g}, expected {f.bound}" for f in outcome.figures if not f.holds]
    said = "; ".join(missed) or "all bounds hold"
    return f"{panel.name}: found '{outcome.verdict}', expected '{panel.expects}': {said}"


def _plain(panel: type[Panel], outcome: Outcome) -> dict[str, Any]:
    return {
        "id": panel.name,
        "also": list(panel.also),
        "title": panel.title,
        "verdict": outcome.verdict.value,
        "expected": panel.expects.value,
        "because": panel.because,
        "measured": {figure.what: _number(figure.value) for figure in outcome.figures},
        "bound": {figure.what: _bound(figure) for figure in outcome.figures if figure.bound},
        "seconds": outcome.seconds,
        "error": outcome.error,
    }


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else repr(value)


def _bound(figure: Figure) -> str:
    return str(figure.bound)
