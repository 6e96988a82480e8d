"""Whether a checkpoint fits the model, and its state the energies stored with it: a digest shows damage, not changes."""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.invariants import Energies
from supple.errors import RecordError
from supple.model.model import Model
from supple.progress import Progress, quiet
from supple.recording.checkpoint import Checkpoint
from supple.scene.tables.setup import Setup
from supple.solvers.tools import StepTools

NEARLY = 1e-6
"""Difference that other versions and machines may make, relative to the energy in play."""
NAMES = ("kinetic", "elastic", "gravity", "other")


ROWS = frozenset({"x", "v", "a"})
"""Names of arrays in memories with a row for each vertex."""


def demand_memory(progress: Progress, model: Model, setup: Setup) -> None:
    """A ValueError for memory of the method that is missing, or of another shape or type: kernels do not look."""
    fresh, kept = setup.method.start(model.system, model.state), progress.memory
    if missing := fresh.keys() - kept.keys():
        raise ValueError(f"memory.{min(missing)} is missing")
    for name, array in kept.items():
        row = (model.system.n, 3) if name.rpartition(".")[2] in ROWS else array.shape
        shape, kind = (fresh[name].shape, fresh[name].dtype) if name in fresh else (row, array.dtype)
        if array.shape != shape or array.dtype != kind or kind.kind not in "biuf":
            raise ValueError(
                f"memory.{name} has {array.dtype} entries of the shape {array.shape}, not {kind} of {shape}"
            )
        if not np.isfinite(array).all():
            raise ValueError(f"memory.{name} has entries that are not finite")


def demand_energies(saved: Checkpoint, progress: Progress, model: Model, setup: Setup) -> None:
    """Refuse a state with other energies than those of its checkpoint, which the history shows."""
    found, stored = _energies(progress, model, setup), progress.ledger.energies
    scale = max(_scale(found), _scale(stored), progress.witness.in_play)
    for name in NAMES:
        now, then = getattr(found, name), getattr(stored, name)
        if now != then and not abs(now - then) <= NEARLY * scale:
            raise RecordError(
                f"{saved.path}: its positions and velocities have the {name} energy {now:.6g} J, but {then:.6g} J are stored "
                "with them; the file was changed since: put back the one that the run wrote, or run again with --overwrite"
            )


def _energies(progress: Progress, model: Model, setup: Setup) -> Energies:
    """With separate solvers: those of the run remember the states that they have seen."""
    tools = StepTools(model.system, setup.solver)
    try:
        with quiet():
            return setup.method.energies(model.system, progress.state, progress.memory, tools)
    finally:
        tools.close()


def _scale(energies: Energies) -> float:
    """Sum of all amounts [J]; 0 if it is not finite, so that then only the same bits fit."""
    total = sum(abs(getattr(energies, name)) for name in NAMES)
    return total if math.isfinite(total) else 0.0
