"""Meshes that ride on the grid beside clouds, for the tests."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from swarms import STVK, G, lattice

from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.gravity import Gravity
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm
from supple.materials.material import Material
from supple.materials.membranes.laws import StVKMembrane
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.sheet import grid_triangles
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import unique_edges
from supple.points.cloud import Cloud
from supple.types import Array


def jelly_on_cloud(
    material: Material = STVK,
    cloud: Material = STVK,
    gravity: bool = True,
    speed: float = 0.3,
    cells: tuple[int, int, int] = (3, 2, 3),
    **options: Any,
) -> tuple[System, State]:
    """A block of tets above a block of particles, both with random velocities; they meet on the grid."""
    mesh = Bar(cells=cells, size=(0.18, 0.12, 0.18), origin=(0.01, 0.23, 0.01)).mesh()
    seeds = lattice((4, 4, 4), 0.05)
    k = len(seeds)
    x = np.concatenate([seeds, mesh.vertices])
    mass = np.concatenate([np.full(k, 0.125), lumped_mass(mesh, 1000.0)])
    terms: list[EnergyTerm] = [Solid(x, mesh.tets + k, material)]
    terms += [Gravity(mass, G)] if gravity else []
    clouds = [Cloud(np.arange(k, dtype=np.int32), np.full(k, 0.05**3), cloud)]
    system = build_system(x, mass, terms, clouds=clouds, riders=np.arange(k, len(x)), **options)
    v = speed * np.random.default_rng(3).standard_normal(x.shape)
    v[k:, 1] -= 1.0
    return system, State(0.0, x, v)


def sheet(cells: tuple[int, int], size: tuple[float, float], height: float) -> tuple[Array, Array]:
    """Vertices and triangles of a level sheet with a corner above the origin."""
    u, w = (np.linspace(0.0, s, c + 1) for s, c in zip(size, cells, strict=True))
    grid = np.stack(np.meshgrid(u, [height], w, indexing="ij"), axis=-1).reshape(-1, 3)
    nodes = np.arange(len(grid), dtype=np.int32).reshape(cells[0] + 1, cells[1] + 1)
    return grid, grid_triangles(nodes, "alternating")


def cloth_terms(x: Array, triangles: Array, springs: bool = False) -> list[EnergyTerm]:
    """Of a sheet of 1 mm."""
    bending = DihedralBending(x, triangles, 1e-3)
    if springs:
        return [HookeSprings(x, unique_edges(triangles), 2e3), bending]
    return [Membrane(x, triangles, StVKMembrane(2e5, 0.3), 1e-3), bending]


def cloth_under_cloud(material: Material, terms: Sequence[EnergyTerm] = (), **options: Any) -> tuple[System, State]:
    """A sheet of 0.6 x 0.6 m, and a block of particles that falls on its middle."""
    cloth, triangles = sheet((15, 15), (0.6, 0.6), 0.0)
    seeds = lattice((5, 4, 5), 0.033, jitter=0.3) + np.array([0.22, 0.06, 0.22])
    x, k = np.concatenate([cloth, seeds]), len(cloth)
    mass = np.concatenate([np.full(k, 0.36 / k), np.full(len(seeds), 1000.0 * 0.033**3)])
    cloud = Cloud(np.arange(k, len(x)), np.full(len(seeds), 0.033**3), material)
    whole = [Gravity(mass, G), *cloth_terms(x, triangles), *terms]
    system = build_system(x, mass, whole, clouds=[cloud], riders=np.arange(k), **options)
    return system, State(0.0, x, np.zeros_like(x))
