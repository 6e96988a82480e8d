"""Smooth Coulomb friction (Li et al. 2020; Ascher, Larionov, Sheen and Pai 2021) as a dissipation potential of velocities.

    D(v) = sum over contacts of mu lambda f0(|u|),  u = (I - n n^T) sum_a c_a v_a
    f0(y) = y^2/e - y^3/(3 e^2) for y < e, else y - e/3;   s = f0' = 2 y/e - (y/e)^2, else 1;   e: creep speed
Normal forces lambda and normals n are taken at the start of the step or, once a solution of the step is known, as means
over it. The friction impulse on sliding contacts is then mu times the contact impulse, also where vertices rattle. (The
force in the middle of the step is smaller than the mean, since the barrier is convex, and bodies would slide too far.)

D is convex, so friction always dissipates energy of the motion it is evaluated on. If it is evaluated at the mean
velocity of a step, a body that has stopped keeps vibrating. Contacts that friction can stop within the step, |u0| <=
max(e, h mu lambda sum_a c_a^2/m_a), may use the end velocity instead,
    u = (I - n n^T) sum_a c_a (2 v_a - v0_a),  D = mu lambda f0(|u|)/2
which stops them immediately, but may add a little energy where normal forces oscillate. Below e there is no stiction: a
body on a slope creeps with e (1 - sqrt(1 - tan(slope)/mu)).

Newton's method. The second derivative s' is 0 along the slip beyond e, and a step with it overshoots the kink at rest.
So the direction of friction is a second unknown w (Chan, Golub and Mulet 1999 for images): linearising w y/s = u gives
    D'' ~ mu lambda [ (s/y) (I - n n^T) + ((s/y)'/s) (w u^T + u w^T)/2 ]
which is positive for |w| <= 1. With w = 0 it is the quadratic that touches D at u and majorises it, since f0 is concave
in y^2: it never overshoots, but converges slowly. As w approaches s u/y it becomes D'' itself.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from supple.contact.friction_kernels import (
    add_friction,
    end_matrices,
    endings,
    friction_hessians,
    mean_coefficients,
    predicted_pulls,
    pulls,
    slips,
    stopped_speeds,
)
from supple.energies.differences import along
from supple.energies.instant import Instant
from supple.energies.roles.contact import ContactTerm
from supple.energies.roles.couplings import ChangingCouplings
from supple.energies.roles.frozen import FrozenAgain
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.types import Array, Ints


class Friction(EnergyTerm, FrozenAgain, ChangingCouplings):
    """Friction of all contacts of one term; frozen within a step, and again at the solution of the step."""

    reach: ClassVar[float] = 1e-5
    instead: ClassVar[str] = "leave friction out of differentiated runs, or slow sliding bodies by drag"

    def __init__(self, contact: ContactTerm, mu: Array, creep: float, mass: Array | None = None) -> None:
        """mu (n,): coefficient of each vertex; a contact has the mean of its two sides; creep: e [m/s]; mass (n,):
        determines the speeds that friction can stop within a step [kg]."""
        self.mu = np.ascontiguousarray(mu, dtype=np.float64)
        if not (np.isfinite(self.mu) & (self.mu >= 0.0)).all():
            raise SuppleError("friction: coefficients must be finite and not negative")
        if not 0.0 < creep < np.inf:
            raise SuppleError(f"friction: the creep speed must be positive, found {creep:g} m/s")
        self.contact, self._creep, self._mass = contact, creep, mass
        self.elements = np.zeros((0, 1), dtype=np.int32)

    def with_coefficients(self, mu: Array) -> Self:
        """The same contacts with other coefficients (n,)."""
        other = copy.copy(self)
        other.mu = np.ascontiguousarray(mu)
        return other

    def freeze(self, instant: Instant) -> EnergyTerm:
        touches = [touch for touch in self._pressing(instant) if len(touch.corners)]
        slides = [Slide(touch, self._coefficient(touch)) for touch in touches]
        if instant.v0 is not None:
            slides = [slide.ending(instant.v0, self._stopped(slide, instant.h)) for slide in slides]
        return FrozenFriction(slides, self._creep)

    # -- derivatives with respect to the frozen state -----------------------------------------------------------------

    def pull_place(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        if instant.found:
            raise SuppleError(f"friction that follows the step: its derivatives are not available; {self.instead}")
        return np.zeros_like(lam)  # normal forces are taken at the start of the step

    def pull_start(self, instant: Instant, samples: Samples, lam: Array) -> Array:
        """By differences of the contacts of all vertices at once, since an obstacle acts on each vertex independently."""
        e, total = self.reach * float(np.ptp(instant.x0, axis=0).max()), np.zeros_like(lam)
        for axis in range(3):
            move = np.zeros(3)
            move[axis] = 1.0

            def worked(e: float, move: Array = move) -> Array:
                frozen = self.freeze(replace(instant, x0=instant.x0 + e * move))
                assert isinstance(frozen, FrozenFriction)
                return frozen.vertex_works(samples, lam)

            total[:, axis] = along(worked, e)
        return total

    def pull_frozen(self, instant: Instant, samples: Samples, lam: Array) -> dict[str, Array]:
        return {}  # coefficients are parameters of bodies and obstacles, pulled through the build

    def _pressing(self, instant: Instant) -> Sequence[Touch]:
        if not instant.found:
            return self.contact.touches(instant.x0)
        if instant.end is None:
            return self.contact.touches(instant.place)
        return self.contact.presses(instant.x0, instant.end)

    def _stopped(self, slide: Slide, h: float) -> Array:
        """(m,) speeds that friction can stop within a step [m/s]."""
        if self._mass is None:
            return np.full(len(slide.strength), self._creep)
        touch = slide.touch
        return np.asarray(stopped_speeds(self._mass, touch.corners, touch.coefficients, slide.strength, h, self._creep))

    def _coefficient(self, touch: Touch) -> Array:
        """mu of each contact."""
        return np.asarray(mean_coefficients(self.mu, touch.corners, touch.coefficients))


@dataclass(frozen=True)
class Slide:
    """Sliding velocities of contacts: u = factor * (sliding part of v) - shift."""

    touch: Touch
    mu: Array
    """(m,)"""
    factor: Array | float = 1.0
    shift: Array | float = 0.0

    @cached_property
    def strength(self) -> Array:
        """(m,) mu lambda [N]."""
        return self.mu * self.touch.force

    def ending(self, v0: Array, stopped: Array) -> Slide:
        """The same, with contacts slower than `stopped` at velocities v0 evaluated at 2 v - v0."""
        return Slide(self.touch, self.mu, *endings(v0, *self.numbers, stopped))

    @cached_property
    def numbers(self) -> tuple[Ints, Array, Array, Array, Array, Array]:
        """Kernel data of the contacts."""
        touch, m = self.touch, len(self.touch.corners)
        factor, shift = np.full(m, self.factor), np.full((m, 3), self.shift)
        return touch.corners, touch.coefficients, np.ascontiguousarray(touch.normal), self.strength, factor, shift

    def at(self, v: Array) -> tuple[Array, Array]:
        """u (m, 3) and |u|."""
        u, y = slips(v, *self.numbers)
        return u, y


class FrozenFriction(EnergyTerm, ChangingCouplings):
    """D of velocities for given contacts."""

    def __init__(self, slides: Sequence[Slide], creep: float) -> None:
        self._slides, self._creep = slides, creep
        self._numbers = [slide.numbers for slide in slides]
        self._last: list[tuple[Array, list[Array]]] = []
        self.elements = np.zeros((0, 1), dtype=np.int32)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for v, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            for numbers in self._numbers:
                total += energy * add_friction(v, *numbers, self._creep, force, gradient)
        return total

    def vertex_works(self, samples: Samples, lam: Array) -> Array:
        """(n,) sum_q force_q lam . D'(u_q) of the contacts of every vertex; only for contacts of single vertices."""
        total = np.zeros(len(lam))
        for v, force in zip(samples.x, samples.force, strict=True):
            for slide in self._slides:
                if slide.touch.corners.shape[1] != 1:
                    raise SuppleError(f"friction between bodies: its derivatives are not available; {Friction.instead}")
                vertices, pull = slide.touch.corners[:, 0], pulls(v, *slide.numbers, self._creep)
                along = np.einsum("mi,mi->m", pull, slide.touch.coefficients * lam[vertices])
                np.add.at(total, vertices, force * slide.strength * along)
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """No elements: see `coupling_blocks`."""

    def coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        return self._blocks(samples, [self._pulls(v) for v in samples.x])

    def safe_coupling_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        found = [self._followed(k, v) for k, v in enumerate(samples.x)]
        self._last = [(v.copy(), pulls) for v, pulls in zip(samples.x, found, strict=True)]
        return self._blocks(samples, found)

    def end_couplings(self, v: Array) -> Sequence[tuple[Ints, Array]]:
        found = []
        for slide in self._slides:
            slope = slide.touch.slope
            if slope is not None:
                matrices = end_matrices(v, *slide.numbers, self._creep, slide.mu, np.ascontiguousarray(slope))
                found.append((slide.touch.corners, matrices))
        return found

    def _blocks(self, samples: Samples, pulls: list[list[Array]]) -> Sequence[tuple[Ints, Array]]:
        return [
            (numbers[0], friction_hessians(v, *numbers, self._creep, curvature, w))
            for v, curvature, own in zip(samples.x, samples.curvature, pulls, strict=True)
            for numbers, w in zip(self._numbers, own, strict=True)
        ]

    def _pulls(self, v: Array) -> list[Array]:
        return [pulls(v, *numbers, self._creep) for numbers in self._numbers]

    def _followed(self, k: int, v: Array) -> list[Array]:
        """w at velocities v, the k-th sample of a stage."""
        if k >= len(self._last):
            return [np.zeros((len(numbers[0]), 3)) for numbers in self._numbers]
        v0, last = self._last[k]
        if np.array_equal(v0, v):
            return last
        return [
            predicted_pulls(v0, v, *numbers, self._creep, w) for numbers, w in zip(self._numbers, last, strict=True)
        ]
