"""Pulls of stiffness-proportional damping (rayleigh.py): S = delta lam . K(x) u, with K = V'' of the elastic term.

If no eigenvalue of K is clamped, S = delta d/de [lam . V'(x + e u)] at e = 0, so its derivatives are those of the
elastic term along u:  dS/dx = delta d/de [V''(x + e u) lam],  dS/dtheta = delta d/de [pull on theta at x + e u].
Otherwise the clamped matrices are differentiated element by element. They have kinks where an eigenvalue vanishes.
"""

from __future__ import annotations

import numpy as np

from supple.energies import pulls
from supple.energies.differences import PART, WEIGHTS, along
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples, one_sample
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.types import Array


def summed(samples: Samples) -> Array:
    """(n, 3) velocities sum_q force_q u_q, without their mean, which K ignores and which costs digits in differences."""
    v = np.einsum("q,qni->ni", samples.force, samples.x)
    return np.asarray(v - v.mean(axis=0))


def step_along(term: EnergyTerm, x: Array, u: Array) -> float:
    """e for which e u is a small fraction of the smallest element."""
    fastest = float(np.abs(u).max(initial=0.0))
    size = float(np.ptp(x[term.elements], axis=1).max(axis=1, initial=0.0).min(initial=np.inf))
    return PART * size / fastest if fastest > 0.0 and 0.0 < size < np.inf else PART


def product_along(elastic: EnergyTerm, x: Array, u: Array, lam: Array) -> Array:
    """(n, 3) d/de [V''(x + e u) lam]."""

    def products(e: float) -> Array:
        return elastic.element_products(x + e * u, lam)

    corners = along(products, step_along(elastic, x, u))
    return pulls.at_vertices(elastic.elements, corners, len(lam))


def pull_along(elastic: EnergyTerm, x: Array, u: Array, lam: Array) -> dict[str, Array]:
    """d/de of the elastic term's pulls at x + e u."""
    d, total = step_along(elastic, x, u), dict[str, Array]()
    for k, weight in WEIGHTS:
        for name, values in elastic.pull(one_sample(x + k * d * u), lam).items():
            total[name] = total.get(name, 0.0) + weight / (12.0 * d) * values
    return total


def rest_corners(elastic: EnergyTerm) -> Array | None:
    """(m, k, 3) corners of the elements at rest, up to a translation; None if the term does not have them."""
    if isinstance(elastic, Solid):
        edges = np.swapaxes(np.linalg.inv(elastic.shape), 1, 2)
        return np.concatenate([np.zeros((len(edges), 1, 3)), edges], axis=1)
    if isinstance(elastic, MeasuredAtRest) and elastic.rest is not None:
        return np.asarray(elastic.rest[elastic.elements])
    return None


def resting_on(elastic: EnergyTerm, corners: Array) -> EnergyTerm:
    """The same term built on other corners at rest."""
    if isinstance(elastic, Solid):
        return elastic.with_rest_corners(corners)
    assert isinstance(elastic, MeasuredAtRest)
    made: EnergyTerm = elastic
    for name, values in elastic.measured(corners).items():
        made = made.with_constant(name, values)
    return made
