"""The common base of all methods: no memory by default, placement of prescribed vertices, dissipative forces for the
ledger. Around every step: configuration-dependent terms are frozen before it, impulses and collisions follow it."""

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
"""Permitted energy error of a step of a conserving method, relative to the energy scale of the step."""

NAMED = 10
"""Largest number of methods named in a refusal."""


def keeps_books(system: System) -> bool:
    """Whether every energy change of a step is booked exactly; false with projections and temporary springs."""
    return not (system.projections or system.potential.roles.frozen)


def methods_for(system: System) -> list[str]:
    """Names of the methods that can advance a system in time; of many, those that meet the most needs."""
    methods = [cls() for _, cls in sorted(INTEGRATORS.load().items())]
    timed = [method for method in methods if method.by_itself and method.facts.order > 0]
    able = sorted((m for m in timed if m.objection(system) is None), key=lambda m: -len(m.meets))
    return sorted(method.name for method in able[:NAMED])


class Method:
    """Base of the integrators; subclasses are frozen dataclasses of their options."""

    name: ClassVar[str] = "this integrator"
    """Name in the registry; methods outside it need none."""
    collides: ClassVar[bool] = False
    """Whether `step` itself resolves collisions with obstacles, several times per step."""
    moves_points: ClassVar[bool] = False
    """Whether it steps material points, which have a separate budget."""
    by_itself: ClassVar[bool] = True
    """Whether it meets needs by itself, not through an inner method or an option: refusals then name it."""

    @property
    def facts(self) -> Facts:
        raise TypeError(f"{type(self).__name__} does not state its facts")

    @property
    def freezes_at(self) -> float | None:
        """Fraction of the step at which dissipation that depends on the configuration is frozen. A one-step method of
        order 2 needs the midpoint; one that evaluates forces at the end only (BDF2) needs the end. None: never, for
        explicit methods."""
        return 0.5

    @property
    def asks_at_states(self) -> bool:
        """Whether forces are evaluated at states at their own time, so time-dependent parameters need not be frozen."""
        return False

    @property
    def meets(self) -> frozenset[Need]:
        """The needs of systems that the method meets."""
        return SMOOTH

    def objection(self, system: System) -> Objection | None:
        """Why the method cannot advance this system; None if it can. Methods restricted to some materials check those first."""
        return unmet(self.name, self.meets, needs_of(system))

    def refuses(self, system: System) -> str:
        """Why the method cannot advance this system and which methods can, in a sentence; empty if it can."""
        found = self.objection(system)
        return "" if found is None else found.sentence(methods_for(system))

    def refuses_step(self, h: float) -> str:
        """Why the method cannot take steps of a run with time step h [s], in a sentence; empty if it can."""
        return ""

    @property
    def adapts(self) -> bool:
        """Whether steps differ in length from the requested one."""
        return False

    @property
    def sticks_at_end(self) -> bool:
        """Whether stiction uses the end of the step in a method that otherwise passes the mean velocity."""
        return False

    @property
    def relaxed(self) -> Method | None:
        """The same method without a limit on the energy error of a step; None if it has no such limit."""
        return None

    def promises(self, system: System) -> float | None:
        """Largest energy error of a step, relative to the energy scale of the step [-]; None if the method has no bound."""
        return None

    def start(self, system: System, state: State) -> Memory:
        """Memory before the first step: none."""
        return {}

    def restarted(self, system: System, state: State, memory: Memory) -> Memory:
        """Memory after a substep taken by another method, from the memory before it: by default a new start."""
        return self.start(system, state)

    def replayed(self, memory: Memory, samples: Sequence[int]) -> Memory:
        """Memory that reproduces a step, given the number of samples of each stage that it solved. A method that
        searched for a number of points starts with the one it found."""
        return memory

    def energies(self, system: System, state: State, memory: Memory, tools: Tools) -> Energies:
        """Energies of a state; a method whose memory holds energy adds it [J]."""
        return with_springs(system, state, memory, tools.energies(state))

    def momenta(self, system: System, state: State, memory: Memory) -> tuple[Array, Array]:
        """Linear [kg m/s] and angular [kg m^2/s] momentum about the origin, including the memory."""
        return momenta(system, state)

    def densities(self, system: System, memory: Memory) -> Array | None:
        """(n,) elastic energy density around each vertex [J/m^3], where it is stored in the memory; None where
        positions determine it."""
        return None

    def deformations(self, memory: Memory) -> Array | None:
        """(n, 3, 3) deformation gradients of particles, stored in the memory; None where a mesh defines them [-]."""
        return None

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        raise TypeError(f"{type(self).__name__} does not define step")

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """A step of h including the effects of the system's dampers and obstacles."""
        before, memory = taken_out(memory)
        terms = [] if self.freezes_at is None else temporary(system)
        there = by_term(terms, held(terms, state, before)) if terms else None
        expected = self.expected(system, state, memory, h)
        during = system.during(state, expected, self.freezes_at, self.sticks_at_end, there, self.asks_at_states)
        new, memory, report = self.step(during, state, memory, h, tools.during(during))
        if during.potential.passes(state.x, new.x):
            raise StepRejected(f"in {h:g} s a body would pass through a contact barrier")
        report = replace(report, arrival=Arrival(during, new))
        for impulse in system.impulses:
            given = impulse.impulse(system, state, new, report.h, tools)
            new, memory, taken = self.struck(system, new, memory, given)
            report = replace(report, taken_after=(*report.taken_after, taken))
        if not self.collides:
            after, report = collide(system, state, new, report, tools)
            if after is not new:
                memory = self.start(system, after)  # the memory belongs to a motion that has ended
            new = after
        if there is not None:
            springs = held(terms, new, np.concatenate([*there.values()]))
            memory = {**memory, KEY: springs}
            report = replace(report, springs=report.springs + jump(system, during, new, springs))
        return new, memory, report

    def expected(self, system: System, state: State, memory: Memory, h: float) -> float:
        """Approximate length of a step for a requested h, before it is solved [s]."""
        return h

    def struck(self, system: System, state: State, memory: Memory, impulse: Array) -> tuple[State, Memory, float]:
        """The state after an impulse (n, 3) [N s], and the energy it dissipated [J]."""
        dv = allowed(system, state.x, system.on_free(impulse / system.mass[:, None]))
        after = State(state.t, state.x, state.v + dv)
        taken = kinetic_energy(system, state.v) - kinetic_energy(system, after.v)
        return after, self.kicked(memory, dv), taken

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        """Memory after all velocities changed by dv at once. A method that remembers velocities shifts them too:
        otherwise it would interpret the change as an acceleration."""
        return memory

    @staticmethod
    def arrived(system: System, t: float, x: Array, v: Array) -> State:
        """The new state, with prescribed vertices at their scripted positions."""
        return State(t, system.motion.place(x, t), system.motion.drive(v, t))

    @staticmethod
    def dissipative_force(system: System, v: Array) -> Array | None:
        """grad D(v), or None in a system without dissipation."""
        return system.dissipation.frozen.gradient(v) if system.dissipation.terms else None


class TwoStep(Method):
    """A method whose new state depends on the last two: its memory holds the older one, with velocities under `v`."""

    @property
    def freezes_at(self) -> float | None:
        return 1.0

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        return {**memory, "v": memory["v"] + dv} if "v" in memory else memory
