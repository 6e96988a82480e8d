"""Pulls of terms that are frozen within steps, by differences of the frozen term over all elements at once (differences.py)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import numpy as np

from supple.energies import pulls
from supple.energies.differences import REACH, by_corners
from supple.energies.instant import Instant
from supple.energies.roles.frozen import frozen
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array


def by_instant(
    term: EnergyTerm,
    field: Literal["place", "x0", "v"],
    instant: Instant,
    samples: Samples,
    lam: Array,
    reach: float = REACH,
) -> Array:
    """(n, 3) derivative with respect to the positions or velocities at which a term was frozen."""
    own, moved, move = term.unshared(), pulls.samples_apart(term, samples), pulls.apart(term, lam)
    given = {name: value for name in ("place", "x0", "v") if (value := getattr(instant, name)) is not None}
    here = _with(instant, {name: pulls.apart(term, value) for name, value in given.items()})

    def worked(corners: Array) -> Array:
        return frozen(own, _with(here, {field: corners.reshape(-1, 3)})).element_works(moved, move)

    start = given[field]
    size = float(np.abs(start).max(initial=0.0)) if field == "v" else None
    return pulls.at_vertices(term.elements, by_corners(worked, start[term.elements], size, reach), len(lam))


def by_constants(
    term: EnergyTerm, values: dict[str, Array], instant: Instant, samples: Samples, lam: Array
) -> dict[str, Array]:
    """Derivatives with respect to some constants of the live term."""
    return pulls.by_constants(term, values, samples, lam, lambda other: frozen(other, instant))


def _with(instant: Instant, fields: dict[str, Any]) -> Instant:
    return replace(instant, **fields)
