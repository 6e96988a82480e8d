"""Runs without derivatives, refused before anything is computed."""

from __future__ import annotations

from supple.budget.energy_budget import EnergyBudget
from supple.budget.points import PointBudget
from supple.dynamics.system import System
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.integrators.position_based.xpbd import PBD, XPBD


def refuse(system: System, method: Method) -> None:
    """Raise SuppleError with the reason, and a remedy where one exists."""
    reason = _of_method(method) or _of_system(system)
    if reason:
        raise SuppleError(f"no derivatives of this run: {reason}")


def _of_method(method: Method) -> str:
    if isinstance(method, EnergyBudget | PointBudget):
        return f"an energy budget corrects the steps of {method.of.name} outside its equations; omit integrator.budget"
    if isinstance(method, XPBD | PBD):
        return f"{method.name} does not solve its steps to convergence; use another method, such as avf"
    return "the method adapts its steps to the motion; use a constant step" if method.adapts else ""


def _of_system(system: System) -> str:
    if system.impulses:
        return 'structure-preserving damping applies impulses between its steps; use form = "integrable", or viscosity'
    if system.projections:
        return 'bodies are projected out of obstacles after its steps; use law = "barrier"'
    timed = [*system.potential.roles.timed, *(term for term in system.dissipation.terms if term.drive is not None)]
    if timed:
        names = ", ".join(dict.fromkeys(term.drive.column for term in timed if term.drive is not None))
        return f"parameters change with time ({names}), which is not supported; give them constant values"
    if system.potential.changes:
        return 'springs of obstacles appear and disappear between its steps; use law = "barrier"'
    return "material points are not supported: they carry their deformation from step to step" if system.on_grid else ""
