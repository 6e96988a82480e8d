"""Priors on the unknowns: neighbours are similar, except for a few jumps.

    sum over pairs of  f(d) = sqrt(d^2 + knee^2) - knee,   d = log(one value/the other)
the smoothed total variation. As a sum of squares, r = sign(d) sqrt(f(d)), it is smooth too: r ~ d/sqrt(2 knee) near 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError
from supple.fits.family import Family
from supple.fits.fields import pairs
from supple.fits.keys import parts_of, text_of
from supple.fits.losses.losses import Weighted
from supple.fits.losses.parts import Roughness
from supple.model.model import Model
from supple.types import Array, Ints


@dataclass(frozen=True, eq=False)
class Prior:
    """One roughness term."""

    weight: float
    places: Ints
    """(k,) indices of its parameters among all parameters of the fit."""
    joined: Ints
    """(q, 2) neighbours among them."""
    knee: float
    starts: Array | None
    """(k,) divisors of the values on a linear scale; None: logarithms are used."""

    def rows(self, numbers: Array, stricter: float) -> tuple[Array, Array]:
        """(q,) residuals, and (q, p) their derivatives with respect to all parameters of the fit."""
        values = numbers[self.places]
        levels, slopes = (
            (np.log(values), 1.0 / values) if self.starts is None else (values / self.starts, 1.0 / self.starts)
        )
        d = levels[self.joined[:, 0]] - levels[self.joined[:, 1]]
        size = np.sqrt(d * d + self.knee * self.knee)
        scale = np.sqrt(stricter * self.weight)
        r = d / np.sqrt(size + self.knee)  # sign(d) sqrt(size - knee), without cancellation
        by_d = 0.5 * np.sqrt(size + self.knee) / size
        J = np.zeros((len(d), len(numbers)))
        k = np.arange(len(d))
        for side, sign in ((0, 1.0), (1, -1.0)):
            J[k, self.places[self.joined[:, side]]] += sign * by_d * slopes[self.joined[:, side]]
        return scale * r, scale * J


def make_priors(parts: Sequence[Weighted], family: Family, counts: dict[str, int], model: Model) -> list[Prior]:
    """The priors of a loss."""
    names, found = list(family.starts), []
    for one in parts:
        if not isinstance(one.part, Roughness):
            continue
        if not one.weight > 0.0:
            raise SuppleError(f"roughness: its weight is {one.weight:g}; give a number above 0")
        keys = [text_of(parts_of(key)) for key in one.part.keys]
        if len(keys) == 1 and keys[0] in family.fields:
            field = family.fields[keys[0]]
            before = [counts[key] for key in list(counts)[: list(counts).index(keys[0])]]
            places = len(names) + sum(before) + np.arange(counts[keys[0]])
            joined = pairs(model.bodies[field.body].mesh)
            starts = np.full(counts[keys[0]], field.start)
        else:
            places = np.array([_place(key, names) for key in keys])
            joined = np.stack([np.arange(len(keys) - 1), np.arange(1, len(keys))], axis=1)
            starts = np.array([family.starts[key] for key in keys])
        log = all(family.unknowns[key].scale == "log" for key in keys)
        found.append(
            Prior(one.weight, places.astype(np.int32), joined.astype(np.int32), one.part.knee, None if log else starts)
        )
    return found


def _place(key: str, names: list[str]) -> int:
    if key not in names:
        raise SuppleError(
            f"roughness({key}): is not an unknown; give a sequence of unknowns, or one with a value per element ({key}:each)"
        )
    return names.index(key)
