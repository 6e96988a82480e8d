"""A term of single vertices as a function of node positions: particles move with the nodes.

x_p(y) = x_p + sum_i w_ip (y_i - X_i) is linear, so a gradient is W^T g and a Hessian W^T K W.  A contact keeps the
properties that make it exact along a step: its mean in closed form, and the step bounds of a barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from supple.energies.points.kernels import carried_hessian_part
from supple.energies.points.passage import Passage
from supple.energies.roles.averages import AveragedOverSteps
from supple.energies.roles.matrix_free import LinearMap, MatrixFree
from supple.energies.roles.step_bounds import BoundsSteps
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.linalg.pool import in_parts
from supple.types import Array


class Carried(EnergyTerm, MatrixFree):
    """The term `of`, whose elements are single vertices."""

    def __init__(self, of: EnergyTerm, passage: Passage) -> None:
        self.of, self.passage = of, passage
        self.elements = passage.corners
        self.degree = of.degree
        self.group = of.group  # type: ignore[misc]

    def element_values(self, x: Array) -> Array:
        values = self._at_particles(self.of.element_values(self.passage.places(x)))
        return np.asarray(np.add.reduceat(values[self.passage.order], self.passage.start[:-1]))

    def element_gradients(self, x: Array) -> Array:
        return self.passage.pulled(self._at_particles(self.of.element_gradients(self.passage.places(x))[:, 0]))

    def element_hessians(self, x: Array) -> Array:
        return self.passage.squared(self._at_particles(self.of.element_hessians(self.passage.places(x))))

    def element_mean_gradients(self, x0: Array, x1: Array) -> Array:
        means = self.of.element_mean_gradients(self.passage.places(x0), self.passage.places(x1))
        return self.passage.pulled(self._at_particles(means[:, 0]))

    def element_mean_jacobians(self, x0: Array, x1: Array) -> Array:
        means = self.of.element_mean_jacobians(self.passage.places(x0), self.passage.places(x1))
        return self.passage.squared(self._at_particles(means))

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        if self._is_linear:
            value, slope = self._line
            gradient += samples.force.sum() * slope
            moves = np.einsum("qni,ni->q", samples.x - self.passage.nodes, slope)
            return float(samples.energy @ (value + moves))
        total, pull = 0.0, np.zeros_like(self.passage.x)
        for x, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            places = self.passage.places(x)
            total += energy * float(self.of.element_values(places).sum())
            pull += force * self._at_particles(self.of.element_gradients(places)[:, 0])
        if pull.any():
            gradient += self.passage.at_nodes(pull)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        if self._is_linear:
            return
        total = self._stiffness(samples, project)
        p, parts = self.passage, place.parts
        stiff = total.any(axis=(1, 2))
        rows = place.unknowns, place.row_length, place.slots

        def cells(k: int) -> None:
            given = p.corners, p.start, p.order, p.w, total, stiff
            carried_hessian_part(k, *given, parts.owner, parts.chosen(k), *rows, values)

        in_parts(cells, parts.count)

    def linear_map(self, samples: Samples) -> LinearMap | None:
        if self._is_linear:
            return None
        total = self._stiffness(samples)
        return _Stiff(self.passage, total) if total.any() else None

    @property
    def _is_linear(self) -> bool:
        return self.degree is not None and self.degree <= 1

    @cached_property
    def _line(self) -> tuple[float, Array]:
        """Value and gradient (N, 3) at the current nodes, for a linear term."""
        x = self.passage.x
        value, pull = self.of.element_values(x), self._at_particles(self.of.element_gradients(x)[:, 0])
        return float(value.sum()), self.passage.at_nodes(pull)

    def _stiffness(self, samples: Samples, project: bool = False) -> Array:
        """(n, 3, 3) weighted Hessians at particles."""
        total = np.zeros((len(self.passage.x), 3, 3))
        for x, curvature in zip(samples.x, samples.curvature, strict=True):
            ask = self.of.projected_hessians if project else self.of.element_hessians
            total += curvature * self._at_particles(ask(self.passage.places(x)))
        return total

    def _at_particles(self, values: Array) -> Array:
        """Sums of the term's elements at each particle: a vertex may face several parts of a shape."""
        out = np.zeros((len(self.passage.x), *values.shape[1:]))
        np.add.at(out, self.of.elements[:, 0], values)
        return out


@dataclass(frozen=True)
class _Stiff:
    """W^T K W, with K (n, 3, 3) of particles."""

    ignores_translation: ClassVar[bool] = False

    passage: Passage
    K: Array

    def times(self, p: Array) -> Array:
        return self.passage.at_nodes(np.einsum("pij,pj->pi", self.K, self.passage.moved(p)))

    def blocks(self) -> Array:
        p = self.passage
        stiff = np.flatnonzero(self.K.any(axis=(1, 2)))
        each = (p.w[stiff] ** 2)[:, :, None] * self.K[stiff].reshape(-1, 1, 9)
        ids = p.corners[p.cell[stiff]].ravel()
        columns = [np.bincount(ids, column, len(p.nodes)) for column in each.reshape(-1, 9).T]
        return np.stack(columns, axis=1).reshape(-1, 3, 3).astype(np.float64, copy=False)


class CarriedContact(Carried, AveragedOverSteps, BoundsSteps):
    """A contact whose mean along a step has a closed form."""

    def __init__(self, of: EnergyTerm, passage: Passage) -> None:
        super().__init__(of, passage)
        if not (isinstance(of, AveragedOverSteps) and isinstance(of, BoundsSteps)):
            raise TypeError(f"{type(of).__name__} is not a contact with obstacles")
        self._contact: Any = of
        self.turns_nothing = of.turns_nothing  # type: ignore[misc]
        self.keeps_apart = of.keeps_apart

    def averaged(self, x0: Array) -> EnergyTerm:
        return Carried(self._contact.averaged(self.passage.places(x0)), self.passage)

    def max_step(self, x: Array, p: Array) -> float:
        return float(self._contact.max_step(self.passage.places(x), self.passage.moved(p)))

    def passes(self, x0: Array, x1: Array) -> bool:
        return bool(self._contact.passes(self.passage.places(x0), self.passage.places(x1)))


def carried(of: EnergyTerm, passage: Passage) -> Carried:
    """A term as a function of the nodes, with the roles that remain valid there."""
    if isinstance(of, AveragedOverSteps) and isinstance(of, BoundsSteps):
        return CarriedContact(of, passage)
    return Carried(of, passage)
