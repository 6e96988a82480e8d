"""Expected contact pressures of the bodies of a scene, for the choice of the contact stiffness.

At rest the pressure is the weight of a body on one of its faces. In an impact at the speed v it is v sqrt(rho E), the
pressure of an elastic wave, but at most m v/(h A), which stops the body within one step h. A is a sixth of the
surface: the face of a cube. A round body, or one that lands on an edge, is stopped by a few vertices with a pressure
40 times higher (measured on a ball of 20 x 27 tets). Contact is designed for 16 times the pressure of a flat face at
half its distance. A flat face then stops at 0.85 of the distance, the ball at 0.3. However soft a body is, its
outermost vertices must stop within the distance d. Their energy, 1/2 m v^2 over an area, is at most a ninth of the
energy that the barrier absorbs before 0.05 of the distance is left. Too stiff a barrier costs little, too soft a
barrier lets gaps close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.mesh.measure import edge_lengths, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.topology import surface
from supple.model.placed import Placed
from supple.types import Array, Ints

FACES = 6.0
CONCENTRATION = 16.0
RESERVE = 4.0
"""Factor on the energy of the outermost vertices, over the distance, for which contact is designed."""
STRAIN = 1e-3
"""Strain whose pressure contact withstands at least."""


@dataclass(frozen=True)
class Pressing:
    """Contact properties of one body."""

    mass: float
    """[kg]"""
    face: float
    """Area of a face [m^2]."""
    speed: float
    """Speed of its fastest vertex at the start [m/s]."""
    drop: float
    """Largest height of its fall [m]."""
    wave: float
    """sqrt(rho E) [Pa s/m], infinite for bodies of springs."""
    young: float
    """Stiffness [Pa], 0 for bodies of springs."""
    layer: float
    """Mass of the contact vertices over their area [kg/m^2]."""


def touching_vertices(mesh: Mesh) -> tuple[Ints, Array]:
    """Contact vertices of a body, and the area of each [m^2]; the squared length on a rope."""
    triangles = surface(mesh)
    if len(triangles):
        shares = np.repeat(triangle_areas(mesh.vertices, triangles) / 3.0, 3)
        areas = _at_vertices(triangles, shares, mesh.n)
    else:
        edges = mesh.edges[mesh.edge_groups["stretch"]] if "stretch" in mesh.edge_groups else mesh.edges
        shares = np.repeat(edge_lengths(mesh.vertices, edges) / 2.0, 2)
        areas = _at_vertices(edges, shares, mesh.n) ** 2
    vertices = np.flatnonzero(areas > 0.0).astype(np.int32)
    return vertices, areas[vertices]


def touching_places(placed: Placed) -> tuple[Ints, Array]:
    """The same for a body; for material points all particles, since any of them may end up outside."""
    if placed.filled is None:
        return touching_vertices(placed.mesh)
    return np.arange(placed.mesh.n, dtype=np.int32), placed.filled.areas


def pressing(placed: Placed, v: Array, drop: float) -> Pressing:
    """The contact properties of a body with these velocities (n, 3) and height of fall."""
    mesh, mass, density = placed.solid_mesh, placed.mass, placed.body.density
    total, young = float(mass.sum()), placed.material.about_young
    volume = float(total / density) if density is not None else float(np.prod(mesh.extent))
    wave = np.sqrt(total / volume * young) if mesh.is_solid and young else np.inf
    vertices, areas = touching_vertices(mesh)
    face = float(areas.sum()) / FACES
    if placed.filled is None:
        layer = float(mass[vertices].sum() / areas.sum())
    else:
        layer = float((mass / placed.filled.areas).max())
    return Pressing(total, face, float(np.linalg.norm(v, axis=1).max()), drop, float(wave), young, layer)


def expected_pressure(
    bodies: Sequence[Pressing], gravity: float, scripted: float, h: float, duration: float, distance: float
) -> float:
    """The pressure that contact with the given distance must withstand [Pa]; `scripted`: speed of scripted parts [m/s]."""
    weight = gravity * sum(b.mass for b in bodies) / min(b.face for b in bodies)
    stopped = 0.0
    found = [weight, *(STRAIN * b.young for b in bodies)]
    for k, b in enumerate(bodies):
        others = max((o.speed for j, o in enumerate(bodies) if j != k), default=0.0)
        v = b.speed + others + scripted + min(np.sqrt(2.0 * gravity * b.drop), gravity * duration)
        if v > 0.0:  # the wave impedance of springs is infinite
            found.append(min(v * b.wave, b.mass * v / (h * b.face)))
            stopped = max(stopped, RESERVE * 0.5 * b.layer * v * v / distance)
    return max(CONCENTRATION * float(max(found)), stopped)


def _at_vertices(cells: Ints, shares: Array, n: int) -> Array:
    """(n,) sums over cells of the share of each corner."""
    return np.asarray(np.bincount(cells.ravel(), shares, minlength=n), dtype=np.float64)
