"""What all methods share: no memory unless they say so, prescribed vertices put in place, dissipative forces for the ledger,
and what surrounds every step: what changes with the configuration frozen before it, impulses and collisions after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from supple.dynamics.contact.collision import collide
from supple.dynamics.contact.springs import KEY, by_term, held, jump, taken_out, temporary, with_springs
from supple.dynamics.invariants import Energies, kinetic_energy, momenta
from supple.dynamics.needs import SMOOTH, Need, Objection, needs_of, unmet
from supple.dynamics.state import State
from supple.dynamics.step import Arrival, Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.dynamics.tangent import allowed
from supple.errors import StepRejected
from supple.integrators import INTEGRATORS
from supple.types import Array

KEPT = 1e-10
"""Energy that a step of a conserving method may miss, relative to the energy in play."""

NAMED = 10
"""Methods that a refusal names at most."""


def keeps_books(system: System) -> bool:
    """Whether all that a step does to the energy is booked exactly: projections and temporary springs are not."""
    return not (system.projections or system.potential.roles.frozen)


def methods_for(system: System) -> list[str]:
    """Names of the methods that can advance a system in time; of many, those that meet most."""
    methods = [cls() for _, cls in sorted(INTEGRATORS.load().items())]
    timed = [method for method in methods if method.by_itself and method.facts.order > 0]
    able = sorted((m for m in timed if m.objection(system) is None), key=lambda m: -len(m.meets))
    return sorted(method.name for method in able[:NAMED])


class Method:
    """Base of the integrators; subclasses are frozen dataclasses of their options."""

    name: ClassVar[str] = "this integrator"
    """That in the registry; methods outside it need none."""
    collides: ClassVar[bool] = False
    """Whether `step` itself puts bodies out of obstacles, several times."""
    moves_points: ClassVar[bool] = False
    """Whether its steps are those of material points, which have a budget of their own."""
    by_itself: ClassVar[bool] = True
    """Whether what it meets is its own, and not that of a method inside or of one of its options: refusals then name it."""

    @property
    def facts(self) -> Facts:
        raise TypeError(f"{type(self).__name__} does not state its facts")

    @property
    def freezes_at(self) -> float | None:
        """Fraction of the step at which dissipation that depends on the configuration is frozen. A one-step method of order
        2 needs its middle, one that looks at the end only (BDF2) needs the end. None: not at all, for explicit methods."""
        return 0.5

    @property
    def asks_at_states(self) -> bool:
        """Whether its forces are those of states at their own time, so that numbers that change with time need not be frozen."""
        return False

    @property
    def meets(self) -> frozenset[Need]:
        """What systems may need of the method."""
        return SMOOTH

    def objection(self, system: System) -> Objection | None:
        """Why the method cannot advance this system; None if it can. Methods for some materials only ask about those first."""
        return unmet(self.name, self.meets, needs_of(system))

    def refuses(self, system: System) -> str:
        """Why the method cannot advance this system and what can, in a sentence; empty if it can."""
        found = self.objection(system)
        return "" if found is None else found.sentence(methods_for(system))

    @property
    def adapts(self) -> bool:
        """Whether steps have another length than the one that is asked for."""
        return False

    @property
    def sticks_at_end(self) -> bool:
        """Whether friction that sticks looks at the end of the step, in a method that shows it the mean velocity."""
        return False

    @property
    def relaxed(self) -> Method | None:
        """The same method with no limit to what a step may miss; None if it has no such limit."""
        return None

    def promises(self, system: System) -> float | None:
        """Energy that a step may miss at most, relative to the energy in play [-]; None if the method promises nothing."""
        return None

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step: none."""
        return {}

    def restarted(self, system: System, state: State, memory: Memory) -> Memory:
        """Memory after a piece that another method took, from what was remembered before it: that of a new start."""
        return self.start(system, state)

    def replayed(self, memory: Memory, samples: Sequence[int]) -> Memory:
        """Memory with which the step is taken as it was, given the number of samples of each stage that it solved: a method
        that looked for a number of points begins with the one it found."""
        return memory

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        """Energies of a state; a method whose memory holds energy adds it [J]."""
        return with_springs(system, state, memory, tools.energies(state))

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        """Linear [kg m/s] and angular [kg m^2/s] momentum about the origin, likewise."""
        return momenta(system, state)

    def densities(self, system: System, memory: Memory) -> Array | None:
        """(n,) elastic energy around each vertex over the volume that it stands for [J/m^3], where that lives in the memory;
        None where positions say it."""
        return None

    def deformations(self, memory: Memory) -> Array | None:
        """(n, 3, 3) deformation gradients of particles, which live in the memory; None where a mesh has them [-]."""
        return None

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        raise TypeError(f"{type(self).__name__} does not define step")

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """A step of h with all that the system's dampers and obstacles do."""
        before, memory = taken_out(memory)
        terms = [] if self.freezes_at is None else temporary(system)
        there = by_term(terms, held(terms, state, before)) if terms else None
        expected = self.expected(system, state, memory, h)
        during = system.during(state, expected, self.freezes_at, self.sticks_at_end, there, self.asks_at_states)
        new, memory, report = self.step(during, state, memory, h, tools.during(during))
        if during.potential.passes(state.x, new.x):
            raise StepRejected(f"in {h:g} s a body would pass through something that it may not touch")
        report = replace(report, arrival=Arrival(during, new))
        for impulse in system.impulses:
            given = impulse.impulse(system, state, new, report.h, tools)
            new, memory, taken = self.struck(system, new, memory, given)
            report = replace(report, taken_after=(*report.taken_after, taken))
        if not self.collides:
            after, report = collide(system, state, new, report, tools)
            if after is not new:
                memory = self.start(system, after)  # what it remembers belongs to a motion that has ended
            new = after
        if there is not None:
            springs = held(terms, new, np.concatenate([*there.values()]))
            memory = {**memory, KEY: springs}
            report = replace(report, springs=report.springs + jump(system, during, new, springs))
        return new, memory, report

    def expected(self, system: System, state: State, memory: Memory, h: float) -> float:
        """About how long a step will be for which h is asked, before it is solved [s]."""
        return h

    def struck(self, system: System, state: State, memory: Memory, impulse: Array) -> tuple[State, Memory, float]:
        """The state after an impulse (n, 3) [N s], and the energy that it took [J]."""
        dv = allowed(system, state.x, system.on_free(impulse / system.mass[:, None]))
        after = State(state.t, state.x, state.v + dv)
        taken = kinetic_energy(system, state.v) - kinetic_energy(system, after.v)
        return after, self.kicked(memory, dv), taken

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        """Memory after all velocities changed by dv at once. A method that remembers velocities shifts them too: otherwise
        it would take the change for the beginning of an acceleration."""
        return memory

    @staticmethod
    def arrived(system: System, t: float, x: Array, v: Array) -> State:
        """The new state, with prescribed vertices where their script has them."""
        return State(t, system.motion.place(x, t), system.motion.drive(v, t))

    @staticmethod
    def dissipative_force(system: System, v: Array) -> Array | None:
        """grad D(v), or None in a system without dissipation."""
        return system.dissipation.frozen.gradient(v) if system.dissipation.terms else None


class TwoStep(Method):
    """A method whose new state depends on the last two: its memory holds the older one, its velocities under `v`."""

    @property
    def freezes_at(self) -> float | None:
        return 1.0

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        return {**memory, "v": memory["v"] + dv} if "v" in memory else memory
