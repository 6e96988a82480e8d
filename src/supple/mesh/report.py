"""The doctor's report on a valid mesh, as plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.mesh.doctor import filling_problems
from supple.mesh.measure import body_cells, edge_lengths, quality, sizes, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.topology import boundary_edges, components, surface

BINS = 10
"""Bars of the quality histogram, from 0 to 1."""


@dataclass(frozen=True)
class Report:
    """Counts, sizes, shapes and names of a mesh, in SI units."""

    vertices: int
    edges: int
    triangles: int
    tets: int
    low: tuple[float, ...]
    """Corner of the bounding box with the smallest coordinates [m]."""
    high: tuple[float, ...]
    """Corner of the bounding box with the largest coordinates [m]."""
    volume: float
    """Total volume of the tets [m^3]."""
    area: float
    """Total area of the boundary of the tets, or of the triangles of a mesh without tets [m^2]."""
    length: float
    """Total length of the edges [m]."""
    smallest: float
    """Smallest tet volume; without tets, triangle area; without triangles, edge length."""
    largest: float
    """Largest of these."""
    quality_least: float
    """Worst mean ratio: 1 is a regular element, 0 a flat one."""
    quality_mean: float
    quality_counts: tuple[int, ...]
    """Elements with a mean ratio in 0 to 0.1, 0.1 to 0.2, ..., 0.9 to 1."""
    components: int
    """Connected pieces."""
    boundary_edges: int
    """Edges of the surface with one triangle only; 0 for a closed surface."""
    groups: dict[str, int]
    """Vertices in each group."""
    edge_groups: dict[str, int]
    """Edges in each group."""
    filling_problems: tuple[str, ...]
    """Why `--tetrahedralise` would reject the mesh; empty if it would not."""

    @property
    def closed(self) -> bool:
        """Whether the mesh has a surface that encloses a volume: of tets, or one that can be filled with tets."""
        return self.area > 0 and self.boundary_edges == 0 and (self.tets > 0 or not self.filling_problems)


def report(mesh: Mesh) -> Report:
    """Measure a mesh that passed the doctor's checks."""
    x, cells, skin = mesh.vertices, body_cells(mesh), surface(mesh)
    size, ratio = sizes(x, cells), quality(x, cells)
    return Report(
        vertices=mesh.n,
        edges=len(mesh.edges),
        triangles=len(mesh.triangles),
        tets=len(mesh.tets),
        low=tuple(x.min(axis=0).tolist()),
        high=tuple(x.max(axis=0).tolist()),
        volume=float(sizes(x, mesh.tets).sum()),
        area=float(triangle_areas(x, skin).sum()),
        length=float(edge_lengths(x, mesh.edges).sum()),
        smallest=float(size.min()),
        largest=float(size.max()),
        quality_least=float(ratio.min()),
        quality_mean=float(ratio.mean()),
        quality_counts=tuple(np.histogram(np.clip(ratio, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))[0].tolist()),
        components=components(mesh)[0],
        boundary_edges=len(boundary_edges(skin)),
        groups={name: len(members) for name, members in mesh.groups.items()},
        edge_groups={name: len(members) for name, members in mesh.edge_groups.items()},
        filling_problems=tuple(filling_problems(mesh)),
    )
