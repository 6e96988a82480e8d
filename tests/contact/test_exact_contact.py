"""Energy through impacts on half-spaces: AVF with the exact mean against quadrature and against dissipative methods."""

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.optimize import brentq

from builders import Setup, at_rest, drift, run
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic, Law, Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.roles.averages import OwnRule
from supple.energies.solids.solid import Solid
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.linalg.quadrature import lobatto
from supple.linalg.threads import use_threads
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar, Cube

METHODS = INTEGRATORS.load()
DOWN = np.array([0.0, -9.8, 0.0])
BARRIER, PENALTY = Barrier(2e3, 0.05), Quadratic(500.0)
EXACT = AVF(polish=False)
"""The mean in closed form needs no polish: nothing else here may make the energy right."""


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Bodies this small are faster so."""
    use_threads(1)
    yield
    use_threads(0)


def falling_cube(law: Law) -> tuple[Setup, HalfSpaceContact]:
    """40 tets of St. Venant-Kirchhoff, 1 m above the ground, turned by .4 rad about z through its centre."""
    mesh = Cube(cells=2, size=1.0, origin=(0.0, 1.0, 0.0)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, mass=1.0)
    c, s = np.cos(0.4), np.sin(0.4)
    centre = np.array([0.5, 1.5, 0.5])
    x = (X - centre) @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) + centre
    contact = HalfSpaceContact(HalfSpace(), law, np.arange(len(X)))
    terms = [Solid(X, mesh.tets, StVK(200.0, 100.0)), Gravity(mass, DOWN), contact]
    return (build_system(X, mass, terms), at_rest(x)), contact


@pytest.mark.parametrize(
    ("law", "nearest", "touching"),
    [(BARRIER, 0.02297, 43), pytest.param(PENALTY, -0.0412, 49, marks=pytest.mark.study)],
)
def test_a_cube_keeps_its_energy_through_impacts(law: Law, nearest: float, touching: int) -> None:
    setup, contact = falling_cube(law)
    assert setup[1].x[:, 1].min() == pytest.approx(0.8448, abs=5e-5)
    frames = run(setup, EXACT, 1 / 60, 150)
    gaps = np.array([contact.gaps(frame.state.x).min() for frame in frames])
    assert len(frames) == 151
    assert drift(frames) <= 1e-12
    assert gaps.min() == pytest.approx(nearest, abs=6e-5)
    assert (gaps < law.reach).sum() == touching
    assert np.mean([frame.solve.iterations for frame in frames[1:]]) <= 5.0


@pytest.mark.study
@pytest.mark.parametrize("law", [BARRIER, PENALTY, Cubic(2e4)], ids=["barrier", "quadratic", "cubic"])
@pytest.mark.parametrize("rate", [30, 60, 100])
def test_ten_seconds_of_bouncing(law: Law, rate: int) -> None:
    setup, contact = falling_cube(law)
    frames = run(setup, EXACT, 1 / rate, 10 * rate)
    assert len(frames) == 10 * rate + 1
    assert drift(frames) <= 2e-12
    assert not law.keeps_apart or min(contact.gaps(frame.state.x).min() for frame in frames) > 0.01


def ball(law: Law, contact: type[ObstacleContact] = HalfSpaceContact) -> Setup:
    """A point of 1 kg that falls from 1 m."""
    x, mass = np.array([[0.0, 1.0, 0.0]]), np.ones(1)
    terms = [Gravity(mass, DOWN), contact(HalfSpace(), law, [0])]
    return build_system(x, mass, terms), at_rest(x)


def by_lobatto(points: int) -> type[ObstacleContact]:
    return type("ByLobatto", (ObstacleContact, OwnRule), {"rule": lobatto(points)})


FAST = Barrier(1e5, 0.01)
"""At h = 1/100 an impact moves the ball by 4.4 times its reach in one step."""
RESOLVED = Barrier(1e3, 0.1)


@pytest.mark.parametrize(("law", "seconds"), [(FAST, 1.2), (RESOLVED, 1.2), (PENALTY, 1.2), (Cubic(2e4), 1.2)])
def test_a_ball_keeps_its_energy(law: Law, seconds: float) -> None:
    steps = round(100 * seconds)
    frames = run(ball(law), EXACT, 1 / 100, steps)
    heights = np.array([frame.state.x[0, 1] for frame in frames])
    assert len(frames) == steps + 1
    assert drift(frames) <= 1e-12
    assert not law.keeps_apart or heights.min() > 0.0
    assert heights[:60].min() < law.reach + 1e-3
    assert heights[60:].max() > 0.99


MANY = pytest.mark.study


@pytest.mark.parametrize(
    ("points", "error"),
    [
        pytest.param(4, 0.85, marks=MANY),
        (6, 7.7e-2),
        pytest.param(10, 8.5e-3, marks=MANY),
        pytest.param(20, 1.0e-3, marks=MANY),
    ],
)
def test_quadrature_of_a_fast_impact_is_not_exact(points: int, error: float) -> None:
    frames = run(ball(FAST, by_lobatto(points)), EXACT, 1 / 100, 500)
    assert drift(frames) == pytest.approx(error, rel=0.08)


@pytest.mark.parametrize(
    ("points", "error"), [(4, 5e-4), pytest.param(6, 7e-5, marks=MANY), pytest.param(20, 1.7e-6, marks=MANY)]
)
def test_quadrature_of_a_resolved_impact(points: int, error: float) -> None:
    frames = run(ball(RESOLVED, by_lobatto(points)), EXACT, 1 / 100, 300)
    assert drift(frames) == pytest.approx(error, rel=0.15)


def test_backward_euler_loses_the_bounce() -> None:
    frames = run(ball(FAST), METHODS["backward-euler"](), 1 / 100, 200)
    assert drift(frames) == pytest.approx(0.99, abs=0.01)
    assert min(frame.state.x[0, 1] for frame in frames) > 0.0


@pytest.mark.parametrize("law", [FAST, PENALTY], ids=["barrier", "quadratic"])
def test_simo_tarnow_keeps_the_energy_too(law: Law) -> None:
    frames = run(ball(law), METHODS["simo-tarnow"](), 1 / 100, 120)
    assert min(frame.state.x[0, 1] for frame in frames) < law.reach + 1e-3
    assert len(frames) == 121
    assert drift(frames) <= 1e-12


def test_a_resting_point_stands_where_the_barrier_carries_its_weight() -> None:
    law = Barrier(2e3, 0.05)
    x, mass = np.array([[0.0, 0.02, 0.0]]), np.full(1, 3.0)
    system = build_system(x, mass, [Gravity(mass, DOWN), HalfSpaceContact(HalfSpace(), law, [0], 0.5)])
    end = run((system, at_rest(x)), METHODS["quasi-static"](), 1.0, 1, tolerance=1e-12)[-1].state
    wanted = brentq(lambda d: 0.5 * law.slope(np.array([d]))[0] + 3.0 * 9.8, 1e-4, 0.05, xtol=1e-15)
    assert end.x[0, 1] == pytest.approx(wanted, rel=1e-6)


def test_a_resting_block_stands_where_the_barrier_carries_its_weight() -> None:
    """A stiff block on its flat side: the spread of its gaps, and with it their mean's error, falls with its stiffness."""
    mesh = Bar(cells=(2, 2, 2), size=(0.4, 0.2, 0.4), origin=(0.0, 0.03, 0.0), tets=6).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    law, bottom = Barrier(2e4, 0.05), mesh.group("bottom")
    contact = HalfSpaceContact(HalfSpace(), law, bottom)
    system = build_system(X, mass, [Solid(X, mesh.tets, StVK.from_young(1e8, 0.0)), Gravity(mass, DOWN), contact])
    end = run((system, at_rest(X)), METHODS["quasi-static"](), 1.0, 1, tolerance=1e-12)[-1].state
    assert contact.touches(end.x)[0].force.sum() == pytest.approx(9.8 * mass.sum(), rel=1e-10)
    wanted = brentq(lambda d: len(bottom) * law.slope(np.array([d]))[0] + 9.8 * mass.sum(), 1e-4, 0.05, xtol=1e-15)
    assert 0.2 * law.dhat < wanted < 0.9 * law.dhat
    assert np.mean(contact.gaps(end.x)) == pytest.approx(wanted, rel=1e-6)
