"""Organic bodies for the benchmarks and studies of contact: blends of balls, filled irregularly with tets."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.tetrahedralise import tetrahedralise
from supple.types import Array

# A four-legged animal, 0.3 m long: centre and radius of each ball [m].
_SPINE = [(x, 0.13 + 0.01 * np.cos(20 * x), 0.0, 0.045) for x in np.linspace(-0.08, 0.08, 5)]
_LEGS = [
    (x, y, z, 0.022 if y > 0.03 else 0.018)
    for x in (-0.075, 0.075)
    for z in (-0.035, 0.035)
    for y in (0.02, 0.045, 0.07, 0.095)
]
_HEAD = [(0.115, 0.165, 0.0, 0.03), (0.135, 0.19, 0.0, 0.034), (0.16, 0.182, 0.0, 0.022)]
_EARS = [(0.128, 0.225, z, 0.013) for z in (-0.022, 0.022)] + [(0.126, 0.24, z, 0.01) for z in (-0.026, 0.026)]
_TAIL = [(-0.115, 0.15, 0.0, 0.014), (-0.13, 0.165, 0.0, 0.011)]
ANIMAL = np.array([*_SPINE, *_LEGS, *_HEAD, *_EARS, *_TAIL])
"""(k, 4)"""


def blend(balls: Array, cells: int = 72, softness: float = 0.007) -> Mesh:
    """The closed surface of balls that run into each other: a smooth union of their distances."""
    import pyvista

    low = (balls[:, :3] - balls[:, 3:]).min(axis=0) - 2 * softness
    high = (balls[:, :3] + balls[:, 3:]).max(axis=0) + 2 * softness
    spacing = float((high - low).max()) / cells
    counts = np.ceil((high - low) / spacing).astype(int) + 1
    grid = pyvista.ImageData(dimensions=tuple(counts), spacing=(spacing,) * 3, origin=tuple(low))
    d = np.linalg.norm(np.asarray(grid.points)[:, None, :] - balls[None, :, :3], axis=2) - balls[None, :, 3]
    grid["d"] = -softness * np.log(np.exp(-d / softness).sum(axis=1))
    surface = grid.contour([0.0], scalars="d", method="flying_edges").clean().triangulate()
    return Mesh(np.asarray(surface.points, dtype=np.float64), triangles=surface.faces.reshape(-1, 4)[:, 1:])


def animal(edge_length: float = 0.02) -> Path:
    """A file with the animal in about 8,900 tets; two runs of fTetWild give different meshes, so it is kept."""
    file = Path(tempfile.gettempdir()) / f"supple-animal-{edge_length:g}.msh"
    if not file.exists():
        write_mesh(tetrahedralise(blend(ANIMAL), edge_length=edge_length, envelope=2e-3), file)
    return file
