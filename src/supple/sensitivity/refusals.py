"""Runs that have no derivatives here, refused before anything is computed."""

from __future__ import annotations

from supple.budget.energy_budget import EnergyBudget
from supple.budget.points import PointBudget
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.integrators.position_based.xpbd import PBD, XPBD


def refuse(system: System, method: Method) -> None:
    """Raises SuppleError with the reason, and with a way out where there is one."""
    reason = _of_method(method) or _of_system(system)
    if reason:
        raise SuppleError(f"no derivatives of this run: {reason}")


def _of_method(method: Method) -> str:
    if isinstance(method, EnergyBudget | PointBudget):
        return (
            f"an energy budget corrects the steps of {method.of.name} by a rule of its own; leave integrator.budget out"
        )
    if isinstance(method, XPBD | PBD):
        return (
            f"{method.name} does not solve its steps, it moves positions a few times; take another method, such as avf"
        )
    return "the method chooses the length of its steps by the motion; take steps of one length" if method.adapts else ""


def _of_system(system: System) -> str:
    if system.impulses:
        return 'structure-preserving damping gives impulses between its steps; take form = "integrable", or viscosity'
    if system.projections:
        return 'bodies are put out of obstacles after its steps; take law = "barrier"'
    timed = [*system.potential.roles.timed, *(term for term in system.dissipation.terms if term.drive is not None)]
    if timed:
        names = ", ".join(dict.fromkeys(term.drive.column for term in timed if term.drive is not None))
        return f"numbers change with time ({names}), whose derivatives are not known; give them constant values"
    if system.potential.changes:
        return 'springs of obstacles come and go between its steps; take law = "barrier"'
    return "material points carry their deformation from step to step" if system.on_grid else ""
