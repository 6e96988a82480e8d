"""Barrier contact between triangles (Li et al. 2020): V = sum over pairs of w m(x) phi(D), D the squared distance.

phi see surface_barrier.py, m see mollifier.py. Its kappa is a pressure [Pa], w the area of a pair: the force does not depend
on how fine the meshes are. V is infinite where anything touches, or comes as near as the thickness of the surfaces; steps
are cut before that (`max_step`). Discrete gradients: see quotient.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import numpy as np

from supple.contact.distances import squared_distances
from supple.contact.mollifier import mollified, mollified_hessians
from supple.contact.pairs import (
    EDGE_EDGE,
    closest_coefficients,
    distance_gradients,
    distance_hessians,
)
from supple.contact.quotient import mean_hessian, mean_of, mean_slopes
from supple.contact.surface import Surface
from supple.contact.surface_barrier import SurfaceBarrier
from supple.contact.touching import Pairs, Touching
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.psd import clamp_negative
from supple.linalg.quadrature import Rule, lobatto
from supple.linalg.square import sum_at_vertices
from supple.types import Array, Ints


class BarrierContact(EnergyTerm):
    """Keeps the triangles of a surface apart."""

    loose: ClassVar[bool] = True
    keeps_apart = True
    rule: ClassVar[Rule | None] = lobatto(4)

    def __init__(self, surface: Surface, dhat: float, kappa: float) -> None:
        """dhat: gap at which the barrier begins [m]; kappa: its stiffness [Pa]."""
        if not (0.0 < dhat < np.inf and 0.0 < kappa < np.inf):
            raise SuppleError(f"contact: dhat and kappa must be positive, found {dhat:g} m and {kappa:g} Pa")
        self.surface, self.dhat, self.kappa = surface, dhat, kappa
        self.elements = np.zeros((0, 1), dtype=np.int32)
        self.law = SurfaceBarrier(dhat, kappa)
        self._touching = Touching(surface, dhat)

    def pairs(self, x: Array) -> tuple[Pairs, Pairs]:
        """Pairs whose gap is smaller than dhat."""
        return self._touching.at(x)

    def smallest_gap(self, x: Array) -> float:
        """Smallest gap, the distance less half of both thicknesses, if it is below dhat, else dhat [m]."""
        found = [(np.sqrt(squared_distances(p.kind, x, p.corners)) - p.offset) for p in self.pairs(x)]
        gaps = [own.min() for own in found if len(own)]
        return float(min(gaps, default=self.dhat))

    def touches(self, x: Array) -> list[Touch]:
        """What presses on what, for friction."""
        found = []
        for pairs in self.pairs(x):
            if len(pairs.corners):
                y = x[pairs.corners]
                coefficients = closest_coefficients(pairs.kind, y)
                r = np.einsum("ma,mai->mi", coefficients, y)
                distance = np.linalg.norm(r, axis=1)
                m = mollified(y, pairs.threshold)[0] if pairs.kind == EDGE_EDGE else 1.0
                force = (
                    -2.0 * pairs.weight * m * self.law.at(distance**2, pairs.offset)[1] * distance
                )  # -d(w m phi)/d distance
                found.append(Touch(pairs.corners, coefficients, r / distance[:, None], force))
        return found

    def presses(self, x0: Array, x1: Array) -> list[Touch]:
        """What presses on what over a step: the sum of the mean gradients of one side's corners is -lambda n."""
        found = []
        for pairs in self._either(x0, x1):
            y = 0.5 * (x0 + x1)[pairs.corners]
            coefficients = closest_coefficients(pairs.kind, y)
            side = 2 if pairs.kind == EDGE_EDGE else 1
            push = -self._means(pairs, x0, x1)[:, :side].sum(axis=1)
            force = np.linalg.norm(push, axis=1)
            r = np.where(force[:, None] > 0.0, push, np.einsum("ma,mai->mi", coefficients, y))
            normal = r / np.maximum(np.linalg.norm(r, axis=1), 1e-300)[:, None]
            J = self._mean_jacobians(pairs, x0, x1).reshape(-1, 4, 3, 12)[:, :side].sum(axis=1)
            slope = -np.einsum("mi,mij->mj", normal, J).reshape(-1, 4, 3)
            found.append(Touch(pairs.corners, coefficients, normal, force, slope))
        return found

    # -- sums over pairs ---------------------------------------------------------------------------------------------

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            for pairs in self.pairs(x):
                value, slopes = self._evaluated(pairs, x)
                total += energy * value
                gradient += force * sum_at_vertices(pairs.corners, slopes, len(x))
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """Its blocks are loose."""

    def loose_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        return list(self._blocks(samples, project))

    def loose_means(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        return [(pairs.corners, self._means(pairs, x0, x1)) for pairs in self._either(x0, x1)]

    def loose_mean_jacobians(self, x0: Array, x1: Array) -> Sequence[tuple[Ints, Array]]:
        return [(pairs.corners, self._mean_jacobians(pairs, x0, x1)) for pairs in self._either(x0, x1)]

    def max_step(self, x: Array, p: Array) -> float:
        step = self.surface.free_step(self.surface.positions(x), p[self.surface.vertices])
        return step if step < 1.0 else np.inf

    def passes(self, x0: Array, x1: Array) -> bool:
        return self.surface.passes(self.surface.positions(x0), self.surface.positions(x1))

    def _either(self, x0: Array, x1: Array) -> list[Pairs]:
        """Pairs within reach before or after a step."""
        both = (before.joined(after) for before, after in zip(self.pairs(x0), self.pairs(x1), strict=True))
        return [pairs for pairs in both if len(pairs.corners)]

    # -- one kind of pair --------------------------------------------------------------------------------------------

    def _evaluated(self, pairs: Pairs, x: Array) -> tuple[float, Array]:
        y = x[pairs.corners]
        D, slope_D = distance_gradients(pairs.kind, y)
        phi, slope, _ = self.law.at(D, pairs.offset)
        gradients = slope[:, None, None] * slope_D
        if pairs.kind == EDGE_EDGE:
            m, slope_m = mollified(y, pairs.threshold)
            with np.errstate(invalid="ignore"):  # phi is infinite in a trial that comes too near
                gradients = m[:, None, None] * gradients + phi[:, None, None] * slope_m
                phi = m * phi
        return float(pairs.weight @ phi), pairs.weight[:, None, None] * gradients

    def _blocks(self, samples: Samples, project: bool) -> Iterator[tuple[Ints, Array]]:
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            for pairs in self.pairs(x):
                if len(pairs.corners):
                    hessians = self._hessians(pairs, x[pairs.corners])
                    yield pairs.corners, curvature * (clamp_negative(hessians) if project else hessians)

    def _hessians(self, pairs: Pairs, y: Array) -> Array:
        D, slope_D = distance_gradients(pairs.kind, y)
        phi, slope, curvature = self.law.at(D, pairs.offset)
        H = slope[:, None, None] * distance_hessians(pairs.kind, y)
        H += curvature[:, None, None] * _outer(slope_D, slope_D)
        if pairs.kind == EDGE_EDGE:
            m, slope_m = mollified(y, pairs.threshold)
            cross = slope[:, None, None] * _outer(slope_D, slope_m)
            H = m[:, None, None] * H + cross + np.swapaxes(cross, 1, 2)
            H += phi[:, None, None] * mollified_hessians(y, pairs.threshold)
        return pairs.weight[:, None, None] * H

    def _means(self, pairs: Pairs, x0: Array, x1: Array) -> Array:
        y0, y1 = x0[pairs.corners], x1[pairs.corners]
        D0, D1 = (distance_gradients(pairs.kind, y)[0] for y in (y0, y1))
        Q, _ = mean_slopes(self.law.at, D0, D1, pairs.offset)
        gradients = Q[:, None, None] * mean_of(lambda y: distance_gradients(pairs.kind, y)[1], y0, y1, D1 - D0)
        if pairs.kind == EDGE_EDGE:
            (m0, m1), (phi0, phi1) = _mollifiers(pairs, y0, y1), (self.law.at(D, pairs.offset)[0] for D in (D0, D1))
            turn = mean_of(lambda y: mollified(y, pairs.threshold)[1], y0, y1, m1 - m0)
            gradients = 0.5 * ((m0 + m1)[:, None, None] * gradients + (phi0 + phi1)[:, None, None] * turn)
        return pairs.weight[:, None, None] * gradients

    def _mean_jacobians(self, pairs: Pairs, x0: Array, x1: Array) -> Array:
        y0, y1 = x0[pairs.corners], x1[pairs.corners]
        D0 = distance_gradients(pairs.kind, y0)[0]
        D1, slope_D = distance_gradients(pairs.kind, y1)
        Q, dQ = mean_slopes(self.law.at, D0, D1, pairs.offset)
        mean_D = mean_of(lambda y: distance_gradients(pairs.kind, y)[1], y0, y1, D1 - D0)
        J = Q[:, None, None] * mean_hessian(lambda y: distance_hessians(pairs.kind, y), y0, y1)
        J += dQ[:, None, None] * _outer(mean_D, slope_D)
        if pairs.kind == EDGE_EDGE:
            (m0, m1), (phi0, phi1) = _mollifiers(pairs, y0, y1), (self.law.at(D, pairs.offset)[0] for D in (D0, D1))
            slope_m = mollified(y1, pairs.threshold)[1]
            mean_m = mean_of(lambda y: mollified(y, pairs.threshold)[1], y0, y1, m1 - m0)
            J = 0.5 * (m0 + m1)[:, None, None] * J + 0.5 * Q[:, None, None] * _outer(mean_D, slope_m)
            J += 0.5 * self.law.at(D1, pairs.offset)[1][:, None, None] * _outer(mean_m, slope_D)
            bend = mean_hessian(lambda y: mollified_hessians(y, pairs.threshold), y0, y1)
            J += 0.5 * (phi0 + phi1)[:, None, None] * bend
        return pairs.weight[:, None, None] * J


def _mollifiers(pairs: Pairs, y0: Array, y1: Array) -> tuple[Array, Array]:
    return mollified(y0, pairs.threshold)[0], mollified(y1, pairs.threshold)[0]


def _outer(a: Array, b: Array) -> Array:
    return a.reshape(len(a), 12, 1) * b.reshape(len(b), 1, 12)
