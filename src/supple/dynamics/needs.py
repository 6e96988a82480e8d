"""Requirements of a system on a method. A method declares the needs it meets; refusals, docs tables and tests read both.

A need has a name for users (its value), the task that a method without it cannot perform, and a remedy that keeps the
method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from supple.dynamics.system import System
from supple.energies.roles.averages import OwnRule


class Need(Enum):
    """Needs, in the order in which refusals name them."""

    task: str
    remedy: str

    def __new__(cls, noun: str, task: str, remedy: str) -> Need:
        need = object.__new__(cls)
        need._value_, need.task, need.remedy = noun, task, remedy
        return need

    BARRIER = (
        "contact by barriers",
        "end its steps before a barrier",
        'give obstacles law = "projection" (or "quadratic" or "cubic") and leave out [contact]',
    )
    FRICTION = (
        "friction",
        "solve for friction, which sticks or slips within a step",
        'give obstacles law = "projection", whose friction needs no solving',
    )
    SURFACES = (
        "contact between surfaces",
        "resolve contact between surfaces",
        "leave out [contact] and mesh obstacles",
    )
    CURVED_CONTACT = (
        "contact with curved obstacles",
        "resolve contact with curved obstacles",
        "replace them by half-spaces",
    )
    WHOLE_BODY = (
        "an energy of the whole body",
        "solve for an energy of the whole body (body.pressure, or an area or volume with whole = true), which couples every "
        "vertex with every other",
        "leave that energy out",
    )
    PROJECTION = (
        'obstacles without forces (law = "projection", "velocity" or "linearised")',
        'find an equilibrium with obstacles with law = "projection", "velocity" or "linearised", '
        "which move bodies without force",
        'give them law = "barrier", "quadratic" or "cubic"',
    )
    REPULSION = (
        'obstacles with law = "repulsion"',
        'find an equilibrium with obstacles with law = "repulsion", whose springs are temporary',
        'give them law = "barrier", "quadratic" or "cubic"',
    )
    SCRIPTS = (
        "vertices that follow a script",
        "move vertices along a script, since the end time of a step is known only after the solve",
        "use steps of constant length",
    )
    DAMPING = ("damping", "apply damping", "leave the damping out")
    CHANGING_DAMPING = (
        "damping that depends on the configuration",
        "freeze damping that depends on the configuration, since the middle of a step is known only after the solve",
        "use steps of constant length",
    )
    IMPULSES = ("damping by impulses", "apply damping by impulses", "leave the damping out")
    CONSTRAINTS = ("constraints", "enforce constraints", "leave the constraints out")
    POINTS = (
        "material points",
        "move material points, which interact on a grid",
        "take mpm around it, or give the body a mesh without points",
    )


SMOOTH = frozenset(Need) - {Need.BARRIER, Need.FRICTION, Need.SURFACES, Need.CONSTRAINTS, Need.POINTS}
"""Needs met by a method that only evaluates forces."""
MINIMISED = SMOOTH | {Need.BARRIER, Need.FRICTION, Need.SURFACES}
"""Needs met by a stage with the force at the end of the step."""


def needs_of(system: System) -> frozenset[Need]:
    """Needs of a system."""
    potential, dissipation = system.potential, system.dissipation
    there = {
        Need.BARRIER: bool(potential.roles.barriers),
        Need.FRICTION: dissipation.freezes_again,
        Need.SURFACES: bool(potential.roles.couplings),
        Need.CURVED_CONTACT: any(isinstance(term, OwnRule) for term in potential.terms),
        Need.WHOLE_BODY: bool(potential.roles.whole_body),
        Need.PROJECTION: bool(system.projections),
        Need.REPULSION: bool(potential.roles.frozen),
        Need.SCRIPTS: system.motion.moves,
        Need.DAMPING: bool(dissipation.terms),
        Need.CHANGING_DAMPING: dissipation.changes,
        Need.IMPULSES: bool(system.impulses),
        Need.CONSTRAINTS: bool(len(system.constraints)),
        Need.POINTS: system.on_grid,
    }
    return frozenset(need for need, found in there.items() if found)


@dataclass(frozen=True)
class Objection:
    """Why a method cannot advance a system, and remedies that keep the method."""

    reason: str
    remedies: tuple[str, ...] = ()
    names_methods: bool = True
    """Whether another method is also a remedy."""

    def sentence(self, methods: Sequence[str]) -> str:
        """The message with the names of methods that can advance the system."""
        named = [listed(methods)] if methods and self.names_methods else []
        ways = ", or ".join([*named, *self.remedies])
        return f"{self.reason}; take {ways}" if named else f"{self.reason}; {ways}"


def unmet(name: str, meets: frozenset[Need], needs: frozenset[Need]) -> Objection | None:
    """The first of these needs that the method does not meet, as an objection."""
    for need in Need:
        if need in needs - meets:
            return Objection(f"{name} cannot {need.task}", (need.remedy,))
    return None


def listed(names: Sequence[str]) -> str:
    """a, b or c."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
