"""Columns of the histories of a comparison over time, a picture for each: potential energy, iterations, momentum ..."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from supple.errors import SuppleError, did_you_mean
from supple.recording.history import COLUMNS, DERIVED
from supple.render.plots.quantity import plot_quantity
from supple.sweeps.campaign import Campaign
from supple.sweeps.comparing.rows import PLOT, histories_of, same_bodies

KNOWN = tuple(name for name in (*COLUMNS, *DERIVED) if name not in ("step", "time"))


def check_quantities(names: Sequence[str]) -> list[str]:
    """The same names without duplicates; unknown columns are refused before anything runs."""
    for name in names:
        if name not in KNOWN:
            raise SuppleError(f"--quantity {name}: unknown column{did_you_mean(name, KNOWN)} known: {', '.join(KNOWN)}")
    return list(dict.fromkeys(names))


def write_quantities(
    campaign: Campaign, rows: list[dict[str, Any]], names: Sequence[str], title: str
) -> dict[str, Path]:
    """A picture for each of the names, beside the energy plot."""
    files = {name: campaign.folder / f"{name}{Path(PLOT).suffix}" for name in names}
    if files:
        histories = histories_of(rows)
        for name, file in files.items():
            plot_quantity(histories, name, file, title, shared=same_bodies(campaign))
    return files
