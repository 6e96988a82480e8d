"""Pulls of membranes to their constants and their rest shape.

With L defined from lam as F is from positions, D and D_lam the edges of x and lam, P = F S and T = L S + F dS its
change along L:

    d[volume P:L] = P:L dvolume + volume [T : dF + P : dL],   dF = D^T dshape, dL = D_lam^T dshape
The volume of a triangle at rest and the gradients of its shape functions are differentiated by differences, once.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.energies import pulls
from supple.energies.differences import by_numbers
from supple.energies.membranes.mean import as_matrix, strains
from supple.energies.samples import Samples
from supple.types import Array

if TYPE_CHECKING:
    from supple.energies.membranes.membrane import Membrane


def stress_and_change(membrane: Membrane, F: Array, L: Array) -> tuple[Array, Array]:
    """(m, 3, 2) P and T: dS = D de with the tangent D of the law."""
    e = strains(F)
    stress, D = membrane.law.stress_and_tangent(e)
    S, dS = as_matrix(stress), as_matrix(np.einsum("mcd,md->mc", D, strain_change(F, L)))
    return F @ S, L @ S + F @ dS


def strain_change(F: Array, L: Array) -> Array:
    """(m, 3) de = G^T L of e = ((f.f - 1)/2, (g.g - 1)/2, f.g), with f and g the columns of F."""
    both = np.einsum("mia,mib->mab", F, L)
    return np.stack([both[:, 0, 0], both[:, 1, 1], both[:, 0, 1] + both[:, 1, 0]], axis=1)


def pulled(membrane: Membrane, samples: Samples, lam: Array) -> dict[str, Array]:
    """As `EnergyTerm.pull`."""
    F = [membrane.deformation_gradients(x) for x in samples.x]
    L = membrane.deformation_gradients(lam)
    found = _by_law(membrane, F, L, samples.force)
    power, by_shape = np.zeros(len(membrane.volume)), np.zeros_like(membrane.shape)
    edges_lam = _edges(membrane, lam)
    for x, f, force in zip(samples.x, F, samples.force, strict=True):
        P, T = stress_and_change(membrane, f, L)
        power += force * np.einsum("mij,mij->m", P, L)
        by_shape += force * (_edges(membrane, x) @ T + edges_lam @ P)
    found["thickness"] = power * membrane.volume / membrane.thickness
    if membrane.rest is not None:
        slopes = membrane.rest_slopes
        corners = pulls.chained(power, slopes["volume"])
        corners += pulls.chained(membrane.volume[:, None, None] * by_shape, slopes["shape"])
        found["rest"] = pulls.at_vertices(membrane.elements, corners, len(lam))
    return found


def _by_law(membrane: Membrane, F: list[Array], L: Array, forces: Array) -> dict[str, Array]:
    """Derivatives of volume sum_q force_q S . de with respect to the constants of the law, by differences of S alone."""
    law, names = membrane.law, membrane.law.constants()
    states = [(strains(f), force * strain_change(f, L)) for f, force in zip(F, forces, strict=True)]

    def work(name: str, values: Array) -> Array:
        other = law.with_constant(name, values)
        return membrane.volume * sum(np.einsum("mc,mc->m", other.stress(e), de) for e, de in states)

    return {name: by_numbers(partial(work, name), membrane.parameters[:, k]) for k, name in enumerate(names)}


def _edges(membrane: Membrane, x: Array) -> Array:
    """(m, 2, 3) edges from corner 0 as rows."""
    return np.asarray(x[membrane.elements[:, 1:]] - x[membrane.elements[:, :1]])
