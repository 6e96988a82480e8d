"""The rebound mode of a budget: store lost energy and return it as rebound speed.

A body in flight conserves its momentum, so energy dissipated there can return as height only during contact. Per
body, with J the sum of the normal impulses of a push, V the velocity of the centre of mass, u = V . J/|J|:

    held    += energy lost in steps by dissipation, collision and integration, times the fractions of the budget
    release  after compression has ended (u > 0): V += s J/m with  sum |J|^2/(2 m) s^2 + sum V . J s = held

Sums run over bodies in contact with each other: each gets s J, so their mutual impulses stay equal and opposite, and
only scenery changes their total momentum. The motion is a translation: spin and deformation are unchanged. Without
scenery, the torque of these impulses is removed as well (a rotation of the centres of mass about their common
centre). Two bodies thus separate along the line between their centres.

The release is spread over the decompression: u rises to (1 - sqrt(S/S0))^1.5 of the speed corresponding to all held
and elastic energy, with S the elastic energy and S0 its maximum in the push. Speed and shape thus recover together.
The remainder is released at once when the push ends, or after a multiple of the compression time. A body that slides
off (u <= 0) keeps its energy for the next push.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from supple.budget.parts import Parts
from supple.budget.pushes import Pushes
from supple.budget.quadratic import stride
from supple.budget.rigid import THIN
from supple.dynamics.step import Memory
from supple.types import Array, Ints

SMALL = 1e-12
"""Fraction of the kinetic energy below which nothing is released."""
PATIENCE = 3.0
"""Multiple of the compression time after which a body still in contact releases all its held energy."""
LATE = 1.5
"""Exponent that relates the speed to the recovered shape. Bodies that gain speed before they regain their shape leave
with strain, which is then dissipated in flight. Of 1, 1.5, 2 and 3, this is the only value with which all damped
balls of the docs reach 0.97 of their height."""


@dataclass(frozen=True)
class Rebound:
    """Held energy, and the progress of the push of each part."""

    held: Array
    """(p,) energy to return, negative: to remove [J]."""
    push: Array
    """(p, 3) sum of the normal impulses since the start of the push, zero in flight [N s]."""
    squeezed: Array
    """(p,) duration of compression in the push [s]."""
    opened: Array
    """(p,) duration of the release so far, 0 during compression [s]."""
    partner: Ints
    """(p,) a part that shares the push of each part, itself if none."""
    strained: Array
    """(p,) largest elastic energy of the push [J]."""
    stored: Array
    """(p, 2) potential energies at the end of the last step: total and elastic [J]."""

    @classmethod
    def begin(cls, stored: Array) -> Rebound:
        held, squeezed, opened, strained = np.zeros((4, len(stored)))
        alone = np.arange(len(stored), dtype=np.int32)
        return cls(held, np.zeros((len(stored), 3)), squeezed, opened, alone, strained, stored)

    @classmethod
    def of(cls, memory: Memory) -> Rebound:
        own: dict[str, Any] = {name: memory[f"rebound.{name}"] for name in cls.__dataclass_fields__}
        return cls(**own)

    @property
    def memory(self) -> Memory:
        return {f"rebound.{name}": getattr(self, name) for name in self.__dataclass_fields__}

    def holding(self, parts: Parts, pushes: Pushes, lost: Array) -> Rebound:
        """With the energy lost by groups in a step (g,) [J], distributed to their free parts by mass."""
        weight = np.where(parts.free, parts.mass, 0.0)
        whole = pushes.summed(weight)[pushes.group]
        share = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0.0)
        return replace(self, held=self.held + share * lost[pushes.group])

    def released(
        self, parts: Parts, pushes: Pushes, centres: Array, velocities: Array, h: float
    ) -> tuple[Array, Rebound]:
        """(p, 3) velocity changes of parts at the end of a step of h, and the held energy after it."""
        push = np.where(parts.free[:, None], self.push + pushes.impulse, 0.0)
        out = np.zeros_like(push)
        strained = np.where(push.any(axis=1), np.maximum(self.strained, self.stored[:, 1]), 0.0)
        copies = {name: getattr(self, name).copy() for name in ("held", "squeezed", "opened", "partner")}
        after = replace(self, push=push, strained=strained, **copies)
        for number in range(pushes.groups):
            own = np.flatnonzero((pushes.group == number) & parts.free).astype(np.int32)
            if push[own].any():
                way = after._way(own, parts.mass[own], pushes, centres[own])
                after._release(own, parts.mass[own], pushes, way, velocities[own], h, out)
        return out, after

    def _way(self, own: Ints, mass: Array, pushes: Pushes, centres: Array) -> Array:
        """(k, 3) velocity changes due to the impulses of the push."""
        way = self.push[own] / mass[:, None]
        if len(own) == 1 or pushes.grounded[own].any():
            return way
        r = centres - (mass[:, None] * centres).sum(axis=0) / mass.sum()
        moment = np.einsum("p,pi,pj->ij", mass, r, r)
        inertia = np.trace(moment) * np.eye(3) - moment
        spin = np.linalg.pinv(inertia, rcond=THIN, hermitian=True) @ np.cross(r, mass[:, None] * way).sum(axis=0)
        return way - np.cross(spin, r)

    def _release(
        self, own: Ints, mass: Array, pushes: Pushes, way: Array, velocities: Array, h: float, out: Array
    ) -> None:
        """Release the held energy of a group in step with its push; modifies the arrays of this object, which are not shared."""
        lasts = bool(pushes.lasts[own].all())
        self.partner[own] = own[0]
        leaving = float(np.einsum("p,pi,pi->", mass, velocities, way))
        Q = float(np.einsum("p,pi,pi->", mass, way, way))
        if leaving <= 0.0:
            self._compress(own, pushes, lasts, h)
            return
        held = float(self.held[own].sum())
        self.opened[own] = self.opened[own].max() + h
        waiting = lasts and self.opened[own].max() < PATIENCE * self.squeezed[own].max()
        s = stride(leaving, Q, -(self._due(own, 0.5 * leaving * leaving / Q, held) if waiting else held))
        spent = s * (leaving + 0.5 * Q * s)
        if abs(spent) > SMALL * leaving * leaving / Q:
            out[own] = s * way
            self.held[own] = _less(self.held[own], mass, spent)
        if not lasts:
            self._end(own)

    def _due(self, own: Ints, kinetic: float, held: float) -> float:
        """Part of the held energy due for release, given the energy already along the push [J]."""
        stored, most = float(self.stored[own, 1].sum()), float(self.strained[own].sum())
        recovered = 1.0 - math.sqrt(min(max(stored / most, 0.0), 1.0)) if most > 0.0 else 1.0
        goal = recovered ** (2.0 * LATE) * (kinetic + held + stored)
        return min(max(goal - kinetic, 0.0), max(held, 0.0))

    def _compress(self, own: Ints, pushes: Pushes, lasts: bool, h: float) -> None:
        if not lasts:
            self._end(own)
            return
        if self.opened[own].any():  # it compresses again without having left: a new push
            self._end(own)
            self.push[own], self.partner[own] = pushes.impulse[own], own[0]
        self.squeezed[own] = self.squeezed[own].max() + h

    def _end(self, own: Ints) -> None:
        self.push[own], self.partner[own] = 0.0, own
        self.squeezed[own] = self.opened[own] = self.strained[own] = 0.0


def _less(held: Array, mass: Array, spent: float) -> Array:
    """Held energy of the parts of a group after some was spent: reduced in proportion, or by mass if the sum is small."""
    total = float(held.sum())
    if math.isclose(total, spent, rel_tol=1e-15):
        return np.zeros_like(held)
    if abs(spent) < abs(total):
        return held * (1.0 - spent / total)
    return held - spent * mass / mass.sum()
