"""Methods whose runs have no derivatives, refused before anything is computed."""

from __future__ import annotations

from supple.budget.energy_budget import EnergyBudget
from supple.budget.points import PointBudget
from supple.errors import SuppleError
from supple.integrators.method import Method

POSITION_BASED = ("xpbd", "pbd")


def refuse_method(method: Method) -> None:
    """Those that change a state by rules outside the equations of a step."""
    if isinstance(method, EnergyBudget | PointBudget):
        raise SuppleError(
            f"no derivatives of this run: an energy budget corrects the steps of {method.of.name} by a rule of its own; "
            "leave integrator.budget out"
        )
    if method.name in POSITION_BASED:
        raise SuppleError(
            f"no derivatives of this run: {method.name} does not solve its steps, it moves positions a few times; take another "
            "method, such as avf"
        )
