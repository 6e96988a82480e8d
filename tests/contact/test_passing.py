"""Steps so long that the solver could lead a body round an obstacle, or round another body, are not accepted."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from builders import Setup, hold, run
from supple.constraints.motion import Motion
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import BoxShape, Shape, SphereShape
from supple.contact.obstacles.stairs import Stairs
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.integrators import INTEGRATORS
from supple.linalg.threads import use_threads
from supple.loop import Frame
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.round import Torus
from supple.mesh.shapes.solid import Cube
from supple.mesh.topology import boundary_triangles
from supple.types import Array

METHODS = INTEGRATORS.load()
SHAPES: dict[str, Shape] = {
    "sphere": SphereShape((0.03, 0.0, 0.0), 0.4),
    "box": BoxShape((0.1, 0.0, 0.0), (0.6, 0.5, 0.7), (0.1, 0.2, 0.3)),
    "stairs": Stairs((-0.6, -0.4, 0.0), 5, 0.15, 0.25, 1.0),
}


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Bodies this small are faster so."""
    use_threads(1)
    yield
    use_threads(0)


def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    for term in (ObstacleContact, BarrierContact):
        monkeypatch.setattr(term, "passes", lambda *_: False)


def shot(shape: Shape, speed: float) -> tuple[Setup, ObstacleContact]:
    """A cube of .4 m whose centre is 1 m above the origin, moving down."""
    mesh = Cube(cells=1, size=0.4, origin=(-0.2, 0.8, -0.2)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, mass=1.0)
    contact = ObstacleContact(shape, Barrier(1e5, 0.05), np.arange(len(X)))
    system = build_system(X, mass, [Solid(X, mesh.tets, StVK(4e3, 2e3)), contact])
    return (system, State(0.0, X, np.tile([0.0, -speed, 0.0], (len(X), 1)))), contact


@pytest.mark.parametrize(
    ("name", "method"),
    [
        pytest.param(name, method, marks=() if (i + j) % 2 == 0 else pytest.mark.study)
        for i, name in enumerate(SHAPES)
        for j, method in enumerate(["backward-euler", "avf"])
    ],
)
def test_no_vertex_passes_an_obstacle(name: str, method: str) -> None:
    """1.3 m a step, more than the obstacles are wide."""
    setup, contact = shot(SHAPES[name], 40.0)
    frames = run(setup, METHODS[method](), 1 / 30, 3)
    ways = [(a.state.x, b.state.x) for a, b in pairwise(frames)]
    # a vertex may clip an edge by less than the reach
    nearest = min(contact.gaps(x + s * (y - x)).min() for x, y in ways for s in np.linspace(0.0, 1.0, 101))
    assert nearest > -contact.law.reach
    assert all(contact.gaps(frame.state.x).min() > 0.0 for frame in frames)
    assert frames[-1].state.t == pytest.approx(0.1)


def test_without_the_check_it_would(monkeypatch: pytest.MonkeyPatch) -> None:
    unchecked(monkeypatch)
    setup, contact = shot(SHAPES["box"], 40.0)
    frames = run(setup, METHODS["backward-euler"](), 1 / 30, 3)
    monkeypatch.undo()
    passed = [contact.passes(a.state.x, b.state.x) for a, b in pairwise(frames)]
    assert any(passed)
    assert not any(frame.note for frame in frames)
    setup, _ = shot(SHAPES["box"], 40.0)
    assert any("pass through" in frame.note for frame in run(setup, METHODS["backward-euler"](), 1 / 30, 3))


def test_which_ways_pass_a_shape() -> None:
    x = np.array([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0]])
    contact = ObstacleContact(SphereShape((0.0, 0.0, 0.0), 0.5), Barrier(1.0, 0.1), [0, 1])
    assert not contact.passes(x, x - [0.0, 0.499, 0.0])
    assert contact.passes(x, x - [0.0, 2.0, 0.0])
    assert not contact.passes(x, x - [0.501, 2.0, 0.0] * np.array([[0.0], [1.0]]))
    still = np.zeros(3)
    assert not contact.passes(x, x + np.array([[0.55, -1.0, 0.0], still]))  # cuts off less than contact resolves
    beside = np.array([[-0.35, 0.365, 0.0], [2.0, 1.0, 0.0]])
    assert contact.passes(beside, beside + np.array([[0.7, 0.0, 0.0], still]))  # cuts off a piece
    penalty = ObstacleContact(SphereShape((0.0, 0.0, 0.0), 0.5), Cubic(1.0), [0, 1])
    assert not penalty.passes(x, x - [0.0, 2.0, 0.0])


def two_cubes(speed: float, offset: float, spin: float = 0.0) -> tuple[Setup, BarrierContact]:
    """Cubes of .4 m that fly towards each other; the second one is turned, and spins [rad/s] about z."""
    mesh = Cube(cells=1, size=0.4, origin=(-0.2, -0.2, -0.2)).mesh()
    c, s = np.cos(0.3), np.sin(0.3)
    turned = mesh.vertices @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    X = np.concatenate([mesh.vertices - [0.5, 0.0, 0.0], turned + np.array([0.5, offset, 0.05])])
    n = len(turned)
    tets = np.concatenate([mesh.tets, mesh.tets + n]).astype(np.int32)
    mass = np.tile(lumped_mass(mesh, density=1000.0), 2)
    contact = BarrierContact(ContactSurface(X, boundary_triangles(tets), np.repeat([0, 1], n)), 0.02, 1e7)
    v = np.repeat([[speed, 0.0, 0.0], [-speed, 0.0, 0.0]], n, axis=0)
    v[n:] += np.cross([0.0, 0.0, spin], turned)
    system = build_system(X, mass, [Solid(X, tets, StableNeoHookean.from_young(2e5, 0.3)), contact])
    return (system, State(0.0, X, v)), contact


def passed(contact: BarrierContact, frames: list[Frame]) -> int:
    return sum(contact.passes(a.state.x, b.state.x) for a, b in pairwise(frames))


@pytest.mark.parametrize("method", ["backward-euler", "avf"])
def test_no_body_passes_another(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each moves by 1 m in a step, 2.5 times its width; without the check they change sides at once."""
    setup, contact = two_cubes(30.0, 0.2)
    frames = run(setup, METHODS[method](), 1 / 30, 2)
    assert passed(contact, frames) == 0
    assert any("pass through" in frame.note for frame in frames)
    unchecked(monkeypatch)
    setup, _ = two_cubes(30.0, 0.2)
    free = run(setup, METHODS[method](), 1 / 30, 2)
    monkeypatch.undo()
    assert passed(contact, free) >= 1


def test_far_and_near_ways_of_meshes() -> None:
    """Flight over many times the body's size, and ends with less than a tenth of the first gap, are no contact."""
    (_, start), contact = two_cubes(0.0, 0.0)
    x, n = start.x, len(start.x) // 2

    def moved(dx: float, dy: float) -> Array:
        return x + np.repeat([[dx, dy, 0.0], [0.0, 0.0, 0.0]], n, axis=0)

    assert not contact.passes(x, moved(-20.0, 0.0))
    assert not contact.passes(x, moved(0.0, 20.0))
    assert contact.passes(x, moved(20.0, 0.0))
    room = next(s for s in np.linspace(0.4, 1.0, 601) if contact.surface.intersects(moved(s, 0.3 * s)))
    assert 0.45 < room < 0.7
    assert not contact.passes(x, moved(0.99 * room, 0.99 * 0.3 * room))
    assert contact.passes(x, moved(1.001 * room, 1.001 * 0.3 * room))


def test_a_near_miss_of_sloping_faces_is_none() -> None:
    """Their boxes overlap from the beginning, so that only their distance counts; it falls to a hundredth."""
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    normal = np.array([-1.0, 1.0, 0.0]) / np.sqrt(2.0)
    x = np.concatenate([corners, corners + 0.3 * normal])
    surface = ContactSurface(x, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32), np.repeat([0, 1], 3))

    def nearer(by: float) -> Array:
        return np.concatenate([corners, corners + (0.3 - by) * normal])

    contact = BarrierContact(surface, 0.01, 1e3)
    assert not contact.passes(x, nearer(0.297))
    assert contact.passes(x, nearer(0.301))


def healthy(frames: list[Frame], contact: Any) -> None:
    touching = sum(contact.smallest_gap(frame.state.x) < contact.dhat for frame in frames)
    assert touching >= 3
    assert not any("pass through" in frame.note for frame in frames)


@pytest.mark.parametrize(
    ("method", "offset", "spin"),
    [
        ("backward-euler", 0.0, 0.0),
        ("avf", 0.3, 0.0),
        ("backward-euler", 0.3, 15.0),
        ("avf", 0.3, 15.0),
        pytest.param("backward-euler", 0.3, 0.0, marks=pytest.mark.study),
        pytest.param("avf", 0.0, 0.0, marks=pytest.mark.study),
    ],
)
def test_ordinary_steps_of_colliding_bodies_are_accepted(method: str, offset: float, spin: float) -> None:
    """3 m/s against each other in steps of 1/100 s, 1.5 dhat; spinning by .15 rad in a step."""
    setup, contact = two_cubes(1.5, offset, spin)
    healthy(run(setup, METHODS[method](), 0.01, 30), contact)


def test_ordinary_steps_of_a_squashed_torus_are_accepted() -> None:
    """5 m/s against the ground, which is held: self-contact and rolling contact at once."""
    mesh = Torus(1.0, 0.3, 16, 1).mesh()
    X = mesh.vertices[:, [0, 2, 1]] * [1.0, -1.0, 1.0]
    X = X - [0.0, X[:, 1].min() - 0.05, 0.0]
    ground = np.array([[-3.0, 0.0, -3.0], [3.0, 0.0, -3.0], [3.0, 0.0, 3.0], [-3.0, 0.0, 3.0]])
    n, Y = len(X), np.concatenate([X, ground])
    triangles = np.concatenate([boundary_triangles(mesh.tets), np.array([[0, 2, 1], [0, 3, 2]]) + n]).astype(np.int32)
    patches = np.concatenate([np.arange(n), np.full(4, n)])
    contact = BarrierContact(ContactSurface(Y, triangles, patches), 0.03, 1e6)
    mass = np.concatenate([lumped_mass(mesh, density=1000.0), np.ones(4)])
    solid = Solid(Y, mesh.tets, StableNeoHookean.from_young(3e4, 0.3))
    system = build_system(Y, mass, [solid, contact], Motion((hold(np.arange(n, n + 4), Y),)))
    v = np.zeros_like(Y)
    v[:n, 1] = -5.0
    healthy(run((system, State(0.0, Y, v)), METHODS["backward-euler"](), 0.01, 25), contact)
