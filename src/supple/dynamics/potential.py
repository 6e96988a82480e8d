"""A sum of energy terms, assembled: value and gradient as arrays over vertices, Hessian in the system's fixed pattern."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from supple.dynamics.roles import sorted_by_role
from supple.energies.drive import at_time, in_step
from supple.energies.instant import Instant
from supple.energies.roles.frozen import frozen
from supple.energies.roles.matrix_free import LinearMap, MatrixFree
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import split_elements
from supple.linalg.pattern import SymmetricPattern
from supple.linalg.reduce import dot
from supple.linalg.scatter import add_rows
from supple.types import Array, Ints


class Potential:
    """V(x) of positions, or a dissipation potential D(v) of velocities."""

    def __init__(self, terms: Sequence[EnergyTerm], pattern: SymmetricPattern, unknowns: Ints, owner: Ints) -> None:
        self.terms = tuple(terms)
        self.roles = sorted_by_role(self.terms)
        self._unknowns = unknowns
        self._kept: dict[str, Potential] = {}
        self._places = [
            Placement(split_elements(term.elements, owner), unknowns, pattern, term.elements) for term in self.terms
        ]

    def replaced(self, terms: Sequence[EnergyTerm]) -> Potential:
        """The sum of other terms over the same elements, one for each of these."""
        other = copy.copy(self)
        other.terms, other._kept = tuple(terms), {}
        other.roles = sorted_by_role(other.terms)
        return other

    @property
    def changes(self) -> bool:
        """Whether any term changes from step to step."""
        return bool(self.roles.frozen or self.roles.timed)

    def during(self, instant: Instant) -> Potential:
        """The same, fixed for one step."""
        if not self.changes:
            return self
        return self.replaced([frozen(in_step(term, instant), instant) for term in self.terms])

    def timed(self, instant: Instant) -> Potential:
        """The same with time-dependent parameters fixed for one step."""
        return self.replaced([in_step(term, instant) for term in self.terms]) if self.roles.timed else self

    def at(self, t: float) -> Potential:
        """The same with time-dependent parameters at a time [s]."""
        return self.replaced([at_time(term, t) for term in self.terms]) if self.roles.timed else self

    @property
    def degree(self) -> int | None:
        """Largest degree of the terms along a straight line; None if one is not a polynomial."""
        degrees = [term.degree for term in self.terms]
        return None if None in degrees else max((d for d in degrees if d is not None), default=0)

    def contributions(self, samples: Samples) -> Iterator[tuple[EnergyTerm, float, Array]]:
        """Weighted value and (n, 3) gradient of each term over all samples."""
        for term, place in zip(self.terms, self._places, strict=True):
            gradient = np.zeros(samples.x.shape[1:])
            yield term, term.add_value_gradient(samples, place.parts, gradient), gradient

    def weighted_gradient(self, samples: Samples) -> Array:
        """Gradient summed over samples with their force weights."""
        total = np.zeros(samples.x.shape[1:])
        for _, _, gradient in self.contributions(samples):
            total += gradient
        return total

    def mean_gradients(self, x0: Array, x1: Array) -> Iterator[Array]:
        """(n, 3) discrete gradient of each term over a step, without couplings that change with the configuration."""
        for term, place in zip(self.terms, self._places, strict=True):
            if term not in self.roles.couplings:
                gradient = np.zeros_like(x1)
                term.add_mean_gradient(x0, x1, place.parts, gradient)
                yield gradient

    def add_mean_jacobian(self, x0: Array, x1: Array, values: Array) -> None:
        """Add the derivative of `mean_gradients` with respect to x1 to entries of the square pattern."""
        for term, place in zip(self.terms, self._places, strict=True):
            if (term.degree is None or term.degree > 1) and term not in self.roles.couplings:
                term.add_mean_jacobian(x0, x1, place, values)

    def add_hessian(self, samples: Samples, values: Array, project: bool = False) -> None:
        """Add the weighted Hessian to the entries of the upper triangle."""
        for term, place in zip(self.terms, self._places, strict=True):
            term.add_hessian(samples, place, values, project)

    def product(self, samples: Samples, move: Array) -> Array:
        """(n, 3) sum_q curvature_q V''(x_q) move at all vertices, including prescribed ones: the true second
        derivative, never projected."""
        out = np.zeros_like(move)
        for term, place in zip(self.terms, self._places, strict=True):
            term.add_product(samples, place.parts, move, out)
        for couplings in self.roles.couplings:
            for corners, matrices in couplings.coupling_blocks(samples, project=False):
                moves = np.einsum("mij,mj->mi", matrices, move[corners].reshape(len(corners), -1))
                add_rows(corners.ravel(), moves.reshape(-1, 3), out)
        for weight, field in self.outer_products(samples):
            out += (weight * dot(field, move)) * field
        return out

    def coupling_blocks(self, samples: Samples, project: bool, safe: bool = False) -> list[tuple[Ints, Array]]:
        """Unknown indices (-1: prescribed) and weighted Hessians of couplings that change with the configuration;
        `safe`: for long steps (`ChangingCouplings.safe_coupling_blocks`)."""
        blocks = [t.safe_coupling_blocks if safe else t.coupling_blocks for t in self.roles.couplings]
        found = [pair for ask in blocks for pair in ask(samples, project)]
        return [(self._unknowns[elements], matrices) for elements, matrices in found if len(elements)]

    def outer_products(self, samples: Samples) -> list[tuple[float, Array]]:
        """w and a (n, 3) for each part w a a^T of the weighted Hessian of terms that couple all vertices."""
        return [product for term in self.roles.whole_body for product in term.outer_products(samples)]

    def linear_maps(self, samples: Samples) -> list[LinearMap] | None:
        """Parts of the weighted Hessian available as matrix-vector products; None if a term has no such part."""
        terms = [term for term in self.terms if isinstance(term, MatrixFree)]
        if len(terms) < len(self.terms):
            return None
        maps = [term.linear_map(samples) for term in terms]
        return [part for part in maps if part is not None]

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move, for all terms."""
        return min((term.max_step(x, p) for term in self.roles.barriers), default=math.inf)

    def clipped(self, x: Array, p: Array) -> Array:
        """The displacement p with vertices stopped individually before they pass through something."""
        for term in self.roles.barriers:
            p = term.clipped(x, p)
        return p

    def groups(self, x: Array) -> Ints | None:
        """(n,) indices of groups of bodies that do not interact at x, from the first term that provides them; None if
        there is only one group."""
        found = (term.groups(x) for term in self.roles.barriers)
        return next((group for group in found if group is not None), None)

    def passes(self, x0: Array, x1: Array) -> bool:
        """Whether the straight path from x0 to x1 passes through something, for any term."""
        return any(term.passes(x0, x1) for term in self.roles.barriers)

    def only(self, chosen: Callable[[EnergyTerm], bool]) -> Potential:
        """The sum of some of the terms."""
        other = copy.copy(self)
        kept = [(t, p) for t, p in zip(self.terms, self._places, strict=True) if chosen(t)]
        other.terms, other._places = tuple(t for t, _ in kept), [p for _, p in kept]
        other.roles, other._kept = sorted_by_role(other.terms), {}
        return other

    def part(self, name: str, chosen: Callable[[EnergyTerm], bool]) -> Potential:
        """`only` for subsets used in every step: created once and cached by name."""
        if name not in self._kept:
            self._kept[name] = self.only(chosen)
        return self._kept[name]

    def gradient(self, x: Array) -> Array:
        return self.weighted_gradient(one_sample(x))

    def by_group(self, x: Array) -> dict[str, float]:
        """Energy of each ledger column."""
        sums = {"elastic": 0.0, "gravity": 0.0, "other": 0.0}
        for term, value, _ in self.contributions(one_sample(x)):
            sums[term.group] += value
        return sums
