"""Steps over many times the width of the barrier: derivatives of mean gradients, pairs that touch, and lists of pairs."""

from __future__ import annotations

import numpy as np
import pytest

from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.joining import missing
from supple.contact.surfaces.pair_means import add_mean_potentials, mean_potential_hessians
from supple.contact.surfaces.pairs import EDGE_EDGE, POINT_TRIANGLE
from supple.contact.surfaces.quotient import mean_gradients
from supple.contact.surfaces.quotient_jacobians import mean_jacobians
from supple.contact.surfaces.surface import ContactSurface
from supple.types import Array

CORNERS = np.array([[0, 1, 2, 3]], dtype=np.int32)
REST = {
    POINT_TRIANGLE: np.array([[0.3, 0.3, 0.05], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    EDGE_EDGE: np.array([[-0.5, 0.0, 0.04], [0.5, 0.1, 0.04], [0.0, -0.5, 0.0], [0.1, 0.5, 0.0]]),
}
DHAT = 0.1


def law(offset: float = 0.0, threshold: float = 0.5) -> tuple[np.ndarray, Array, Array, Array, float, float]:
    return CORNERS, np.ones(1), np.array([threshold]), np.array([offset]), DHAT, 1e3


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])
@pytest.mark.parametrize("offset", [0.0, 0.01])
@pytest.mark.parametrize("far", [0.0, 10 * DHAT])
def test_derivatives_of_mean_gradients_are_complete(kind: int, offset: float, far: float) -> None:
    """The part that closes the energy balance is no longer small when a pair approaches from afar."""
    rng = np.random.default_rng(1)
    for _ in range(5):
        x0, x1 = (REST[kind] + 0.02 * rng.standard_normal((4, 3)) for _ in range(2))
        x0[0] += [0.5 * far, 0.2 * far, far]
        exact = mean_jacobians(kind, x0, x1, *law(offset))[0]
        e = 1e-6
        columns = [
            (
                mean_gradients(kind, x0, x1 + e * p, *law(offset)) - mean_gradients(kind, x0, x1 - e * p, *law(offset))
            ).ravel()
            for p in np.eye(12).reshape(12, 4, 3)
        ]
        measured = np.stack(columns, axis=1) / (2.0 * e)
        assert np.abs(exact - measured).max() <= 1e-6 * np.abs(measured).max()
        assert np.abs(measured).max() > 0.0


@pytest.mark.parametrize("kind", [POINT_TRIANGLE, EDGE_EDGE])
@pytest.mark.parametrize("touches", ["before", "after", "both"])
def test_pairs_that_touch_have_an_infinite_energy_and_no_error(kind: int, touches: str) -> None:
    """A distance of zero divides nothing by zero: the search steps back from there."""
    cross = np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.5, 0.0]])
    together = REST[kind] * [1.0, 1.0, 0.0] if kind == POINT_TRIANGLE else cross
    apart = together + np.array([0.0, 0.0, 0.05]) * (
        [[1], [0], [0], [0]] if kind == POINT_TRIANGLE else [[1], [1], [0], [0]]
    )
    x0 = together if touches in ("before", "both") else apart
    x1 = together if touches in ("after", "both") else apart
    gradient = np.zeros((4, 3))
    value = add_mean_potentials(kind, x0, x1, *law(threshold=1e-3), 1.0, gradient)
    H = [mean_potential_hessians(kind, x0, x1, *law(threshold=1e-3), 1.0, project) for project in (False, True)]
    if touches != "before":
        assert value == np.inf
        assert not gradient.any()
        assert not np.any(H)


def test_edges_that_are_parallel_but_for_rounding_error() -> None:
    """Their closest points are not determined; second derivatives stay finite at any angle, however small."""
    for angle in [0.0, *np.logspace(-12, -6, 61)]:
        x = np.array([[0.0, 0.0, 0.05], [1.0, angle, 0.05], [0.3, -1e-9, 0.0], [1.3, 0.0, 0.0]])
        x0 = x + np.array([0.0, 0.0, 0.2])
        H = [mean_potential_hessians(EDGE_EDGE, x0, x, *law(threshold=1e-3), 1.0, project) for project in (False, True)]
        J = mean_jacobians(EDGE_EDGE, x, 1.01 * x, *law(threshold=1e-3))
        assert np.isfinite(H).all()
        assert np.isfinite(J).all()


def test_rows_that_another_list_does_not_have() -> None:
    rng = np.random.default_rng(0)
    for k, m in [(0, 0), (0, 5), (5, 0), (300, 400)]:
        known, rows = (np.unique(rng.integers(0, 7, (n, 4)).astype(np.int32), axis=0) for n in (k, m))
        there = {tuple(row) for row in known}
        assert missing(known, rows).tolist() == [e for e, row in enumerate(rows) if tuple(row) not in there]


def test_pairs_before_or_after_a_step_are_each_listed_once() -> None:
    """Two triangles that slide along each other: other corners are near before and after."""
    lower = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    x = np.concatenate([lower, lower + np.array([0.1, 0.1, 0.05])])
    surface = ContactSurface(x, np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32), np.repeat([0, 1], 3))
    contact = BarrierContact(surface, DHAT, 1e3)
    y = x + np.repeat([[0.0, 0.0, 0.0], [0.6, -0.3, 0.02]], 3, axis=0)
    before, after, both = (
        [tuple(row) for _, means in [(0, own)] for corners, _ in means for row in corners.tolist()]
        for own in (contact.coupling_means(x, x), contact.coupling_means(y, y), contact.coupling_means(x, y))
    )
    assert len(both) == len(set(both))
    assert set(both) == set(before) | set(after)
    assert set(before) != set(after)
