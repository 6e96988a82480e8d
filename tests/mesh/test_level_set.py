"""The surface of a level of a field on a grid."""

import numpy as np

from supple.mesh.level_set import level_surface
from supple.mesh.topology import boundary_edges


def ball(shape: tuple[int, int, int], radius: float) -> np.ndarray:
    """Radius less the distance from the middle, in steps of the grid."""
    axes = [np.arange(n) - (n - 1) / 2 for n in shape]
    return radius - np.sqrt(sum(a**2 for a in np.meshgrid(*axes, indexing="ij")))


def volume(points: np.ndarray, faces: np.ndarray) -> float:
    a, b, c = (points[faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_a_ball_is_closed_looks_outwards_and_has_its_volume() -> None:
    points, faces = level_surface(ball((31, 33, 35), 12.31), 2.3)
    assert not len(boundary_edges(faces))
    np.testing.assert_allclose(np.linalg.norm(points - [15, 16, 17], axis=1), 10.01, atol=0.04)
    assert abs(volume(points, faces) / (4 / 3 * np.pi * 10.01**3) - 1) < 0.01
    assert len(np.unique(points, axis=0)) == len(points)


def test_a_field_that_is_linear_has_an_exact_plane() -> None:
    x, y, z = np.meshgrid(*[np.arange(6.0)] * 3, indexing="ij")
    points, faces = level_surface(3 * x - 2 * y + z, 4.25)
    np.testing.assert_allclose(points @ [3.0, -2.0, 1.0], 4.25)
    a, b, c = (points[faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a) @ [-3.0, 2.0, -1.0] > 0).all()


def test_nothing_above_the_level_is_no_surface() -> None:
    points, faces = level_surface(np.zeros((4, 5, 6)), 0.5)
    assert points.shape == faces.shape == (0, 3)
