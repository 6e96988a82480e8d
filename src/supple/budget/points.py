"""The energy budget of material points: restores transfer losses, including the affine part of the motion.

After every step:
    momentum   v += v_r(P, L) - v_r(now), C alike, for groups of clouds without contact: P, L are the old momenta plus the
               impulse of uniform fields
    ledger     R += E' - E + dissipated - external work - hardening
    energy     v = v_r + a (v - v_r),  C = C_r + a (C - C_r),  a = sqrt(1 - R/K_f),  K_f = sum m/2 (|v - v_r|^2 + D |C - C_r|^2)
v_r is the projection onto rigid motions (points/rigid.py), so a changes neither P nor L. APIC is exact for rigid
motion: its losses are always part of K_f. If K_f is small, as for a body at its turning point, a is limited and the
rest is carried over.

Limits: one ledger for the whole system; clouds that share nodes count as one body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from supple.dynamics import ledger
from supple.dynamics.invariants import kinetic_energy
from supple.dynamics.needs import Need
from supple.dynamics.state import State
from supple.dynamics.step import Facts, GridParts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.errors import StepRejected, SuppleError
from supple.integrators.method import Method
from supple.integrators.points.mpm import Mpm
from supple.integrators.points.riders import bodies
from supple.integrators.wrapper import Wrapper, inside, outside
from supple.linalg.reduce import dot
from supple.points.matter import Matter
from supple.points.nearness import groups
from supple.points.rigid import rigid, summed
from supple.types import Array, Ints

STILL = 1e-12
"""Fraction of the kinetic energy below which the non-rigid motion is too small for a correction."""


@dataclass(frozen=True)
class PointBudget(Wrapper):
    """Steps of material points with their errors in energy and momentum corrected."""

    name: ClassVar[str] = "point-budget"
    table_key: ClassVar[str] = "budget"

    of: Method = field(default_factory=Mpm)
    """The mpm that takes the steps."""
    momentum: bool = True
    """Whether the linear and angular momentum of clouds without contact is restored before the energy is corrected."""
    cap: Annotated[float, Gt(1)] = 2.0
    """Largest scaling factor of the non-rigid motion per step [-]."""

    def __post_init__(self) -> None:
        if not isinstance(self.of, Mpm):
            raise SuppleError(
                f"point-budget.of: found '{self.of.name}'; it is only for mpm: use energy-budget for other methods"
            )
        if not self.cap > 1.0:
            raise SuppleError(f"point-budget.cap: found {self.cap!r}; must be a number above 1")

    @property
    def mpm(self) -> Mpm:
        if not isinstance(self.of, Mpm):
            raise TypeError("checked on construction")
        return self.of

    @property
    def facts(self) -> Facts:
        turns = self.momentum and not self.mpm.transfer.strays  # particles that stray shift the centre of mass
        kept = ("energy", "linear momentum", "angular momentum") if turns else ("energy", "linear momentum")
        return replace(
            self.of.facts,
            damping="none: transfer losses are restored",
            choose="for lively bodies of material points",
            conserves=kept,  # type: ignore[arg-type]
        )

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets

    def start(self, system: System, state: State) -> Memory:
        return {"owed": np.array(0.0), **outside(self.of.start(system, state))}

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, inner, report = self.of.advance(system, state, inside(memory), h, tools)
        report = ledger.measured(system, state, new, report)
        before = self.of.energies(system, state, inside(memory), tools)
        reached = self.of.energies(system, new, inner, tools)
        if not math.isfinite(reached.total):
            raise StepRejected(f"the energy after the step to t = {new.t:g} s is {reached.total}")
        grid = report.grid or GridParts()
        R = float(memory["owed"]) + reached.total - before.total
        R += (report.dissipated or 0.0) - (report.external_work or 0.0) - grid.hardening
        motion = _Motion(self.mpm, system, new, inner)
        if self.momentum:
            motion.aim(state, inside(memory), h, report.contacts)
        owed = motion.scale(R + motion.kinetic - reached.kinetic, self.cap)
        closed = State(new.t, new.x, motion.v)
        # the actual change, so round-off is carried over too and never accumulates
        report = replace(report, grid=replace(grid, restored=motion.kinetic - reached.kinetic))
        kept = {**inner, "C": motion.C.reshape(-1, 9)}
        tools.remember(closed, replace(tools.energies(new), kinetic=kinetic_energy(system, closed.v)))
        return closed, {"owed": np.array(owed), **outside(kept)}, report


class _Motion:
    """Velocities of particles, split into the rigid motion of each group and the rest."""

    def __init__(self, mpm: Mpm, system: System, state: State, memory: Memory) -> None:
        self._mpm, self._system = mpm, system
        self.v, self.C = state.v, Matter.of(memory).C
        spline = mpm.spline(system)
        self._D = spline.D if mpm.transfer.affine else 0.0
        self._label = groups(_bodies(system), system.n, spline, state.x)
        self._rigid = rigid(self._label, system.mass, state.x, self._D)

    @property
    def kinetic(self) -> float:
        """[J]"""
        return self._mpm.transfer.kinetic(self._system.mass, self.v, self.C, self._mpm.spline(self._system).D)

    def aim(self, old: State, memory: Memory, h: float, contacts: Ints | None) -> None:
        """Restore the momenta of groups without contact, plus the impulse of uniform fields."""
        before = rigid(self._label, self._system.mass, old.x, self._D)
        P0, L0 = before.momenta(old.v, self._mpm.transfer.carried(Matter.of(memory).C))
        force, free = _uniform(self._system, old, h, self._label, len(P0))
        if contacts is not None:
            free[self._label[contacts]] = False
        P, L = self._rigid.momenta(self.v, self._mpm.transfer.carried(self.C))
        missing = np.where(free[:, None], P0 + h * force - P, 0.0), np.where(free[:, None], L0 - L, 0.0)
        self._add(*self._rigid.motion(*missing))

    def scale(self, R: float, cap: float) -> float:
        """Scale the non-rigid motion to change the kinetic energy by -R [J]; returns the remainder of R."""
        v, C = self._rigid.motion(*self._rigid.momenta(self.v, self._mpm.transfer.carried(self.C)))
        dv, dC = self.v - v, self.C - C
        square = np.einsum("pi,pi->p", dv, dv) + self._D * np.einsum("pij,pij->p", dC, dC)
        rest, whole = 0.5 * dot(self._system.mass, square), self.kinetic
        if not rest > STILL * whole:
            return R
        a = min(math.sqrt(max(1.0 - R / rest, 0.0)), cap)
        self._add((a - 1.0) * dv, (a - 1.0) * dC)
        return R + self.kinetic - whole

    def _add(self, dv: Array, dC: Array) -> None:
        self.v = self.v + dv
        if self._mpm.transfer.affine:
            self.C = self.C + dC


def _uniform(system: System, state: State, h: float, label: Ints, count: int) -> tuple[Array, Array]:
    """Force (b, 3) of linear potentials on each group in the middle of a step from a state, and whether no other
    potentials act on it [N]. Terms between vertices of a group do not change its momentum."""
    potential = system.potential.timed(Instant(state.x, state.x, state.t + 0.5 * h, h, state.v))
    steady = potential.only(lambda term: term.degree == 1)
    other = potential.only(lambda term: term.degree != 1 and term.elements.shape[1] == 1)
    free = np.full(count, True)
    free[label[other.gradient(state.x).any(axis=1)]] = False
    return summed(label, -steady.gradient(state.x), count), free


def _bodies(system: System) -> list[Ints]:
    """Vertices of each cloud and of each mesh carried by the grid."""
    return [*(cloud.vertices for cloud in system.clouds), *bodies(system)]
