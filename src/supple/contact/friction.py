"""Smooth Coulomb friction (Li et al. 2020; Ascher, Larionov, Sheen and Pai 2021) as a dissipation potential of velocities.

    D(v) = sum over contacts of mu lambda f0(|u|),  u = (I - n n^T) sum_a c_a v_a
    f0(y) = y^2/e - y^3/(3 e^2) for y < e, else y - e/3;   s = f0' = 2 y/e - (y/e)^2, else 1;   e: creep speed
Pressing forces lambda and normals n are those of one configuration of the step: its start, or the middle that an earlier
solve of the same step found. D is convex, so that friction takes energy from the motion that it looks at, always.
Below e it does not hold: a body on a slope creeps with e (1 - sqrt(1 - tan(slope)/mu)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np

from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm, Placement
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.linalg.square import sum_at_vertices
from supple.types import Array, Ints


class Pressing(Protocol):
    """A contact term that knows how hard its contacts press."""

    def touches(self, x: Array) -> Sequence[Touch]: ...


class Friction(EnergyTerm):
    """Friction of all contacts of one term; frozen in a step, and there again when the step has been found."""

    loose: ClassVar[bool] = True
    frozen_in_steps: ClassVar[bool] = True
    lagged: ClassVar[bool] = True

    def __init__(self, contact: Pressing, mu: Array, creep: float) -> None:
        """mu (n,): coefficient of each vertex, that of a contact is the mean of its two sides; creep: e [m/s]."""
        self.mu = np.ascontiguousarray(mu, dtype=np.float64)
        if not (np.isfinite(self.mu) & (self.mu >= 0.0)).all():
            raise SuppleError("friction: coefficients must be finite and not negative")
        if not 0.0 < creep < np.inf:
            raise SuppleError(f"friction: the creep speed must be positive, found {creep:g} m/s")
        self._contact, self._creep = contact, creep
        self.elements = np.zeros((0, 1), dtype=np.int32)

    def freeze(self, instant: Instant) -> EnergyTerm:
        place = instant.place if instant.found else instant.x0
        touches = [touch for touch in self._contact.touches(place) if len(touch.corners)]
        return FrozenFriction([(touch, self._strength(touch)) for touch in touches], self._creep)

    def _strength(self, touch: Touch) -> Array:
        """mu lambda of each contact."""
        mu, c = self.mu[touch.corners], touch.coefficients
        sides = [np.where(c > 0.0, c, 0.0), np.where(c < 0.0, -c, 0.0)]
        shares = [side.sum(axis=1) for side in sides]
        both = np.stack([np.einsum("ma,ma->m", side, mu) for side in sides])
        return np.asarray(touch.force * both.sum(axis=0) / np.maximum(sum(shares), 1e-300))


class FrozenFriction(EnergyTerm):
    """D of velocities for given contacts and mu lambda [N]."""

    loose: ClassVar[bool] = True

    def __init__(self, touches: Sequence[tuple[Touch, Array]], creep: float) -> None:
        self._touches, self._creep = touches, creep
        self.elements = np.zeros((0, 1), dtype=np.int32)

    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        total = 0.0
        for v, energy, force in zip(samples.x, samples.energy, samples.force, strict=True):
            for touch, strength in self._touches:
                u, y = self._sliding(touch, v)
                total += energy * float(strength @ self._law(y)[0])
                pull = (force * strength * self._law(y)[1])[:, None] * u
                gradient += sum_at_vertices(touch.corners, touch.coefficients[:, :, None] * pull[:, None, :], len(v))
        return total

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        """Its blocks are loose."""

    def loose_blocks(self, samples: Samples, project: bool) -> Sequence[tuple[Ints, Array]]:
        blocks = []
        for v, curvature in zip(samples.x, samples.curvature, strict=True):
            for touch, strength in self._touches:
                u, y = self._sliding(touch, v)
                _, ratio, along = self._law(y)
                t = u / np.maximum(y, 1e-300)[:, None]
                plane = np.eye(3) - touch.normal[:, :, None] * touch.normal[:, None, :]
                inner = ratio[:, None, None] * plane + (along - ratio)[:, None, None] * t[:, :, None] * t[:, None, :]
                c = touch.coefficients
                whole = np.einsum("m,ma,mb,mij->maibj", curvature * strength, c, c, inner)
                blocks.append((touch.corners, whole.reshape(len(c), 3 * c.shape[1], 3 * c.shape[1])))
        return blocks

    def _sliding(self, touch: Touch, v: Array) -> tuple[Array, Array]:
        """u (m, 3) and |u|."""
        moving = np.einsum("ma,mai->mi", touch.coefficients, v[touch.corners])
        u = moving - np.einsum("mi,mi->m", moving, touch.normal)[:, None] * touch.normal
        return u, np.linalg.norm(u, axis=1)

    def _law(self, y: Array) -> tuple[Array, Array, Array]:
        """f0, s/y and s' at speeds y."""
        e = self._creep
        creeping = y < e
        safe = np.where(creeping, 1.0, y)
        f0 = np.where(creeping, y**2 / e - y**3 / (3.0 * e**2), y - e / 3.0)
        ratio = np.where(creeping, 2.0 / e - y / e**2, 1.0 / safe)
        return f0, ratio, np.where(creeping, 2.0 / e - 2.0 * y / e**2, 0.0)
