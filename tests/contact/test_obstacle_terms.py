"""Contact of vertices with half-spaces and shapes: distances, derivatives, exact means, and moves that stop in time."""

import numpy as np
import pytest

from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic, Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import BoxShape, Capsule, Shape, SphereShape
from supple.contact.obstacles.stairs import Stairs
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError

LAWS = {"quadratic": Quadratic(500.0), "cubic": Cubic(9e3), "barrier": Barrier(2e3, 0.3)}
SHAPES: dict[str, Shape] = {
    "half-space": HalfSpace((0.1, 0.0, 0.2), (0.3, 2.0, -0.5)),
    "sphere": SphereShape((0.1, -0.2, 0.3), 0.7),
    "capsule": Capsule((-0.4, 0.1, 0.0), (0.5, 0.3, 0.2), 0.4),
    "box": BoxShape((0.1, 0.0, -0.1), (1.0, 0.8, 0.6), (0.3, -0.5, 0.2)),
    "stairs": Stairs((-0.5, -0.4, 0.1), 3, 0.3, 0.4, 1.2, 0.4),
}
SHAPE = pytest.mark.parametrize("name", SHAPES)


def around(name: str, low: float, high: float, seed: int = 0, count: int = 150) -> np.ndarray:
    """Points with signed distances between low and high."""
    y = np.random.default_rng(seed).uniform(-1.6, 1.6, (300 * count, 3))
    d = SHAPES[name].distance(y)
    return y[(d > low) & (d < high)][:count]


def contact(name: str, law: str, count: int, thickness: float = 0.0) -> ObstacleContact:
    kind = HalfSpaceContact if name == "half-space" else ObstacleContact
    weights = np.linspace(0.5, 1.5, count)
    return kind(SHAPES[name], LAWS[law], np.arange(count), weights, thickness)


def difference(function, x: np.ndarray, d: np.ndarray, eps: float = 1e-6):
    return (function(x + eps * d) - function(x - eps * d)) / (2 * eps)


@SHAPE
def test_normals_and_bends_are_derivatives_of_the_distance(name: str) -> None:
    shape, y = SHAPES[name], around(name, 0.02, 0.5)
    assert len(y) == 150
    d = np.random.default_rng(1).standard_normal(y.shape)
    n = shape.outward(y)
    np.testing.assert_allclose(np.linalg.norm(n, axis=1), 1.0, rtol=1e-14)
    np.testing.assert_allclose(np.einsum("mi,mi->m", n, d), difference(shape.distance, y, d), rtol=0, atol=1e-8)
    bent = np.einsum("mij,mj->mi", shape.bend(y), d)
    np.testing.assert_allclose(bent, difference(shape.outward, y, d), rtol=0, atol=1e-6)
    assert name == "half-space" or np.abs(bent).max() > 0.1


@SHAPE
def test_a_distance_away_along_the_normal_lies_the_surface(name: str) -> None:
    shape, y = SHAPES[name], around(name, 0.0, 0.6, 2)
    foot = y - shape.distance(y)[:, None] * shape.outward(y)
    assert np.abs(shape.distance(foot)).max() <= 1e-14


def test_inside_a_box_the_nearest_face_counts() -> None:
    box = BoxShape((0.0, 0.0, 0.0), (2.0, 4.0, 6.0))
    y = np.array([[0.9, 0.0, 0.0], [-0.2, 1.9, 0.0], [0.0, 0.0, -2.95]])
    np.testing.assert_allclose(box.distance(y), [-0.1, -0.1, -0.05], atol=1e-15)
    np.testing.assert_allclose(box.outward(y), [[1, 0, 0], [0, 1, 0], [0, 0, -1]])
    assert not box.bend(y).any()


def test_stairs_are_as_high_as_their_steps() -> None:
    stairs = Stairs((1.0, 2.0, 3.0), steps=3, rise=0.2, run=0.5, width=2.0)
    above = np.array([[1.0 + 0.5 * i + 0.25, 2.0 + 0.2 * (i + 1) + 0.1, 3.0] for i in range(3)])
    np.testing.assert_allclose(stairs.distance(above), 0.1, rtol=1e-13)
    np.testing.assert_allclose(stairs.outward(above), [[0.0, 1.0, 0.0]] * 3, atol=1e-15)
    before = np.array([[0.9, 2.1, 3.0]])
    assert stairs.distance(before)[0] == pytest.approx(0.1, rel=1e-13)


def check_derivatives(term: EnergyTerm, x: np.ndarray) -> None:
    d = np.random.default_rng(3).standard_normal(x.shape)
    gradients, hessians = term.element_gradients(x), term.element_hessians(x)
    moves = d[term.elements[:, 0]]
    assert np.abs(gradients).max() > 1.0
    assert np.abs(hessians).max() > 1.0
    slope = np.einsum("mi,mi->m", gradients[:, 0], moves)
    np.testing.assert_allclose(slope, difference(term.element_values, x, d), rtol=0, atol=1e-7 * np.abs(slope).max())
    bent = np.einsum("mij,mj->mi", hessians, moves)
    found = difference(term.element_gradients, x, d)[:, 0]
    np.testing.assert_allclose(bent, found, rtol=0, atol=1e-6 * np.abs(bent).max())


@SHAPE
@pytest.mark.parametrize("law", LAWS)
def test_derivatives(name: str, law: str) -> None:
    x = around(name, 0.06, 0.35) if law == "barrier" else around(name, 0.01, 0.25)
    check_derivatives(contact(name, law, len(x), 0.02 if law == "barrier" else 0.3), x)


@pytest.mark.parametrize("law", LAWS)
def test_derivatives_of_the_average_over_a_step(law: str) -> None:
    low, high = (0.01, 0.5) if law == "barrier" else (-0.5, 0.5)
    x0, x1 = around("half-space", low, high, 4), around("half-space", low, high, 5)
    check_derivatives(contact("half-space", law, len(x1)).averaged(x0), x1)


@SHAPE
@pytest.mark.parametrize("law", LAWS)
def test_mean_gradients_give_the_change_of_energy(name: str, law: str) -> None:
    thickness = 0.02 if law == "barrier" else 0.3
    x0, x1 = around(name, 0.03, 0.4, 6), around(name, 0.03, 0.4, 7)
    for step in (1.0, 1e-2, 1e-5):
        end = x0 + step * (x1 - x0)
        term = contact(name, law, len(x0), thickness)
        outside = (term.gaps(end) > 0.0).reshape(-1, len(end)).all(axis=0) | (law != "barrier")
        x0, x1, end = x0[outside], x1[outside], end[outside]
        term = contact(name, law, len(x0), thickness)
        mean, move = term.element_mean_gradients(x0, end)[:, 0], (end - x0)[term.elements[:, 0]]
        before, after = term.element_values(x0), term.element_values(end)
        assert np.abs(after - before).max() > 1e-5 * before.max()
        # a gap has the rounding error of the coordinates, which the law multiplies by its slope
        size = before + after + np.abs(mean).max(axis=1)
        assert (np.abs(np.einsum("mi,mi->m", mean, move) - (after - before)) <= 2e-14 * size).all()


@SHAPE
@pytest.mark.parametrize("law", LAWS)
def test_jacobians_of_mean_gradients(name: str, law: str) -> None:
    thickness = 0.02 if law == "barrier" else 0.3
    x0 = around(name, 0.06, 0.28, 8)
    # away from the points where the nodes of Gauss-3 change from one feature of a box to another
    x1 = x0 + 0.02 * np.random.default_rng(9).standard_normal(x0.shape)
    term = contact(name, law, len(x0), thickness)
    d = np.random.default_rng(3).standard_normal(x0.shape)
    along = np.einsum("mij,mj->mi", term.element_mean_jacobians(x0, x1), d[term.elements[:, 0]])
    found = difference(lambda y: term.element_mean_gradients(x0, y), x1, d)[:, 0]
    assert np.abs(found).max() > 1.0
    np.testing.assert_allclose(along, found, rtol=0, atol=2e-6 * np.abs(found).max())


@SHAPE
def test_moves_end_before_the_surface_and_not_far_from_it(name: str) -> None:
    """Nowhere on the way to the limit does a gap close; vertex by vertex a tenth of the gap is left."""
    x = around(name, 0.05, 0.5, 10, 20)
    rng = np.random.default_rng(11)
    p = 3.0 * (around(name, -0.2, -0.05, 12, len(x)) - x) + 0.2 * rng.standard_normal(x.shape)
    hits = 0
    for y, move in zip(x, p, strict=True):
        term = contact(name, "barrier", 1)
        limit = term.max_step(y[None], move[None])
        end = min(limit, 1.0)
        way = y + end * np.linspace(0.0, 1.0, 30)[:, None] * move
        left = np.min([term.gaps(z[None]) / term.gaps(y[None]) for z in way], axis=0)
        assert (left >= 0.0999).all()
        if limit < 1.0:
            hits += 1
            assert left.min() <= 0.102
    assert hits > 12


def test_half_spaces_leave_a_tenth_and_penalties_let_pass() -> None:
    x, p = np.array([[0.0, 2.0, 0.0]]), np.array([[5.0, -4.0, 0.0]])
    ground = HalfSpace()
    assert HalfSpaceContact(ground, LAWS["barrier"], [0]).max_step(x, p) == pytest.approx(0.45, rel=1e-14)
    assert HalfSpaceContact(ground, LAWS["barrier"], [0], thickness=1.0).max_step(x, p) == pytest.approx(0.225)
    assert HalfSpaceContact(ground, LAWS["barrier"], [0]).max_step(x, -p) == np.inf
    assert HalfSpaceContact(ground, LAWS["cubic"], [0]).max_step(x, p) == np.inf


@SHAPE
def test_touches_press_along_the_normal(name: str) -> None:
    x = around(name, 0.01, 0.5, 13)
    term = contact(name, "barrier", len(x))
    [touch] = term.touches(x)
    assert 0 < len(touch.force) < len(term.elements)
    total = np.zeros_like(x)
    np.add.at(total, touch.corners[:, 0], -touch.force[:, None] * touch.normal)
    wanted = np.zeros_like(x)
    np.add.at(wanted, term.elements[:, 0], term.element_gradients(x)[:, 0])
    np.testing.assert_allclose(total, wanted, rtol=1e-14)


def test_intruders_are_named() -> None:
    x = np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0], [0.0, 0.0, 0.0]])
    assert HalfSpaceContact(HalfSpace(), LAWS["cubic"], [0, 1, 2]).intruders(x).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SphereShape((0.0, 0.0, 0.0), 0.0), "sphere.radius"),
        (lambda: BoxShape((0.0, 0.0, 0.0), (1.0, -1.0, 1.0)), "box.size.y"),
        (lambda: Capsule((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0), "use a sphere"),
        (lambda: HalfSpace(normal=(0.0, 0.0, 0.0)), "zero vector"),
        (lambda: Stairs(steps=0), "stairs.steps"),
        (lambda: HalfSpaceContact(HalfSpace(), LAWS["cubic"], [0], weights=-1.0), "weights"),
        (lambda: HalfSpaceContact(HalfSpace(), LAWS["cubic"], [0], thickness=-1.0), "thickness"),
    ],
)
def test_absurd_obstacles_are_refused(make, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        make()
