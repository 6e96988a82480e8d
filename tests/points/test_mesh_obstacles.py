"""Obstacles of triangles at grid nodes: distances on a lattice, and runs that agree with those of analytic shapes."""

from functools import cache

import numpy as np
import pytest
from swarms import Turn, block

from supple.constraints.scripts import Rotate
from supple.contact.obstacles.shapes import BoxShape, Shape, SphereShape
from supple.dynamics.ledger import Ledger
from supple.errors import MeshError, SceneError, SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.surface import Sphere
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import surface
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.motion import Moves, Rotation
from supple.model.obstacle import MeshObstacle
from supple.model.points.points import Points
from supple.model.world import World
from supple.points.meshes.closed_surface import ClosedSurface
from supple.points.meshes.mesh_solid import MeshSolid
from supple.points.obstacle import NodeObstacle
from supple.types import Array

CELL = 0.1
CENTRE, RADIUS = (0.12, -0.15, 0.12), 0.2


def solid(mesh: Mesh, cell: float = CELL) -> MeshSolid:
    return MeshSolid(mesh.vertices, surface(mesh), cell)


@cache
def ball(subdivisions: int = 5) -> MeshSolid:
    return solid(Sphere(RADIUS, CENTRE, subdivisions).mesh())


def around(centre: tuple[float, float, float], size: float, count: int = 4000) -> Array:
    return np.asarray(centre) + np.random.default_rng(3).uniform(-size, size, (count, 3))


def gap(ledger: Ledger) -> float:
    return ledger.residual - (ledger.grid.transfer + ledger.grid.force + ledger.grid.collided)


def test_a_box_of_triangles_has_the_distances_of_a_box() -> None:
    mesh = Bar(cells=(3, 2, 2), size=(0.6, 0.3, 0.4)).mesh()
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    box = BoxShape(tuple(0.5 * (low + high)), tuple(high - low))
    y = around(box.centre, 0.6)
    distance, gradient = ClosedSurface(mesh.vertices, surface(mesh)).signed(y)
    assert np.abs(distance - box.distance(y)).max() < 1e-14
    outside = distance > 1e-3  # inside, two faces may be equally near
    assert np.abs(gradient - box.outward(y))[outside].max() < 1e-12
    places = np.round(y / (CELL / 2)) * (CELL / 2)  # of the lattice, where nothing is interpolated
    near = np.abs(box.distance(places)) < CELL
    assert np.abs(solid(mesh).distance(places) - box.distance(places))[near].max() < 1e-13


def test_a_sphere_of_triangles_is_a_sphere() -> None:
    sphere, y = SphereShape(CENTRE, RADIUS), around(CENTRE, 0.45)
    exact, found = sphere.distance(y), ball()
    distance, normal = found.distance(y), found.outward(y)
    near = np.abs(exact) < CELL
    flat = RADIUS * (1.0 - np.cos(0.035))  # triangles lie below the sphere
    assert np.abs(distance - exact)[near].max() < flat + 0.02 * CELL
    assert np.linalg.norm(normal - sphere.outward(y), axis=1)[near].max() < 0.06
    assert ((distance < 0.0) == (exact < 0.0))[np.abs(exact) > flat].all()
    assert np.isposinf(distance[~np.isfinite(distance)]).all()
    assert (exact[~np.isfinite(distance)] > CELL).all()


def test_the_lattice_is_kept_near_the_surface_only() -> None:
    """Half the cell takes four times as many blocks, as surfaces do; far inside distances are exact."""
    mesh = Sphere(1.0, (0.0, 0.0, 0.0), 4).mesh()
    shallow, deep = (solid(mesh, cell) for cell in (0.1, 0.05))
    assert len(deep.band.values) < 4.5 * len(shallow.band.values)
    at = np.array([[0.0, 0.0, 0.3]])
    assert abs(deep.distance(at)[0] + 0.7) < 1e-3
    assert np.abs(deep.outward(at) - [0.0, 0.0, 1.0]).max() < 0.05
    assert (deep.band.look(at)[0] == -np.inf).all()


def test_which_way_triangles_face_does_not_matter() -> None:
    mesh = Sphere(RADIUS, CENTRE, 3).mesh()
    inward = MeshSolid(mesh.vertices, np.ascontiguousarray(mesh.triangles[:, ::-1]), CELL)
    y = around(CENTRE, 0.3)
    assert (inward.distance(y) == solid(mesh).distance(y)).all()


def drop(shape: Shape, method: Mpm, script: Rotate | None = None, law: str = "separate") -> tuple[Array, Ledger, float]:
    friction = 0.3 if law == "separate" else 0.0
    obstacle = NodeObstacle(shape, law, friction, script)  # type: ignore[arg-type]
    system, state = block(side=3, obstacles=[obstacle], speed=0.0, fall=1.5)
    frames = list(simulate(system, method, state, 4e-3, 6))
    worst = max(abs(gap(frame.ledger)) for frame in frames)
    return frames[-1].state.x, frames[-1].ledger, worst


@pytest.mark.parametrize(
    ("law", "method"),
    [
        *(pytest.param(law, Mpm(cell=CELL), id=f"{law}-explicit") for law in ("separate", "slip", "sticky")),
        *(pytest.param(law, Mpm(AVF(), cell=CELL), id=f"{law}-avf") for law in ("separate", "sticky")),
        pytest.param("slip", Mpm(AVF(), cell=CELL), marks=pytest.mark.study, id="slip-avf"),
    ],
)
def test_a_drop_agrees_with_that_on_the_analytic_sphere(method: Mpm, law: str) -> None:
    (x, ledger, worst), (y, other, _) = (
        drop(shape, method, law=law) for shape in (ball(), SphereShape(CENTRE, RADIUS))
    )
    assert np.linalg.norm(x - y, axis=1).max() < 0.05 * CELL
    assert abs(ledger.grid.collided - other.grid.collided) < 0.02 * abs(other.grid.collided)
    assert worst < 1e-12 * ledger.energies.scale


@pytest.mark.parametrize("method", [Mpm(cell=CELL), Mpm(AVF(), cell=CELL)], ids=["explicit", "avf"])
@pytest.mark.parametrize("law", ["separate", "sticky"])
def test_the_work_of_a_paddle_is_in_the_ledger(method: Mpm, law: str) -> None:
    paddle = Bar(cells=(2, 2, 2), size=(0.8, 0.4, 0.6)).mesh()
    paddle = paddle.moved(paddle.vertices - [0.3, 0.4, 0.2])
    low, high = paddle.vertices.min(axis=0), paddle.vertices.max(axis=0)
    script = Rotate((0.0, 0.0, 1.0), (-0.3, -0.1, 0.0), 3.0)
    box = BoxShape(tuple(0.5 * (low + high)), tuple(high - low))
    (x, ledger, worst), (y, other, _) = (drop(shape, method, script, law) for shape in (solid(paddle), box))
    assert ledger.external_work > 1.0
    assert worst < 1e-12 * max(ledger.energies.scale, ledger.external_work)
    assert abs(ledger.external_work - other.external_work) < 0.01 * other.external_work
    assert np.linalg.norm(x - y, axis=1).max() < 0.05 * CELL


def test_refusals() -> None:
    with pytest.raises(SuppleError, match=r"it lies 5e\+12 m from the origin, .* cells of 0\.1 m"):
        solid(Bar(origin=(-0.25, -0.2, -5e12)).mesh()).lay()
    with pytest.raises(MeshError, match="not closed and encloses no volume: 8 edges at the rim of a hole"):
        solid(Cloth(cells=(2, 2), size=(1.0, 1.0)).mesh())
    one, two = (Sphere(0.5, (x, 0.0, 0.0), 3).mesh() for x in (0.0, 0.5))
    both = Mesh(
        np.concatenate([one.vertices, two.vertices]), triangles=np.concatenate([one.triangles, two.triangles + one.n])
    )
    with pytest.raises(
        MeshError, match=r"intersects itself near .* merge its pieces, or make each a separate obstacle"
    ):
        solid(both).lay()


def test_worlds_say_what_a_mesh_needs() -> None:
    body = Body(Bar(cells=(2, 2, 2), size=(0.4, 0.4, 0.4)), StVK.from_young(1e5, 0.3), points=Points(cell=0.1))
    ground = Sphere(0.5, (0.0, -1.0, 0.0), 3)
    with pytest.raises(
        SceneError, match=r"obstacle\[0\].law: material points interact with a mesh only at the nodes of their grid"
    ):
        assemble(World([body], obstacles=[MeshObstacle(ground)]))
    with pytest.raises(SceneError, match=r"obstacle\[0\].mesh: the surface is not closed"):
        assemble(World([body], obstacles=[MeshObstacle(Cloth(cells=(2, 2), size=(1.0, 1.0)), law="slip")]))
    solid_body = Body(Bar(cells=(2, 2, 2), size=(0.4, 0.4, 0.4)), StVK.from_young(1e5, 0.3))
    with pytest.raises(SceneError, match=r'obstacle\[0\].law: "slip" acts on the grid .* leave it out, or give'):
        assemble(World([solid_body], obstacles=[MeshObstacle(ground, law="slip")]))
    turning = Moves(rotate=Rotation(axis=(0, 1, 0), centre=(0, 0, 0), rate=1.0))
    world = World([body], obstacles=[MeshObstacle(ground, law="separate", friction=0.2, motion=turning)])
    model = assemble(world, cell=0.05)
    (obstacle,) = model.system.node_obstacles
    assert obstacle.moves
    assert isinstance(obstacle.shape, MeshSolid)
    assert (obstacle.shape.cell, obstacle.friction, model.system.n) == (0.05, 0.2, len(model.state.x))
    assert 'law = "separate"' in world.to_toml()


def test_a_plate_thinner_than_a_cell_is_noted() -> None:
    body = Body(Bar(cells=(2, 2, 2), size=(0.4, 0.4, 0.4)), StVK.from_young(1e5, 0.3), points=Points(cell=0.1))
    plates = [Bar(cells=(2, 1, 2), size=(1.0, size, 1.0), origin=(0.0, -1.0, 0.0)) for size in (0.04, 0.12)]
    thin, thick = (assemble(World([body], obstacles=[MeshObstacle(plate, law="slip")])).notes for plate in plates)
    assert "an obstacle with a mesh of 32 triangles is thinner than a cell of 0.1 m" in thin[-1]
    assert not any("thick" in note for note in thick)


def test_a_band_turns_with_its_mesh() -> None:
    obstacle = NodeObstacle(ball(), "slip", script=Turn())
    moved = Turn().position(np.array([CENTRE]), 0.4)[0]
    y = around(tuple(moved), 0.3)
    exact = np.linalg.norm(y - moved, axis=1) - RADIUS
    near = np.abs(exact) < CELL
    assert np.abs(obstacle.gaps(y, 0.4) - exact)[near].max() < 0.03 * CELL
