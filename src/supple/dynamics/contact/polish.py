"""The equation of an AVF step whose curved contact is integrated exactly:

    M (x - x0 - h v0) + h^2/2 [ mean of grad V(smooth terms) + sum of discrete gradients(contact) + D'((x - x0)/h; x) ] = 0
Its solution conserves energy to round-off through contact of any shape, but it is not the minimum of a function: a
stage with constant normals provides a nearby initial guess.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from supple.dynamics.equation import Jacobian, Residual
from supple.dynamics.path import Path, curved, discrete_gradient
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.roles.averages import OwnRule
from supple.energies.samples import one_sample
from supple.linalg.reduce import largest
from supple.types import Array


def touches(contact: Potential, x0: Array, x1: Array) -> bool:
    """Whether contact terms act in a step, at its ends or at a node of their rule."""
    if not contact.terms:
        return False
    rules = [term.rule for term in contact.terms if isinstance(term, OwnRule)]
    nodes = dict.fromkeys((0.0, 1.0, *(c for rule in rules for c in rule.nodes)))
    return any(largest(contact.gradient((1.0 - c) * x0 + c * x1)) > 0.0 for c in nodes)


class PolishedStep:
    """The equation of a step from `state`; `start` is the result of the stage. Friction uses the mean normal forces
    of the step being solved."""

    def __init__(self, system: System, state: State, h: float, path: Path, start: Array) -> None:
        self._system, self.state, self.h, self.path = system, state, h, path
        self._follows = system.dissipation.freezes_again
        self._known: tuple[Array, System] | None = None
        self.start = start
        self._target = state.x + h * state.v
        self._contact = curved(system.potential)

    @property
    def origin(self) -> Array:
        return self.start

    def place(self, x: Array) -> Array:
        return self._system.motion.place(x, self.state.t + self.h)

    def max_step(self, x: Array, p: Array) -> float:
        return self._system.potential.max_step(x, p)

    def residual(self, x: Array) -> Residual:
        inertia = self._system.on_free(self._system.mass[:, None] * (x - self._target))
        total, scale = inertia, largest(inertia)
        for force in self.forces(x):
            part = self.h**2 / 2 * self._system.on_free(force)
            scale = max(scale, largest(part))
            total = total + part
        return Residual(total, scale)

    def forces(self, x: Array) -> Iterator[Array]:
        """(n, 3) mean gradients: smooth, contact, dissipation."""
        x0 = self.state.x
        yield self.path.smooth_part(x)
        yield discrete_gradient(self._contact, x0, x)
        if self._system.dissipation.terms:
            yield self.system(x).dissipation.frozen.gradient((x - x0) / self.h)

    def jacobian(self, x: Array) -> Jacobian:
        x0, weight = self.state.x, self.h**2 / 2
        values = np.zeros(self._system.pattern.nnz)
        self.path.add_smooth_hessian(x, values)
        values *= weight
        fixed = [(t.elements, weight * t.element_mean_jacobians(x0, x)) for t in self._contact.terms if len(t.elements)]
        couplings = [
            (e, weight * J) for t in self._contact.roles.couplings for e, J in t.coupling_mean_jacobians(x0, x)
        ]
        if self._system.dissipation.terms:  # d/dx of D'((x - x0)/h) = D''/h
            damping, v = np.zeros_like(values), (x - x0) / self.h
            dissipation, mean = self.system(x).dissipation.frozen, one_sample(v)
            dissipation.add_hessian(mean, damping)
            values += self.h / 2 * damping
            for term in dissipation.roles.couplings:
                couplings += [(e, self.h / 2 * H) for e, H in term.coupling_blocks(mean, project=False)]
                if self._follows:
                    couplings += [(e, weight * J) for e, J in term.end_couplings(v)]
        products = tuple((weight * w * a, a) for w, a in self.path.smooth_products(x))
        return Jacobian(self._system.mass, tuple(fixed), products, values, tuple(couplings))

    def system(self, x: Array) -> System:
        """The system with friction for a step that ends at x."""
        if not self._follows:
            return self._system
        if self._known is None or self._known[0] is not x:
            self._known = x, self._system.moved(0.5 * (self.state.x + x), x)
        return self._known[1]

    def mean_gradient(self, x: Array) -> Array:
        """(n, 3) mean gradient of everything except dissipation: the force against which scripted vertices do work."""
        forces = list(self.forces(x))
        return sum(forces[:-1] if self._system.dissipation.terms else forces, np.zeros_like(x))
