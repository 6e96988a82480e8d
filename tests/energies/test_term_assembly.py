"""Sums over samples and parts, projection, held vertices, and the patch test."""

import numpy as np
import pytest
from catalogue import GENERALISED, MEASURES, MESH, REST, SOLIDS, TERMS, deformed
from hypothesis import given, settings
from hypothesis import strategies as st

from builders import dense, hold, random_tets
from supple.constraints.motion import Motion
from supple.dynamics.potential import Potential
from supple.dynamics.system import build_system
from supple.energies.samples import Samples, one_sample
from supple.energies.solids.solid import Solid
from supple.linalg.parts import split_vertices
from supple.linalg.pattern import symmetric_pattern
from supple.linalg.threads import threads, use_threads
from supple.materials import MATERIALS
from supple.mesh.topology import boundary_triangles


def several_samples() -> Samples:
    x = np.stack([deformed(seed) for seed in (1, 2, 3)])
    return Samples(x, np.array([0.5, 1.5, -0.3]), np.array([0.2, 0.7, 1.1]), np.array([2.0, 0.1, 0.4]))


@pytest.mark.parametrize("name", TERMS)
def test_samples_are_summed_with_their_weights(name: str) -> None:
    system = build_system(REST, np.ones(len(REST)), [TERMS[name]()])
    s = several_samples()
    [(_, value, gradient)] = system.potential.contributions(s)
    K = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(s, K)
    wanted_value, wanted_gradient, wanted_K = 0.0, np.zeros_like(gradient), np.zeros_like(K)
    for x, energy, force, curvature in zip(s.x, s.energy, s.force, s.curvature, strict=True):
        [(_, one, slope)] = system.potential.contributions(one_sample(x))
        single = np.zeros_like(K)
        system.potential.add_hessian(one_sample(x), single)
        wanted_value += energy * one
        wanted_gradient += force * slope
        wanted_K += curvature * single
    assert value == pytest.approx(wanted_value, rel=1e-12)
    np.testing.assert_allclose(gradient, wanted_gradient, rtol=0, atol=1e-12 * np.abs(wanted_gradient).max())
    np.testing.assert_allclose(K, wanted_K, rtol=0, atol=1e-12 * np.abs(wanted_K).max())


def sums(name: str, parts: int) -> tuple[float, np.ndarray, np.ndarray]:
    """Value, gradient and Hessian of a system split into that many parts."""
    term = TERMS[name]()
    n = len(REST)
    unknowns = np.arange(n, dtype=np.int32)
    unknowns[5], unknowns[6:] = -1, unknowns[6:] - 1
    pattern = symmetric_pattern(n - 1, [unknowns[term.elements]])
    potential = Potential([term], pattern, unknowns, split_vertices(REST, parts))
    s = several_samples()
    K = np.zeros(pattern.nnz)
    potential.add_hessian(s, K)
    [(_, value, gradient)] = potential.contributions(s)
    return value, gradient, K


@pytest.mark.parametrize("name", TERMS)
def test_bits_do_not_depend_on_the_number_of_parts(name: str) -> None:
    one = sums(name, 1)
    assert np.abs(one[1]).max() > 0
    for parts in (2, 5):
        many = sums(name, parts)
        assert many[0] == one[0]
        assert np.array_equal(many[1], one[1])
        assert np.array_equal(many[2], one[2])


@pytest.mark.parametrize("name", sorted(set(TERMS) - {"gravity"}))
def test_projection_makes_a_crushed_body_positive(name: str) -> None:
    system = build_system(REST, np.ones(len(REST)), [TERMS[name]()])
    crushed = np.ascontiguousarray(REST * [0.55, 0.6, 1.0])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(crushed), values, project=True)
    eigenvalues = np.linalg.eigvalsh(dense(system, values))
    assert eigenvalues[0] >= -1e-10 * eigenvalues[-1]
    values[:] = 0.0
    system.potential.add_hessian(one_sample(crushed), values)
    if name not in {"solid linear", "solid neo-hookean"}:
        assert np.linalg.eigvalsh(dense(system, values))[0] < -1e-6 * eigenvalues[-1]


@pytest.mark.parametrize("name", sorted(set(TERMS) - set(GENERALISED) - set(MEASURES) - {"gravity"}))
def test_projection_leaves_a_positive_body_alone(name: str) -> None:
    """Springs whose feet slide are not convex even in tension: sliding shortens them; nor are areas and volumes."""
    system = build_system(REST, np.ones(len(REST)), [TERMS[name]()])
    stretched = np.ascontiguousarray(REST * 1.05)
    plain, projected = np.zeros((2, system.pattern.nnz))
    system.potential.add_hessian(one_sample(stretched), plain)
    system.potential.add_hessian(one_sample(stretched), projected, project=True)
    np.testing.assert_allclose(projected, plain, rtol=0, atol=1e-11 * np.abs(plain).max())


@pytest.mark.parametrize("name", sorted(set(TERMS) - {"gravity"}))
def test_held_vertices_leave_the_matrix(name: str) -> None:
    x, n = deformed(), len(REST)
    held = np.array([0, 7, 13, n - 1], dtype=np.int32)
    values = []
    systems = [
        build_system(REST, np.ones(n), [TERMS[name]()]),
        build_system(REST, np.ones(n), [TERMS[name]()], Motion((hold(held, x),))),
    ]
    for system in systems:
        entries = np.zeros(system.pattern.nnz)
        system.potential.add_hessian(one_sample(x), entries)
        values.append(dense(system, entries))
    whole, small = values
    assert len(small) == len(whole) - 3 * len(held)
    keep = np.delete(np.arange(3 * n).reshape(n, 3), held, axis=0).ravel()
    np.testing.assert_allclose(small, whole[np.ix_(keep, keep)], rtol=0, atol=1e-13 * np.abs(whole).max())


def test_bits_do_not_depend_on_the_number_of_threads() -> None:
    before, found = threads(), []
    try:
        for count in (1, 2):
            use_threads(count)
            system = build_system(REST, np.ones(len(REST)), [TERMS["solid stvk"]()])
            values = np.zeros(system.pattern.nnz)
            system.potential.add_hessian(several_samples(), values)
            found.append((system.potential.weighted_gradient(several_samples()), values))
    finally:
        use_threads(before)
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


@pytest.mark.parametrize("name", SOLIDS)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 1000))
def test_patch(name: str, seed: int) -> None:
    """A linear displacement of a random mesh gives the same stress everywhere and no force on inner vertices."""
    mesh = random_tets(seed)
    material = MATERIALS[name.removeprefix("solid ")].from_young(1000.0, 0.3)
    A = np.eye(3) + np.random.default_rng(seed).uniform(-0.2, 0.2, (3, 3))
    x = np.ascontiguousarray(mesh.vertices @ A.T + [0.1, 0.2, 0.3])
    solid = Solid(mesh.vertices, mesh.tets, material)
    np.testing.assert_allclose(solid.deformation_gradients(x), np.broadcast_to(A, (len(mesh.tets), 3, 3)), atol=1e-13)
    P = material.stress(solid.deformation_gradients(x))
    assert np.abs(P[0]).max() > 1.0
    np.testing.assert_allclose(P, np.broadcast_to(P[0], P.shape), rtol=0, atol=1e-11 * np.abs(P).max())
    system = build_system(mesh.vertices, np.ones(mesh.n), [solid])
    gradient = system.potential.gradient(x)
    inner = np.setdiff1d(np.arange(mesh.n), boundary_triangles(mesh.tets))
    assert len(inner) > 0
    assert np.abs(gradient[inner]).max() <= 1e-11 * np.abs(gradient).max()


def test_corners_may_come_in_any_order() -> None:
    x = deformed()
    wanted = TERMS["solid stvk"]().element_values(x)
    shuffled = Solid(REST, MESH.tets[:, [2, 0, 3, 1]], TERMS["solid stvk"]().material)
    np.testing.assert_allclose(shuffled.element_values(x), wanted, rtol=1e-12)
