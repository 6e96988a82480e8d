"""Contact of vertices with a stationary shape: V = sum_i w_i phi(d(x_i)), d the distance less a thickness.

    gradient  w phi' n          Hessian  w (phi'' n n^T + phi' d''),  n = d'
Only vertices are tested: an edge or face of the body may cut through a corner of the shape between them.

A barrier keeps every vertex outside: displacements end where a tenth of the gap is left, found by Newton's method on
the gap along the displacement (see entry.py). Each displacement of the solver is filtered, not the path from the start
of a step to its end. A body that would travel about the width of the shape in one step may be led around it and end on
its other side. Such a step is rejected (`passes`), unless it clips an edge by less than the reach. Half-spaces and
shapes that are wide compared with a step, however thin, are never passed.

Over a step from x0 to x1 the mean gradient gbar = w Q(d0, d1) nbar, with the quotient of the law and the mean normal,
is exact: gbar . (x1 - x0) = w (phi(d1) - phi(d0)). But it is not a gradient of any function: it is for methods that
solve equations. The abrupt changes are in the quotient; only the normal, which is smooth, is integrated. AVF first
minimises w Psi(d1) with Psi' = Q (laws.py), whose gradient w Q n1 has the normal at the end of the step instead. For
flat faces both agree. A vertex that is out of reach at both ends of a step has no contact force, whatever it passed on
the way.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from supple.contact.laws import Law
from supple.contact.obstacles.entry import entry
from supple.contact.obstacles.mean_normal import mean_normal, mean_normal_jacobian
from supple.contact.obstacles.over_step import OverStep, where
from supple.contact.obstacles.shapes import Shape
from supple.energies.roles.averages import AveragedOverSteps
from supple.energies.roles.contact import ContactTerm
from supple.energies.roles.step_bounds import BoundsSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.psd import clamp_negative
from supple.linalg.scatter import add_blocks, add_rows
from supple.types import Array, Ints

LEFT = 0.1
"""Fraction of a gap that a displacement leaves."""
ALONG = np.linspace(0.0, 1.0, 17)
"""Number of points on a path at which its depth is sampled."""
EDGE = 1e-9
"""Cosine of the angle between two faces that counts as round-off."""
ROUGHLY = 1e-3
"""Tolerance of the remaining gap, as a fraction of the gap."""


class ObstacleContact(EnergyTerm, ContactTerm, BoundsSteps, AveragedOverSteps):
    """Vertices against one shape; an element is a vertex paired with one of the shape's convex parts."""

    def __init__(
        self,
        shape: Shape,
        law: Law,
        vertices: npt.ArrayLike,
        weights: float | npt.ArrayLike = 1.0,
        thickness: float = 0.0,
    ) -> None:
        """vertices (m,) that can touch; weights: a scalar or one value per vertex, such as its area; thickness:
        distance from the shape at which the gap is zero [m]."""
        touching = np.array(vertices, dtype=np.int32).reshape(-1)
        factors = np.array(np.broadcast_to(weights, touching.shape), dtype=np.float64)
        if not (np.isfinite(factors) & (factors > 0.0)).all():
            raise SuppleError("weights of contact: must be finite and above 0, a scalar or one value per vertex")
        if not (math.isfinite(thickness) and thickness >= 0.0):
            raise SuppleError(f"thickness of contact: found {thickness!r}; must be a finite number, 0 or more")
        self.shape, self.law, self.thickness = shape, law, thickness
        self.keeps_apart = law.keeps_apart
        self._parts = shape.parts
        self.elements: Ints = np.tile(touching, len(self._parts))[:, None]
        self.weights: Array = np.tile(factors, len(self._parts))
        self._part = np.repeat(np.arange(len(self._parts)), len(touching))
        self._all = np.arange(len(self.elements), dtype=np.int32)

    def gaps(self, x: Array) -> Array:
        """(m,) gaps of all elements [m]."""
        return self._gaps(self._points(x), self._all)

    def gaps_of(self, vertex: int, x: Array) -> Array:
        """Gaps of one vertex to each part of the shape; none if it cannot touch [m]."""
        return self.gaps(x)[self.elements[:, 0] == vertex]

    def lightness(self, mass: Array) -> float:
        """Largest weight over mass of a vertex [1/kg]."""
        return float((self.weights / mass[self.elements[:, 0]]).max())

    def touches(self, x: Array) -> tuple[Touch, ...]:
        """Contacts within reach of the law, each with the force -w phi'."""
        d = self.gaps(x)
        near = where(d < self.law.reach)
        force = -self.weights[near] * self.law.slope(d[near])
        normals = self._normals(self._points(x)[near], near)
        return (Touch(self.elements[near], np.ones((len(near), 1)), normals, force),)

    def presses(self, x0: Array, x1: Array) -> tuple[Touch, ...]:
        """Contacts within reach in a step: force and normal of the mean gradient w Q nbar."""
        near, d0, d1 = self._near_in_step(x0, x1)
        way, w = self._way(x0, x1, near, d0, d1), self.weights[near]
        n = self._of_parts(mean_normal, near, (3,), *way)
        length = np.maximum(np.sqrt(np.einsum("mi,mi->m", n, n)), 1e-300)
        Q, dQ = w * self.law.mean_slope(d0, d1), w * self.law.mean_curvature(d0, d1)
        unit = n / length[:, None]
        turn = np.einsum("mi,mij->mj", unit, self._of_parts(mean_normal_jacobian, near, (3, 3), *way))
        slope = -(dQ * length)[:, None] * self._normals(way[1], near) - Q[:, None] * turn
        return (Touch(self.elements[near], np.ones((len(near), 1)), unit, -Q * length, slope[:, None, :]),)

    def intruders(self, x: Array) -> Ints:
        """Vertices on the surface or behind it, ascending."""
        return np.unique(self.elements[self.gaps(x) <= 0.0])

    def element_values(self, x: Array) -> Array:
        return self.weights * self.law.value(self.gaps(x))

    def element_gradients(self, x: Array) -> Array:
        d = self.gaps(x)
        near = where(d < self.law.reach)
        force = self.weights[near] * self.law.slope(d[near])
        return self._spread(near, force[:, None] * self._normals(self._points(x)[near], near))[:, None, :]

    def element_hessians(self, x: Array) -> Array:
        d, y = self.gaps(x), self._points(x)
        near = where(d < self.law.reach)
        n, w = self._normals(y[near], near), self.weights[near]
        matrices = (w * self.law.curvature(d[near]))[:, None, None] * n[:, :, None] * n[:, None, :]
        matrices += (w * self.law.slope(d[near]))[:, None, None] * self._bends(y[near], near)
        return self._spread(near, matrices)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            y = self._points(x)
            d = self._gaps(y, self._all)
            near = where(d < self.law.reach)
            if len(near):  # few vertices are in contact, and often none
                total += energy * float(self.weights[near] @ self.law.value(d[near]))
                slope = force * self.weights[near] * self.law.slope(d[near])
                add_rows(self.elements[near, 0], slope[:, None] * self._normals(y[near], near), gradient)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            near = where(self.gaps(x) < self.law.reach)
            if len(near):
                matrices = curvature * self.element_hessians(x)[near]
                unknowns = place.unknowns[self.elements[near]]
                blocks = clamp_negative(matrices) if project else matrices
                add_blocks(unknowns, place.row_length, place.slots[near], blocks, values)

    def max_step(self, x: Array, p: Array) -> float:
        if not self.law.keeps_apart:
            return math.inf
        return float(self.entries(x, p).min(initial=math.inf))

    def entries(self, x: Array, p: Array) -> Array:
        """(m,) multiple of the displacement p at which an element has a tenth of its gap left; infinite if never."""
        return self._entry(self._points(x), self._points(p), LEFT, ROUGHLY)

    def clipped(self, x: Array, p: Array) -> Array:
        if not self.law.keeps_apart:
            return p
        t = self.entries(x, p)
        cut = where(t < 1.0)
        if not len(cut):
            return p
        allowed = np.ones(len(p))
        np.minimum.at(allowed, self.elements[cut, 0], t[cut])
        return allowed[:, None] * p

    def passes(self, x0: Array, x1: Array) -> bool:
        if not self.law.keeps_apart:
            return False
        y0, y1 = self._points(x0), self._points(x1)
        if self.shape.convex:
            through = where(self._entry(y0, y1 - y0) < 1.0)
        else:
            p = y1 - y0
            near = where(self.gaps(x0) <= np.sqrt(np.einsum("mi,mi->m", p, p)))
            through = near[self._depth(near, y0[near], y1[near]) >= 0.0]
        return len(through) > 0 and not self._clips_edges(through, y0[through], y1[through])

    def _entry(self, y: Array, p: Array, left: float = 0.0, accuracy: float = 1e-9) -> Array:
        return entry(self._gaps, self._normals, y, p, left, accuracy, self.shape.convex)

    def _clips_edges(self, chosen: Ints, y0: Array, y1: Array) -> bool:
        """Whether these elements only cut a corner, by less than the reach, between faces that are not opposite: less
        than contact resolves."""
        depth = self._depth(chosen, y0, y1)
        turned = np.einsum("mi,mi->m", self._normals(y0, chosen), self._normals(y1, chosen)) >= -EDGE
        return bool((turned & (depth < self.law.reach)).all())

    def _depth(self, chosen: Ints, y0: Array, y1: Array) -> Array:
        """Largest depth of each of these elements in the shape along its straight path; negative if it stays outside [m]."""
        return -np.min([self._gaps(y0 + s * (y1 - y0), chosen) for s in ALONG], axis=0)

    def averaged(self, x0: Array) -> EnergyTerm:
        return OverStep(self, self.gaps(x0))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        near, d0, d1 = self._near_in_step(x0, x1)
        Q = self.weights[near] * self.law.mean_slope(d0, d1)
        n = self._of_parts(mean_normal, near, (3,), *self._way(x0, x1, near, d0, d1))
        return self._spread(near, Q[:, None] * n)[:, None, :]

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        # d(w Q nbar)/dx1 = w (dQ/dd1 nbar n1^T + Q dnbar/dx1)
        near, d0, d1 = self._near_in_step(x0, x1)
        way, w = self._way(x0, x1, near, d0, d1), self.weights[near]
        n = self._of_parts(mean_normal, near, (3,), *way)
        matrices = n[:, :, None] * self._normals(way[1], near)[:, None, :]
        matrices *= (w * self.law.mean_curvature(d0, d1))[:, None, None]
        Q = w * self.law.mean_slope(d0, d1)
        matrices += Q[:, None, None] * self._of_parts(mean_normal_jacobian, near, (3, 3), *way)
        return self._spread(near, matrices)

    def _near_in_step(self, x0: Array, x1: Array) -> tuple[Ints, Array, Array]:
        """Elements that are within reach at one end of a step, and their gaps at both."""
        d0, d1 = self.gaps(x0), self.gaps(x1)
        near = where(np.minimum(d0, d1) < self.law.reach)
        return near, d0[near], d1[near]

    def _way(self, x0: Array, x1: Array, near: Ints, d0: Array, d1: Array) -> tuple[Array, Array, Array, Array]:
        """Data of mean normals: both ends of a step, and their depths within reach."""
        m0, m1 = (np.maximum(self.law.reach - d, 0.0) for d in (d0, d1))
        return self._points(x0)[near], self._points(x1)[near], m0, m1

    def normals(self, x: Array, chosen: Ints) -> Array:
        """(len(chosen), 3) outward normals at some elements."""
        return self._normals(self._points(x)[chosen], chosen)

    def bends(self, x: Array, chosen: Ints) -> Array:
        """(len(chosen), 3, 3) Hessians of their gaps [1/m]."""
        return self._bends(self._points(x)[chosen], chosen)

    def _points(self, x: Array) -> Array:
        """(m, 3) rows of a field, one per element."""
        return x[self.elements[:, 0]]

    def _gaps(self, y: Array, chosen: Ints) -> Array:
        return self._of_parts(lambda part, y: part.distance(y), chosen, (), y) - self.thickness

    def _normals(self, y: Array, chosen: Ints) -> Array:
        return self._of_parts(lambda part, y: part.outward(y), chosen, (3,), y)

    def _bends(self, y: Array, chosen: Ints) -> Array:
        return self._of_parts(lambda part, y: part.bend(y), chosen, (3, 3), y)

    def _of_parts(self, ask: Callable[..., Array], chosen: Ints, shape: tuple[int, ...], *points: Array) -> Array:
        """Values of each part at the points of its own chosen elements; (len(chosen), *shape)."""
        if len(self._parts) == 1:
            return ask(self._parts[0], *points)
        out = np.zeros((len(chosen), *shape))
        for k in np.unique(self._part[chosen]):
            own = self._part[chosen] == k
            out[own] = ask(self._parts[k], *(y[own] for y in points))
        return out

    def _spread(self, chosen: Ints, rows: Array) -> Array:
        """Rows of the chosen elements among all elements, the others zero."""
        out = np.zeros((len(self.elements), *rows.shape[1:]))
        out[chosen] = rows
        return out
