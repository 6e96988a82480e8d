"""Naive averages, of stiffnesses and of moduli, and the picture of harmonic displacements."""

from pathlib import Path

import numpy as np
from composite import Composite, centres, grid, layered

from supple.coarsening.coarsen import Pair
from supple.coarsening.effective import naive_tensors
from supple.coarsening.fine_body import FineBody, isotropic, isotropic_moduli
from supple.coarsening.harmonic import harmonic_displacements, uniform_displacements
from supple.render.plots.harmonics import outer_faces_of, plot_harmonics


def two_ratios() -> Composite:
    """Two materials of different Poisson's ratio."""
    mesh = grid((4, 4, 4), (1.0, 1.0, 1.0))
    soft = centres(mesh)[:, 2] > 0.5
    C = isotropic(np.where(soft, 1e3, 1e4), np.where(soft, 0.45, 0.1))
    return Composite(FineBody(mesh.vertices, mesh.tets, C, np.ones(len(soft))), grid((1, 1, 1), (1.0, 1.0, 1.0)))


def tensors(composite: Composite, of: str) -> np.ndarray:
    coarse = composite.coarse
    return naive_tensors(composite.fine, coarse.vertices, coarse.tets, composite.found, of)


def test_moduli_of_isotropic_tensors() -> None:
    young, poisson = np.array([1e3, 2e4, 5.0]), np.array([0.3, -0.2, 0.49])
    found = isotropic_moduli(isotropic(young, poisson))
    np.testing.assert_allclose(found[0], young, rtol=1e-12)
    np.testing.assert_allclose(found[1], poisson, rtol=1e-10)


def test_both_averages_agree_for_one_poisson_ratio() -> None:
    composite = Composite(layered(8, 10.0, 8), grid((2, 2, 2), (1.0, 1.0, 1.0)))
    naive, moduli = tensors(composite, "naive"), tensors(composite, "moduli")
    np.testing.assert_allclose(moduli, naive, rtol=0, atol=1e-12 * naive.max())


def test_averages_differ_where_poisson_ratio_does() -> None:
    composite = two_ratios()
    moduli, naive = tensors(composite, "moduli"), tensors(composite, "naive")
    volume = composite.found.covered(6)
    shares = composite.found.volume / volume[composite.found.coarse]
    young, poisson = isotropic_moduli(composite.fine.stiffness)
    mean = [np.bincount(composite.found.coarse, shares * own[composite.found.fine]) for own in (young, poisson)]
    np.testing.assert_allclose(moduli, isotropic(*mean), rtol=1e-9, atol=1e-9 * moduli.max())
    assert np.abs(moduli - naive).max() > 0.05 * naive.max()
    pair = Pair(composite.fine, composite.coarse)
    np.testing.assert_array_equal(pair.body("moduli").stiffness, moduli)


def test_uniform_displacements_are_harmonic() -> None:
    fine = layered(1, 1.0, 4)
    H, exact = harmonic_displacements(fine), uniform_displacements(fine.vertices, 0.3)
    np.testing.assert_allclose(H * 1e4, exact, atol=1e-9)


def test_faces_belong_to_their_tets() -> None:
    fine = layered(4, 10.0, 4)
    faces, owner = outer_faces_of(fine.tets)
    assert len(faces) == 6 * 16 * 2
    assert all(set(face) <= set(tet) for face, tet in zip(faces.tolist(), fine.tets[owner].tolist(), strict=True))


def test_harmonic_displacements_are_drawn(tmp_path: Path) -> None:
    fine = layered(4, 10.0, 4)
    rows = {"one material": uniform_displacements(fine.vertices, 0.3), "layers": harmonic_displacements(fine)}
    file = tmp_path / "six.png"
    plot_harmonics(fine.vertices, fine.tets, isotropic_moduli(fine.stiffness)[0], rows, file, "Layers", "z")
    assert file.stat().st_size > 50_000
