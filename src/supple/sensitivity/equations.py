"""Steps that solve an equation that is not a gradient: energy-momentum steps, and AVF steps with curved contact.

    r(x) = M (x - y) + h^2/2 [ sum_q w_q grad V_s((1 - c_q) x0 + c_q x) + gbar(x0, x) + grad D((x - x0)/h) ] = 0
V_s are the terms that a rule integrates (none in an energy-momentum step), gbar the discrete gradients of the others. It is
symmetric in its ends, so its derivative by x0 is the Jacobian with exchanged ends. The Jacobian by x is not symmetric:
the reverse sweep solves with its transpose. Torque-free damping is frozen at the midpoint of an energy-momentum step, which moves
with x: both sweeps resolve that iteratively.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from supple.dynamics.contact.polish import PolishedStep
from supple.dynamics.equation import MeanForceEquation, Residual
from supple.dynamics.mean_gradient import ElementMean
from supple.dynamics.path import Path, curved, smooth
from supple.dynamics.potential import Potential
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.differences import by_numbers
from supple.energies.instant import Instant
from supple.energies.roles.averages import AveragedOverSteps
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.sensitivity.frozen import Places, pulled_places, pushed_places
from supple.sensitivity.instants import instant_in
from supple.sensitivity.linear import Blocks, JacobianMatrix, block_product
from supple.sensitivity.rehearsal.program import EquationSolve
from supple.sensitivity.replay import Played, averaged
from supple.sensitivity.rounds import settled
from supple.types import Array

SETTLED, ALONG = 1e-13, 1e-12
"""Relative change per round at which the iterations of the reverse and the tangent sweep stop."""


class EquationStep:
    """One such step, at its solution x."""

    def __init__(self, played: Played, asked: EquationSolve, x: Array) -> None:
        self._played, self._asked, self._x = played, asked, x
        self._x0, self._h = played.of(asked.x0), asked.h
        self._v0 = (played.of(asked.target) - self._x0) / self._h

    @property
    def _weight(self) -> float:
        return self._h**2 / 2

    def _equation(self, system: System) -> MeanForceEquation | PolishedStep:
        state = State(self._played.t + self._asked.time - self._h, self._x0, self._v0)
        if self._asked.rule is None:
            return MeanForceEquation(system, state, self._h, ElementMean(system, self._x0))
        return PolishedStep(system, state, self._h, Path(system.potential, self._x0, self._asked.rule), self._x)

    def residual(self, system: System) -> Array:
        """r of a neighbouring system at the same positions."""
        return self._equation(system).residual(self._x).vector

    def missed(self) -> Residual:
        """r at the recorded solution, and the largest single force in it."""
        return self._equation(self._played.system).residual(self._x)

    @cached_property
    def _matrix(self) -> JacobianMatrix:
        return JacobianMatrix(self._played.system, self._equation(self._played.system).jacobian(self._x))

    # -- products with dr/dx and dr/dx0, on all vertices --------------------------------------------------------------

    @cached_property
    def _ends(self) -> tuple[Blocks, Blocks]:
        """Derivatives of gbar by x and by x0."""
        potential = self._played.system.potential
        terms = potential if self._asked.rule is None else curved(potential)
        return _mean_blocks(terms, self._x0, self._x), _mean_blocks(terms, self._x, self._x0)

    def _smooth(self, move: Array, end: bool) -> Array:
        """The symmetric part of dr/dx (end) or dr/dx0, without inertia, of terms integrated by a rule or in closed form."""
        rule, potential = self._asked.rule, self._played.system.potential
        if rule is None:
            return np.zeros_like(move)
        nodes, weights = np.asarray(rule.nodes), np.asarray(rule.weights)
        places = (1.0 - nodes[:, None, None]) * self._x0 + nodes[:, None, None] * self._x
        shares = weights * (nodes if end else 1.0 - nodes)
        total = smooth(potential).product(Samples(places, shares, shares, shares), move)
        closed = potential.only(lambda t: isinstance(t, AveragedOverSteps) and t.turns_nothing)
        one, other = (self._x0, self._x) if end else (self._x, self._x0)
        return total + averaged(closed, one).product(one_sample(other), move)

    def _along(self, move: Array, end: bool, transposed: bool) -> Array:
        """dr/dx or dr/dx0 (at fixed y) times a move, or transposed, without inertia and terms that follow the midpoint."""
        total = self._weight * (self._smooth(move, end) + block_product(self._ends[0 if end else 1], move, transposed))
        samples = self.dissipation_samples
        if samples is not None:
            total += (1.0 if end else -1.0) / self._h * self._settled.dissipation.frozen.product(samples, move)
        return total

    # -- dissipation -------------------------------------------------------------------------------------------------

    @property
    def dissipation_samples(self) -> Samples | None:
        """The mean velocity, with the weight of its force."""
        if not self._played.system.dissipation.terms:
            return None
        weight = np.array([self._weight])
        return Samples(((self._x - self._x0) / self._h)[None], weight, weight, weight)

    @property
    def follows(self) -> bool:
        """Whether damping is frozen at the midpoint of the step."""
        return self._asked.rule is None and self._played.system.dissipation.follows

    @cached_property
    def _settled(self) -> System:
        return self._played.system.moved(0.5 * (self._x0 + self._x)) if self.follows else self._played.system

    def frozen_at(self) -> Instant:
        """Configuration at which damping was evaluated."""
        return instant_in(self._played, self._settled)

    def _middle(self, lam: Array) -> Array:
        """Adjoint of the midpoint of the step, for lam . r."""
        samples = self.dissipation_samples
        if samples is None or not self.follows:
            return np.zeros_like(lam)
        return pulled_places(self._played.system, self.frozen_at(), samples, lam, following=True).place

    # -- backwards ---------------------------------------------------------------------------------------------------

    def multiplier(self, bar: Array) -> Array:
        """lam with (dr/dx)^T lam = xb on free vertices."""
        lam = self._matrix.solve(bar, transposed=True)
        if not self.follows:
            return lam
        return settled(lam, lambda y: self._matrix.solve(bar - 0.5 * self._middle(y), transposed=True), SETTLED)

    def end_product(self, lam: Array) -> Array:
        """(dr/dx)^T lam without inertia."""
        return self._along(lam, end=True, transposed=True) + 0.5 * self._middle(lam)

    def start_product(self, lam: Array) -> Array:
        """(dr/dx0)^T lam at fixed y."""
        return self._along(lam, end=False, transposed=True) + 0.5 * self._middle(lam)

    def pulls(self, lam: Array) -> Iterator[tuple[EnergyTerm, dict[str, Array]]]:
        """Terms of the potential with derivatives of lam . r by their constants; rest positions only for quadrature."""
        rule, potential, w = self._asked.rule, self._played.system.potential, np.array([self._weight])
        if rule is not None:
            nodes, weights = np.asarray(rule.nodes), self._weight * np.asarray(rule.weights)
            places = (1.0 - nodes[:, None, None]) * self._x0 + nodes[:, None, None] * self._x
            for term in smooth(potential).terms:
                yield term, term.pull(Samples(places, weights, weights, weights), lam)
            return
        middle = Samples((0.5 * (self._x0 + self._x))[None], w, w, w)
        for term in potential.terms:
            if term.midpoint_is_exact:
                yield term, term.pull(middle, lam)
            elif len(term.elements):
                yield term, self._by_constants(term, lam)

    def _by_constants(self, term: EnergyTerm, lam: Array) -> dict[str, Array]:
        """Derivatives of discrete gradients, by differences of all elements at once."""
        move = lam[term.elements]

        def worked(name: str, values: Array) -> Array:
            gradients = term.with_constant(name, values).element_mean_gradients(self._x0, self._x)
            return self._weight * np.einsum("mai,mai->m", gradients, move)

        own = {name: values for name, values in term.constants().items() if len(values) == len(term.elements)}
        return {name: by_numbers(partial(worked, name), values) for name, values in own.items()}

    # -- forwards ----------------------------------------------------------------------------------------------------

    def tangent(self, target: Array, x0: Array, held: Array, change: Array) -> Array:
        """xd of the step, for changes of y and x0, of prescribed rows of x, and of r itself."""
        system = self._played.system
        rhs = system.mass[:, None] * target - change - self._along(x0, end=False, transposed=False)
        rhs -= self._along(held, end=True, transposed=False)
        xd = self._matrix.solve(rhs) + held
        samples, at = self.dissipation_samples, self.frozen_at()
        if samples is None or not self.follows:
            return xd

        def again(y: Array) -> Array:
            middle = replace(Places.none(y), place=0.5 * (x0 + y))
            return self._matrix.solve(rhs - pushed_places(system, at, samples, middle, following=True)) + held

        return settled(xd, again, ALONG)


def _mean_blocks(terms: Potential, a: Array, b: Array) -> Blocks:
    """Elements and derivatives of discrete gradients over a step from a to b, by b."""
    found: Blocks = []
    for term in terms.terms:
        if isinstance(term, ChangingCouplings):
            found += term.coupling_mean_jacobians(a, b)
        elif len(term.elements) and (term.degree is None or term.degree > 1):
            found.append((term.elements, term.element_mean_jacobians(a, b)))
    return found
