"""Every integrator of order 2 or more stays at least second order with damping that depends on the configuration."""

from functools import cache

import numpy as np
import pytest
from damped_bodies import cube

from builders import run, takes_solids
from supple.damping.rayleigh import Rayleigh
from supple.damping.viscosity import Viscosity
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.runge_kutta import RK4

DURATION = 0.3
DAMPINGS = (Rayleigh(stiffness=0.01), Viscosity(5.0, 3.0))
LATE = {"bdf2", "bdf2-ere", "sbdf2", "sbdf2-ere"}
"""Methods of several steps, whose first ones are of another kind: their order shows with more of them."""
METHODS = {name: cls() for name, cls in sorted(INTEGRATORS.load().items())}


@cache
def reference() -> np.ndarray:
    """Positions and velocities at the end; RK4 takes the damping at every state that it meets."""
    end = run(cube(*DAMPINGS), RK4(), DURATION / 160, 160)[-1].state
    return np.stack([end.x, end.v])


@pytest.mark.parametrize("name", [name for name, m in METHODS.items() if m.facts.order >= 2 and takes_solids(m)])
def test_order(name: str) -> None:
    method, setup = METHODS[name], cube(*DAMPINGS)
    n = 20 if method.facts.solves == 0 or name in LATE else 10
    errors = []
    for steps in (n, 2 * n):
        end = run(setup, method, DURATION / steps, steps, tolerance=1e-12)[-1].state
        errors.append([np.abs(found - wanted).max() for found, wanted in zip((end.x, end.v), reference(), strict=True)])
    orders = np.log2(np.divide(*errors))
    # methods of order 4 may stay above 2; Rayleigh's projected stiffness has kinks that let no method go far beyond
    assert orders.min() >= 1.85
    if method.facts.order == 2:
        assert orders.max() <= 2.15
