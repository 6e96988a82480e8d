"""The hinge stiffness k that reproduces the flexural rigidity of a sheet.

On a smooth surface with the curvature tensor K a hinge opens by
    theta = alpha K_nn + beta K_tt + gamma K_tn,   t along the edge, n across it
    alpha = (hA + hB)/2,  beta = -|e|^2/2 [tA (1 - tA)/hA + tB (1 - tB)/hB],  gamma = |e| (tA - tB)
(heights h and feet t of hinge.py), so the energy per area tends to k times a quadratic form of K that depends on the
triangulation: V/area = k sum_e theta_e^2 |e|/h_e / sum_e A_e. With vertices on the surface, as published:
    equilateral         3 K1^2 - 2 K1 K2 + 3 K2^2                               cylinder 3, sphere 4
    grid, alternating   3 (Kxx^2 + Kyy^2) + 12 Kxy^2                            cylinder 3 to 4.5, sphere 6
    grid, diagonal      3 [(Kxx + Kxy)^2 + (Kyy + Kxy)^2] + 12 Kxy^2            cylinder 3 to 9, sphere 6
(diagonals along x = y). Vertices that are free to leave the smooth surface do so where they are not all alike. On the
alternating grid they move alternately up and down, which lowers its form by (Kxx + Kyy)^2/2.

A strip with free sides also takes the other curvatures of least energy: for the form A of
(Kxx, Kyy, Kxy) and a . K the curvature along the strip, min V/area = k (a . K)^2/(a . A^-1 a) = EI/2 (a . K)^2.
So EI = 2k/(a . A^-1 a): 16/3 k in every direction of equilateral triangles, and k = 3/16 EI. Such a plate has Poisson's
ratio -1/3; bent to a cylinder, as a plate constrained at its sides, it has D = 6k.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from supple.energies.bending.hinge import Hinges, hinges
from supple.energies.bending.quadratic import slope_differences
from supple.errors import SuppleError
from supple.mesh.measure import triangle_areas
from supple.mesh.topology import boundary_edges
from supple.types import Array, Ints

FLAT = 1e-6
"""Thickness over width up to which a mesh counts as flat."""
DIRECTIONS = 180
"""Directions over half a revolution, for averages."""


def bending_form(rest: Array, triangles: Ints, relaxed: bool = True) -> Array:
    """(3, 3) A with V/area = k K . A K, K = (Kxx, Kyy, Kxy) in the axes of `sheet_axes`.

    Relaxed: vertices with the same number of triangles leave the smooth surface by heights of least energy, in proportion
    to their areas. On a mesh that is curved at rest, directions cannot be compared between positions: the result is the
    average over all of them, with vertices on the surface.
    """
    hinge, share = hinges(rest, triangles), inner_share(rest, triangles)
    weight = share * hinge.weight / (share @ hinge.area)
    axes = sheet_axes(rest)
    if axes is None:
        rows = _turned_openings(hinge)
        return np.asarray(np.einsum("m,mdi,mdj->ij", weight / rows.shape[1], rows, rows))
    u, v = axes @ (rest - rest.mean(axis=0)).T
    smooth = np.stack([0.5 * u * u, 0.5 * v * v, u * v], axis=1)
    c = slope_differences(hinge)
    rows = np.einsum("ma,maj->mj", c, smooth[hinge.elements])
    if relaxed:
        steps = np.einsum("ma,maj->mj", c, _kinds(rest, triangles)[hinge.elements])
        inverse = np.linalg.pinv(steps.T @ (weight[:, None] * steps), rcond=1e-9, hermitian=True)
        rows -= steps @ (inverse @ (steps.T @ (weight[:, None] * rows)))
    return np.asarray(rows.T @ (weight[:, None] * rows))


def inner_share(rest: Array, triangles: Ints) -> Array:
    """(m,) fraction of each hinge that counts: half for each end that is an inner vertex; 1 if the mesh has none.

    Around an inner vertex all kinds of edges occur; along a border one kind is missing.
    """
    elements = hinges(rest, triangles).elements
    share = 0.5 * (~np.isin(elements[:, :2], boundary_edges(triangles))).sum(axis=1)
    return np.asarray(share if share.any() else np.ones(len(elements)))


def sheet_axes(rest: Array) -> Array | None:
    """(2, 3) unit vectors in the plane of a flat mesh, the first as close to x as possible; None for a curved mesh."""
    _, size, axes = np.linalg.svd(rest - rest.mean(axis=0), full_matrices=False)
    if size[2] > FLAT * size[0]:
        return None
    normal = axes[2]
    along = np.eye(3)[0 if abs(normal[0]) < 0.9 else 1]
    along = along - (along @ normal) * normal
    along /= np.linalg.norm(along)
    return np.stack([along, np.cross(normal, along)])


def strip_rigidity(form: Array, direction: npt.ArrayLike) -> float:
    """EI per width over k for a strip along (x, y) in the axes of the form."""
    u = np.asarray(direction, dtype=np.float64)
    x, y = u / np.linalg.norm(u)
    a = np.array([x * x, y * y, 2.0 * x * y])
    return float(2.0 / (a @ np.linalg.solve(form, a)))


def mean_strip_rigidity(form: Array) -> float:
    """The average over all directions."""
    angle = np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    return float(np.mean([strip_rigidity(form, (np.cos(a), np.sin(a))) for a in angle]))


def bending_stiffness(rest: Array, triangles: Ints, rigidity: float, direction: npt.ArrayLike | None = None) -> float:
    """k [N m] with which strips cut from the mesh have the flexural rigidity EI per width [N m], E t^3/12 of a sheet.

    Averaged over all directions, or along `direction` (x, y) in the plane of a flat mesh. The same for both bending
    models.
    """
    if not (np.isfinite(rigidity) and rigidity >= 0.0):
        raise SuppleError(f"bending rigidity: found {rigidity}; must be finite and not negative")
    if len(hinges(rest, triangles).elements) < 3:
        raise SuppleError(
            "bending rigidity: the mesh needs three edges between two triangles, to bend in all directions"
        )
    form = bending_form(rest, triangles)
    if np.linalg.matrix_rank(form, hermitian=True) < len(form):
        raise SuppleError(
            "bending rigidity: the edges of the mesh do not resist bending in all directions; use a finer mesh"
        )
    return rigidity / (mean_strip_rigidity(form) if direction is None else strip_rigidity(form, direction))


def _kinds(rest: Array, triangles: Ints) -> Array:
    """(n, kinds) the area around each vertex in the column of its number of triangles [m^2], except the commonest number.

    At a border both are extrapolated to a full revolution; kinds without inner vertices stay smooth, as the commonest
    does.
    """
    n, corners, at = len(rest), rest[triangles], triangles.ravel()
    a, b = (np.roll(corners, shift, axis=1) - corners for shift in (1, -1))
    angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=2), np.einsum("mai,mai->ma", a, b))
    turn = np.bincount(at, angle.ravel(), minlength=n)
    whole = 2.0 * np.pi / np.where(turn > 0.0, turn, 1.0)
    number = np.rint(whole * np.bincount(at, minlength=n))
    area = whole * np.bincount(at, np.repeat(triangle_areas(rest, triangles) / 3.0, 3), minlength=n)
    kinds, count = np.unique(number[np.setdiff1d(triangles, boundary_edges(triangles))], return_counts=True)
    others = np.delete(kinds, count.argmax()) if len(kinds) else kinds
    return np.where(number[:, None] == others, area[:, None], 0.0)


def _turned_openings(hinge: Hinges) -> Array:
    """(m, 3, 3) alpha, beta, gamma as coefficients of (Kxx, Kyy, Kxy), for edges in three directions instead of all."""
    foot, height = hinge.foot, hinge.height
    beta = -0.5 * hinge.length**2 * (foot * (1.0 - foot) / height).sum(axis=1)
    openings = np.stack([0.5 * height.sum(axis=1), beta, hinge.length * (foot[:, 0] - foot[:, 1])], axis=1)
    angle = np.pi / 3.0 * np.arange(3)
    x, y = np.cos(angle), np.sin(angle)
    across = np.stack([y * y, x * x, -2.0 * x * y], axis=1)
    along = np.stack([x * x, y * y, 2.0 * x * y], axis=1)
    mixed = np.stack([-x * y, x * y, x * x - y * y], axis=1)
    return np.einsum("mc,cdi->mdi", openings, np.stack([across, along, mixed]))
