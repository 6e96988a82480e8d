"""Lost energy is returned when a body leaves an obstacle: heights, shares, momenta, spin, the ledger."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.errors import SuppleError
from supple.loop import Frame
from supple.progress import restore
from supple.solvers.tools import StepTools
from supple.types import Array

MATERIAL = sp.StableNeoHookean.from_young(1e5, 0.4)
BOUNCES = sp.EnergyBudget(sp.BackwardEuler(), release="rebound")


def ball(name: str = "ball", **options: Any) -> sp.Body:
    centre = options.pop("centre", (0.0, 0.6, 0.0))
    return sp.Body(sp.Ball(radius=0.1, centre=centre, resolution=2), MATERIAL, density=1000.0, name=name, **options)


def dropped(damping: Any = None, **options: Any) -> sp.Model:
    ground = sp.Obstacle(sp.HalfSpace(), distance=0.005)
    damping = damping or sp.Rayleigh(stiffness=0.02)
    return sp.assemble(sp.World([ball(**options)], obstacles=[ground], damping=[damping]))


def flight(model: sp.Model, method: Any, steps: int = 110, h: float = 0.01) -> list[Frame]:
    return list(sp.simulate(model, method, h=h, steps=steps))


def heights(model: sp.Model, frames: Sequence[Frame]) -> list[float]:
    """Of all bounces, over the drop of 0.5 m."""
    y = np.array([model.system.mass @ f.state.x[:, 1] for f in frames]) / model.system.mass.sum()
    tops = [y[k] for k in range(1, len(y) - 1) if y[k - 1] <= y[k] > y[k + 1]]
    return [float((top - 0.1) / 0.5) for top in tops]


def residual(frames: Sequence[Frame]) -> float:
    return max(abs(f.ledger.residual) for f in frames) / frames[0].ledger.energies.scale


@cache
def bounced() -> tuple[sp.Model, list[Frame]]:
    model = dropped()
    return model, flight(model, BOUNCES)


def test_a_damped_ball_returns_to_its_height() -> None:
    model, frames = bounced()
    assert heights(model, frames)[0] >= 0.97
    assert residual(frames) < 1e-12
    held = np.array([f.ledger.held for f in frames]) / frames[0].ledger.energies.scale
    assert held.max() > 0.5
    assert held[-1] < 0.1
    assert frames[-1].ledger.external_work == pytest.approx(frames[-1].ledger.dissipated, rel=1e-12)


def test_without_it_the_ball_stays_on_the_ground() -> None:
    model = dropped()
    assert max(heights(model, flight(model, sp.BackwardEuler(), 75)), default=0.0) < 0.1
    into_motion = sp.EnergyBudget(sp.BackwardEuler(), dissipation=1.0)
    assert max(heights(model, flight(model, into_motion, 75)), default=0.0) < 0.9


@pytest.mark.study
@pytest.mark.parametrize("stiffness", [0.004, 0.02])
@pytest.mark.parametrize("inner", [sp.AVF(), sp.BackwardEuler()], ids=lambda m: m.name)
def test_four_bounces(inner: Any, stiffness: float) -> None:
    """The figures of the docs: the ball of bouncing-ball."""
    body = replace(ball(), mesh=sp.Ball(radius=0.1, centre=(0.0, 0.6, 0.0), resolution=3))
    ground = sp.Obstacle(sp.HalfSpace(), distance=0.005)
    model = sp.assemble(sp.World([body], obstacles=[ground], damping=[sp.Rayleigh(stiffness=stiffness)]))
    frames = flight(model, sp.EnergyBudget(inner, release="rebound"), 320)
    found = heights(model, frames)
    assert len(found) >= 4
    assert min(found[:4]) >= 0.97
    assert residual(frames) < 1e-12


def test_a_figure_on_its_feet() -> None:
    """It begins to spin, since its feet are not below its centre of mass; spin is kept, and is no height."""
    figure = sp.Body(
        sp.Character(size="small", height=0.4, foot=(0.0, 0.404, 0.0)),
        sp.StableNeoHookean.from_young(3e5, 0.4),
        density=1e3,
    )
    ground = sp.Obstacle(sp.HalfSpace(), distance=0.004)
    model = sp.assemble(sp.World([figure], obstacles=[ground], damping=[sp.Rayleigh(stiffness=0.02)]))
    frames = flight(model, BOUNCES, 72)
    y = np.array([model.system.mass @ f.state.x[:, 1] for f in frames]) / model.system.mass.sum()
    after = y[int(y.argmin()) :]
    assert (after.max() - (y[0] - 0.4)) / 0.4 > 0.95
    assert residual(frames) < 1e-12


@cache
def with_a_share() -> tuple[sp.Model, list[Frame]]:
    model = dropped()
    return model, flight(model, replace(BOUNCES, restore=0.6), 80)


def test_a_share_of_it() -> None:
    """Backward Euler with this damping loses all but a little of the drop."""
    model, frames = with_a_share()
    assert heights(model, frames)[0] == pytest.approx(0.6, abs=0.03)
    last = frames[-1].ledger
    assert last.external_work == pytest.approx(0.6 * last.dissipated, rel=1e-12)


def test_the_sum_of_all_releases_is_the_share_that_was_held() -> None:
    _, frames = with_a_share()
    energy = np.array([f.ledger.energies.total for f in frames])
    held = np.array([f.ledger.held for f in frames])
    taken = np.array([f.ledger.dissipated for f in frames])
    numerical = np.array([f.ledger.residual for f in frames]) / 0.4  # the part of it that does not come back
    lost = taken - numerical
    given = np.diff(energy) + np.diff(lost)
    np.testing.assert_allclose(given.sum(), 0.6 * lost[-1] - held[-1], rtol=1e-9)
    assert given.max() > 0.01 * energy[0]


def test_spin_is_kept() -> None:
    """About the normal of a smooth ground, which gives no torque there; nor does viscosity."""
    model = dropped(sp.Viscosity(shear=500.0), initial=sp.Initial(velocity=("4 * Z", 0.0, "-4 * X")))
    frames = flight(model, sp.EnergyBudget(sp.AVF(), release="rebound"), 75)

    def spin(frame: Frame) -> float:
        x, v, m = frame.state.x, frame.state.v, model.system.mass
        return float(m @ (x[:, 2] * v[:, 0] - x[:, 0] * v[:, 2]))

    assert heights(model, frames)[0] > 0.9
    assert spin(frames[-1]) == pytest.approx(spin(frames[0]), rel=0.02)  # AVF keeps energy, and spin nearly


def two_balls() -> sp.Model:
    left = ball("left", centre=(-0.15, 0.0, 0.0), initial=sp.Initial(velocity=(2.0, 0.0, 0.0)))
    right = ball("right", centre=(0.15, 0.03, 0.0), initial=sp.Initial(velocity=(-2.0, 0.0, 0.0)))
    contact = sp.Contact(distance=0.005)
    return sp.assemble(sp.World([left, right], contact=contact, damping=[sp.Rayleigh(stiffness=0.01)], gravity=0.0))


def momentum(model: sp.Model, frame: Frame, which: slice = slice(None)) -> Array:
    return (model.system.mass[which, None] * frame.state.v[which]).sum(axis=0)


@pytest.mark.study
def test_two_bodies_give_each_other_opposite_impulses() -> None:
    model = two_balls()
    frames, bare = flight(model, BOUNCES, 50, 0.005), flight(model, sp.BackwardEuler(), 50, 0.005)
    start, end = (frames[k].ledger.energies.total for k in (0, -1))
    assert bare[-1].ledger.energies.total < 0.3 * start
    assert end > 0.9 * start
    assert residual(frames) < 1e-12
    largest = np.abs(momentum(model, frames[0], slice(0, model.system.n // 2))).max()
    assert max(np.abs(momentum(model, f)).max() for f in frames) < 1e-11 * largest

    def turning(frame: Frame) -> float:
        m, x, v = model.system.mass, frame.state.x, frame.state.v
        return float(m @ (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]))

    assert turning(frames[-1]) == pytest.approx(turning(bare[-1]), rel=0.02)  # Rayleigh damping takes some


def test_each_body_has_an_account_of_its_own() -> None:
    """A ball that loses nothing gets nothing from one that does."""
    resting = ball("floating", centre=(1.0, 5.0, 0.0))
    ground = sp.Obstacle(sp.HalfSpace(), distance=0.005)
    damping = [sp.Rayleigh(stiffness=0.02, bodies="ball")]
    model = sp.assemble(sp.World([ball(), resting], obstacles=[ground], damping=damping))
    frames = flight(model, BOUNCES, 75)
    n = model.system.n // 2
    mass = model.system.mass[n:].sum()
    np.testing.assert_allclose(momentum(model, frames[-1], slice(n, None)), [0.0, -9.81 * 0.75 * mass, 0.0], atol=1e-9)
    alone, others = bounced()
    y = [(m.system.mass[:n] @ f.state.x[:n, 1]) for m, f in ((model, frames[75]), (alone, others[75]))]
    assert y[0] == pytest.approx(y[1], rel=1e-3)


def test_what_is_held_survives_a_checkpoint() -> None:
    model = dropped()
    for frame in sp.simulate(model, BOUNCES, h=0.01, steps=36):
        meta, arrays = frame.save()
    assert meta["held"] > 0.0
    again = restore(meta, arrays, StepTools(model.system))
    assert again.ledger.held == meta["held"]
    assert again.memory["rebound.held"].sum() == pytest.approx(meta["held"])


def test_what_is_held_survives_a_piece_that_another_method_takes() -> None:
    model = dropped()
    for frame in sp.simulate(model, BOUNCES, h=0.01, steps=36):
        meta, arrays = frame.save()
    memory = restore(meta, arrays, StepTools(model.system)).memory
    again = BOUNCES.restarted(model.system, frame.state, memory)
    assert again["rebound.held"] == memory["rebound.held"]
    assert not again["rebound.push"].any()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"release": "later"}, "energy-budget.release: found 'later'; allowed are 'motion' and 'rebound'"),
        ({"release": "rebound", "cap": 0.1}, r"energy-budget.cap: found 0.1 with release = 'rebound'.*leave it out"),
        ({"release": "rebound", "along": "motion"}, "energy-budget.along: found 'motion' with release = 'rebound'"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        sp.EnergyBudget(sp.BackwardEuler(), **options)


def test_bodies_that_are_held_cannot_be_thrown() -> None:
    bar = sp.Body(sp.Bar(cells=(2, 1, 1)), MATERIAL, density=1000.0, pin="left")
    model = sp.assemble(sp.World([bar]))
    with pytest.raises(SuppleError, match=r"accelerates free bodies.*take release = 'motion'"):
        flight(model, BOUNCES, 1)
