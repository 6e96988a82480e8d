"""The second way of a budget: hold what was lost, and give it back as the speed at which a body leaves what it bounced off.

A body in flight keeps its momentum, so that energy which damping took there can return as height only while something pushes.
Per body, with J the sum of the normal impulses of a push, V the velocity of the centre of mass, u = V . J/|J|:

    held    += what steps lost, by dissipation, collision and integration, times the shares of the budget
    release  where compression has ended (u > 0): V += s J/m with  sum |J|^2/(2 m) s^2 + sum V . J s = held

Sums go over bodies that touch each other: each gets s J, so that their impulses on each other stay equal and opposite, and
only scenery changes their momentum as a whole. The motion is a translation: spin and deformation stay as they are. Where no
scenery takes part, the torque of these impulses is taken off as well (a rotation of the centres of mass about their own): two
bodies part along the line that joins their centres.

The release is spread over the decompression: u rises to (1 - sqrt(S/S0))^1.5 of the speed that it would have with all that is
held and stored, S the elastic energy and S0 the largest of the push, so that a body is as far with its speed as with its
shape. What is left when the push ends, or after a few times as long as it compressed, is released at once. A body that
slides off (u <= 0) keeps what it holds for the next push.
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
"""Part of the kinetic energy below which nothing is released."""
PATIENCE = 3.0
"""Times as long as the compression after which a body that stays where it is gets all that it holds."""
LATE = 1.5
"""Power by which the speed follows the recovered shape. Bodies that are fast before they are round leave with strain, which
flight then dissipates: of 1, 1.5, 2 and 3 this is the one with which all damped balls of the docs reach 0.97 of their height."""


@dataclass(frozen=True)
class Rebound:
    """What is held, and how far the push of each part has come."""

    held: Array
    """(p,) energy to be given back, below zero: to be taken [J]."""
    push: Array
    """(p, 3) sum of the normal impulses since the push began, zero in flight [N s]."""
    squeezed: Array
    """(p,) how long the push compressed [s]."""
    opened: Array
    """(p,) for how long it has been released, 0 while it compresses [s]."""
    partner: Ints
    """(p,) a part with which each part shares its push, itself if none."""
    strained: Array
    """(p,) largest elastic energy of the push [J]."""
    stored: Array
    """(p, 2) potential energies at the end of the last step, all of them and the elastic ones [J]."""

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
        """With what groups of parts lost in a step (g,) [J], shared by their free parts according to mass."""
        weight = np.where(parts.free, parts.mass, 0.0)
        whole = pushes.summed(weight)[pushes.group]
        share = np.divide(weight, whole, out=np.zeros_like(weight), where=whole > 0.0)
        return replace(self, held=self.held + share * lost[pushes.group])

    def released(
        self, parts: Parts, pushes: Pushes, centres: Array, velocities: Array, h: float
    ) -> tuple[Array, Rebound]:
        """(p, 3) changes of the velocities of parts at the end of a step of h, and what is held after it."""
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
        """(k, 3) changes of the velocities by the impulses of the push."""
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
        """Release what a group holds, as far as its push has come; changes the arrays of this object, which are its own."""
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
        """What of the energy held is to be released by now, with this much along the push already [J]."""
        stored, most = float(self.stored[own, 1].sum()), float(self.strained[own].sum())
        recovered = 1.0 - math.sqrt(min(max(stored / most, 0.0), 1.0)) if most > 0.0 else 1.0
        goal = recovered ** (2.0 * LATE) * (kinetic + held + stored)
        return min(max(goal - kinetic, 0.0), max(held, 0.0))

    def _compress(self, own: Ints, pushes: Pushes, lasts: bool, h: float) -> None:
        if not lasts:
            self._end(own)
            return
        if self.opened[own].any():  # it comes down again without having left: another push
            self._end(own)
            self.push[own], self.partner[own] = pushes.impulse[own], own[0]
        self.squeezed[own] = self.squeezed[own].max() + h

    def _end(self, own: Ints) -> None:
        self.push[own], self.partner[own] = 0.0, own
        self.squeezed[own] = self.opened[own] = self.strained[own] = 0.0


def _less(held: Array, mass: Array, spent: float) -> Array:
    """What parts of a group hold after some of it was spent: the same part of each, or by mass where their sum is small."""
    total = float(held.sum())
    if math.isclose(total, spent, rel_tol=1e-15):
        return np.zeros_like(held)
    if abs(spent) < abs(total):
        return held * (1.0 - spent / total)
    return held - spent * mass / mass.sum()
