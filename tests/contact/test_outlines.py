"""Surfaces that obstacles are drawn with lie on the shape, look outwards and, but for half-spaces, have no hole."""

import numpy as np
import pytest

from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.implicit import ImplicitShape
from supple.contact.obstacles.outlines import MARGIN
from supple.contact.obstacles.shapes import BoxShape, Capsule, Shape, SphereShape
from supple.contact.obstacles.stairs import Stairs
from supple.errors import SuppleError
from supple.mesh.topology import boundary_edges

LOW, HIGH = np.array([-1.0, 0.2, -0.5]), np.array([3.0, 2.0, 0.5])
EXAMPLES: dict[str, tuple[Shape, float]] = {
    "half-space": (HalfSpace((0.1, 0.2, 0.3), (0.3, 2.0, -0.4)), np.nan),
    "sphere": (SphereShape((0.4, -0.2, 1.0), 0.3), 4 / 3 * np.pi * 0.3**3),
    "box": (BoxShape((0.4, -0.2, 1.0), (0.3, 0.6, 1.2), (0.3, -0.5, 0.2)), 0.3 * 0.6 * 1.2),
    "capsule": (Capsule((0.4, -0.2, 1.0), (0.9, 0.3, 0.2), 0.2), np.pi * 0.2**2 * (np.sqrt(1.14) + 0.8 / 3)),
    "implicit": (ImplicitShape("(x - 1)^2 + (y - 1)^2 + z^2 - 1"), 4 / 3 * np.pi),
    "stairs": (Stairs((0.4, -0.2, 1.0), 4, 0.15, 0.3, 0.8, 0.7), 0.15 * 0.3 * 0.8 * (1 + 2 + 3 + 4)),
}


def test_every_shape_has_an_example() -> None:
    assert EXAMPLES.keys() == OBSTACLES.load().keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_points_lie_on_the_shape_and_faces_look_outwards(name: str) -> None:
    shape, _ = EXAMPLES[name]
    points, faces = shape.outline(LOW, HIGH)
    assert set(faces.ravel()) == set(range(len(points)))
    assert np.abs(shape.distance(points)).max() < 1e-12
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    out = (a + b + c) / 3 + 0.02 * normals
    assert (shape.distance(out) > 0.005).all()


@pytest.mark.parametrize("name", [name for name in EXAMPLES if name != "half-space"])
def test_closed_and_of_the_right_volume(name: str) -> None:
    shape, volume = EXAMPLES[name]
    points, faces = shape.outline(LOW, HIGH)
    assert not len(boundary_edges(faces))
    a, b, c = (points[faces[:, k]] for k in range(3))
    found = np.einsum("ij,ij->", a, np.cross(b, c)) / 6
    flat = name in ("box", "stairs")
    assert found == pytest.approx(volume, rel=1e-12 if flat else 0.01)


def test_a_half_space_carries_the_box() -> None:
    shape = EXAMPLES["half-space"][0]
    points, faces = shape.outline(LOW, HIGH)
    assert len(points) == 4
    assert len(faces) == 2
    corners = np.array([[x, y, z] for x in (-1.0, 3.0) for y in (0.2, 2.0) for z in (-0.5, 0.5)])
    n = shape.outward(corners)
    feet = corners - shape.distance(corners)[:, None] * n
    u, w = points[1] - points[0], points[3] - points[0]
    place = (feet - points[0]) @ np.stack([u / (u @ u), w / (w @ w)], axis=1)
    assert (place > 0.05).all()
    assert (place < 0.95).all()
    assert np.linalg.norm(u) < 4.6 * (1 + 2 * MARGIN)


def test_a_shape_without_outline_says_what_to_do() -> None:
    class Cone(Shape):
        pass

    with pytest.raises(SuppleError, match=r"Cone.*define the method `outline`"):
        Cone().outline(LOW, HIGH)


@pytest.mark.parametrize("name", EXAMPLES)
def test_middles_lie_in_the_parts_of_a_bounded_shape(name: str) -> None:
    shape, _ = EXAMPLES[name]
    middles = shape.middles()
    assert len(middles) == (0 if shape.endless else len(shape.parts))
    for part, middle in zip(shape.parts, middles, strict=False):
        assert part.distance(middle[None]) < 0.0
