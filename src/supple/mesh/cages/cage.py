"""A cage of tets around a surface of any quality: open, in many parts, self-intersecting or flat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np
from annotated_types import Ge

from supple.checks import checked
from supple.errors import MeshError, SuppleError
from supple.mesh.cages.inside import Inside, inside_cells
from supple.mesh.cages.joining import bridged, firmly, pieces
from supple.mesh.cages.lattice import CubeLattice, Flags, lattice_around, touched
from supple.mesh.cages.parts import surface_parts
from supple.mesh.cages.smoothing import smoothed
from supple.mesh.cages.tets import cell_tets
from supple.mesh.doctor import closed_surface_problems
from supple.mesh.embedding.binding import Binding
from supple.mesh.embedding.bound_parts import PART, bind_surface
from supple.mesh.embedding.fit import check_surface
from supple.mesh.measure import enclosed_volume, tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.grid import solid
from supple.mesh.topology import surface as faces_of
from supple.types import Array, Ints
from supple.values import Positive

CELLS = 12
"""Cells along the longest side if neither their number nor their size is given."""
SMALL = 1e-6
"""Distance from the tets, in cell lengths, that counts as zero."""


@checked
@dataclass(frozen=True)
class Cage:
    """A cage of tets around a surface: cubes that the surface touches, and those inside."""

    cells: Annotated[int, Ge(1)] | None = None
    """Along the longest side of the surface; 12 if neither cells nor size is given."""
    size: Positive | None = None
    """Length of a cell instead, after scaling [m]."""
    inside: Inside = "enclosed"
    """Cells filled in addition to those that the surface touches: cells `enclosed` by these; also by the `winding`
    number, for surfaces with wide holes; `hollow`: none."""
    smooth: bool = False
    """Whether the boundary is moved towards the surface."""
    keep_apart: bool = False
    """Whether parts of the surface that do not touch get separate cages; otherwise rows of cells join them."""

    contact: Literal["cage", "surface"] = "cage"
    """The surface used for contact with the shapes of obstacles: the boundary of the tets, or the embedded surface."""

    def __post_init__(self) -> None:
        if self.cells is not None and self.size is not None:
            raise SuppleError(f"give either cells or size, found cells {self.cells} and size {self.size:g}")


@dataclass(frozen=True, eq=False)
class Caged:
    """A cage, and the binding of the surface to it."""

    mesh: Mesh
    """Its groups are the groups of the surface and the sides of the box."""
    cells: int
    size: float
    """Length of a cell [m]."""
    added: int
    """Cells that join parts."""
    parts: int
    """Pieces that share no face."""
    binding: Binding
    volume: float | None
    """Inside the surface [m^3]; None if it is not closed."""

    @property
    def summary(self) -> str:
        """A short summary: cells, tets, vertices inside and outside, volumes."""
        n, out = len(self.binding.outside), int((self.binding.outside > SMALL * self.size).sum())
        own = float(tet_volumes(self.mesh.vertices, self.mesh.tets).sum())
        words = f"cage of {self.cells} cells of {self.size:.3g} m, {self.mesh.n} vertices, {len(self.mesh.tets)} tets"
        words += f", {self.parts} pieces" if self.parts > 1 else ""
        words += f"; {self.added} cells join parts" if self.added else ""
        words += f"; {n - out} of {n} surface vertices inside"
        words += f", {out} outside, up to {self.binding.outside.max():.2g} m" if out else ""
        held = "the surface encloses none" if self.volume is None else f"surface {self.volume:.3g} m^3"
        return f"{words}; volume {own:.3g} m^3 ({held})"


def caged(surface: Mesh, options: Cage | None = None, where: str = "surface") -> Caged:
    """The cage of a surface; errors begin with `where`."""
    options = options or Cage()
    check_surface(where, surface)
    x, faces = surface.vertices, faces_of(surface)
    longest = float(np.ptp(x, axis=0).max())
    if not longest > 0.0:
        raise MeshError(f"{where}: all vertices coincide, so the cage would have no size; check the file's units")
    lattice = lattice_around(x, options.size or longest / (options.cells or CELLS))
    everything = _everything(surface, faces)
    near = touched(lattice, x[everything])
    shells = [near[0]]
    rows = [np.arange(len(everything))]
    part = np.zeros(surface.n, dtype=np.int32)
    if options.keep_apart:
        count, part = surface_parts(x, [surface.edges, faces], near, everything)
        rows = [np.flatnonzero(part[everything[:, 0]] == k) for k in range(count)]
        owner = part[everything[near[1], 0]]
        shells = [near[0][owner == k] for k in range(count)]
    sets, added = [], 0
    for shell, own in zip(shells, rows, strict=True):
        cells = lattice.flags(shell)
        cells = firmly(cells | inside_cells(lattice, cells, x[everything[own]], options.inside))
        cells, more = (cells, 0) if options.keep_apart else bridged(cells)
        sets.append(cells)
        added += more
    mesh = _mesh(lattice, sets, options, x[everything], x)
    binding = bind_surface(x, mesh, part)
    mesh = mesh.with_groups(_held(surface, binding))
    closed = not closed_surface_problems(faces)
    volume = abs(enclosed_volume(x, faces)) if closed else None
    number = sum(int(cells.sum()) for cells in sets)
    return Caged(mesh, number, lattice.size, added, sum(map(pieces, sets)), binding, volume)


def _everything(surface: Mesh, faces: Ints) -> Ints:
    """(f, 3) everything that must lie in the cage: triangles, and lines and single vertices as triangles without area."""
    lines = surface.edges[:, [0, 1, 1]]
    alone = np.setdiff1d(np.arange(surface.n), np.concatenate([faces.ravel(), lines.ravel()]))
    return np.concatenate([faces, lines, np.repeat(alone[:, None], 3, axis=1)]).astype(np.int32)


def _mesh(lattice: CubeLattice, sets: list[Flags], options: Cage, triangles: Array, points: Array) -> Mesh:
    """The tets of all sets of cubes, which share no vertices."""
    made = [cell_tets(lattice, cells) for cells in sets]
    firsts = np.cumsum([0, *(len(x) for x, _ in made)])
    x = np.concatenate([x for x, _ in made])
    tets = np.concatenate([tets + np.int32(first) for (_, tets), first in zip(made, firsts, strict=False)])
    mesh = solid(x, tets)
    if options.smooth:  # the sides of the box are those of the lattice
        mesh = mesh.moved(smoothed(x, mesh.tets, triangles, points, lattice.size))
    if len(sets) == 1:
        return mesh
    return replace(mesh, tags={PART: np.repeat(np.arange(len(made)), [len(t) for _, t in made])})


def _held(surface: Mesh, binding: Binding) -> dict[str, Ints]:
    """Groups of the surface, as the cage vertices that carry them."""
    return {name: binding.carriers(members) for name, members in surface.groups.items()}
