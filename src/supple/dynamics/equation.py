"""An equation that is not the gradient of a potential, in the form required by a root finder.

    r(x) = M (x - x0 - h v0) + h^2/2 [ gbar(x0, x) + D'((x - x0)/h) ] = 0
Its Jacobian is a sum of element matrices that need not be symmetric, plus, for some, products a b^T.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import one_sample
from supple.linalg.fields import inertia
from supple.linalg.reduce import add_masked
from supple.types import Array, Ints


@dataclass(frozen=True)
class Residual:
    """r (n, 3), zero on prescribed vertices, and the largest entry of any of its parts."""

    vector: Array
    scale: float


@dataclass(frozen=True)
class Jacobian:
    """diag(diagonal) + sum of element matrices + sum of a b^T."""

    diagonal: Array
    """(n,) one value per vertex."""
    blocks: tuple[tuple[Ints, Array], ...] = ()
    """Elements (m, k) and their matrices (m, 3k, 3k)."""
    products: tuple[tuple[Array, Array], ...] = ()
    """a and b, (n, 3) each."""
    symmetric: Array | None = None
    """A symmetric part, as entries in the system's pattern."""
    couplings: tuple[tuple[Ints, Array], ...] = ()
    """Elements and their matrices, like `blocks`, of couplings outside the system's pattern."""
    square: Array | None = None
    """A part that is not symmetric, as entries in the system's square pattern (linalg/square.py)."""


J_co = TypeVar("J_co", covariant=True)


class EquationOf(Protocol[J_co]):
    """r(x) = 0 for the free vertices; prescribed ones are already at their positions."""

    @property
    def start(self) -> Array:
        """Initial guess."""

    @property
    def origin(self) -> Array:
        """A configuration near which r is finite: the step's old positions."""

    def place(self, x: Array) -> Array:
        """x with prescribed vertices at their positions."""

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move."""

    def residual(self, x: Array) -> Residual: ...

    def jacobian(self, x: Array) -> J_co: ...


class Equation(EquationOf[Jacobian], Protocol):
    """An equation for the positions of one configuration."""


class MeanGradient(Protocol):
    """gbar(x0, x): the mean of grad V over a step."""

    def parts(self, x: Array) -> Iterable[Array]:
        """(n, 3) arrays that add up to gbar."""

    def jacobian(self, x: Array) -> Jacobian:
        """Derivative with respect to x."""


class MeanForceEquation:
    """r(x) of a step from `state`, for one kind of mean gradient."""

    def __init__(self, system: System, state: State, h: float, mean: MeanGradient) -> None:
        self._system, self.state, self.h, self.mean = system, state, h, mean
        self._target = state.x + h * state.v
        self._free = np.zeros((system.n, 1))
        self._free[system.free] = 1.0
        self._mass, self._weight = system.mass[:, None], h**2 / 2 * self._free

    @property
    def start(self) -> Array:
        return self._target

    @property
    def origin(self) -> Array:
        return self.state.x

    def place(self, x: Array) -> Array:
        return self._system.motion.place(x, self.state.t + self.h)

    def max_step(self, x: Array, p: Array) -> float:
        return self._system.potential.max_step(x, p)

    def residual(self, x: Array) -> Residual:
        total = np.empty_like(x)
        _, scale = inertia(x, self._target, self._mass, self._free, total)
        forces = [*self.mean.parts(x)]
        if self._system.dissipation.terms:
            forces.append(self._dissipation(x).gradient((x - self.state.x) / self.h))
        for force in forces:
            scale = max(scale, add_masked(force, self._weight, total))
        return Residual(total, scale)

    def jacobian(self, x: Array) -> Jacobian:
        weight, inner = self.h**2 / 2, self.mean.jacobian(x)
        blocks = [(elements, weight * matrices) for elements, matrices in inner.blocks]
        velocity = (x - self.state.x) / self.h
        # torque-free terms are frozen at the middle of the step; its dependence on x is neglected: D'' dominates
        couplings = [(elements, weight * matrices) for elements, matrices in inner.couplings]
        for term in self._dissipation(x).terms:  # d/dx of D'((x - x0)/h) = D''/h
            if isinstance(term, ChangingCouplings):
                found = term.coupling_blocks(one_sample(velocity), project=False)
                couplings += [(e, self.h / 2 * H) for e, H in found]
                couplings += [(e, weight * J) for e, J in term.end_couplings(velocity)]
            else:
                blocks.append((term.elements, self.h / 2 * term.element_hessians(velocity)))
        products = tuple((weight * a, b) for a, b in inner.products)
        diagonal = self._system.mass + weight * inner.diagonal
        parts = (None if values is None else weight * values for values in (inner.symmetric, inner.square))
        symmetric, square = parts
        return Jacobian(diagonal, tuple(blocks), products, symmetric, tuple(couplings), square)

    def _dissipation(self, x: Array) -> Potential:
        return self._system.dissipation.moved(0.5 * (self.state.x + x), x).frozen
