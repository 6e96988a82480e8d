"""A figure of a sweep: each measure against each key that varies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supple.errors import SuppleError
from supple.sweeps.axes import Range
from supple.sweeps.manifest import Manifest, Row
from supple.sweeps.plan import short_keys
from supple.sweeps.table import finished

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST = 6
"""Largest number of keys and of measures in one figure."""


def plot_sweep(manifest: Manifest) -> Figure:
    """A panel for each measure (rows) and key (columns); runs that share all other values are joined."""
    from matplotlib.figure import Figure

    rows = finished(manifest.rows)
    if not rows:
        raise SuppleError(f"{manifest.folder}: no run of this sweep is finished, so there is nothing to draw")
    keys, names = list(rows[0].values)[:MOST], list(manifest.plan["measures"])[:MOST]
    logs = {axis["key"] for axis in manifest.plan["axes"] if axis["kind"] == Range.__name__.lower() and axis["log"]}
    figure = Figure(figsize=(3.2 * len(keys) + 0.6, 2.4 * len(names) + 0.5), layout="constrained")
    panels = figure.subplots(len(names), len(keys), squeeze=False, sharey="row", sharex="col")
    for i, name in enumerate(names):
        for j, (key, short) in enumerate(zip(keys, short_keys(keys), strict=True)):
            _panel(panels[i, j], rows, key, name)
            if key in logs:
                panels[i, j].set_xscale("log")
            panels[i, j].set_xlabel(short if i == len(names) - 1 else "")
        panels[i, 0].set_ylabel(name)
    return figure


def _panel(panel: Axes, rows: list[Row], key: str, name: str) -> None:
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(str(v) for k, v in row.values.items() if k != key), []).append(row)
    sampled = all(len(group) == 1 for group in groups.values())
    for group in [rows] if sampled else list(groups.values()):
        x = [row.values[key] if _is_number(row.values[key]) else str(row.values[key]) for row in group]
        y = [row.measures.get(name, np.nan) for row in group]
        order = np.argsort(x) if all(map(_is_number, x)) else np.arange(len(x))
        style = {"linestyle": "none"} if sampled else {"linewidth": 1.0, "alpha": 0.7}
        panel.plot([x[k] for k in order], [y[k] for k in order], marker=".", **style)
    panel.grid(alpha=0.3)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
