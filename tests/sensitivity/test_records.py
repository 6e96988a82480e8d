"""Checkpoints, contact, friction, constraints, and refusals."""

import numpy as np
import pytest
from differentiated import TIGHT, assembled, bar, covector, difference, loss_of, pushed, value, world

import supple as sp
from supple.dynamics.state import State
from supple.dynamics.tangent import tangent
from supple.errors import SuppleError
from supple.integrators.method import Method
from supple.model.model import Model
from supple.sensitivity.record import record
from supple.sensitivity.sweeps import Direction, pull


@pytest.mark.parametrize("keep", [1, 4, 7, 50])
def test_checkpoints_give_the_same_derivatives(keep: int) -> None:
    model = assembled(world(damping=(sp.Viscosity(shear=30.0),)))
    weights = covector(model)
    whole = record(model, sp.BDF2(), h=1 / 60, steps=15)
    parts = record(model, sp.BDF2(), h=1 / 60, steps=15, keep=keep)
    assert len(parts.taken) <= keep
    assert parts.times == whole.times
    one, two = (pull(found, loss_of(found, weights)) for found in (whole, parts))
    assert two.value == pytest.approx(one.value, rel=1e-9)
    for a, b in ((one.start.x, two.start.x), (one.start.v, two.start.v), (one.rest, two.rest), (one.mass, two.mass)):
        assert b == pytest.approx(a, rel=1e-6, abs=1e-7 * np.abs(a).max())
    direction = Direction(v=np.random.default_rng(2).standard_normal(model.state.x.shape))
    assert pushed(parts, weights, direction) == pytest.approx(pushed(whole, weights, direction), rel=1e-7)


def agrees(model: Model, method: Method, h: float, steps: int, dv: np.ndarray, bound: float) -> None:
    weights = covector(model)
    found = record(model, method, h=h, steps=steps, solver=TIGHT)
    start = found.states[0]
    bars = pull(found, loss_of(found, weights), fields=False)
    along = pushed(found, weights, Direction(v=dv))
    assert abs(along) > 1e-6
    assert float(np.vdot(bars.start.v, dv)) == pytest.approx(along, rel=1e-9)

    def moved(e: float) -> float:
        return value(model, method, h, steps, weights, State(0.0, start.x, start.v + e * dv))

    assert difference(moved, 1e-5) == pytest.approx(along, rel=bound)


def dropped(law: str = "barrier", friction: float = 0.0) -> Model:
    cube = sp.Body(
        sp.Cube(cells=2, size=0.2), sp.StVK.from_young(2e4, 0.3), name="cube",
        initial=sp.Initial(translate=(0.0, 0.13, 0.0), velocity=(0.4, -1.0, 0.0)), friction=friction,
    )  # fmt: skip
    floor = sp.Obstacle(sp.HalfSpace(), law=law, **({"distance": 0.02} if law == "barrier" else {}))
    return assembled(sp.World([cube], obstacles=(floor,), gravity=(0.0, -9.81, 0.0)), h=1 / 100)


def touched(model: Model, method: Method, h: float, steps: int) -> bool:
    found = record(model, method, h=h, steps=steps)
    contact = [t for t in model.system.potential.terms if "Contact" in type(t).__name__]
    return any(np.abs(t.element_gradients(s.x)).max() > 1e-6 for s in found.states for t in contact if len(t.elements))


@pytest.mark.parametrize("method", [sp.AVF(), sp.BackwardEuler(), sp.BDF2(), sp.SimoTarnow()], ids=lambda m: m.name)
def test_a_cube_that_bounces_off_the_floor(method: Method) -> None:
    model = dropped()
    assert touched(model, method, 1 / 100, 12)
    agrees(model, method, 1 / 100, 12, np.random.default_rng(4).standard_normal(model.state.x.shape), 1e-5)


@pytest.mark.parametrize("method", [sp.BackwardEuler(), sp.BDF2()], ids=lambda m: m.name)
def test_friction_with_its_frozen_pressing_force(method: Method) -> None:
    model = dropped(friction=0.3)
    assert model.system.dissipation.terms
    agrees(model, method, 1 / 100, 12, np.random.default_rng(4).standard_normal(model.state.x.shape), 1e-5)


def test_friction_under_avf_is_refused_with_a_way_out() -> None:
    with pytest.raises(SuppleError, match="backward-euler or bdf2"):
        record(dropped(friction=0.3), sp.AVF(), h=1 / 100, steps=3)


def two_cubes() -> Model:
    first = sp.Body(sp.Cube(cells=1, size=0.2), sp.StVK.from_young(2e4, 0.3), name="lower")
    second = sp.Body(
        sp.Cube(cells=1, size=0.2), sp.StVK.from_young(2e4, 0.3), name="upper",
        initial=sp.Initial(translate=(0.03, 0.22, 0.02), velocity=(0.0, -1.0, 0.0)),
    )  # fmt: skip
    return assembled(sp.World([first, second], contact=sp.Contact(distance=0.015)), h=1 / 100)


@pytest.mark.parametrize("method", [sp.AVF(), sp.BackwardEuler(), sp.SimoTarnow()], ids=lambda m: m.name)
def test_two_bodies_that_collide(method: Method) -> None:
    model = two_cubes()
    found = record(model, method, h=1 / 200, steps=8)
    assert np.abs(found.last.v[: model.system.n // 2]).max() > 0.01  # the lower one was hit
    agrees(model, method, 1 / 200, 8, np.random.default_rng(4).standard_normal(model.state.x.shape), 1e-5)


@pytest.mark.parametrize("scene", ["pendulum", "chain", "bead-on-wire"])
def test_constraints_by_the_bordered_matrix(scene: str) -> None:
    setup = sp.load(scene)
    model = assembled(setup.world)
    given = model.system.on_free(np.random.default_rng(4).standard_normal(model.state.x.shape))
    dv = tangent(model.system, model.system.motion.place(model.state.x, 0.0), given)[0]
    agrees(model, sp.BackwardEuler(), setup.h, 8, dv, 1e-5)
    with pytest.raises(SuppleError, match="constraints act along the whole step"):
        record(model, sp.AVF(), h=setup.h, steps=1)


def test_refusals() -> None:
    impulses = assembled(world(damping=(sp.StructurePreserving(tau=0.01, form="implicit"),)))
    with pytest.raises(SuppleError, match='form = "integrable"'):
        record(impulses, sp.AVF(), h=1 / 60, steps=1)
    with pytest.raises(SuppleError, match="projected out of obstacles"):
        record(dropped("projection"), sp.AVF(), h=1 / 100, steps=1)
    with pytest.raises(SuppleError, match='give "all", or a number of steps'):
        record(assembled(world()), sp.AVF(), h=1 / 60, steps=1, keep=0)


@pytest.mark.parametrize("scene", ["xpbd-cloth", "four-solvers-xpbd", "bouncing-ball-budget"])
def test_shipped_scenes_without_derivatives_say_why(scene: str) -> None:
    setup = sp.load(scene)
    with pytest.raises(
        SuppleError, match=r"no derivatives of this run: (an energy budget|xpbd|bodies are projected out)"
    ):
        record(setup.assemble(), setup.method, h=setup.h, steps=1)


def test_a_program_that_is_not_the_step_is_refused() -> None:
    class Curved(sp.BackwardEuler):
        """Does more than linear algebra between its solves."""

        def step(self, system, state, memory, h, tools):  # type: ignore[no-untyped-def]
            new, memory, report = super().step(system, state, memory, h, tools)
            return State(new.t, new.x, new.v * (1.0 + 0.1 * np.abs(new.v))), memory, report

    with pytest.raises(SuppleError, match="no derivatives of"):
        record(assembled(world()), Curved(), h=1 / 60, steps=2)


def test_quasi_static_equilibria_differentiate() -> None:
    model = assembled(world(bar(sp.StVK.from_young(2e5, 0.3))))
    weights = covector(model)
    found = record(model, sp.QuasiStatic(), h=1.0, steps=1)
    bars = pull(found, loss_of(found, (weights[0], np.zeros_like(weights[1]))))
    assert np.isfinite(bars.rest).all()
    assert np.abs(bars.rest).max() > 0.0
