"""Stiffness of springs from Young's modulus, such that a net stretches independently of its mesh size.

kappa [N/m] is the stiffness of a spring against small changes of its length: along the unit vector n, with rest length l,
it stores 1/2 kappa l^2 (n . strain . n)^2. Forces along springs imply C12 = C66 (Cauchy), so an isotropic net has
Poisson's ratio 1/3; springs cannot reproduce other values.

Sides of triangles (Van Gelder, 1998), A summed over the one or two triangles at the side:
    kappa = E t sum(A) / l^2; exact for equilateral triangles, approximate for others.
Grid of cells a x b with both diagonals, L^2 = a^2 + b^2:
    diagonals  kappa = 3/16 E t L^2 / (a b)
    along a    kappa = E t (9/8 b/a - 3/8 a/b), half of it at the border; not negative for a <= sqrt(3) b
  from C11 = C22 = 9/8 E, C12 = C66 = 3/8 E, plane stress at 1/3; a strip has this modulus up to its borders.
Rope of section S: kappa = E S / l.
Springs that span two edges get 0: they resist bending, which does not enter Young's modulus of the sheet.
"""

from __future__ import annotations

import math

import numpy as np

from supple.errors import MeshError, SuppleError
from supple.mesh.measure import edge_lengths, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.topology import distinct, half_edges
from supple.types import Array

UNIFORM = 1e-6
"""Relative difference of lengths up to which the cells of a grid count as equal."""


def young_stiffness(mesh: Mesh, young: float, thickness: float) -> Array:
    """(m,) kappa [N/m] of all edges of a mesh: sheet of that thickness [m], or round rope of that diameter [m]."""
    if not len(mesh.edges):
        raise MeshError("springs: the mesh has no edges; use the shape cloth or rope")
    if not len(mesh.triangles):
        return rope_stiffness(mesh, young, math.pi / 4.0 * thickness**2)
    crossed = len(mesh.edge_groups.get("shear", ())) == len(mesh.triangles)
    return grid_stiffness(mesh, young, thickness) if crossed else triangle_stiffness(mesh, young, thickness)


def triangle_stiffness(mesh: Mesh, young: float, thickness: float) -> Array:
    """Springs along the sides of triangles; other edges get 0."""
    _check(young=young, thickness=thickness)
    area = np.repeat(triangle_areas(mesh.vertices, mesh.triangles), 3)
    return young * thickness * _around(mesh, area) / edge_lengths(mesh.vertices, mesh.edges) ** 2


def grid_stiffness(mesh: Mesh, young: float, thickness: float) -> Array:
    """Springs along the lines (edge group `stretch`) and both diagonals (`shear`) of a grid of equal cells."""
    _check(young=young, thickness=thickness)
    length = edge_lengths(mesh.vertices, mesh.edges)
    stretch, shear = mesh.edge_groups["stretch"], mesh.edge_groups["shear"]
    diagonal = length[shear].mean()
    along = length[stretch]
    across = np.sqrt(np.maximum(diagonal**2 - along**2, 0.0))
    sides = np.array([along.min(), along.max()])
    if abs(math.hypot(*sides) - diagonal) > UNIFORM * diagonal or np.ptp(length[shear]) > UNIFORM * diagonal:
        raise MeshError(
            "springs: the cells of the grid differ; take an equilateral mesh, or give `stretch` and `shear`"
        )
    if sides[1] > math.sqrt(3.0) * sides[0]:
        raise MeshError(
            f"springs: cells of {sides[0]:g} x {sides[1]:g} m are longer than sqrt(3) times their width, springs along "
            "them would need a negative stiffness; choose `cells` that are nearly square, or give `stretch` and `shear`"
        )
    border = _around(mesh, np.ones(3 * len(mesh.triangles)))[stretch] == 1
    kappa = np.zeros(len(mesh.edges))
    kappa[shear] = 3.0 / 16.0 * diagonal**2 / (sides[0] * sides[1])
    kappa[stretch] = np.where(border, 0.5, 1.0) * (9.0 / 8.0 * across / along - 3.0 / 8.0 * along / across)
    return young * thickness * np.maximum(kappa, 0.0)


def rope_stiffness(mesh: Mesh, young: float, section: float) -> Array:
    """Springs along a rope of that section [m^2]; those of the edge group `bend` get 0."""
    _check(young=young, section=section)
    kappa = young * section / edge_lengths(mesh.vertices, mesh.edges)
    kappa[mesh.edge_groups.get("bend", np.empty(0, dtype=np.int32))] = 0.0
    return kappa


def stvk_stiffness(kappa: Array, rest_length: Array) -> Array:
    """k [N/m^3] of StVK springs that resist small changes of length like kappa [N/m]: k = kappa / (4 l0^2)."""
    return kappa / (4.0 * rest_length**2)


def _around(mesh: Mesh, weight: Array) -> Array:
    """(m,) sum over the triangles at each edge of the weights (3 f,) of their sides; 0 for an edge that is not a side."""
    sides = np.sort(np.concatenate([half_edges(mesh.triangles), mesh.edges]), axis=1)
    _, number, count = distinct(sides)
    m = len(mesh.edges)
    total: Array = np.bincount(number[:-m], weights=weight, minlength=len(count)).astype(np.float64)
    return total[number[-m:]]


def _check(**given: float) -> None:
    for name, value in given.items():
        if not (math.isfinite(value) and value > 0.0):
            raise SuppleError(f"springs: {name} must be finite and above zero, found {value:g}")
