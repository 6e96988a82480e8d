"""Corotational elasticity: what it is made of, its frames, pinned elements, tensors; derivatives are in the catalogue's tests."""

import numpy as np
import pytest
from catalogue import COROTATIONAL, MESH, REST, deformed, stiffness

from supple.energies.corotational.frames import ABOUT_AXIS, FIXED, FREE
from supple.energies.corotational.mandel import isotropic, turned
from supple.energies.corotational.rest import Held
from supple.energies.corotational.term import Corotational
from supple.energies.solids.solid import Solid
from supple.errors import MeshError, SuppleError
from supple.materials.corotated import Corotated
from supple.types import Array

TETS = MESH.tets
ANISOTROPIC = stiffness(100.0)
TET = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 1.2, 0.0], [0.1, 0.3, 0.9]])
ONE = np.arange(4)[None]


def turn(seed: int = 3) -> Array:
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((3, 3)))[0]
    return Q * np.sign(np.linalg.det(Q))


def nearest_rotation(A: Array) -> Array:
    U, _, Vt = np.linalg.svd(A)
    U[:, :, 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
    return U @ Vt


def centred(x: Array, tets: Array) -> Array:
    return x[tets] - x[tets].mean(axis=1, keepdims=True)


def linear_stiffness(C: Array, tets: Array) -> Array:
    """(m, 12, 12) K = volume B^T C B, with B written out entry by entry."""
    edges = np.swapaxes(REST[tets[:, 1:]] - REST[tets[:, :1]], 1, 2)
    g = np.linalg.inv(edges)
    g = np.concatenate([-g.sum(axis=1, keepdims=True), g], axis=1)
    B, r = np.zeros((len(tets), 6, 4, 3)), 1 / np.sqrt(2)
    for i in range(3):
        B[:, i, :, i] = g[:, :, i]
    for row, (i, j) in {3: (1, 2), 4: (0, 2), 5: (0, 1)}.items():
        B[:, row, :, i], B[:, row, :, j] = r * g[:, :, j], r * g[:, :, i]
    B = B.reshape(-1, 6, 12)
    volume = np.abs(np.linalg.det(edges)) / 6
    return volume[:, None, None] * np.swapaxes(B, 1, 2) @ C @ B


@pytest.mark.parametrize("frame", ["polar", "kabsch"])
def test_the_energy_is_that_of_small_displacements_seen_from_the_frame(frame: str) -> None:
    term, x = Corotational(REST, TETS, ANISOTROPIC, frame), deformed()
    d, D = centred(x, term.elements), centred(REST, term.elements)
    spread = np.einsum("mai,maj->mij", D, D)
    F = np.einsum("mai,maj->mij", d, D) @ np.linalg.inv(spread)
    R = nearest_rotation(F if frame == "polar" else F @ spread)
    np.testing.assert_allclose(term.frames(x), R, rtol=0, atol=1e-13)
    u = (d @ R - D).reshape(-1, 12)
    K = linear_stiffness(ANISOTROPIC, term.elements)
    np.testing.assert_allclose(term.element_values(x), 0.5 * np.einsum("mi,mij,mj->m", u, K, u), rtol=1e-11)
    # the matrix with given frames is R K R^T, and its force R K u
    turned_K = np.einsum("mip,mapbq,mjq->maibj", R, K.reshape(-1, 4, 3, 4, 3), R).reshape(-1, 12, 12)
    framed = term.framed(x)
    np.testing.assert_allclose(framed.element_hessians(x), turned_K, rtol=0, atol=1e-12 * np.abs(K).max())
    force = np.einsum("mij,mbj->mbi", R, np.einsum("mij,mj->mi", K, u).reshape(-1, 4, 3))
    np.testing.assert_allclose(framed.element_gradients(x), force, rtol=0, atol=1e-11 * np.abs(force).max())
    assert framed.degree == 2
    assert np.linalg.eigvalsh(framed.element_hessians(x)).min() >= -1e-12 * np.abs(K).max()


def test_an_isotropic_body_with_polar_frames_is_corotated() -> None:
    term = Corotational(REST, TETS, isotropic(1000.0, 0.3))
    wanted = Solid(REST, TETS, Corotated.from_young(1000.0, 0.3))
    for x in (deformed(), REST * [1.0, 1.2, -0.7]):  # the second one is inverted
        for part in ("element_values", "element_gradients", "element_hessians"):
            a, b = getattr(term, part)(x), getattr(wanted, part)(x)
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())


@pytest.mark.parametrize("name", COROTATIONAL)
def test_only_polar_frames_of_isotropic_bodies_need_no_correction(name: str) -> None:
    term, x = COROTATIONAL[name](), deformed()
    exact, plain = term.element_gradients(x), term.framed(x).element_gradients(x)
    gap, size = np.abs(plain - exact).max(), np.abs(exact).max()
    torque = np.abs(np.cross(x[term.elements], plain).sum(axis=1)).max()
    assert np.abs(np.cross(x[term.elements], exact).sum(axis=1)).max() <= 1e-14 * size * np.abs(x).max()
    if name == "corotational":
        assert term.plain
        assert max(gap, torque) <= 1e-14 * size
    else:
        assert not term.plain
        assert min(gap, torque) >= 1e-2 * size


def test_kabsch_frames_see_the_smallest_displacements() -> None:
    x = deformed(size=0.1)
    d, D = centred(x, np.sort(TETS, axis=1)), centred(REST, np.sort(TETS, axis=1))
    squares = []
    for frame in ("kabsch", "polar"):
        R = Corotational(REST, TETS, ANISOTROPIC, frame).frames(x)
        squares.append(((d @ R - D) ** 2).sum(axis=(1, 2)))
    assert (squares[0] <= squares[1] * (1 + 1e-12)).all()
    assert squares[0].sum() < 0.95 * squares[1].sum()


def pinned_body(place: Array) -> Corotational:
    """With elements of all kinds; `place`: where the vertices are of which some are pinned."""
    held = np.flatnonzero(REST[:, 0] < 0.9).astype(np.int32)[:8]
    return Corotational(REST, TETS, ANISOTROPIC, "kabsch", Held(held, place[held]))


def kinds(term: Corotational) -> Array:
    return term._values.kind


def test_derivatives_of_pinned_elements() -> None:
    x, d = deformed(), 0.1 * np.random.default_rng(7).standard_normal(REST.shape)
    term = pinned_body(x)
    assert set(kinds(term)) == {FREE, ABOUT_AXIS, FIXED}
    gradients, hessians = term.element_gradients(x), term.element_hessians(x)
    steps = {1: 45.0, 2: -9.0, 3: 1.0}

    def slope(function):
        return sum(c * (function(x + k * 1e-3 * d) - function(x - k * 1e-3 * d)) for k, c in steps.items()) / 0.06

    along = np.einsum("mai,mai->m", gradients, d[term.elements])
    np.testing.assert_allclose(along, slope(term.element_values), rtol=0, atol=1e-9 * np.abs(gradients).max())
    along = np.einsum("mij,mj->mi", hessians, d[term.elements].reshape(-1, 12)).reshape(-1, 4, 3)
    np.testing.assert_allclose(along, slope(term.element_gradients), rtol=0, atol=1e-9 * np.abs(hessians).max())
    assert np.abs(hessians - np.swapaxes(hessians, 1, 2)).max() <= 1e-12 * np.abs(hessians).max()


@pytest.mark.parametrize("angle", [0.7, 2.5, np.pi])
def test_pins_that_start_turned_store_nothing(angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)
    x = np.ascontiguousarray(REST @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]).T + [1.0, 2.0, 3.0])
    term = pinned_body(x)
    scale = Corotational(REST, TETS, ANISOTROPIC).element_values(deformed()).max()
    assert term.element_values(x).max() <= 1e-20 * scale
    assert np.abs(term.element_gradients(x)).max() <= 1e-10 * scale


def test_a_tet_with_two_pins_swings_about_them_and_one_with_three_does_not_turn() -> None:
    Q = turn()
    place = np.ascontiguousarray(TET @ Q.T)
    axis = (place[1] - place[0]) / np.linalg.norm(place[1] - place[0])
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    swing = np.eye(3) + np.sin(2.0) * cross + (1 - np.cos(2.0)) * cross @ cross
    x = np.ascontiguousarray(place @ swing.T)
    C = isotropic(1000.0, 0.3)
    two = Corotational(TET, ONE, C, held=Held(np.array([0, 1], np.int32), place[:2]))
    assert two.element_values(x)[0] <= 1e-20
    np.testing.assert_allclose(two.frames(x)[0], swing @ Q, rtol=0, atol=1e-13)
    three = Corotational(TET, ONE, C, held=Held(np.array([0, 1, 2], np.int32), place[:3]))
    np.testing.assert_allclose(three.frames(x)[0], Q, rtol=0, atol=1e-13)
    assert three.element_values(x)[0] > 1.0
    assert three.plain
    assert not two.plain


def test_a_turned_body_has_a_turned_tensor() -> None:
    Q, x = turn(), deformed(2)
    wanted = Corotational(REST, TETS, ANISOTROPIC, "kabsch").element_values(x)
    other = turned(ANISOTROPIC, np.broadcast_to(Q, (len(TETS), 3, 3)))
    assert np.abs(other - ANISOTROPIC).max() > 10.0
    found = Corotational(np.ascontiguousarray(REST @ Q.T), TETS, other, "kabsch").element_values(x)
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize("frame", ["polar", "kabsch"])
def test_a_body_that_rests_elsewhere(frame: str) -> None:
    term, x = Corotational(REST, TETS, ANISOTROPIC, frame), deformed(2)
    moved = np.ascontiguousarray(REST @ turn().T + [1.0, 2.0, 3.0])
    np.testing.assert_allclose(term.resting_at(moved).element_values(x), term.element_values(x), rtol=1e-12)
    pinned = pinned_body(moved)
    np.testing.assert_allclose(pinned.resting_at(moved).element_values(x), pinned.element_values(x), rtol=1e-11)
    resting = term.resting_at(x)
    size = np.abs(term.element_gradients(deformed(3))).max()
    assert np.abs(resting.element_gradients(x)).max() <= 1e-12 * size
    assert np.abs(resting.element_gradients(deformed(3))).max() > 0.1 * size


def test_a_tensor_of_no_stiffness_is_allowed() -> None:
    soft = np.diag([1000.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    term = Corotational(REST, TETS, soft)
    assert np.isfinite(term.element_hessians(deformed())).all()
    assert term.element_values(deformed()).min() >= 0.0


@pytest.mark.parametrize(
    ("bad", "kind", "message"),
    [
        (np.eye(3), SuppleError, r"one 6x6 matrix or one for each of the 72 tets, found shape \(3, 3\)"),
        (np.full((6, 6), np.nan), SuppleError, "must be finite"),
        (np.eye(6) + np.eye(6, k=1), MeshError, "the matrix of 72 tets is not symmetric, the first is tet 0"),
        (np.diag([1.0, 1, 1, 1, 1, -0.1]), MeshError, "the matrix of 72 tets has a negative eigenvalue"),
    ],
)
def test_bad_tensors_are_refused(bad: Array, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        Corotational(REST, TETS, bad)


def test_bad_elements_and_frames_are_refused() -> None:
    flat = REST.copy()
    flat[TETS[3]] = 0.0
    with pytest.raises(MeshError, match="tets have no volume, the first is tet"):
        Corotational(flat, TETS, ANISOTROPIC)
    with pytest.raises(SuppleError, match="frame: found 'nearest'; known: polar, kabsch"):
        Corotational(REST, TETS, ANISOTROPIC, "nearest")
    one = ANISOTROPIC.copy()
    one[5, 0, 0] = -1e4
    with pytest.raises(MeshError, match=r"the matrix of 1 tets has a negative eigenvalue: .*, the first is tet 5"):
        Corotational(REST, TETS, one)
