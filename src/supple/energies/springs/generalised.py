"""Springs whose ends slide: altitudes of triangles and tets, axial bending springs (Selle et al. 2008, Su et al. 2013).

d = sum_i c_i x_i with the feet c where the spring is shortest (kinds.py), s = d . d, psi = kappa/2 (sqrt(s) - l0)^2.
The feet are stationary, so ds/dx_i = 2 c_i d: no net force and no torque. With e_a = dd/dtheta_a, C_a = dc/dtheta_a:
    d2s/dx2 = 2 [c c^T (x) I - B^T (e e^T)^-1 B],   B_ai = C_ai d + c_i e_a
kappa = k/l0 for the resistance k [N] and the rest length l0 of the spring, so k does not depend on the mesh.

Only the shortest altitude of an element acts. Where another becomes the shortest, the energy jumps if their strains
differ: no integrator can conserve a discontinuous potential to round-off.

Over a step the mean gradient is q c_i (d0 + d1), q = (psi1 - psi0)/(s1 - s0), at feet between those at the start and at
the end (mean.py), such that d1 . d1 - d0 . d0 = s1 - s0 there: it conserves energy and angular momentum.
"""

from __future__ import annotations

import copy
from typing import ClassVar, Self

import numpy as np

from supple.energies.roles.elastic import Elastic
from supple.energies.roles.measured_at_rest import MeasuredAtRest
from supple.energies.samples import Samples
from supple.energies.springs.kinds import (
    AXIAL_BENDING,
    DEGENERATE,
    TET_ALTITUDE,
    TRIANGLE_ALTITUDE,
    Feet,
    Kind,
    across_edges,
    bent,
)
from supple.energies.springs.links import Links
from supple.energies.springs.mean import between, between_slope
from supple.energies.springs.shortest import choose_shortest
from supple.energies.springs.springs import HookeSprings, hooke, hooke_mean
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, StepRejected, SuppleError
from supple.linalg.parts import Parts
from supple.linalg.scatter import add_gradients
from supple.types import Array, Ints

FLAT = 1e-9
"""Altitude over the longest edge below which an element is rejected."""


class GeneralisedSprings(EnergyTerm, Elastic, MeasuredAtRest):
    """Springs of one kind, one per element."""

    group: ClassVar[str] = "elastic"

    def __init__(self, kind: Kind, elements: Ints, rest_length: Array, stiffness: Array) -> None:
        """elements (m, k); rest_length [m] and stiffness kappa [N/m] (m, q), one per order of the corners."""
        stiffness = np.ascontiguousarray(np.broadcast_to(stiffness, rest_length.shape), dtype=np.float64)
        if not (np.isfinite(stiffness) & (stiffness >= 0)).all():
            raise SuppleError("spring stiffness: must be finite and not negative")
        self.kind = kind
        self.elements = np.ascontiguousarray(elements, dtype=np.int32)
        self.rest_length = rest_length
        self.stiffness = stiffness
        self._orders = np.array(kind.orders)

    def constants(self) -> dict[str, Array]:
        return {"stiffness": self.stiffness, "rest_length": self.rest_length}

    def scaled(self, factor: float) -> Self:
        return self.with_constant("stiffness", factor * self.stiffness)

    def measured(self, corners: Array) -> dict[str, Array]:
        return {"rest_length": all_lengths(self.kind, corners)}

    def resting_at(self, x: Array) -> EnergyTerm:
        other = copy.copy(self)
        other.rest_at(x)
        other.rest_length = all_lengths(self.kind, x[self.elements])
        return other

    def active(self, x: Array) -> np.ndarray:
        """(m,) index of the corner order with the shortest spring."""
        if len(self._orders) == 1:
            return np.zeros(len(self.elements), dtype=np.int64)
        chosen = np.empty(len(self.elements), dtype=np.int64)
        kind, positions = self.kind, np.ascontiguousarray(x, dtype=np.float64)
        if not choose_shortest(*kind.coefficients, self._orders, positions, self.elements, chosen):
            raise StepRejected(DEGENERATE)
        return chosen

    def _chosen(self, x: Array, active: np.ndarray) -> tuple[Array, Feet]:
        """Corners in the order of the active springs (m, k, 3), and their feet."""
        corners = x[np.take_along_axis(self.elements, self._orders[active], axis=1)]
        return corners, self.kind.feet(corners)

    def _constants(self, active: np.ndarray) -> tuple[Array, Array]:
        """(m,) stiffness and rest length of the active springs."""
        row = np.arange(len(active))
        return self.stiffness[row, active], self.rest_length[row, active]

    def _back(self, blocks: Array, active: np.ndarray) -> Array:
        """(m, k, ...) from the order of the active springs to the order of the elements."""
        out = np.empty_like(blocks)
        out[np.arange(len(out))[:, None], self._orders[active]] = blocks
        return out

    def _back_both(self, blocks: Array, active: np.ndarray) -> Array:
        """(m, k, 3, k, 3) in the same reordering, as (m, 3k, 3k)."""
        turned = self._back(self._back(blocks, active).transpose(0, 3, 4, 1, 2), active).transpose(0, 3, 4, 1, 2)
        size = 3 * blocks.shape[1]
        return turned.reshape(len(blocks), size, size)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        """As for every term, but the feet of each sample are found only once."""
        value, gradients = 0.0, np.zeros((*self.elements.shape, 3))
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            active = self.active(x)
            feet = self._chosen(x, active)[1]
            values, slope, _ = hooke(feet.square, *self._constants(active))
            value += energy * float(values.sum())
            gradients += self._back(2.0 * force * slope[:, None, None] * feet.c[:, :, None] * feet.d[:, None], active)
        add_gradients(parts.owner, parts.start, parts.elements, self.elements, gradients, gradient)
        return value

    def element_values(self, x: Array) -> Array:
        active = self.active(x)
        return hooke(self._chosen(x, active)[1].square, *self._constants(active))[0]

    def element_gradients(self, x: Array) -> Array:
        active = self.active(x)
        feet = self._chosen(x, active)[1]
        slope = hooke(feet.square, *self._constants(active))[1]
        return self._back(2.0 * np.einsum("m,mk,mi->mki", slope, feet.c, feet.d), active)

    def element_hessians(self, x: Array) -> Array:
        active = self.active(x)
        feet = self._chosen(x, active)[1]
        _, slope, curvature = hooke(feet.square, *self._constants(active))
        B = bent(self.kind, feet)
        d2s = np.einsum("mk,ml,ij->mkilj", feet.c, feet.c, np.eye(3))
        d2s -= np.einsum("maki,mab,mblj->mkilj", B, feet.inverse, B)
        ds = np.einsum("mk,mi->mki", feet.c, feet.d)
        blocks = np.einsum("m,mkilj->mkilj", 2.0 * slope, d2s) + np.einsum("m,mki,mlj->mkilj", 4 * curvature, ds, ds)
        return self._back_both(blocks, active)

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        """Mean over the springs active halfway: if another takes over within the step, its energy jump remains."""
        active = self.active(0.5 * (x0 + x1))
        (X0, feet0), (X1, feet1) = self._chosen(x0, active), self._chosen(x1, active)
        c = between(feet0, feet1)[1]
        q = hooke_mean(feet0.square, feet1.square, *self._constants(active))[0]
        return self._back(np.einsum("m,mk,mi->mki", q, c, np.einsum("mk,mki->mi", c, X0 + X1)), active)

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        active = self.active(0.5 * (x0 + x1))
        (X0, feet0), (X1, feet1) = self._chosen(x0, active), self._chosen(x1, active)
        q, slope = hooke_mean(feet0.square, feet1.square, *self._constants(active))
        tau, c = between(feet0, feet1)
        dc = between_slope(self.kind, feet0, feet1, tau)
        w = np.einsum("mk,mki->mi", c, X0 + X1)
        dw = np.einsum("mk,ij->mikj", c, np.eye(3)) + np.einsum("mki,mklj->milj", X0 + X1, dc)
        # ds1/dx1_j = 2 c1_j d1
        blocks = np.einsum("m,mk,mi,ml,mj->mkilj", slope, c, w, feet1.c, feet1.d, optimize=True)
        blocks += np.einsum("m,mklj,mi->mkilj", q, dc, w) + np.einsum("m,mk,milj->mkilj", q, c, dw)
        return self._back_both(blocks, active)

    def links(self, x: Array) -> Links:
        """One link per spring, along d; where the rest length is zero, across both edges and signed."""
        active = self.active(x)
        kappa, rest = self._constants(active)
        feet = self._chosen(x, active)[1]
        length = np.sqrt(feet.square)
        u = np.where((length > 1e-9 * rest)[:, None], feet.d / np.where(length > 0.0, length, 1.0)[:, None], 0.0)
        normal, signed = _normals(feet, rest)
        u = np.where(signed[:, None], normal, u)
        length = np.where(signed, np.einsum("mi,mi->m", u, feet.d), length)
        vertices = np.take_along_axis(self.elements, self._orders[active], axis=1)
        return Links(vertices, feet.c, u, length, rest, kappa)

    def lengths_after(self, x0: Array, x1: Array) -> Array:
        active = self.active(x0)
        rest = self._constants(active)[1]
        feet0, feet1 = self._chosen(x0, active)[1], self._chosen(x1, active)[1]
        (n0, signed), (n1, _) = _normals(feet0, rest), _normals(feet1, rest)
        along = np.where(np.einsum("mi,mi->m", n0, n1) < 0.0, -1.0, 1.0) * np.einsum("mi,mi->m", n1, feet1.d)
        return np.where(signed & n1.any(axis=1), along, np.sqrt(feet1.square))


def _normals(feet: Feet, rest: Array) -> tuple[Array, np.ndarray]:
    """Unit normals of both slides (zero if undefined), and the springs of rest length zero that act along them."""
    if feet.e.shape[1] != 2 or (rest > 0.0).all():
        return np.zeros_like(feet.d), np.zeros(len(rest), dtype=bool)
    normal = np.cross(feet.e[:, 0], feet.e[:, 1])
    size = np.linalg.norm(normal, axis=1)
    unit = np.where(size[:, None] > 0.0, normal / np.where(size > 0.0, size, 1.0)[:, None], 0.0)
    return unit, (rest <= 0.0) & feet.free.all(axis=1) & (size > 0.0)


def all_lengths(kind: Kind, corners: Array) -> Array:
    """(m, q) length of the spring for each order of the corners (m, k, 3) [m]."""
    m, k = corners.shape[:2]
    feet = kind.feet(corners[:, np.array(kind.orders)].reshape(-1, k, 3))
    return np.sqrt(feet.square).reshape(m, len(kind.orders))


def edge_springs(rest: Array, edges: Ints, k: float) -> HookeSprings:
    """Springs along edges with the resistance k [N]: kappa = k/l0."""
    return HookeSprings(rest, edges, k / np.linalg.norm(rest[edges[:, 1]] - rest[edges[:, 0]], axis=1))


def zero_length_springs(vertices: int, edges: Ints, k: float, l0: float) -> HookeSprings:
    """Springs of rest length zero; l0 [m] only converts the resistance k [N] to kappa = k/l0."""
    return HookeSprings(np.zeros((vertices, 3)), edges, k / l0)


def altitude_springs(rest: Array, elements: Ints, k: float) -> GeneralisedSprings:
    """The shortest altitude of each triangle (m, 3) or tet (m, 4); k [N], kappa = k/l0 of each altitude."""
    kind = TRIANGLE_ALTITUDE if elements.shape[1] == 3 else TET_ALTITUDE
    corners = rest[elements]
    with np.errstate(invalid="ignore", divide="ignore"):
        l0 = all_lengths(kind, corners)
    flat = ~(l0 > FLAT * np.ptp(corners, axis=1).max(axis=1)[:, None]).all(axis=1)
    if flat.any():
        what = "triangles have no area" if elements.shape[1] == 3 else "tets have no volume"
        raise MeshError(f"altitude springs: {flat.sum()} {what}, the first is number {np.flatnonzero(flat)[0]}")
    return GeneralisedSprings(kind, elements, l0, k / l0)


def axial_bending_springs(rest: Array, triangles: Ints, k: float) -> GeneralisedSprings:
    """Between each shared edge and the line of the corners opposite to it; k [N], kappa = k/(length of the shared edge).

    The rest length is zero in a flat sheet, so k cannot be divided by it.
    """
    elements = across_edges(triangles)
    corners = rest[elements]
    edge = np.linalg.norm(corners[:, 1] - corners[:, 0], axis=1)
    l0 = all_lengths(AXIAL_BENDING, corners)
    return GeneralisedSprings(
        AXIAL_BENDING, elements, np.where(l0 > FLAT * edge[:, None], l0, 0.0), (k / edge)[:, None]
    )
