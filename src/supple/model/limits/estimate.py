"""Estimated size of the model of a world, from the parameters of its shapes, compared with the limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from supple.errors import SceneError
from supple.mesh.measure import enclosed_volume, triangle_areas
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.shape import Counts
from supple.model.limits.limits import GIB, PLACES, Limits, counted, raised

PER_VERTEX, PER_ELEMENT, PER_PLACE = 600.0, 2000.0, 150.0
"""Bytes of a model with its matrices, per vertex, element, and lattice point: a rough figure from a bar of 192,000
tets with multigrid (docs/develop/solver.md). Sparse factors of large solids take more."""
PER_PARTICLE = 1500.0
FILLING = 8.5
"""Number of regular tets with edges of 1 m per cubic metre."""


@dataclass
class Tally:
    """Accumulated size of the bodies."""

    limits: Limits
    vertices: float = 0.0
    elements: float = 0.0
    bytes: float = 0.0
    found: list[str] = field(default_factory=list)
    """Problems."""

    def add(self, path: str, counts: Counts) -> None:
        """Add a mesh; raises a SceneError if a limit is exceeded."""
        self.vertices += counts.vertices
        self.elements += counts.elements
        self.bytes += PER_VERTEX * counts.vertices + PER_ELEMENT * counts.elements + PER_PLACE * counts.places
        others = ", with the bodies before it" if self.vertices > counts.vertices else ""
        self.limits.demand(path, f"vertices{others}", "vertices", self.vertices)
        self.limits.demand(path, f"elements{others}", "elements", self.elements)
        if counts.places > PLACES * self.limits.elements:
            raise SceneError(
                f"{path}: {counted(counts.places)} lattice points would be examined, and {self.limits.told('elements')}; "
                f"{raised('elements', counts.places / PLACES)}"
            )
        self.limits.demand_memory(path, self.bytes / GIB)


def tallied(sources: Sequence[tuple[str, Any]], limits: Limits) -> Tally:
    """The sizes of all meshes that can be estimated in advance; all problems are reported together.

    `sources`: path of a mesh in the world, and its source: a shape, a mesh, or a file, which is checked after reading.
    """
    tally = Tally(limits)
    for path, source in sources:
        try:
            tally.add(path, counts_of(source))
        except SceneError as error:
            tally.found += error.problems
            break  # later meshes only add to it
    return tally


def counts_of(source: Any) -> Counts:
    """Size of a mesh, as far as it is known in advance."""
    if isinstance(source, Mesh):
        return Counts(source.n, len(source.tets) + len(source.triangles) + len(source.edges))
    counts: Callable[[], Counts] | None = getattr(source, "counts", None)
    return counts() if counts is not None else Counts(0.0, 0.0)


def demand_filling(limits: Limits, path: str, surface: Mesh, edge: float) -> None:
    """Raise an error if filling a closed surface with tets of some edge [m] exceeds the limits."""
    x, faces = surface.vertices, surface.triangles
    if not len(faces):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        volume, area = abs(enclosed_volume(x, faces)), float(triangle_areas(x, faces).sum())
    tets = FILLING * (volume / edge / edge / edge + area / edge / edge)
    limits.demand(f"{path}.edge_length", "tets", "elements", tets)
    limits.demand_memory(f"{path}.edge_length", PER_ELEMENT * tets / GIB)


def demand_particles(limits: Limits, path: str, extent: Any, spacing: float) -> None:
    """Raise an error if filling a box [m] with particles at some distance [m] exceeds the limits."""
    places = math.prod(max(1.0, side / spacing) for side in np.asarray(extent).tolist())
    limits.demand(path, f"particles {spacing:.3g} m apart", "vertices", places)
    limits.demand_memory(path, PER_PARTICLE * places / GIB)
