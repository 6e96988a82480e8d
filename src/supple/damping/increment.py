"""Strain energy of the increment between two configurations, W_inc(a, b): the elastic energy at b of the same body with a
as its rest configuration. Solids: sum over tets of J_a V w(F_b F_a^-1); springs: the law with rest length |d_a|.

It is invariant under rigid motion of a or b, so its derivative with respect to b has neither resultant nor moment
about b. For small increments it is half the increment squared in the stiffness of the unstressed body.

The derivative of g_b with respect to the reference a:
solids, with L = dF_a F_a^-1, g' the corners' shape gradients in the configuration a, f_c = J_a V P g'_c, G = F_b F_a^-1:
    dG = -G L,  dJ_a = J_a tr L,  dg'_c = -L^T g'_c
    d f_c/d a_b = f_c g'_b^T - f_b (g'_c)^T - K_cb G,  K the stiffness d f_c/d x_b
springs, u = d/|d|:  Hooke -k u_b u_a^T,  StVK -4k d_b d_a^T
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from supple.energies.roles.elastic import Elastic
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.linalg.parts import whole
from supple.types import Array, Ints


def resting(term: EnergyTerm, a: Array) -> EnergyTerm:
    """The term with `a` as rest configuration."""
    if not isinstance(term, Elastic):
        raise TypeError(f"{type(term).__name__} cannot rest elsewhere")
    return term.resting_at(a)


def increment(terms: Sequence[EnergyTerm], a: Array, b: Array) -> tuple[float, Array]:
    """W_inc(a, b) [J] and dW_inc(a, b)/db (n, 3) [N] in one pass; not finite if the energy of the increment is not."""
    value, total, samples = 0.0, np.zeros_like(b), one_sample(b)
    for term in terms:
        value += resting(term, a).add_value_gradient(samples, whole(len(b), len(term.elements)), total)
    return value, total if math.isfinite(value) else np.full_like(b, np.inf)


def increment_gradient(terms: Sequence[EnergyTerm], a: Array, b: Array) -> Array:
    """(n, 3) dW_inc(a, b)/db; not finite if the energy of the increment is not [N]."""
    return increment(terms, a, b)[1]


def reference_blocks(terms: Sequence[EnergyTerm], a: Array, b: Array) -> list[tuple[Ints, Array]]:
    """Elements and their matrices (m, 3k, 3k): the derivative of dW_inc(a, b)/db with respect to a [N/m]."""
    return [(term.elements, _reference_matrices(term, a, b)) for term in terms]


def _reference_matrices(term: EnergyTerm, a: Array, b: Array) -> Array:
    if isinstance(term, Solid):
        return _solid_matrices(term, a, b)
    if isinstance(term, HookeSprings | StVKSprings):
        return _spring_matrices(term, a, b)
    # the omitted terms are of the order of the increment's strain: Newton's method takes a few more iterations
    return -resting(term, a).element_hessians(b)


def _solid_matrices(solid: Solid, a: Array, b: Array) -> Array:
    rested = resting(solid, a)
    assert isinstance(rested, Solid)
    f, G = rested.element_gradients(b), rested.deformation_gradients(b)
    m = len(f)
    g = np.concatenate([-rested.shape.sum(axis=1, keepdims=True), rested.shape], axis=1)
    K = rested.element_hessians(b).reshape(m, 12, 4, 3) @ G[:, None]
    turn = f[:, :, :, None, None] * g[:, None, None, :, :]  # f_c g'_b^T at (c, i, b, k)
    turn -= np.einsum("mbi,mck->mcibk", f, g)
    return turn.reshape(m, 12, 12) - K.reshape(m, 12, 12)


def _spring_matrices(springs: HookeSprings | StVKSprings, a: Array, b: Array) -> Array:
    i, j = springs.elements.T
    d_a, d_b = a[j] - a[i], b[j] - b[i]
    if isinstance(springs, HookeSprings):
        weight = -springs.stiffness * _inverse(np.linalg.norm(d_a, axis=1)) * _inverse(np.linalg.norm(d_b, axis=1))
    else:
        weight = -4.0 * springs.stiffness
    block = weight[:, None, None] * d_b[:, :, None] * d_a[:, None, :]
    return np.block([[block, -block], [-block, block]])


def _inverse(length: Array) -> Array:
    """1/length, 0 for springs without a direction."""
    return np.where(length > 0.0, 1.0, 0.0) / np.where(length > 0.0, length, 1.0)
