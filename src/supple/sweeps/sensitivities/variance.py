"""Shares of a measure's variance: by Saltelli's samples (Saltelli 2010), and over complete grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.sweeps.sensitivities.influence import CONFIDENCE, Influence
from supple.types import Array

RESAMPLES = 500


def sobol(name: str, keys: Sequence[str], y: Array) -> list[Influence]:
    """From values (keys + 2, size) of the samples A and B, and of A with one column of B for each key."""
    picked = np.random.default_rng(0).integers(y.shape[1], size=(RESAMPLES, y.shape[1]))
    again = np.stack([_indices(y[:, some]) for some in picked])  # (resamples, 2, keys)
    ends = np.nanquantile(again, [0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2], axis=0)
    half = 0.5 * (ends[1] - ends[0])
    entries = zip(keys, *_indices(y).tolist(), *half[::-1].tolist(), strict=True)
    return [Influence(name, *entry) for entry in entries]


def _indices(y: Array) -> Array:
    """(2, keys) first-order and total indices."""
    y = y - y[:2].mean()
    A, B, mixed = y[0], y[1], y[2:]
    variance = y[:2].var()
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.stack([(B * (mixed - A)).mean(axis=1), 0.5 * ((A - mixed) ** 2).mean(axis=1)]) / variance


def over_grid(name: str, values: dict[str, list[Any]], y: Array) -> list[Influence]:
    """From a grid, whose last key changes fastest; values may be words or numbers."""
    shape = tuple(len(given) for given in values.values())
    y = y.reshape(shape)
    every = tuple(range(len(shape)))
    found = []
    for axis, key in enumerate(values):
        rest = tuple(other for other in every if other != axis)
        first = y.mean(axis=rest).var() / y.var()
        total = y.var(axis=axis).mean() / y.var()
        found.append(Influence(name, key, float(first), float(total)))
    return found
