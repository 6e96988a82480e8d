"""Springs whose ends slide: lengths, switching, links. Derivatives and mean gradients are tested with all other terms."""

import numpy as np
import pytest
from catalogue import EDGES, GENERALISED, MESH, REST, SURFACE, deformed

from supple.energies.springs.anchor import Anchors
from supple.energies.springs.generalised import (
    all_lengths,
    altitude_springs,
    axial_bending_springs,
    edge_springs,
    zero_length_springs,
)
from supple.energies.springs.kinds import across_edges
from supple.energies.springs.links import Linked, join_links
from supple.energies.springs.springs import StVKSprings
from supple.errors import MeshError, StepRejected, SuppleError

FLAT = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.9, 0.5, 0.0], [0.9, 0.5, 0.0]])
FOLD = np.array([[0, 1, 2], [1, 0, 3]], np.int32)
LINKED = GENERALISED | {
    "edges": lambda: edge_springs(REST, EDGES, 20.0),
    "zero length": lambda: zero_length_springs(len(REST), EDGES, 20.0, 2.0),
    "anchors": lambda: Anchors(REST, 3.0),
}


def test_the_shortest_altitude_of_a_triangle_is_twice_its_area_over_the_longest_side() -> None:
    term, x = altitude_springs(REST, SURFACE, 30.0), deformed(2)

    def shortest(positions: np.ndarray) -> np.ndarray:
        a, b, c = positions[SURFACE].transpose(1, 0, 2)
        sides = [np.linalg.norm(p - q, axis=1) for p, q in ((a, b), (b, c), (c, a))]
        return np.linalg.norm(np.cross(b - a, c - a), axis=1) / np.max(sides, axis=0)

    rest, now = shortest(REST), shortest(x)
    same = term.active(x) == term.active(REST)
    np.testing.assert_allclose(term.links(x).length, now, rtol=1e-12)
    np.testing.assert_allclose(term.element_values(x)[same], (15.0 / rest * (now - rest) ** 2)[same], rtol=1e-10)


def test_the_shortest_altitude_of_a_tet_is_three_times_its_volume_over_the_largest_face() -> None:
    term, x = altitude_springs(REST, MESH.tets, 30.0), deformed(2)
    corners = x[MESH.tets]
    volume = np.abs(np.linalg.det(corners[:, 1:] - corners[:, :1])) / 6
    faces = [np.delete(corners, k, axis=1) for k in range(4)]
    area = [np.linalg.norm(np.cross(f[:, 1] - f[:, 0], f[:, 2] - f[:, 0]), axis=1) / 2 for f in faces]
    np.testing.assert_allclose(term.links(x).length, 3 * volume / np.max(area, axis=0), rtol=1e-11)
    np.testing.assert_array_equal(term.active(x), np.argmax(area, axis=0))
    assert (term.active(x) != term.active(REST)).sum() > 5


@pytest.mark.parametrize("elements", [SURFACE, MESH.tets], ids=["triangles", "tets"])
def test_the_active_altitude_has_the_least_length(elements: np.ndarray) -> None:
    term, x = altitude_springs(REST, elements, 30.0), deformed(3)
    np.testing.assert_array_equal(term.active(x), all_lengths(term.kind, x[elements]).argmin(axis=1))
    flat = x.copy()
    flat[elements[0]] = flat[elements[0, 0]]
    with pytest.raises(StepRejected, match="degenerate triangle"):
        term.active(flat)


def test_where_another_altitude_takes_over_the_energy_jumps_by_their_difference() -> None:
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.3, 0.8, 0.0]])
    term = altitude_springs(X, np.array([[0, 1, 2]], np.int32), 20.0)

    def pulled(y: float) -> np.ndarray:
        x = X.copy()
        x[2] = 0.3, y, 0.0
        return x

    here, there = 0.8, 0.5
    while here - there > 1e-14:
        middle = 0.5 * (here + there)
        here, there = (middle, there) if term.active(pulled(middle)) == term.active(X) else (here, middle)
    before, after = term.links(pulled(here)), term.links(pulled(there))
    assert before.length == pytest.approx(after.length, abs=1e-12)
    jump = term.element_values(pulled(there)) - term.element_values(pulled(here))
    assert jump == pytest.approx(after.energy - before.energy, abs=1e-12)
    assert abs(jump[0]) > 1e-2
    # the spring that was active before has gone on smoothly
    assert term.lengths_after(pulled(here), pulled(there)) == pytest.approx(before.length, abs=1e-12)


def test_axial_springs_of_a_flat_sheet_have_rest_length_zero() -> None:
    term = axial_bending_springs(FLAT, FOLD, 5.0)
    np.testing.assert_array_equal(np.sort(term.elements[:, :2], axis=1), [[0, 1]])
    assert term.rest_length[0, 0] == 0.0
    folded = FLAT.copy()
    folded[2:, 2] = 0.3
    assert term.element_values(folded)[0] == pytest.approx(0.5 * 5.0 * 0.3**2, rel=1e-14)
    assert term.element_gradients(folded)[0].sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-15)
    # stretched in its plane it does not care, and through the plane its length changes its sign
    assert term.element_values(FLAT * [1.4, 0.7, 1.0])[0] <= 1e-30
    through = folded * [1.0, 1.0, -1.0]
    assert term.lengths_after(folded, through) == pytest.approx(-term.links(folded).length, rel=1e-14)


def test_feet_stay_on_their_edges() -> None:
    """The opposite corners are far past the end of the shared edge: the spring ends at its vertex."""
    X = FLAT.copy()
    X[2:, 1] = 1.7
    c = axial_bending_springs(X, FOLD, 5.0).links(X).c[0]
    np.testing.assert_allclose(np.sort(c), [-1.0, 0.0, 0.5, 0.5], atol=1e-14)


def test_only_edges_between_two_triangles_bend() -> None:
    assert len(across_edges(FOLD[:1])) == 0
    fan = np.array([[0, 1, 2], [1, 0, 3], [0, 1, 4]], np.int32)
    assert len(across_edges(fan)) == 0
    assert len(across_edges(SURFACE)) == 3 * len(SURFACE) // 2


@pytest.mark.parametrize("name", GENERALISED)
def test_another_rest_configuration(name: str) -> None:
    term, x = GENERALISED[name](), deformed(3)
    there = term.resting_at(x)
    assert there is not None
    assert term.element_values(x).max() > 1e-3
    assert there.element_values(x).max() <= 1e-24
    assert there.element_values(REST).max() > 1e-3


@pytest.mark.parametrize("name", LINKED)
def test_links_are_the_term(name: str) -> None:
    term, x = LINKED[name](), deformed(4)
    links = term.links(x)
    assert isinstance(term, Linked)
    assert links.energy.sum() == pytest.approx(term.element_values(x).sum(), rel=1e-12)
    np.testing.assert_allclose(np.linalg.norm(links.u, axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(term.lengths_after(x, x), links.length, atol=1e-13)
    # dl/dx_i = c_i u, exactly: the feet are stationary
    d = np.random.default_rng(1).standard_normal(x.shape)
    eps = 1e-5
    slope = (term.lengths_after(x, x + eps * d) - term.lengths_after(x, x - eps * d)) / (2 * eps)
    np.testing.assert_allclose(links.along(d), slope, atol=1e-8)


def test_links_of_several_terms_stand_one_after_the_other() -> None:
    x = deformed(4)
    parts = [LINKED[name]().links(x) for name in LINKED]
    joined = join_links(parts)
    d = np.random.default_rng(1).standard_normal(x.shape)
    assert joined.energy.sum() == pytest.approx(sum(p.energy.sum() for p in parts), rel=1e-13)
    np.testing.assert_allclose(joined.along(d), np.concatenate([p.along(d) for p in parts]), rtol=0, atol=1e-13)
    assert len(join_links([]).kappa) == 0


def test_quartic_springs_are_no_links() -> None:
    assert not isinstance(StVKSprings(REST, EDGES, 1.0), Linked)


def test_bad_springs_are_refused() -> None:
    flat = FLAT * [0.0, 1.0, 1.0]
    with pytest.raises(MeshError, match="altitude springs: 1 triangles have no area, the first is number 0"):
        altitude_springs(flat, np.array([[0, 1, 2]], np.int32), 1.0)
    with pytest.raises(MeshError, match="altitude springs: 1 tets have no volume"):
        altitude_springs(FLAT, np.array([[0, 1, 2, 3]], np.int32), 1.0)
    with pytest.raises(SuppleError, match="spring stiffness: must be finite and not negative"):
        axial_bending_springs(FLAT, FOLD, -1.0)
