"""Semi-implicit Newmark: Verlet without damping, any damping without a limit to the step, obstacles within the step."""

from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.errors import SuppleError
from supple.loop import Frame
from supple.types import Array

MATERIAL = sp.StableNeoHookean.from_young(2e4, 0.3)


def cube(*damping: Any, obstacles: Any = (), gravity: float = 0.0, **initial: Any) -> sp.Model:
    body = sp.Body(sp.Cube(cells=2, size=0.2), MATERIAL, density=1000.0, initial=sp.Initial(**initial))
    return sp.assemble(sp.World([body], obstacles=list(obstacles), damping=list(damping), gravity=gravity))


def moved(model: sp.Model, method: Any, h: float, steps: int) -> list[Frame]:
    return list(sp.simulate(model, method, h=h, steps=steps))


STRETCHED = {"position": ("1.2 * X", "Y", "0.9 * Z"), "velocity": ("-2 * Y", "2 * X", 0.3)}


def test_without_damping_it_is_verlet() -> None:
    ours, theirs = (moved(cube(**STRETCHED), m, 0.002, 50)[-1].state for m in (sp.SemiImplicitNewmark(), sp.Verlet()))
    np.testing.assert_allclose(ours.x, theirs.x, rtol=0, atol=1e-13)
    np.testing.assert_allclose(ours.v, theirs.v, rtol=0, atol=1e-11)


def test_damping_does_not_limit_the_step() -> None:
    """Verlet with the same damping explodes; here motion relaxes as with a small step."""
    strong = sp.Viscosity(shear=3000.0)
    with pytest.raises(SuppleError, match="unstable"):
        moved(cube(strong, **STRETCHED), sp.Verlet(), 0.004, 400)
    steps = ((0.004, 50), (0.0005, 400))
    large, small = (moved(cube(strong, **STRETCHED), sp.SemiImplicitNewmark(), h, n)[-1] for h, n in steps)
    assert np.abs(large.state.x - small.state.x).max() < 2e-3
    assert large.ledger.dissipated == pytest.approx(small.ledger.dissipated, rel=0.05)
    assert abs(large.ledger.residual) < 0.1 * large.ledger.initial


def test_beyond_its_limit_it_explodes_and_says_so() -> None:
    with pytest.raises(SuppleError, match="unstable"):
        moved(cube(**STRETCHED), sp.SemiImplicitNewmark(), 0.05, 400)


FLOOR = sp.Obstacle(sp.HalfSpace(), law="projection")


def test_a_body_comes_to_rest_on_the_ground() -> None:
    model = cube(sp.Viscosity(shear=50.0), obstacles=[FLOOR], gravity=9.81, translate=(0.0, 0.05, 0.0))
    frames = moved(model, sp.SemiImplicitNewmark(), 0.002, 450)
    assert min(f.state.x[:, 1].min() for f in frames) >= -1e-12
    assert frames[-1].ledger.energies.kinetic < 5e-3
    assert frames[-1].state.x[:, 1].min() == pytest.approx(0.0, abs=1e-9)


def lifted(*damping: Any) -> tuple[sp.Model, list[Frame]]:
    """A cube on a plate that rises at 0.5 m/s."""
    plate = sp.Obstacle(sp.HalfSpace(), law="projection", motion=sp.Moves(translate=sp.Translation((0.0, 0.5, 0.0))))
    model = cube(*damping, obstacles=[plate], gravity=9.81)
    return model, moved(model, sp.SemiImplicitNewmark(), 0.002, 400)


def test_a_moving_shape_carries_a_body_and_its_work_is_booked() -> None:
    model, frames = lifted(sp.Viscosity(shear=50.0))
    last = frames[-1]
    assert last.state.x[:, 1].min() == pytest.approx(0.4, abs=1e-9)
    np.testing.assert_allclose(last.state.v[:, 1], 0.5, atol=0.02)
    mass: Array = model.system.mass
    gained = float(mass @ (last.state.x - frames[0].state.x)[:, 1]) * 9.81 + 0.5 * float(mass.sum()) * 0.25
    work = last.ledger.external_work
    assert work == pytest.approx(gained + last.ledger.dissipated, rel=0.1)


def test_other_methods_carry_it_too() -> None:
    plate = sp.Obstacle(sp.HalfSpace(), law="projection", motion=sp.Moves(translate=sp.Translation((0.0, 0.5, 0.0))))
    model = cube(sp.Viscosity(shear=50.0), obstacles=[plate], gravity=9.81)
    last = moved(model, sp.BackwardEuler(), 0.005, 100)[-1]
    assert last.state.x[:, 1].min() == pytest.approx(0.25, abs=1e-9)
    assert last.ledger.external_work > 0.0


def test_a_turning_shape_takes_along_what_lies_on_it() -> None:
    """A wall that turns about the z axis reaches the cube and throws it."""
    turn = sp.Moves(rotate=sp.Rotation(axis=(0.0, 0.0, 1.0), rate=1.0, centre=(0.0, 0.0, 0.0)))
    wall = sp.Obstacle(sp.HalfSpace(normal=(0.0, 1.0, 0.0)), law="projection", motion=turn)
    model = cube(sp.Viscosity(shear=50.0), obstacles=[wall], translate=(1.0, 0.0, 0.0))
    last = moved(model, sp.SemiImplicitNewmark(), 0.002, 200)[-1]
    normal = np.array([-np.sin(0.4), np.cos(0.4), 0.0])
    assert (last.state.x @ normal).min() > -1e-9
    assert (model.system.mass @ last.state.v[:, 1]) / model.system.mass.sum() > 0.8


def test_shapes_with_forces_stand_still() -> None:
    with pytest.raises(SuppleError, match='are stationary; take law = "projection"'):
        sp.Obstacle(sp.HalfSpace(), motion=sp.Moves(translate=sp.Translation((0.0, 0.5, 0.0))))
