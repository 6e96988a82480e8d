"""How large the model of a world will be, from the numbers of its shapes, and whether that is within the limits."""

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
"""Bytes of a model with its matrices, for each vertex, element, and place of a lattice: a rough figure after a bar of 192,000
tets with multigrid (docs/solver.md). Sparse factors of large solids take more."""
PER_PARTICLE = 1500.0
FILLING = 8.5
"""Regular tets with edges of 1 m in a cubic metre."""


@dataclass
class Tally:
    """What bodies take so far."""

    limits: Limits
    vertices: float = 0.0
    elements: float = 0.0
    bytes: float = 0.0
    found: list[str] = field(default_factory=list)
    """Problems."""

    def add(self, path: str, counts: Counts) -> None:
        """One mesh more; raises a SceneError where a limit is passed."""
        self.vertices += counts.vertices
        self.elements += counts.elements
        self.bytes += PER_VERTEX * counts.vertices + PER_ELEMENT * counts.elements + PER_PLACE * counts.places
        others = ", with the bodies before it" if self.vertices > counts.vertices else ""
        self.limits.demand(path, f"vertices{others}", "vertices", self.vertices)
        self.limits.demand(path, f"elements{others}", "elements", self.elements)
        if counts.places > PLACES * self.limits.elements:
            raise SceneError(
                f"{path}: {counted(counts.places)} places of a lattice would be looked at, and {self.limits.told('elements')}; "
                f"{raised('elements', counts.places / PLACES)}"
            )
        self.limits.demand_memory(path, self.bytes / GIB)


def tallied(sources: Sequence[tuple[str, Any]], limits: Limits) -> Tally:
    """The sizes of all meshes that can be told before they are made; all problems are reported at once.

    `sources`: where a mesh stands, and what it is: a shape, a mesh, or a file, which is looked at when it has been read.
    """
    tally = Tally(limits)
    for path, source in sources:
        try:
            tally.add(path, counts_of(source))
        except SceneError as error:
            tally.found += error.problems
            break  # what follows adds to it
    return tally


def counts_of(source: Any) -> Counts:
    """How large a mesh is, as far as that is known before it is made."""
    if isinstance(source, Mesh):
        return Counts(source.n, len(source.tets) + len(source.triangles) + len(source.edges))
    counts: Callable[[], Counts] | None = getattr(source, "counts", None)
    return counts() if counts is not None else Counts(0.0, 0.0)


def demand_filling(limits: Limits, path: str, surface: Mesh, edge: float) -> None:
    """Refuse to fill a closed surface with more tets of some edge [m] than are allowed."""
    x, faces = surface.vertices, surface.triangles
    if not len(faces):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        volume, area = abs(enclosed_volume(x, faces)), float(triangle_areas(x, faces).sum())
    tets = FILLING * (volume / edge / edge / edge + area / edge / edge)
    limits.demand(f"{path}.edge_length", "tets", "elements", tets)
    limits.demand_memory(f"{path}.edge_length", PER_ELEMENT * tets / GIB)


def demand_particles(limits: Limits, path: str, extent: Any, spacing: float) -> None:
    """Refuse to fill a box [m] with more particles at some distance [m] than are allowed."""
    places = math.prod(max(1.0, side / spacing) for side in np.asarray(extent).tolist())
    limits.demand(path, "particles", "vertices", places)
    limits.demand_memory(path, PER_PARTICLE * places / GIB)
