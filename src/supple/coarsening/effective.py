"""Effective tensors of coarse tets (Kharevych 2010): they preserve the energy of all harmonic displacements.

    C_q = G_q^-T [ sum_p w_pq G_p^T C_p G_p ] G_q^-1,   w_pq = |T_p and T_q| / |T_q|
G_p: strains of the six harmonic displacements in fine tet p. G_q, the strains that a coarse tet represents:
    average  mean of G_p over the tet: for layers, fibres and grains
    nodal    strain of H at its corners: for single cracks and slices
The weights of a partly filled tet add up to its filled fraction, which makes it softer by the same factor. C_q is
positive definite if G_q is regular; if not (condition number above 1e4), the mean of C_p (Voigt) replaces it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.coarsening.fine_body import FineBody, isotropic, isotropic_moduli, shape_gradients, strain_matrices
from supple.coarsening.harmonic import fine_strains
from supple.coarsening.overlap import Overlaps
from supple.coarsening.sampling import locate, sampled
from supple.mesh.measure import tet_volumes
from supple.types import Array, Ints

Method = Literal["average", "nodal"]
Naive = Literal["naive", "moduli"]
SINGULAR = 1e4
"""Condition number of G_q above which it is not inverted."""
FULL = 1e-6
"""Empty fraction up to which a coarse tet counts as full: its weights then add up to one exactly."""


@dataclass(frozen=True)
class Effective:
    """Effective data of every coarse tet."""

    stiffness: Array
    """(q, 6, 6) symmetric, in Mandel form [Pa]."""
    coverage: Array
    """(q,) fraction of the tet filled by the fine body."""
    condition: Array
    """(q,) condition number of G_q; infinite for an empty tet."""
    fallback: np.ndarray
    """(q,) whether the mean of the fine tensors was used."""


def effective_tensors(
    fine: FineBody,
    H: Array,
    coarse_vertices: Array,
    coarse_tets: Ints,
    found: Overlaps,
    method: Method = "average",
) -> Effective:
    """Tensors of coarse tets from the harmonic displacements H (6, n, 3) of the fine body."""
    G_p = fine_strains(fine, H)
    energies = np.einsum("mji,mjk,mkl->mil", G_p, fine.stiffness, G_p, optimize=True)
    sums = _Sums(found, len(fine.tets), np.abs(tet_volumes(coarse_vertices, coarse_tets)))
    if method == "average":
        G_q = sums.mean(G_p)
    else:
        G_q = nodal_strains(fine, H, coarse_vertices, coarse_tets)
    regular, condition = _regular(G_q)
    inverse = np.linalg.inv(np.where(regular[:, None, None], G_q, np.eye(6)))
    C = np.einsum("qji,qjk,qkl->qil", inverse, sums.weighted(energies), inverse, optimize=True)
    C = np.where(regular[:, None, None], C, sums.weighted(fine.stiffness))
    return Effective(0.5 * (C + np.swapaxes(C, 1, 2)), sums.coverage, condition, ~regular)


def naive_tensors(
    fine: FineBody, coarse_vertices: Array, coarse_tets: Ints, found: Overlaps, of: Naive = "naive"
) -> Array:
    """(q, 6, 6) tensors without harmonic displacements: means of fine stiffnesses, or of fine moduli.

    A linear coarse tet with the mean of the element stiffness matrices in it has the mean tensor (Voigt): `naive`. `moduli` is
    the isotropic tensor of the mean Young's modulus and the mean Poisson's ratio. The two agree for uniform Poisson's
    ratio, since the tensor is then proportional to Young's modulus.
    """
    sums = _Sums(found, len(fine.tets), np.abs(tet_volumes(coarse_vertices, coarse_tets)))
    if of == "naive":
        return sums.weighted(fine.stiffness)
    young, poisson = (sums.mean_number(values) for values in isotropic_moduli(fine.stiffness))
    return sums.coverage[:, None, None] * isotropic(young, poisson)


def nodal_strains(fine: FineBody, H: Array, coarse_vertices: Array, coarse_tets: Ints) -> Array:
    """(q, 6, 6) strains of H sampled at the corners of coarse tets."""
    at_corners = sampled(H, fine.tets, *locate(coarse_vertices, fine.vertices, fine.tets))
    B = strain_matrices(shape_gradients(coarse_vertices, coarse_tets))
    return np.einsum("qij,rqj->qir", B, at_corners[:, coarse_tets].reshape(6, -1, 12))


class _Sums:
    """Sums over the fine tets in each coarse tet."""

    def __init__(self, found: Overlaps, fine: int, volume: Array) -> None:
        from scipy.sparse import csr_array

        covered = found.covered(len(volume))
        part = covered / volume
        self.coverage = np.where(part > 1.0 - FULL, 1.0, part)
        share = found.volume / np.where(covered > 0.0, covered, 1.0)[found.coarse]
        self._shares = csr_array((share, (found.coarse, found.fine)), shape=(len(volume), fine))

    def mean(self, matrices: Array) -> Array:
        """(q, 6, 6) mean over the filled part."""
        return np.asarray(self._shares @ matrices.reshape(len(matrices), 36)).reshape(-1, 6, 6)

    def mean_number(self, values: Array) -> Array:
        """(q,) mean over the filled part; values (m,)."""
        return np.asarray(self._shares @ values)

    def weighted(self, matrices: Array) -> Array:
        """(q, 6, 6) mean over the whole tet."""
        return self.coverage[:, None, None] * self.mean(matrices)


def _regular(G: Array) -> tuple[np.ndarray, Array]:
    """Whether matrices can be inverted, and their condition numbers."""
    size = np.linalg.svd(G, compute_uv=False)
    condition = np.full(len(G), np.inf)
    np.divide(size[:, 0], size[:, -1], out=condition, where=size[:, -1] > 0.0)
    return condition <= SINGULAR, condition
