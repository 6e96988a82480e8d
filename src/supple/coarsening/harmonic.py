"""Harmonic displacements (Kharevych 2010): response of a fine body to the six unit stresses at its outer surface.

    K H_r = b_r,   b_r at vertex i: sum over exterior faces of A_f/3 S_r n_f,   r = 1 ... 6
with S_r the unit symmetric stresses in Mandel's basis. Walls of holes carry no traction. Such loads are
self-equilibrated, so the singular system is solvable: six unknowns are pinned without reaction forces, and the rigid
part is removed afterwards. If pinned vertices are given (a body with known supports), these stay fixed instead.
"""

from __future__ import annotations

import numpy as np

from supple.coarsening.fine_body import PAIRS, ROOT2, FineBody
from supple.coarsening.rigid_modes import pinned_unknowns, rigid_modes, without_rigid
from supple.errors import SuppleError
from supple.linalg.factors.factorisation import analyse
from supple.linalg.pattern import SymmetricPattern, symmetric_pattern
from supple.linalg.scatter import add_hessians
from supple.linalg.threads import threads
from supple.mesh.topology import boundary_triangles, distinct, half_edges
from supple.types import Array, Ints

CHUNK = 16_384
"""Number of tets whose matrices are computed in one batch."""


def harmonic_displacements(fine: FineBody, pinned: Ints | None = None, backend: str = "auto") -> Array:
    """(6, n, 3) H_r [m for a stress of 1 Pa]."""
    n = len(fine.vertices)
    loads = tractions(fine).reshape(6, 3 * n)
    pattern = symmetric_pattern(n, [fine.tets])
    values = stiffness_values(fine, pattern)
    modes = rigid_modes(fine.vertices)
    if pinned is None:
        held = pinned_unknowns(modes)
    else:
        held = (3 * np.unique(pinned)[:, None] + np.arange(3)).ravel().astype(np.int32)
        if len(held) < 9:
            raise SuppleError(f"coarsening: {len(held) // 3} pinned vertices cannot fix a body; give three or more")
    hold(pattern, values, held)
    loads[:, held] = 0.0
    factor = analyse("cholesky", pattern.indptr, pattern.indices, backend, threads())
    try:
        factor.factor(values)
        H = factor.solve(loads).reshape(6, n, 3)
    finally:
        factor.close()
    return without_rigid(H, modes) if pinned is None else H


def uniform_displacements(vertices: Array, poisson: float) -> Array:
    """(6, n, 3) H_r of a homogeneous body without holes with a Young's modulus of 1 Pa: strains are uniform [m]."""
    S = unit_stresses()
    strains = (1.0 + poisson) * S - poisson * np.einsum("rii,jk->rjk", S, np.eye(3))
    return np.einsum("rij,nj->rni", strains, vertices - vertices.mean(axis=0))


def fine_strains(fine: FineBody, H: Array) -> Array:
    """(m, 6, 6) G_p: column r is the strain of H_r in tet p [1/Pa]."""
    G = np.empty((len(fine.tets), 6, 6))
    for rows in _chunks(len(fine.tets)):
        u = H[:, fine.tets[rows]].reshape(6, -1, 12)
        G[rows] = np.einsum("mij,rmj->mir", fine.strain_matrices[rows], u)
    return G


def tractions(fine: FineBody) -> Array:
    """(6, n, 3) b_r [N for a stress of 1 Pa]."""
    faces = outer_faces(fine.vertices, fine.tets)
    x = fine.vertices[faces]
    areas = 0.5 * np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
    b = np.zeros((6, len(fine.vertices), 3))
    for r, S in enumerate(unit_stresses()):
        push = np.repeat((areas @ S)[:, None] / 3.0, 3, axis=1)
        np.add.at(b[r], faces, push)
    return b


def unit_stresses() -> Array:
    """(6, 3, 3) basis tensors of unit length in Mandel form."""
    S = np.zeros((6, 3, 3))
    for r, (i, j) in enumerate(PAIRS):
        S[r, i, j] = S[r, j, i] = 1.0 if i == j else 1.0 / ROOT2
    return S


def outer_faces(vertices: Array, tets: Ints) -> Ints:
    """(f, 3) faces of the outermost surface, without walls of cavities."""
    faces = boundary_triangles(tets)
    label = _pieces(faces)
    x = vertices[faces]
    cones = np.einsum("fi,fi->f", x[:, 0], np.cross(x[:, 1], x[:, 2]))
    volume = np.bincount(label, cones)  # walls of cavities face inwards: their volume is negative
    return faces[volume[label] > 0.0]


def _pieces(faces: Ints) -> Ints:
    """(f,) index of the closed surface to which each face belongs; faces are connected across edges."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, edge, _ = distinct(np.sort(half_edges(faces), axis=1))
    face = np.repeat(np.arange(len(faces)), 3)
    meeting = coo_array((np.ones(len(edge), dtype=np.int8), (face, edge)), shape=(len(faces), int(edge.max()) + 1))
    return np.asarray(connected_components(meeting @ meeting.T, directed=False)[1], dtype=np.int32)


def stiffness_values(fine: FineBody, pattern: SymmetricPattern) -> Array:
    """Entries of K = sum V B^T C B in the upper triangle."""
    values = np.zeros(pattern.nnz)
    n = pattern.n
    for rows in _chunks(len(fine.tets)):
        B = fine.strain_matrices[rows]
        K = np.einsum("m,mji,mjk,mkl->mil", fine.volumes[rows], B, fine.stiffness[rows], B, optimize=True)
        tets, m = fine.tets[rows], len(B)
        add_hessians(
            np.zeros(n, np.int32), np.array([0, m], np.int32), np.arange(m, dtype=np.int32), tets,
            np.arange(n, dtype=np.int32), pattern.row_length, pattern.element_slots(tets), np.ascontiguousarray(K), values,
        )  # fmt: skip
    return values


def hold(pattern: SymmetricPattern, values: Array, unknowns: Ints) -> None:
    """Eliminate scalar unknowns from a symmetric matrix: only the diagonal entries of their rows and columns remain."""
    is_held = np.zeros(pattern.unknowns, dtype=bool)
    is_held[unknowns] = True
    row = np.repeat(np.arange(pattern.unknowns), np.diff(pattern.indptr))
    scale = float(np.median(values[pattern.diagonal]))
    values[is_held[row] | is_held[pattern.indices]] = 0.0
    values[pattern.diagonal[unknowns]] = scale


def _chunks(m: int) -> list[slice]:
    return [slice(first, min(first + CHUNK, m)) for first in range(0, m, CHUNK)]
