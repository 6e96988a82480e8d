"""Budgets of systems with parameters that change with time: forces are those of the step, not of time 0."""

from typing import Any

import numpy as np
import pytest

import supple as sp

SPIN = sp.Initial(velocity=("0.5*Y", "0.3*X", 0.2))
TAKEN = sp.Moves(
    keyframes=(sp.Keyframe(time=0.0, offset=(0.0, 0.0, 0.0)), sp.Keyframe(time=0.1, offset=(0.0, 0.05, 0.01))),
    interpolation="smooth",
)


def frames(method: sp.Method, **world: Any) -> list[sp.Frame]:
    solid = sp.StableNeoHookean(mu=8e3, lam=1e4)
    bar = sp.Body(sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1)), solid, name="bar", density=500.0, initial=SPIN)
    model = sp.assemble(sp.World([bar], **world))
    return list(sp.simulate(model, method, h=5e-4, steps=100))


@pytest.mark.parametrize(
    "world",
    [
        {"energies": [sp.SoftPin(vertices="bar.left", stiffness=200.0, motion=TAKEN)]},
        {"energies": [sp.SoftPin(vertices="bar.left", stiffness=sp.Curve("200 + 1000*t"))]},
        {"fields": [sp.Attractor(strength=sp.Curve("5 + 50*t"), centre=(0.0, 0.3, 0.0))]},
        {"gravity": (0.0, sp.Curve("-9.81 + 300*t"), 0.0)},
    ],
    ids=["moving anchors", "stiffer anchors", "growing attraction", "turning gravity"],
)
def test_a_method_that_conserves_energy_is_not_corrected(world: dict[str, Any]) -> None:
    """The momentum followed the forces at time 0, and the energy of that error was in the ledger: more than the body had."""
    plain, kept = frames(sp.AVF(), **world)[-1], frames(sp.EnergyBudget(sp.AVF()), **world)[-1]
    scale = plain.ledger.energies.scale
    assert abs(kept.ledger.residual) < 1e-6 * scale
    assert kept.ledger.external_work == pytest.approx(plain.ledger.external_work, abs=1e-3 * scale)
    assert np.abs(kept.state.x - plain.state.x).max() < 1e-4
    assert plain.ledger.external_work != 0.0


@pytest.mark.parametrize(
    "world",
    [
        {"energies": [sp.SoftPin(vertices="bar.left", stiffness=sp.Curve("200 + 1000*t"))]},
        {"gravity": (0.0, sp.Curve("-9.81 - 200*t"), 0.0)},
    ],
    ids=["stiffer anchors", "growing gravity"],
)
def test_nothing_is_stored_for_a_rebound_where_nothing_was_lost(world: dict[str, Any]) -> None:
    """Bodies stored the difference from their energy at time 0, and released it; the ledger closed all the same."""
    floor = sp.Obstacle(sp.HalfSpace(point=(0.0, -0.02, 0.0)), law="quadratic", distance=0.02)
    rebounding = sp.EnergyBudget(sp.AVF(), release="rebound")
    plain, kept = (frames(method, obstacles=[floor], **world)[-1] for method in (sp.AVF(), rebounding))
    scale = plain.ledger.energies.scale
    assert abs(kept.ledger.held) < 1e-4 * scale
    assert kept.ledger.energies.total == pytest.approx(plain.ledger.energies.total, abs=1e-3 * scale)
    assert np.abs(kept.state.x - plain.state.x).max() < 1e-4
