"""Obstacles by a formula: distances and their derivatives, runs on hills, surfaces that move, pictures, refusals."""

import numpy as np
import pytest

import supple as sp
from supple.contact.obstacles.implicit import Follows, ImplicitShape
from supple.contact.obstacles.shapes import Shape, SphereShape
from supple.errors import SuppleError
from supple.recording.scenery import scenery_of

HILLS = "y - 0.05 * sin(8 * x) * cos(6 * z)"


def points(count: int = 60) -> np.ndarray:
    return np.random.default_rng(4).uniform(-0.5, 0.5, (count, 3))


def test_a_sphere_is_a_sphere() -> None:
    """Whatever the scale of g, the distance is that in metres."""
    y = points()
    y = y[np.linalg.norm(y, axis=1) > 0.15]
    exact = SphereShape((0.0, 0.0, 0.0), 0.3)
    for equation in ("x^2 + y^2 + z^2 - 0.09", "100 * (x^2 + y^2 + z^2) ^ 2 - 0.81"):
        shape = ImplicitShape(equation)
        np.testing.assert_allclose(shape.distance(y), exact.distance(y), atol=1e-13)
        np.testing.assert_allclose(shape.outward(y), exact.outward(y), atol=1e-11)
        np.testing.assert_allclose(shape.bend(y), exact.bend(y), atol=1e-9)


@pytest.mark.parametrize("shape", [ImplicitShape(HILLS), ImplicitShape("4 * x^2 + y^2 + 2 * z^2 - 0.1")])
def test_derivatives_of_the_distance(shape: Shape) -> None:
    y = points()
    y = y[np.abs(shape.distance(y)) < 0.1]
    assert len(y) > 5
    d, n = shape.distance(y), shape.outward(y)
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, atol=1e-14)
    feet = shape.nearest(y)
    np.testing.assert_allclose(shape.surface.values(feet), 0.0, atol=1e-14)
    np.testing.assert_allclose(feet + d[:, None] * n, y, atol=1e-12)
    p, e = np.random.default_rng(5).normal(size=y.shape), 1e-5
    slope = (shape.distance(y + e * p) - shape.distance(y - e * p)) / (2 * e)
    np.testing.assert_allclose(np.einsum("mi,mi->m", n, p), slope, atol=1e-7)
    turn = (shape.outward(y + e * p) - shape.outward(y - e * p)) / (2 * e)
    np.testing.assert_allclose(np.einsum("mij,mj->mi", shape.bend(y), p), turn, atol=1e-5)


def on_hills(law: str, height: float = 0.25, **options: object) -> sp.World:
    ball = sp.Body(
        sp.Ball(radius=0.1, resolution=2), sp.StableNeoHookean.from_young(5e4, 0.4), name="ball",
        initial=sp.Initial(translate=(0.05, height, 0.02)),
    )  # fmt: skip
    return sp.World([ball], obstacles=[sp.Obstacle(ImplicitShape(HILLS), law=law, **options)])


def test_energy_is_kept_on_hills() -> None:
    """A soft ball jumps on a hilly ground that is not convex: no vertex gets through, and AVF keeps the energy."""
    model = sp.assemble(on_hills("barrier", 0.18, distance=0.005), h=1 / 100)
    shape = ImplicitShape(HILLS)
    frames = list(sp.simulate(model, sp.AVF(), h=1 / 100, steps=13))
    [(_, term)] = model.contact.shapes
    touching = np.unique(term.elements)
    gaps = np.array([shape.distance(frame.state.x[touching]).min() for frame in frames])
    assert 0.0 < gaps.min() < 0.005
    total = np.array([frame.ledger.energies.total for frame in frames])
    assert np.abs(total - total[0]).max() < 1e-9 * frames[0].ledger.energies.scale


def test_a_ground_that_rises_lifts_what_lies_on_it() -> None:
    world = on_hills("projection")
    rising = sp.Obstacle(ImplicitShape("y - 0.14 - 0.5 * t"), law="projection")
    model = sp.assemble(sp.World(world.bodies, obstacles=[rising]))
    *_, last = sp.simulate(model, sp.BackwardEuler(), h=1 / 100, steps=60)
    low = last.state.x[:, 1].min()
    assert low == pytest.approx(0.14 + 0.5 * last.state.t, abs=0.01)
    assert last.state.v[:, 1].mean() == pytest.approx(0.5, abs=0.1)


def test_drawn_and_moving() -> None:
    scenery = scenery_of(
        {"obstacle": [{"shape": "implicit", "equation": "y - 0.1 * sin(6 * x - t)", "law": "projection"}]}
    )
    assert not scenery.notes
    (prop,) = scenery.props
    [(_, (x, faces))] = scenery.surfaces(np.zeros(3), np.ones(3))
    np.testing.assert_allclose(x[:, 1], 0.1 * np.sin(6 * x[:, 0]), atol=2e-3)
    up = np.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]])[:, 1]
    assert (up[np.abs(up) > 1e-9] > 0.0).all()
    assert isinstance(prop.script, Follows)
    later = prop.script.position(x, 0.5)
    np.testing.assert_allclose(later[:, 1], 0.1 * np.sin(6 * later[:, 0] - 0.5), atol=1e-12)
    speed = prop.script.velocity(later, 0.5)  # along the normal: y' / sqrt(1 + slope^2)
    slope = 0.6 * np.cos(6 * later[:, 0] - 0.5)
    np.testing.assert_allclose(np.linalg.norm(speed, axis=1), np.abs(slope) / 6 / np.sqrt(1 + slope**2), atol=1e-12)


def test_refusals() -> None:
    with pytest.raises(SuppleError, match="smooth functions"):
        ImplicitShape("abs(x) - 0.1")
    with pytest.raises(SuppleError, match="smooth functions"):
        ImplicitShape("max(x, y)")
    with pytest.raises(SuppleError, match="constant in space"):
        ImplicitShape("2 * t - 1")
    with pytest.raises(SuppleError, match=r"implicit\.equation"):
        ImplicitShape("x +")
    with pytest.raises(SuppleError, match="found the time t with law"):
        sp.Obstacle(ImplicitShape("y - t"))


@pytest.mark.filterwarnings("error")
def test_points_far_above_a_plane() -> None:
    y = np.array([[0.0, 1e12, 0.0], [3.0, 1e-3, 0.0]])
    np.testing.assert_allclose(ImplicitShape("y").distance(y), y[:, 1])
