"""Scenes that are too large are refused by an estimate, before anything is built."""

import pytest

import supple as sp
from supple.errors import SceneError
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.figure import Character
from supple.mesh.shapes.round import Ball, Cylinder, Torus
from supple.mesh.shapes.slab import Slab
from supple.mesh.shapes.solid import Bar, Cube
from supple.mesh.shapes.surface import Box, Sphere, Tube
from supple.mesh.shapes.thin import Cloth, Rope
from supple.mesh.shapes.tree import Tree
from supple.model.limits.estimate import Tally, counts_of, demand_filling, demand_particles
from supple.model.limits.limits import Limits, machine_memory

RUBBER = sp.StVK.from_young(1e6, 0.3)
EXACT = [
    Bar((3, 4, 5)),
    Bar((3, 4, 5), tets=6),
    Cube(3),
    Ball(resolution=3),
    Cylinder(rings=3),
    Torus(around=7, across=3),
    Sphere(subdivisions=2),
    Tube(cells=(7, 5)),
    Box((3, 4, 5)),
]
HUGE = [
    Bar((10**9, 1, 1)),
    Cube(10**6),
    Ball(resolution=10**12),
    Cylinder(rings=10**9),
    Cylinder(radius=1e-50, height=1e50),
    Torus(around=10**12),
    Tube(cells=(10**9, 10**9)),
    Box((10**9, 1, 1)),
    Box((3000, 3000, 3000)),
    Cloth((10**6, 10**6)),
    Rope(10**12),
    Character(resolution=1e9),
    Character(resolution=1e59),
    Tree(resolution=1e9),
    Tree(tufts=1e9),
    Slab(resolution=10**9),
    Slab(rows=10**6, radius=1e-9),
    Slab(size=(1e50, 1e-50, 1.0), rows=0),
]


def size(mesh: Mesh) -> tuple[int, int]:
    return mesh.n, len(mesh.tets) + len(mesh.triangles) + len(mesh.edges)


@pytest.mark.parametrize("shape", EXACT, ids=repr)
def test_shapes_know_their_size(shape: Bar) -> None:
    counts = shape.counts()
    assert (counts.vertices, counts.elements) == size(shape.mesh())


@pytest.mark.parametrize(
    "shape", [Character(size="small"), Tree(), Slab(), Cloth(), Cloth((9, 8), pattern="diagonal"), Rope()]
)
def test_stuffed_shapes_know_their_size_about(shape: Slab) -> None:
    counts, (vertices, elements) = shape.counts(), size(shape.mesh())
    assert 0.5 * vertices <= counts.vertices <= 3.0 * vertices
    assert 0.5 * elements <= counts.elements <= 3.0 * elements


def test_every_shape_tells_its_size() -> None:
    assert all(callable(getattr(shape, "counts", None)) for shape in SHAPES.load().values())


@pytest.mark.parametrize("shape", HUGE, ids=repr)
def test_huge_shapes_are_refused_before_they_are_made(shape: Bar) -> None:
    world = sp.World([sp.Body(shape, RUBBER)])
    with pytest.raises(SceneError, match=r"^body\[0\].mesh: .*(limits\.|the machine has)"):
        sp.assemble(world)


def test_a_million_tets_pass_unasked() -> None:
    Tally(Limits()).add("body[0].mesh", Bar((400, 50, 10)).counts())
    assert Bar((400, 50, 10)).counts().elements == 1_000_000


def test_bodies_count_together() -> None:
    bars = [sp.Body(Bar((4, 1, 1)), RUBBER) for _ in range(3)]
    limits = Limits(vertices=45)
    sp.assemble(sp.World(bars[:2], gravity=0.0), limits=limits, overlapping=True)
    with pytest.raises(SceneError, match=r"body\[2\].mesh: about 60 vertices, with the bodies before it"):
        sp.assemble(sp.World(bars), limits=limits)


def test_a_refusal_says_how_to_raise_the_limit() -> None:
    with pytest.raises(SceneError, match=r"limits.elements allows 10; .*raise the limit: limits.elements=22"):
        Limits(elements=10).demand("body[0].mesh", "elements", "elements", 20)


def test_no_limit_exceeds_the_memory_of_the_machine() -> None:
    has = machine_memory()
    assert Limits(memory=100.0 * has).room == has
    with pytest.raises(SceneError, match="the machine has"):
        Limits(memory=100.0 * has).demand_memory("body[0].mesh", 50.0 * has)
    with pytest.raises(SceneError, match=r"limits.memory allows 0.001 GiB"):
        Limits(memory=0.001).demand_memory("body[0].mesh", 0.01)


def test_fillings_and_particles_are_counted() -> None:
    surface = Sphere(subdivisions=2).mesh()
    demand_filling(Limits(), "body[0].mesh", surface, 0.05)
    with pytest.raises(SceneError, match=r"^body\[0\].mesh.edge_length: about .* tets"):
        demand_filling(Limits(), "body[0].mesh", surface, 1e-4)
    with pytest.raises(SceneError, match=r"^body\[0\].points: about .* particles"):
        demand_particles(Limits(), "body[0].points", (1.0, 1.0, 1.0), 1e-30)


def test_a_cloud_of_too_many_particles_is_refused() -> None:
    body = sp.Body(Cube(1), sp.StableNeoHookean.from_young(1e4, 0.3), points=sp.Points(per_cell=8, cell=1e-6))
    with pytest.raises(SceneError, match=r"^body\[0\].points: about 8e\+18 particles"):
        sp.assemble(sp.World([body]))


def test_what_is_not_known_counts_nothing() -> None:
    assert counts_of(object()).vertices == 0.0
