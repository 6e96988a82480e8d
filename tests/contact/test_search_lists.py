"""Results of a contact search depend on the configuration alone, never on earlier searches."""

import numpy as np
import numpy.testing as npt
import pytest
from touching_bodies import DHAT, cube_pair

from supple.contact.surfaces.distances import squared_distances
from supple.contact.surfaces.pairs import EDGE_EDGE, closest_coefficients
from supple.contact.surfaces.surface import ContactSurface
from supple.contact.surfaces.touching import Pairs, Touching
from supple.linalg.growth import Growth
from supple.linalg.pattern import symmetric_pattern
from supple.types import Array

FINE = np.linspace(0.0, 1.0, 2001)


def sampled(x: Array) -> float:
    """Squared distance of edge (0, 1) from edge (2, 3), by points of the first and their nearest ones on the second."""
    points = x[0] + FINE[:, None] * (x[1] - x[0])
    v = x[3] - x[2]
    t = np.clip((points - x[2]) @ v / (v @ v), 0.0, 1.0)
    return float(((points - x[2] - t[:, None] * v) ** 2).sum(axis=1).min())


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4])
def test_the_distance_of_nearly_parallel_edges(angle: float) -> None:
    """The parameters of their closest points are rounding error; the distance is not."""
    rng = np.random.default_rng(5)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    for shift in np.linspace(-0.9, 0.9, 19):
        other = np.array([[shift, 0.1, 0.0], [shift + np.cos(angle), 0.1 + np.sin(angle), angle]])
        x = np.concatenate([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], other]) @ turn + rng.standard_normal(3)
        wanted = sampled(x)
        corners = np.arange(4, dtype=np.int32)[None]
        npt.assert_allclose(squared_distances(EDGE_EDGE, x, corners)[0], wanted, rtol=1e-6)
        r = closest_coefficients(EDGE_EDGE, x[None])[0] @ x
        npt.assert_allclose(r @ r, wanted, rtol=1e-6)


def listed(pairs: tuple[Pairs, Pairs]) -> list[Array]:
    return [own.corners for own in pairs]


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    """Two cubes come together along their axes, so that edges are parallel, with moves of all lengths on the way."""
    rest, _, triangles, _ = cube_pair(offset=0.05, gap=0.3)
    surface = ContactSurface(rest, triangles, np.repeat(np.arange(2), len(rest) // 2))
    rng = np.random.default_rng(11)
    used, x, felt, cut = Touching(surface, 2 * DHAT), rest.copy(), 0, 0
    sides = np.where(np.arange(len(rest)) < len(rest) // 2, 1.0, -1.0)[:, None]
    for _ in range(80):
        length = 10.0 ** rng.uniform(-3.0, -0.3)
        p = length * (sides * [1.0, 0.0, 0.0] + 0.2 * rng.standard_normal(x.shape))
        fresh = Touching(surface, 2 * DHAT)
        for found, wanted in zip(listed(used.at(x)), listed(fresh.at(x)), strict=True):
            npt.assert_array_equal(found, wanted)
            felt += len(found)
        free = used.free_step(x, p)
        assert free == Touching(surface, 2 * DHAT).free_step(x, p)
        cut += free < 1.0
        npt.assert_array_equal(used.own_steps(x, p), Touching(surface, 2 * DHAT).own_steps(x, p))
        x = x + 0.5 * free * p if rng.random() < 0.8 else x - 0.3 * p * min(free, 0.1)
    assert felt > 1000
    assert 10 < cut < 80


def test_a_pattern_that_has_shrunk_to_the_fixed_one_is_the_fixed_one() -> None:
    """A solver that has let go of all contacts works as one that never had any."""
    base = symmetric_pattern(6, [np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32)])
    growth = Growth(base)
    assert growth.cover([np.array([[2, 3]], dtype=np.int32)])
    assert growth.pattern is not base
    assert growth.cover([])
    assert growth.pattern is base
