"""A minimisation posed by an integrator, and its objective as functions of x.

    Phi(x) = 1/2 |x - target|_M^2 + sum_q (s_q/c_q) V(b_q + c_q x) + sum_p (w_p/r_p) D(d_p + r_p x)

Position samples (s, c, b) evaluate the potential, velocity samples (w, r, d) the dissipation. They are separate lists:
a rule with a node at the old position has position weights that do not add up to the weight of a force.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from supple.dynamics.contact.carrying import carried
from supple.dynamics.linear.outer_products import OuterProducts, outer_products
from supple.dynamics.potential import Potential
from supple.dynamics.reactions import Reactions
from supple.dynamics.system import System
from supple.energies.roles.matrix_free import LinearMap
from supple.energies.samples import Samples
from supple.linalg.fields import affine, inertia, lay_diagonal
from supple.linalg.reduce import add_masked, largest, same
from supple.types import Array, Ints

FEW = 4
"""Samples of the evaluation that counts as one unit of work."""


@dataclass(frozen=True)
class Sample:
    """Evaluation at `offset + scale * x`; `weight` is the weight of the force there."""

    weight: float
    scale: float = 1.0
    offset: Array | None = None


@dataclass(frozen=True)
class EnergyStop:
    """A conserving step has the energy error `factor` (x - x0) . residual, which must fall below `bound` [J]."""

    x0: Array
    factor: float
    bound: float


@dataclass(frozen=True)
class ModalEqualities:
    """X^T M x = values: x may move only in the complement of some modes."""

    vectors: Array
    """(s, n, 3) M-orthonormal, zero on prescribed vertices."""
    values: Array
    """(s,)"""


@dataclass(frozen=True)
class Stage:
    """One minimisation. Prescribed vertices are at their scripted positions at `time`.

    `origin` is a configuration where the energy is finite (the step's old positions); the search starts at `start`, or
    between the two if the energy is not finite there.
    """

    time: float
    target: Array
    positions: tuple[Sample, ...]
    origin: Array
    start: Array
    velocities: tuple[Sample, ...] = ()
    energy_stop: EnergyStop | None = None
    may_start_at_origin: bool = True
    """Start at `start` or `origin`, whichever has the lower energy; otherwise at `start` as long as its energy is finite."""
    inertia: float = 1.0
    """Weight of the inertia term; 0 makes the stage quasi-static."""
    equalities: ModalEqualities | None = None
    parts: tuple[tuple[Potential, tuple[Sample, ...]], ...] | None = None
    """Potentials with separate position samples, instead of `positions` of the system's whole potential: a rule
    belongs to a group of terms (AVF uses different rules for contact and elasticity)."""
    reactions: Reactions | None = None
    """Forces of the system's constraints, which then hold at the result."""
    rough: float | None = None
    """Sufficient relative gradient, for a stage whose result is only the initial guess of another solve."""
    tolerance: float | None = None
    """Euclidean norm of the gradient at which the solve stops; None: the solver's own tolerance."""

    @classmethod
    def at_end(
        cls, time: float, X: Array, V: Array, k: float, origin: Array, start: Array, reactions: Reactions | None = None
    ) -> Stage:
        """All forces at the end: x = argmin 1/2 |x - (X + k V)|_M^2 + k^2 V(x) + k^3 D((x - X)/k), with velocity (x - X)/k."""
        dampers = (Sample(k * k, 1 / k, -X / k),)
        return cls(time, X + k * V, (Sample(k * k),), origin, start, dampers, reactions=reactions)

    @property
    def forwards(self) -> bool:
        """Whether energies and dissipation keep their sign; backwards in time, dampers drive the motion."""
        parts = ((None, self.positions),) if self.parts is None else self.parts
        samples = (*(s for _, own in parts for s in own), *self.velocities)
        return all(s.weight * s.scale >= 0.0 for s in samples)


@dataclass(frozen=True)
class Evaluation:
    """The objective at one x. `gradient` (n, 3) is zero on prescribed vertices and has no component along the equalities."""

    value: float
    magnitude: float
    """Sum of the absolute parts of the value: the reference for its round-off."""
    gradient: Array
    scale: float
    """Largest entry of any part of the gradient."""

    @cached_property
    def size(self) -> float:
        """Largest entry of the gradient."""
        return largest(self.gradient)


class StageObjective:
    """Phi, its gradient and its Hessian for one stage of one system."""

    def __init__(self, system: System, stage: Stage) -> None:
        self.system = system
        self.stage = stage
        self._mass = stage.inertia * system.mass[:, None]
        self._free = system.free_mask
        self._sampled_at: tuple[Array, list[tuple[Potential, Samples]]] | None = None
        self._normals: Array | None = None
        if stage.equalities is not None:
            self._normals = system.mass[:, None] * stage.equalities.vectors

    @property
    def normals(self) -> Array | None:
        """(s, N) gradients of the equalities over the scalar unknowns, or None without equalities."""
        if self._normals is None:
            return None
        return self._normals[:, self.system.free].reshape(len(self._normals), 3 * len(self.system.free))

    @cached_property
    def effort(self) -> int:
        """Work of an evaluation, in evaluations of a few samples each: quadrature rules of high order take longer."""
        return -(-max((len(samples) for _, samples in self._parts), default=1) // FEW)

    def place(self, x: Array) -> Array:
        """The nearest x with prescribed vertices at their positions that satisfies the equalities."""
        x = self.system.motion.place(x, self.stage.time)
        if self.stage.equalities is None or self._normals is None:
            return x
        missing = self.stage.equalities.values - np.tensordot(self._normals, x, axes=2)
        return x + np.tensordot(missing, self.stage.equalities.vectors, axes=1)

    def origin(self) -> Array:
        """The stage's origin with prescribed vertices at their positions, and with bodies in their path moved along."""
        return carried(self.system, self.stage.origin, self.place(self.stage.origin))

    def evaluate(self, x: Array) -> Evaluation:
        """Value, gradient and the magnitude of the largest force in it."""
        gradient = np.empty(x.shape)
        value, scale = inertia(x, self.stage.target, self._mass, self._free, gradient)
        magnitude = value
        for potential, samples in self._sampled(x):
            for _, part, forces in potential.contributions(samples):
                value += part
                magnitude += abs(part)
                scale = max(scale, add_masked(forces, self._free, gradient))
        if self.stage.equalities is not None and self._normals is not None:
            along = np.tensordot(self.stage.equalities.vectors, gradient, axes=2)
            gradient -= np.tensordot(along, self._normals, axes=1)
        return Evaluation(value, magnitude, gradient, scale)

    def hessian(self, x: Array, values: Array, project: bool = False) -> None:
        """Fill the entries of the upper triangle."""
        pattern = self.system.pattern
        lay_diagonal(values, pattern.diagonal, self.stage.inertia, self.system.unknown_mass)
        for potential, samples in self._sampled(x):
            potential.add_hessian(samples, values, project)

    @property
    def grows(self) -> bool:
        """Whether the Hessian has blocks outside the system's pattern."""
        moving = bool(self.stage.velocities) and bool(self.system.dissipation.frozen.roles.couplings)
        return bool(self.system.potential.roles.couplings) or moving

    def coupling_blocks(self, x: Array, project: bool = False, safe: bool = False) -> list[tuple[Ints, Array]]:
        """Those blocks: unknown indices and matrices, one pair of arrays for each number of corners; `safe`: see
        `Potential.coupling_blocks`."""
        found: dict[int, list[tuple[Ints, Array]]] = {}
        for potential, samples in self._sampled(x):
            for elements, matrices in potential.coupling_blocks(samples, project, safe):
                found.setdefault(elements.shape[1], []).append((elements, matrices))
        return [(np.concatenate([e for e, _ in same]), np.concatenate([m for _, m in same])) for same in found.values()]

    def outer_products(self, x: Array) -> OuterProducts | None:
        """Low-rank part of the Hessian in addition to the blocks, over the scalar unknowns; None if there is none."""
        if not any(potential.roles.whole_body for potential, _ in self._parts):
            return None
        found = [p for potential, samples in self._sampled(x) for p in potential.outer_products(samples)]
        return outer_products(found, self.system) if found else None

    def linear_maps(self, x: Array) -> list[LinearMap] | None:
        """The Hessian without inertia as matrix-vector products; None if not available."""
        found = [potential.linear_maps(samples) for potential, samples in self._sampled(x)]
        known = [maps for maps in found if maps is not None]
        return [part for maps in known for part in maps] if len(known) == len(found) else None

    def max_step(self, x: Array, p: Array) -> float:
        """Largest multiple of p by which x may move."""
        return self.system.potential.max_step(x, p)

    def clipped(self, x: Array, p: Array) -> Array:
        """The displacement p with vertices stopped individually before they pass through something."""
        return self.system.potential.clipped(x, p)

    def groups(self, x: Array) -> Ints | None:
        """(n,) indices of groups of vertices that do not interact at x; None if there is only one."""
        return self.system.potential.groups(x)

    def _sampled(self, x: Array) -> list[tuple[Potential, Samples]]:
        """Each potential with its samples; cached for the last x, since a solver evaluates the Hessian where it has
        just evaluated the gradient."""
        if self._sampled_at is None or not same(self._sampled_at[0], x):
            self._sampled_at = x.copy(), [(potential, _samples(samples, x)) for potential, samples in self._parts]
        return self._sampled_at[1]

    @cached_property
    def _parts(self) -> list[tuple[Potential, tuple[Sample, ...]]]:
        """Potentials that have terms, with their samples."""
        stage, system = self.stage, self.system
        positions = ((system.potential, stage.positions),) if stage.parts is None else stage.parts
        velocities = (
            ((system.dissipation.frozen, stage.velocities),) if stage.velocities and system.dissipation.terms else ()
        )
        return [(potential, samples) for potential, samples in (*positions, *velocities) if samples and potential.terms]


def _samples(samples: tuple[Sample, ...], x: Array) -> Samples:
    points = np.empty((len(samples), *x.shape))
    for point, sample in zip(points, samples, strict=True):
        if sample.offset is None:
            np.multiply(x, sample.scale, out=point)
        else:
            affine(x, sample.scale, sample.offset, point)
    energy, force, curvature = _weights(tuple([(s.weight, s.scale) for s in samples]))
    return Samples(points, energy, force, curvature)


@lru_cache(maxsize=64)
def _weights(samples: tuple[tuple[float, float], ...]) -> tuple[Array, Array, Array]:
    """Weights of energies, forces and curvatures, from weights and scales."""
    weight, scale = np.array(samples).T.copy()
    return weight / scale, weight, weight * scale
