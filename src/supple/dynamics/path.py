"""The mean of grad V along the straight path of a step, x(s) = (1 - s) x0 + s x1, group by group.

Most terms use the rule of the method. A term may have its own rule, or a closed form of its mean as the gradient of a
function of x1, as contact has. Except for half-spaces, that form uses the normal at x1 instead of the mean normal; a
known step allows a correction.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from supple.dynamics.potential import Potential
from supple.dynamics.stage import Sample
from supple.energies.roles.averages import AveragedOverSteps, OwnRule
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.linalg.quadrature import Rule
from supple.linalg.square import sum_at_vertices
from supple.types import Array


def smooth(potential: Potential) -> Potential:
    """The terms integrated by the method's own rule."""
    return potential.part("smooth", lambda t: not isinstance(t, OwnRule | AveragedOverSteps))


def curved(potential: Potential) -> Potential:
    """The terms whose rule or closed form is not exact, unlike their discrete gradients."""
    return potential.part("curved", lambda t: isinstance(t, OwnRule) or _is_closed(t, exact=False))


class Path:
    """Means over steps that start at x0."""

    def __init__(self, potential: Potential, x0: Array, rule: Rule) -> None:
        self._x0, self.rule = x0, rule
        self._lacking = np.zeros_like(x0)
        self._groups = [(smooth(potential), rule)]
        own = curved(potential)
        for rule in dict.fromkeys(t.rule for t in own.terms if isinstance(t, OwnRule)):
            self._groups.append((_with_rule(own, rule), rule))
        self.closed = potential.part("closed", lambda t: _is_closed(t, exact=False))
        self._exact = _averaged(potential.part("closed exactly", lambda t: _is_closed(t, exact=True)), x0)
        self._nearly = _averaged(self.closed, x0)

    def parts(self, weight: float) -> tuple[tuple[Potential, tuple[Sample, ...]], ...]:
        """Groups for a stage to minimise, so that its force is `weight` times the mean, except for the part in `at_start`."""
        quadrature = tuple(
            (
                potential,
                tuple(
                    Sample(weight * w, c, (1 - c) * self._x0 if c < 1.0 else None)
                    for c, w in zip(rule.nodes, rule.weights, strict=True)
                    if c > 0.0
                ),
            )
            for potential, rule in self._groups
        )
        return (*quadrature, *((closed, (Sample(weight),)) for closed in (self._exact, self._nearly)))

    def corrected(self, x1: Array) -> Path:
        """The same with the correction of the closed forms of curved contact for a step to x1."""
        path = copy(self)
        path._lacking = discrete_gradient(self.closed, self._x0, x1) - self._nearly.weighted_gradient(one_sample(x1))
        return path

    def at_start(self) -> Array:
        """Part of the mean that does not depend on x1: nodes at 0, and the correction."""
        total = self._lacking.copy()
        for potential, rule in self._groups:
            for node, weight in zip(rule.nodes, rule.weights, strict=True):
                if node == 0.0 and potential.terms:
                    total += weight * potential.gradient(self._x0)
        return total

    def smooth_part(self, x1: Array) -> Array:
        """(n, 3) part of the mean from terms integrated by the method's rule or a closed form [N]."""
        return self._exact.weighted_gradient(one_sample(x1)) + self._by_rules(x1, self._groups[:1])

    def curved_part(self, x1: Array) -> Array:
        """(n, 3) part of the mean from all other terms [N]."""
        return self._by_rules(x1, self._groups[1:]) + self._nearly.weighted_gradient(one_sample(x1)) + self._lacking

    def closed_part(self, x1: Array) -> Array:
        """(n, 3) part of the mean from curved contact in closed form, corrected without rules [N]."""
        return self._nearly.weighted_gradient(one_sample(x1)) + self._lacking

    def add_smooth_hessian(self, x1: Array, values: Array) -> None:
        """Add the derivative of `smooth_part` with respect to x1, which is symmetric, to entries of the pattern."""
        self._exact.add_hessian(one_sample(x1), values)
        self._groups[0][0].add_hessian(self._smooth_samples(x1), values)

    def smooth_products(self, x1: Array) -> list[tuple[float, Array]]:
        """w and a (n, 3): the derivative has the additional parts w a a^T."""
        return self._groups[0][0].outer_products(self._smooth_samples(x1))

    def _smooth_samples(self, x1: Array) -> Samples:
        rule = self._groups[0][1]
        weights, nodes = np.asarray(rule.weights), np.asarray(rule.nodes)
        points = (1.0 - nodes[:, None, None]) * self._x0 + nodes[:, None, None] * x1
        return Samples(points, weights, weights, weights * nodes)

    def mean_gradient(self, x1: Array) -> Array:
        """(n, 3) [N]."""
        return self.smooth_part(x1) + self.curved_part(x1)

    def _by_rules(self, x1: Array, groups: list[tuple[Potential, Rule]]) -> Array:
        total = np.zeros_like(x1)
        for potential, rule in groups:
            nodes, weights = np.asarray(rule.nodes)[:, None, None], np.asarray(rule.weights)
            points = (1.0 - nodes) * self._x0 + nodes * x1
            total += potential.weighted_gradient(Samples(points, weights, weights, weights))
        return total


def discrete_gradient(potential: Potential, x0: Array, x1: Array) -> Array:
    """(n, 3) sum of the discrete gradients of curved terms: times x1 - x0 it is the change of their energy [N]."""
    total = np.zeros_like(x1)
    for term in potential.terms:
        if len(term.elements):
            total += sum_at_vertices(term.elements, term.element_mean_gradients(x0, x1), len(x1))
        if isinstance(term, ChangingCouplings):
            for corners, gradients in term.coupling_means(x0, x1):
                total += sum_at_vertices(corners, gradients, len(x1))
    return total


def _with_rule(potential: Potential, rule: Rule) -> Potential:
    return potential.only(lambda t: isinstance(t, OwnRule) and t.rule == rule)


def _is_closed(term: EnergyTerm, exact: bool) -> bool:
    """Whether the mean of a term has a closed form, exact or approximate."""
    return isinstance(term, AveragedOverSteps) and not isinstance(term, OwnRule) and term.turns_nothing == exact


def _averaged(closed: Potential, x0: Array) -> Potential:
    """The means as functions of x1."""
    if not closed.terms:
        return closed
    return closed.replaced([t.averaged(x0) for t in closed.terms if isinstance(t, AveragedOverSteps)])
