"""Parts that do not feel each other: pairs, steps, overlaps and friction pass over them, and over nothing else."""

from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.contact.surfaces.meeting import Meeting
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.touching import Touching
from supple.errors import SceneError
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles
from supple.model.assemble import assemble
from supple.model.contacts.separate import separated
from supple.types import Array, Ints

SOFT = sp.StableNeoHookean.from_young(2e4, 0.4)


def boxes(*origins: tuple[float, float, float]) -> tuple[Array, Ints, Ints]:
    """Vertices, triangles and parts of unit cubes with these lower corners."""
    mesh = Bar(cells=(2, 2, 2), size=(1.0, 1.0, 1.0)).mesh()
    triangles = boundary_triangles(mesh.tets)
    rest = np.concatenate([mesh.vertices + np.asarray(o) for o in origins])
    faces = np.concatenate([triangles + k * mesh.n for k in range(len(origins))])
    return rest, faces.astype(np.int32), np.repeat(np.arange(len(origins)), mesh.n).astype(np.int32)


def met(near: tuple[Any, Any], parts: Ints) -> set[tuple[int, ...]]:
    """Which parts have pairs."""
    return {tuple(sorted(set(row))) for pairs in near for row in parts[pairs.corners].tolist()}


def blind(count: int, *pairs: tuple[int, int]) -> Any:
    matrix = np.zeros((count, count), dtype=bool)
    for a, b in pairs:
        matrix[a, b] = matrix[b, a] = True
    return matrix


def test_pairs_of_blind_parts_are_no_candidates() -> None:
    rest, triangles, parts = boxes((0, 0, 0), (1.02, -0.3, 0.1), (-0.2, 1.03, 0.2))
    everything = met(Touching(ContactSurface(rest, triangles, parts), 0.05).at(rest), parts)
    assert everything == {(0, 1), (0, 2)}
    surface = ContactSurface(rest, triangles, Meeting(parts, parts, blind(3, (0, 1))))
    touching = Touching(surface, 0.05)
    assert met(touching.at(rest), parts) == {(0, 2)}
    push = np.zeros_like(rest)
    push[parts == 1, 0] = -0.5  # into the first cube, which does not feel it
    assert touching.free_step(rest, push) == 1.0
    assert not touching.passes(rest, rest + push)
    push[parts == 2, 1] = -0.5
    assert touching.free_step(rest, push) < 0.1
    assert touching.passes(rest, rest + push)


def test_pairs_of_the_others_stay_the_same() -> None:
    rest, triangles, parts = boxes((0, 0, 0), (1.02, -0.3, 0.1), (-0.2, 1.03, 0.2))
    vertices = np.arange(len(rest), dtype=np.int32)  # with self-contact
    whole = Touching(ContactSurface(rest, triangles, vertices), 0.7).at(rest)
    some = Touching(ContactSurface(rest, triangles, Meeting(vertices, parts, blind(3, (0, 1)))), 0.7).at(rest)
    for a, b in zip(whole, some, strict=True):
        owners = parts[a.corners]
        unseen = ((owners == 0) | (owners == 1)).all(axis=1) & (owners.min(axis=1) != owners.max(axis=1))
        assert 0 < unseen.sum() < len(unseen)
        assert np.array_equal(a.corners[~unseen], b.corners)
        assert np.array_equal(a.weight[~unseen], b.weight)


@pytest.mark.parametrize(
    ("origins", "pairs", "crosses"),
    [
        ([(0, 0, 0), (0.5, 0.1, 0.1), (3, 0, 0)], [], True),
        ([(0, 0, 0), (0.5, 0.1, 0.1), (3, 0, 0)], [(0, 1)], False),
        ([(0, 0, 0), (0.5, 0.1, 0.1), (0.9, 0.2, 0.2)], [(0, 1)], True),
        ([(0, 0, 0), (0.5, 0.1, 0.1), (0.9, 0.2, 0.2)], [(0, 1), (0, 2)], True),
        ([(0, 0, 0), (0.5, 0.1, 0.1), (0.9, 0.2, 0.2)], [(0, 1), (0, 2), (1, 2)], False),
    ],
)
def test_intersections_of_blind_parts_do_not_count(origins: Any, pairs: Any, crosses: bool) -> None:
    rest, triangles, parts = boxes(*origins)
    surface = ContactSurface(rest, triangles, Meeting(parts, parts, blind(3, *pairs)))
    assert surface.intersects(surface.positions(rest)) == crosses


# -- a bone in its flesh -------------------------------------------------------------------------------------------------


def arm(ball: tuple[float, float, float] = (0.16, 0.0, 0.0), speed: float = 0.0, **bone: Any) -> sp.World:
    """Flesh around a bone along x that sticks out, and a ball before its end."""
    flesh = sp.Body(
        sp.Bar(cells=(4, 2, 2), size=(0.2, 0.1, 0.1), origin=(-0.15, -0.05, -0.05)), SOFT, name="flesh", density=1000.0,
        groups={"core": {"expression": "Y*Y + Z*Z < 1e-4"}}, pin="core",
    )  # fmt: skip
    other = sp.Body(
        sp.Ball(radius=0.03, centre=ball, resolution=1), SOFT, name="ball", density=1000.0,
        initial=sp.Initial(velocity=(speed, 0.0, 0.0)),
    )  # fmt: skip
    shaft = sp.Bar(cells=(6, 1, 1), size=(0.24, 0.03, 0.03), origin=(-0.13, -0.015, -0.015))
    return sp.World(
        [flesh, other],
        obstacles=[sp.MeshObstacle(shaft, name="bone", **bone)],
        gravity=0.0,
        contact=sp.Contact(distance=0.005),
    )


def test_a_bone_in_its_flesh_is_refused_unless_others_alone_feel_it() -> None:
    with pytest.raises(SceneError, match="'flesh' and 'bone' intersect at the start"):
        assemble(arm())
    model = assemble(arm(bodies="ball"))
    assert model.contact.between is not None
    assert model.contact.between.smallest_gap(model.state.x) == model.contact.between.dhat
    with pytest.raises(SceneError, match="'ball' and 'bone' intersect at the start"):
        assemble(arm((0.13, 0.01, 0.0), bodies=["ball"]))


def test_a_bone_wholly_inside_is_refused_unless_others_alone_feel_it() -> None:
    inner = sp.Bar(cells=(1, 1, 1), size=(0.1, 0.02, 0.02), origin=(-0.1, -0.01, -0.01))
    flesh = sp.Body(sp.Bar(cells=(4, 2, 2), size=(0.2, 0.1, 0.1), origin=(-0.15, -0.05, -0.05)), SOFT, name="flesh")
    other = sp.Body(sp.Ball(radius=0.03, centre=(0.2, 0.0, 0.0), resolution=1), SOFT, name="ball")
    with pytest.raises(SceneError, match="'flesh' has 'bone' inside"):
        assemble(sp.World([flesh, other], obstacles=[sp.MeshObstacle(inner, name="bone")]))
    assemble(sp.World([flesh, other], obstacles=[sp.MeshObstacle(inner, name="bone", bodies="ball")]))


def test_separation_moves_only_what_feels_the_bone() -> None:
    world, notes = separated(arm((0.13, 0.01, 0.0), bodies=["ball"]), 1 / 60, 1.0)
    assert [note.split("'")[1] for note in notes] == ["ball"]
    assemble(world)


@pytest.mark.parametrize(("felt", "bounces"), [("ball", True), ("flesh", False)])
def test_the_ball_bounces_if_it_feels_the_bone(felt: str, bounces: bool) -> None:
    world = arm(speed=-1.0, bodies=felt)
    if not bounces:  # flesh that feels the bone must not be around it
        far = sp.Body(world.bodies[0].mesh, SOFT, name="flesh", initial=sp.Initial(translate=(0.0, 1.0, 0.0)))
        world = world.with_bodies([far, world.bodies[1]])
    model = assemble(world)
    *_, last = sp.simulate(model, sp.AVF(), h=1 / 200, steps=16)
    ball = next(p for p in model.placed if p.name == "ball")
    assert (last.state.v[ball.span, 0].mean() > 0.3) == bounces
    if not bounces:
        np.testing.assert_allclose(last.state.v[ball.span, 0], -1.0, atol=1e-9)
    assert abs(last.ledger.residual) < 1e-12


def test_unknown_bodies_are_named() -> None:
    with pytest.raises(SceneError, match=r"obstacle\[0\].bodies: unknown body 'bal'"):
        assemble(arm(bodies="bal"))
    with pytest.raises(sp.SuppleError, match=r'bodies: law = "slip" acts on all nodes inside the mesh, found'):
        sp.MeshObstacle(sp.Bar(), law="slip", bodies="ball")
