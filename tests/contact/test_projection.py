"""Vertices put out of obstacles after a step: where they land, how they bounce and slide, and where the energy goes."""

from collections.abc import Iterator

import numpy as np
import pytest

from builders import Setup, at_rest, hold, run
from supple.budget.energy_budget import EnergyBudget
from supple.constraints.motion import Motion
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.shapes import BoxShape, Capsule, Shape, SphereShape
from supple.contact.obstacles.stairs import Stairs
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.linalg.threads import use_threads
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.round import Ball
from supple.solvers.tools import StepTools
from supple.types import Array

METHODS = INTEGRATORS.load()
DOWN = np.array([0.0, -9.8, 0.0])
SHAPES: dict[str, Shape] = {
    "half-space": HalfSpace((0.1, 0.0, 0.0), (0.2, 1.0, -0.1)),
    "sphere": SphereShape((0.0, -0.2, 0.1), 0.6),
    "capsule": Capsule((-0.5, 0.0, -0.1), (0.5, 0.1, 0.1), 0.4),
    "box": BoxShape((0.1, 0.0, 0.0), (0.9, 0.7, 0.8), (0.1, 0.2, 0.3)),
}


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Bodies this small are faster so."""
    use_threads(1)
    yield
    use_threads(0)


def moves(shape: Shape, thickness: float) -> tuple[Array, Array, Array]:
    """Points that begin outside of a shape, where they go, and velocities."""
    generator = np.random.default_rng(5)
    x0 = generator.uniform(-1.5, 1.5, (4000, 3))
    x0 = x0[shape.distance(x0) > thickness]
    x1 = x0 + generator.uniform(-0.4, 0.4, x0.shape)
    return x0, x1, generator.normal(size=x0.shape)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("thickness", [0.0, 0.02])
def test_what_went_inside_is_put_on_the_surface(name: str, thickness: float) -> None:
    shape = SHAPES[name]
    x0, x1, v = moves(shape, thickness)
    put = Projection(shape, np.arange(len(x0)), thickness=thickness).project(x0, x1, v)
    inside = shape.distance(x1) < thickness
    assert inside.sum() > 20
    touched = np.zeros(len(x0), dtype=bool)
    touched[put.touched] = True
    assert touched[inside].all()
    assert np.abs(shape.distance(put.x[inside]) - thickness).max() <= 1e-14
    # no vertex is moved further than by the step itself
    assert (np.linalg.norm(put.x - x1, axis=1) <= np.linalg.norm(x1 - x0, axis=1)).all()
    np.testing.assert_array_equal(put.x[~touched], x1[~touched])
    np.testing.assert_array_equal(put.v[~touched], v[~touched])
    n = shape.outward(put.x + 1e-10 * (x0 - x1))
    assert np.einsum("mi,mi->m", put.v, n)[inside].min() >= -1e-8


@pytest.mark.parametrize("name", SHAPES)
def test_only_ways_that_lead_through_a_shape_collide(name: str) -> None:
    shape = SHAPES[name]
    x0, x1, v = moves(shape, 0.0)
    put = Projection(shape, np.arange(len(x0))).project(x0, x1, v)
    along = np.linspace(0.0, 1.0, 401)
    nearest = np.min([shape.distance(x0 + s * (x1 - x0)) for s in along], axis=0)
    touched = np.zeros(len(x0), dtype=bool)
    touched[put.touched] = True
    assert touched[nearest < 0.0].all()
    assert nearest[touched].max() <= 1e-3  # of a way that only cuts off an edge, the samples may miss the place


def test_a_thin_plate_stops_what_would_be_beyond_it() -> None:
    plate = BoxShape((0.0, 0.0, 0.0), (2.0, 0.01, 2.0))
    x0, x1 = np.array([[0.1, 0.3, 0.0], [0.2, -0.2, 0.0]]), np.array([[0.2, -0.9, 0.1], [0.2, 0.5, 0.0]])
    put = Projection(plate, [0, 1]).project(x0, x1, (x1 - x0) / 0.1)
    np.testing.assert_allclose(put.x, [[0.2, 0.005, 0.1], [0.2, -0.005, 0.0]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(put.v, [[1.0, 0.0, 1.0], [0.0, 0.0, 0.0]], rtol=0, atol=1e-9)


def test_what_lies_on_a_tread_stays_on_it_at_the_next_riser() -> None:
    """The nearest face of the tread's own box would be the one that it shares with the next."""
    stairs = Stairs((0.0, 0.0, 0.0), 3, 0.2, 0.3, 1.0)
    x0 = np.array([[0.299, 0.2, 0.0], [0.15, 0.2, 0.1], [0.31, 0.45, 0.0]])
    put = Projection(stairs, [0, 1, 2]).project(x0, x0 - [0.0, 0.02, 0.0], np.tile([0.0, -1.0, 0.0], (3, 1)))
    assert put.touched.tolist() == [0, 1]
    np.testing.assert_allclose(put.x, [*x0[:2], [0.31, 0.43, 0.0]], rtol=0, atol=1e-12)
    np.testing.assert_allclose(put.v[:2], 0.0, atol=1e-12)


def test_velocities_bounce_and_rub() -> None:
    x0, x1 = np.full((3, 3), 0.1), np.full((3, 3), -0.1)
    v = np.array([[3.0, -2.0, 4.0], [0.3, -2.0, 0.4], [1.0, 2.0, 0.0]])
    put = Projection(HalfSpace(), [0, 1, 2], restitution=0.5, friction=0.4).project(x0, x1, v)
    # v_n = 1, Coulomb takes 0.4 * 3 = 1.2 of 5 m/s, and all of 0.5; separating vertices are unchanged
    np.testing.assert_allclose(put.v, [[2.28, 1.0, 3.04], [0.0, 1.0, 0.0], [1.0, 2.0, 0.0]], rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(put.rubbed, [25.0 - 3.8**2, 0.25, 0.0], rtol=1e-13)


@pytest.mark.parametrize("name", ["verlet", pytest.param("explicit-midpoint", marks=pytest.mark.study), "rk4"])
def test_a_point_bounces_as_high_as_its_restitution_says(name: str) -> None:
    """These methods are exact in free fall, so that only `collided` changes the energy."""
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.full(1, 2.0)
    system = build_system(x, mass, [Gravity(mass, DOWN)], projections=[Projection(HalfSpace(), [0], 0.8)])
    frames = run((system, at_rest(x)), METHODS[name](), 1e-3, 850)
    H = np.array([frame.ledger.energies.total for frame in frames])
    changed = np.array([frame.collided for frame in frames])
    assert np.count_nonzero(changed) == 1
    np.testing.assert_allclose(np.diff(H), changed[1:], rtol=0, atol=1e-12)
    heights = np.array([frame.state.x[0, 1] for frame in frames])
    assert heights[500:].max() == pytest.approx(0.64, abs=5e-3)
    assert heights.min() >= 0.0


@pytest.mark.parametrize("name", ["symplectic-euler", "verlet", "backward-euler", "bdf2"])
def test_a_point_slides_until_friction_has_all_its_energy(name: str) -> None:
    x, mass, h = np.zeros((1, 3)), np.full(1, 1.0), 2e-3
    ground = Projection(HalfSpace(), [0], friction=0.5)
    system = build_system(x, mass, [Gravity(mass, DOWN)], projections=[ground])
    frames = run((system, State(0.0, x, np.array([[2.0, 0.0, 0.0]]))), METHODS[name](), h, 250)
    end = frames[-1]
    assert np.abs(end.state.v).max() <= 1e-14
    assert end.state.x[0, 0] == pytest.approx(2.0**2 / (2 * 0.5 * 9.8), abs=1.5 * h)
    assert end.ledger.dissipated == pytest.approx(2.0, rel=1e-11)
    assert end.ledger.energies.total == pytest.approx(0.0, abs=1e-12)


def test_prescribed_vertices_are_left_alone() -> None:
    x, mass = np.array([[0.0, -0.1, 0.0], [0.5, 0.05, 0.0]]), np.ones(2)
    springs = HookeSprings(x, np.array([[0, 1]], dtype=np.int32), 10.0)
    ground = Projection(HalfSpace(), [0, 1])
    system = build_system(x, mass, [springs, Gravity(mass, DOWN)], Motion((hold([0], x),)), projections=[ground])
    method, tools, state = METHODS["verlet"](), StepTools(system), at_rest(x)
    memory = method.start(system, state)
    for _ in range(30):
        state, memory, report = method.advance(system, state, memory, 0.01, tools)
        assert state.x[0, 1] == -0.1
        assert report.contacts is None or report.contacts.tolist() == [1]
    assert report.contacts is not None
    assert state.x[1, 1] == 0.0
    np.testing.assert_array_equal(memory["a"], system.acceleration(state))  # not that of the place it was taken from


def test_multistep_methods_start_anew_after_a_collision() -> None:
    """Otherwise the velocity before the bounce would carry on into the obstacle for another step."""
    x, mass = np.array([[0.0, 0.1, 0.0]]), np.ones(1)
    system = build_system(x, mass, [Gravity(mass, DOWN)], projections=[Projection(HalfSpace(), [0], 1.0)])
    frames = run((system, State(0.0, x, np.array([[0.0, -3.0, 0.0]]))), METHODS["bdf2"](), 0.01, 8)
    hit = next(frame.step for frame in frames if frame.collided != 0.0)
    assert hit == 4
    assert frames[hit + 1].state.x[0, 1] == pytest.approx(0.01 * frames[hit].state.v[0, 1] - 0.5 * 9.8e-4, rel=1e-9)


def test_friction_and_restitution_have_limits() -> None:
    for wrong in ({"restitution": 1.1}, {"restitution": -0.1}, {"friction": -1.0}, {"thickness": float("inf")}):
        with pytest.raises(SuppleError, match=next(iter(wrong))):
            Projection(HalfSpace(), [0], **wrong)


def ball() -> Setup:
    """160 tets of 100 kPa that fall half a metre and move sideways."""
    mesh = Ball(radius=0.25, centre=(0.0, 0.75, 0.0), resolution=2).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    terms = [Solid(X, mesh.tets, StableNeoHookean.from_young(1e5, 0.3)), Gravity(mass, DOWN)]
    ground = Projection(HalfSpace(), np.arange(len(X)))
    return build_system(X, mass, terms, projections=[ground]), State(0.0, X, np.tile([1.0, 0.0, 0.0], (len(X), 1)))


@pytest.mark.parametrize(
    ("name", "collision", "left", "top"),
    [
        ("verlet", None, 0.764, 0.586),
        ("verlet", 0.5, 0.881, 0.599),
        pytest.param("verlet", 1.0, 1.0, 0.611, marks=pytest.mark.study),
        pytest.param("symplectic-euler", None, 0.762, 0.586, marks=pytest.mark.study),
        pytest.param("symplectic-euler", 0.0, 0.826, 0.589, marks=pytest.mark.study),
        ("symplectic-euler", 1.0, 1.0, 0.622),
    ],
)
def test_a_ball_bounces(name: str, collision: float | None, left: float, top: float) -> None:
    """Energy in units of the drop. With the budget it is returned, though not as height: part of it remains vibration."""
    system, start = ball()
    method = METHODS[name]()
    method = method if collision is None else EnergyBudget(method, collision=collision)
    frames = run((system, start), method, 0.002, 600)
    H = np.array([frame.ledger.energies.total for frame in frames])
    H = 1.0 + (H - H[0]) / (system.mass.sum() * 9.8 * 0.5)
    P = np.array([system.mass @ frame.state.v for frame in frames])
    heights = np.array([system.mass @ frame.state.x[:, 1] for frame in frames]) / system.mass.sum()
    assert H[-1] == pytest.approx(left, abs=0.03 if left < 1.0 else 1e-12)
    assert collision != 1.0 or np.abs(H - 1.0).max() <= 1e-12
    assert not any(frame.note for frame in frames)
    assert heights[200:].max() == pytest.approx(top, abs=0.01)
    assert np.abs(P[:, 0] / P[0, 0] - 1.0).max() <= 1e-12
    assert min(frame.state.x[:, 1].min() for frame in frames) >= 0.0


def test_the_budget_sees_the_contacts() -> None:
    system, start = ball()
    low = State(0.0, start.x - [0.0, 0.499, 0.0], np.tile([0.0, -3.0, 0.0], (len(start.x), 1)))
    bare, method = METHODS["verlet"](), EnergyBudget(METHODS["verlet"]())
    plain, _, _ = bare.advance(system, low, bare.start(system, low), 0.002, StepTools(system))
    new, _, report = method.advance(system, low, method.start(system, low), 0.002, StepTools(system))
    assert report.contacts is not None
    assert 0 < len(report.contacts) < 20
    np.testing.assert_array_equal(new.v[report.contacts], plain.v[report.contacts])
    others = np.setdiff1d(np.arange(len(new.v)), report.contacts)
    assert np.abs(new.v[others] - plain.v[others]).max() > 1e-6
