"""The figures sent with every frame of the page, in a fixed order."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from supple.types import Array
from supple.viewer.session import Session

ENERGIES = ("kinetic", "elastic", "gravity", "other", "total")
FIGURES = (
    "time", "step", *ENERGIES, "dissipated", "external_work", "residual", "scale",
    "momentum", "angular_momentum", "iterations", "playing", "resets", "pace", "recorded",
)  # fmt: skip
"""s; count; J; J; J; J; J (reference of errors); kg m/s; kg m^2/s; count; 0 or 1; count; simulated seconds per wall
second, NaN if unknown; frames of the current recording, -1 if there is none."""

INDEX = {name: k for k, name in enumerate(FIGURES)}


def figures_of(session: Session, playing: bool, resets: int, pace: float = float("nan"), recorded: int = -1) -> Array:
    """State of a session."""
    ledger, e = session.ledger, session.ledger.energies
    p, L = session.momenta()
    return np.array(
        [
            session.state.t, session.steps, e.kinetic, e.elastic, e.gravity, e.other, e.total,
            ledger.dissipated, ledger.external_work, ledger.residual, max(e.scale, abs(ledger.initial)),
            math.hypot(*p), math.hypot(*L), session.iterations, playing, resets, pace, recorded,
        ]
    )  # fmt: skip


def figures_of_history(history: Mapping[str, Any]) -> Array:
    """(rows, figures) of a recorded run; never playing, never reset."""
    rows = len(history["time"])
    scale = np.maximum(
        np.abs(history["total"]), history["kinetic"] + np.abs(history["elastic"]) + np.abs(history["other"])
    )
    known = {name: history[name] for name in FIGURES if name in history} | {
        "scale": np.maximum(scale, np.abs(history["total"][:1])),
        "momentum": _length(history, "p"),
        "angular_momentum": _length(history, "l"),
        "iterations": history["newton_iterations"],
        "recorded": np.full(rows, -1),
    }
    return np.stack([np.asarray(known.get(name, np.zeros(rows)), dtype=np.float64) for name in FIGURES], axis=1)


def _length(history: Mapping[str, Any], name: str) -> Any:
    """Of a vector in three columns; a run that diverges has values whose squares overflow."""
    x, y, z = (history[f"{name}{axis}"] for axis in "xyz")
    return np.hypot(np.hypot(x, y), z)


def describe(figures: Array) -> str:
    """Status of a simulation in two lines."""
    f = {name: float(figures[k]) for name, k in INDEX.items()}
    relative = f["residual"] / f["scale"] if f["scale"] > 0 else 0.0
    return (
        f"t = {f['time']:.3f} s, step {f['step']:.0f}, energy {f['total']:.4g} J\n\n"
        f"residual {relative:+.1e}, external work {f['external_work']:+.3g} J, dissipated {f['dissipated']:.3g} J"
    )
