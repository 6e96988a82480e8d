"""Rods after a projection onto an obstacle: the nearest positions and velocities that satisfy both, whatever the mass."""

import numpy as np
import pytest

from supple.constraints.links import FixedLengths
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.projection import Projection
from supple.dynamics.contact.rejoin import rejoined
from supple.dynamics.system import System, build_system
from supple.energies.springs.springs import HookeSprings

X = np.array([[0.0, 0.0, 0.0], [0.8, 0.6, 0.0], [1.6, 0.0, 0.0], [2.6, 0.0, 0.0]])
"""The first, third and fourth on the floor."""
LINKS = np.array([[0, 1], [1, 2], [2, 3], [0, 1]], np.int32)
"""The last one is redundant."""
MASS = np.array([1.0, 2.0, 0.5, 1.5])


def chain(c: float) -> System:
    links = [FixedLengths(X, LINKS.tolist())]
    mass = c * MASS
    return build_system(
        X, mass, [HookeSprings(X, LINKS, 1.0)], constraints=links, projections=[Projection(HalfSpace(), [0, 1, 2, 3])]
    )


@pytest.mark.parametrize("c", [1e-6, 1.0, 1e6])
def test_the_mass_does_not_matter(c: float) -> None:
    rng = np.random.default_rng(5)
    x = X + 0.02 * rng.standard_normal(X.shape)
    x[[0, 2, 3], 1] = 0.0
    v = rng.standard_normal(X.shape)
    v[[0, 2, 3], 1] = 0.0
    touched = np.array([0, 2, 3], np.int32)
    system = chain(c)
    put, moving = rejoined(system, x, v, touched, 0.0)
    sides = put[LINKS[:, 1]] - put[LINKS[:, 0]]
    np.testing.assert_allclose(np.linalg.norm(sides, axis=1), [1.0, 1.0, 1.0, 1.0], rtol=0, atol=1e-12)
    rates = np.einsum("ki,ki->k", sides, moving[LINKS[:, 1]] - moving[LINKS[:, 0]])
    np.testing.assert_allclose(rates, 0.0, atol=1e-10)
    assert put[[0, 2, 3], 1].min() >= -1e-12
    assert moving[[0, 2, 3], 1].min() >= -1e-10
    same_x, same_v = rejoined(chain(1.0), x, v, touched, 0.0)
    np.testing.assert_allclose(put, same_x, rtol=0, atol=1e-9)
    np.testing.assert_allclose(moving, same_v, rtol=0, atol=1e-9)
    change = MASS @ (moving - v)
    assert change[0] == pytest.approx(0.0, abs=1e-9)
    assert change[2] == pytest.approx(0.0, abs=1e-9)
