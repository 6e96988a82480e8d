"""Key figures of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.recording.folder import RunFolder
from supple.recording.history import SQUEEZED, read_history, read_rows
from supple.render.plots.energy import energy_scale


def summarise(folder: RunFolder) -> dict[str, Any]:
    """Counts, energies and drift of a run, from its history."""
    history = read_rows(folder.history)
    total, residual = history["total"], history["residual"]
    scale = energy_scale(history)
    return {
        "steps": int(history["step"][-1]),
        "time": float(history["time"][-1]),
        "total_start": float(total[0]),
        "total_end": float(total[-1]),
        "residual": float(residual[-1]),
        "relative_residual": float(np.abs(residual).max()) / scale if scale > 0 else 0.0,
        "newton_iterations": int(history["newton_iterations"].sum()),
        "factorisations": int(history["factorisations"].sum()),
        "wall_seconds": float(history["wall_seconds"].sum()),
        **{column: int(history[column].max()) if column in history else None for column in SQUEEZED},
        "exceptional_steps": int(history["exceptional"].sum()) if "exceptional" in history else None,
        "doubtful_steps": int(history["doubtful"].sum()) if "doubtful" in history else None,
        "rescued": float(history["rescued"][-1]) if "rescued" in history else None,
    }


def wall_per_frame(folder: RunFolder, fps: float) -> float | None:
    """Wall time per frame of motion [s]: the median over the steps, insensitive to compilation and other programs."""
    history = read_history(folder.history)
    spans, walls = np.diff(history["time"]), history["wall_seconds"][1:]
    moved = spans > 0.0
    return float(np.median(walls[moved] / spans[moved])) / fps if moved.any() else None
