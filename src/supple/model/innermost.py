"""The method itself, without what stands around it in the text of a scene."""

from __future__ import annotations

from supple.adaptive.error_control import ErrorControl
from supple.budget.energy_budget import EnergyBudget
from supple.integrators.method import Method


def innermost(method: Method) -> Method:
    """The method inside an energy budget and error control, which a scene writes as options of it."""
    return innermost(method.of) if isinstance(method, EnergyBudget | ErrorControl) else method
