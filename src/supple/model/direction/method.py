"""A method for `direction.bouncier`: with an energy budget that returns lost energy as rebound.

A bounce loses energy to damping, to contact and to the method. With bouncier = b, each body stores the fraction
1 - 1/b of this loss and regains it as rebound speed: b = 2 halves the loss.
"""

from __future__ import annotations

from supple.budget.energy_budget import EnergyBudget
from supple.errors import SceneError
from supple.integrators.method import Method
from supple.model.direction.direction import Directions
from supple.model.innermost import innermost


def directed_method(method: Method, direction: Directions | None) -> Method:
    """The same method wrapped as the direction requires; a method that already has the wrapper is unchanged."""
    if direction is None or direction.bouncier == 1.0:
        return method
    if innermost(method).moves_points:
        raise SceneError(
            f"direction.bouncier: '{innermost(method).name}' moves material points, whose budget has no rebound; leave it out"
        )
    restore = 1.0 - 1.0 / direction.bouncier
    if isinstance(method, EnergyBudget):
        wanted = EnergyBudget(of=method.of, release="rebound", restore=restore)
        if method == wanted:
            return method
        raise SceneError(
            "direction.bouncier adds an energy budget to the method, but integrator.budget is already given: give one of "
            f'them; bouncier is equivalent to budget = {{ release = "rebound", restore = {restore:.4g} }}'
        )
    return EnergyBudget(of=method, release="rebound", restore=restore)
