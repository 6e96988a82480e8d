"""What all methods share: no memory unless they say so, prescribed vertices put in place, dissipative forces for the ledger,
and what surrounds every step: what changes with the configuration frozen before it, impulses and collisions after it."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from supple.dynamics import ledger
from supple.dynamics.contact.collision import collide
from supple.dynamics.invariants import kinetic_energy
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.types import Array

KEPT = 1e-10
"""Energy that a step of a conserving method may miss, relative to the energy in play."""


def keeps_books(system: System) -> bool:
    """Whether all that a step does to the energy is booked exactly: projections and temporary springs are not."""
    return not (system.projections or system.potential.changes)


class Method:
    """Base of the integrators; subclasses are frozen dataclasses of their options."""

    name: ClassVar[str]
    meets_barriers: ClassVar[bool] = False
    """Whether steps end before a barrier: what is solved knows the force at the end of the step, and every move towards it
    is filtered."""
    solves_friction: ClassVar[bool] = False
    """Whether what is solved has friction in it, which is too stiff for anything else."""
    collides: ClassVar[bool] = False
    """Whether `step` itself puts bodies out of obstacles, several times."""

    linearises: ClassVar[bool] = False
    """Whether it works with element matrices of its own, which do not know what joins all vertices at once."""

    holds_constraints: ClassVar[bool] = False
    """Whether its stages carry the forces of constraints."""

    @property
    def facts(self) -> Facts:
        raise TypeError(f"{type(self).__name__} does not state its facts")

    @property
    def freezes_at(self) -> float | None:
        """Fraction of the step at which dissipation that depends on the configuration is frozen. A one-step method of order
        2 needs its middle, one that looks at the end only (BDF2) needs the end. None: not at all, for explicit methods."""
        return 0.5

    def refuses(self, system: System) -> str:
        """Why the method cannot advance this system, for methods of some systems only; empty if it can."""
        if not self.meets_barriers and any(term.keeps_apart for term in system.potential.terms):
            return (
                f"{self.name} cannot end its steps before a barrier; take avf, backward-euler, bdf2, tr-bdf2, "
                'generalized-alpha or simo-tarnow, or obstacles with law = "projection" (or "quadratic" or "cubic") '
                "and no [contact]"
            )
        if not self.solves_friction and any(term.lagged for term in system.dissipation.terms):
            return (
                f"{self.name} cannot solve for friction, which holds or lets go within a step; take avf, "
                "backward-euler, bdf2, tr-bdf2, generalized-alpha or simo-tarnow, or obstacles with law = "
                '"projection", whose friction needs no solving'
            )
        if self.linearises and system.potential.wide:
            return (
                f"{self.name} cannot solve for an energy of the whole body (body.pressure, or an area or volume with "
                "whole = true), which joins every vertex with every other; take avf, backward-euler, bdf2, tr-bdf2, "
                "generalized-alpha or an explicit method"
            )
        if (system.projections or system.potential.changes) and self.facts.order == 0:
            return (
                f'{self.name} looks for places where all forces are in balance, which obstacles with law = "projection" or '
                '"repulsion" cannot offer; take law = "barrier", "quadratic" or "cubic", or another integrator'
            )
        return self.refuses_constraints(system)

    def refuses_constraints(self, system: System) -> str:
        """Why the method cannot hold the constraints of this system; empty if it can or there are none."""
        if not len(system.constraints):
            return ""
        if not self.holds_constraints:
            return f"{self.name} cannot hold constraints; take avf, backward-euler, midpoint or variational"
        potential = system.potential
        beside = {
            "contact by barriers, between bodies or with curved obstacles": any(
                term.loose or term.keeps_apart or (term.rule is not None and not term.averages)
                for term in potential.terms
            ),
            "friction": system.dissipation.lags,
            'obstacles with law = "projection"': bool(system.projections),
            "damping by impulses": bool(system.impulses),
            "an energy of the whole body (pressure, or an area or volume with whole = true)": potential.wide,
        }
        found = [what for what, there in beside.items() if there]
        return f"constraints cannot be held beside {', '.join(found)}; leave one of them out" if found else ""

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

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        raise TypeError(f"{type(self).__name__} does not define step")

    def advance(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        """A step of h with all that the system's dampers and obstacles do."""
        during = system.during(state, h, self.freezes_at, self.sticks_at_end)
        tools.bind(during)
        new, memory, report = self.step(during, state, memory, h, tools)
        if during.potential.passes(state.x, new.x):
            raise StepRejected(f"in {h:g} s a body would pass through something that it may not touch")
        if during is not system or system.dissipation.terms or system.impulses or system.projections:
            report = ledger.booked(during, state, new, report)
        tools.bind(system)
        for impulse in system.impulses:
            given = impulse.impulse(system, state, new, h, tools)
            new, memory, taken = self.struck(system, new, memory, given)
            report = replace(report, dissipated=(report.dissipated or 0.0) + taken)
        if self.collides:
            return new, memory, report
        after, report = collide(system, state, new, report, tools)
        if after is not new:
            memory = self.start(system, after)  # what it remembers belongs to a motion that has ended
        return after, memory, report

    def struck(self, system: System, state: State, memory: Memory, impulse: Array) -> tuple[State, Memory, float]:
        """The state after an impulse (n, 3) [N s], and the energy that it took [J]."""
        dv = system.on_free(impulse / system.mass[:, None])
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
    """A method whose memory holds the velocities of the last step under `v`."""

    @property
    def freezes_at(self) -> float | None:
        return 1.0

    def kicked(self, memory: Memory, dv: Array) -> Memory:
        return {**memory, "v": memory["v"] + dv} if "v" in memory else memory
