"""Obstacles that move as rigid bodies: their own coordinates and back, and vertices on the surface where it is by then."""

import numpy as np

from supple.contact.obstacles.projection import Frame, Projection
from supple.contact.obstacles.shapes import SphereShape
from supple.types import Array

RATE, SPEED = 0.7, np.array([2.0, -1.0, 0.5])


class Turning:
    """Turns about z and goes along a line."""

    def position(self, X: Array, t: float) -> Array:
        c, s = np.cos(RATE * t), np.sin(RATE * t)
        return X @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) + SPEED * t

    def velocity(self, X: Array, t: float) -> Array:
        return np.cross([0.0, 0.0, RATE], self.position(X, t) - SPEED * t) + SPEED


def test_own_coordinates_and_back() -> None:
    X = np.random.default_rng(2).standard_normal((20, 3))
    frame = Frame.of(Turning(), 1.3)
    np.testing.assert_allclose(frame.out(X), Turning().position(X, 1.3), rtol=0, atol=1e-14)
    np.testing.assert_allclose(frame.own(frame.out(X)), X, rtol=0, atol=1e-14)
    np.testing.assert_allclose(frame.turned(X), frame.out(X) - frame.out(np.zeros((1, 3))), rtol=0, atol=1e-14)


def test_vertices_are_put_on_the_surface_that_has_moved() -> None:
    ball, t0, t1 = SphereShape((0.3, 0.0, 0.1), 0.5), 1.0, 1.1
    directions = np.random.default_rng(4).standard_normal((30, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    centre = Turning().position(np.array([[0.3, 0.0, 0.1]]), t1)
    x1 = centre + 0.45 * directions
    x0 = Turning().position(np.array([[0.3, 0.0, 0.1]]), t0) + 0.8 * directions
    put = Projection(ball, np.arange(30), script=Turning()).project(x0, x1, np.zeros_like(x1), t0, t1)
    np.testing.assert_allclose(np.linalg.norm(put.x - centre, axis=1), 0.5, rtol=0, atol=1e-13)
