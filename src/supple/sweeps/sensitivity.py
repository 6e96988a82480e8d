"""Sensitivity: the share of the spread of a measure due to each varied key.

A sweep sampled with `saltelli` gives Sobol's indices, of first order and total. A complete grid gives the same shares of variance
over its values, words included. Any other sweep over numbers gives a regression; keys with a logarithmic range enter as
logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.sweeps.manifest import Row, State
from supple.sweeps.sensitivities.influence import GRID, REGRESSION, SOBOL, Influence, Sensitivity
from supple.sweeps.sensitivities.regression import regression
from supple.sweeps.sensitivities.variance import over_grid, sobol
from supple.types import Array


def sensitivity(
    rows: Sequence[Row], measures: Sequence[str], design: dict[str, Any], logs: Collection[str] = ()
) -> Sensitivity:
    """From the rows of a sweep and the design of its plan; `logs` are keys with logarithmic ranges."""
    if not rows:
        raise SuppleError("sensitivity: the sweep has no runs")
    finished = [row for row in rows if row.state is State.FINISHED]
    if design.get("sampling") == "saltelli":
        return _sobol(rows, measures, int(design["size"]))
    if design.get("kind") == "grid" and len(finished) == len(rows) == _combinations(rows):
        return _grid(rows, measures)
    return _regression(finished, measures, logs)


def sensitivity_of(rows: Sequence[Row], plan: dict[str, Any]) -> Sensitivity:
    """From the rows and the plan of a manifest."""
    logs = [axis["key"] for axis in plan["axes"] if axis.get("log")]
    return sensitivity(rows, list(plan["measures"]), plan["design"], logs)


def _sobol(rows: Sequence[Row], measures: Sequence[str], size: int) -> Sensitivity:
    missing = [row.index for row in rows if row.state is not State.FINISHED]
    if missing:
        raise SuppleError(
            f"sensitivity: {len(missing)} of {len(rows)} runs have no measures, the first is run {missing[0]}; all are "
            "required: correct the ranges, or use --retry-failed"
        )
    keys = list(rows[0].values)
    steady, changing = _sorted_out(rows, measures)
    found = [one for name, y in changing.items() for one in sobol(name, keys, y.reshape(len(keys) + 2, size))]
    return Sensitivity(SOBOL, len(rows), tuple(found), _sums(found), steady)


def _grid(rows: Sequence[Row], measures: Sequence[str]) -> Sensitivity:
    values = {key: list(dict.fromkeys(str(row.values[key]) for row in rows)) for key in rows[0].values}
    several = {key: given for key, given in values.items() if len(given) > 1}
    if not several:
        raise SuppleError("sensitivity: no key has more than one value; give some, as --vary KEY=V1,V2")
    steady, changing = _sorted_out(rows, measures)
    found = [one for name, y in changing.items() for one in over_grid(name, several, y)]
    return Sensitivity(GRID, len(rows), tuple(found), _sums(found), steady)


def _regression(rows: Sequence[Row], measures: Sequence[str], logs: Collection[str]) -> Sensitivity:
    every = list(rows[0].values) if rows else []
    keys = [key for key in every if all(_is_number(row.values[key]) for row in rows)]
    keys = [key for key in keys if np.ptp([row.values[key] for row in rows]) > 0.0]
    if len(rows) < len(keys) + 2 or not keys:
        raise SuppleError(
            f"sensitivity: a regression over {len(keys)} numeric keys requires at least {len(keys) + 2} finished runs, found "
            f"{len(rows)}"
        )
    columns = [np.array([float(row.values[key]) for row in rows]) for key in keys]
    X = np.stack([np.log(x) if key in logs else x for key, x in zip(keys, columns, strict=True)], axis=1)
    left, changing = _sorted_out(rows, measures)
    left |= {key: "its values are words, or always the same" for key in every if key not in keys}
    found: list[Influence] = []
    explained = {}
    for name, y in changing.items():
        some, explained[name] = regression(name, keys, X, y)
        found += some
    return Sensitivity(REGRESSION, len(rows), tuple(found), explained, left)


def _combinations(rows: Sequence[Row]) -> int:
    """Runs of a grid over all different values."""
    return math.prod(len({str(row.values[key]) for row in rows}) for key in rows[0].values)


def _sorted_out(rows: Sequence[Row], measures: Sequence[str]) -> tuple[dict[str, str], dict[str, Array]]:
    """Measures that cannot be analysed, with the reason, and the values of the others."""
    left, changing = {}, {}
    for name in measures:
        y = np.array([row.measures.get(name, np.nan) for row in rows])
        if not np.isfinite(y).all():
            left[name] = f"{np.count_nonzero(~np.isfinite(y))} of its {len(y)} values are not finite"
        elif np.ptp(y) == 0.0:
            left[name] = f"it is {y[0]:.6g} in all runs"
        else:
            changing[name] = y
    return left, changing


def _sums(found: Sequence[Influence]) -> dict[str, float]:
    """Sum of the first-order indices of each measure."""
    names = dict.fromkeys(one.measure for one in found)
    return {name: sum(one.first for one in found if one.measure == name) for name in names}


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
