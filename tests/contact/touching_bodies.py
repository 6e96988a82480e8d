"""Small bodies that run into each other or into themselves, for the tests of mesh contact."""

from typing import Any

import numpy as np

from builders import Setup
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles
from supple.types import Array

DHAT = 0.02


def cube_pair(offset: float = 0.3, gap: float = 0.05, noise: float = 0.0) -> tuple[Array, Any, Any, Array]:
    """Rest positions, tets and triangles of two cubes side by side, and the masses."""
    mesh = Bar(cells=(2, 2, 2), size=(1.0, 1.0, 1.0)).mesh()
    triangles, n = boundary_triangles(mesh.tets), mesh.n
    rest = np.vstack([mesh.vertices, mesh.vertices + np.array([1.0 + gap, offset, offset / 2])])
    rest = rest + noise * np.random.default_rng(0).standard_normal(rest.shape)
    both = [np.vstack([a, a + n]).astype(np.int32) for a in (mesh.tets, triangles)]
    return rest, both[0], both[1], np.tile(lumped_mass(mesh, density=1000.0), 2)


def colliding_cubes(
    kappa: float = 3e6, speed: float = 1.5, gap: float = 0.05, offset: float = 0.3
) -> tuple[Setup, BarrierContact]:
    """Two soft cubes that run into each other, off centre if there is an offset."""
    rest, tets, triangles, mass = cube_pair(offset, gap)
    contact = BarrierContact(ContactSurface(rest, triangles, np.arange(len(rest))), DHAT, kappa)
    system = build_system(rest, mass, [Solid(rest, tets, StableNeoHookean.from_young(2e5, 0.3)), contact])
    v = np.zeros_like(rest)
    v[: len(rest) // 2, 0], v[len(rest) // 2 :, 0] = speed, -speed
    return (system, State(0.0, rest, v)), contact
