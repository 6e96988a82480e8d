"""Conservation tests the adjoint without differences. H(z1) = H(z0) for all z0, so the
gradient of the energy at the end, pulled back over conserving steps, is the gradient of the energy at the start."""

import numpy as np
import pytest
from differentiated import assembled, bar, world

import supple as sp
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.integrators.method import Method
from supple.sensitivity.record import record
from supple.sensitivity.sweeps import Share, pull
from supple.types import Array


def energy_gradient(system: System, state: State) -> tuple[Array, Array]:
    return system.on_free(system.potential.gradient(state.x)), system.on_free(system.mass[:, None] * state.v)


def missed(body: sp.Body, method: Method, steps: int, h: float = 1 / 30) -> float:
    """How far the covector of the energy is from that of the start, relative to it."""
    model = assembled(world(body))
    found = record(model, method, h=h, steps=steps)

    def loss(index: int, state: State) -> Share | None:
        if index != steps:
            return None
        return Share(model.energies(state).total, *energy_gradient(model.system, state))

    bars = pull(found, loss, fields=False)
    x, v = energy_gradient(model.system, found.states[0])
    size = np.sqrt(np.vdot(x, x) + np.vdot(v, v))
    dx, dv = bars.start.x - x, bars.start.v - v
    return float(np.sqrt(np.vdot(dx, dx) + np.vdot(dv, dv)) / size)


SPINNING = {"pin": None, "initial": sp.Initial(spin=(0.5, 3.0, 1.0))}


@pytest.mark.parametrize("options", [{}, SPINNING], ids=["clamped", "free"])
@pytest.mark.parametrize("material", [sp.StVK, sp.StableNeoHookean])
def test_the_covector_of_the_energy_is_kept_by_avf(material: type[sp.Material], options: dict[str, object]) -> None:
    body = bar(material.from_young(5e4, 0.3), **options)
    assert missed(body, sp.AVF(), 40) <= 1e-9


def test_over_150_steps() -> None:
    assert missed(bar(), sp.AVF(), 150) <= 1e-9


def test_simo_tarnow_keeps_it_too() -> None:
    assert missed(bar(), sp.SimoTarnow(), 20, 1 / 60) <= 1e-9


def test_methods_that_do_not_conserve_lose_it() -> None:
    assert missed(bar(), sp.Midpoint(), 10) > 1e-3
    assert missed(bar(), sp.BackwardEuler(), 10) > 0.1
