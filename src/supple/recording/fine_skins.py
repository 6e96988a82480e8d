"""Fine surfaces in place of simulated bodies.

The folder of a run contains the coarse body in `NAME.coarse.npz`, or the surface embedded in a body of tets in
`NAME.model.npz` (models.py); displays show that surface. Velocities are the derivative of the map from vertices to surface,
energy densities are interpolated from the corners of the tet.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from supple.coarsening.coarse_body import load_coarse_body
from supple.coarsening.fine_cover import FineCover
from supple.errors import RecordError
from supple.mesh.embedding.cover import Cover
from supple.recording.cells import Cells
from supple.recording.models import load_cover, model_file
from supple.recording.playback import Animation, Singles
from supple.wording import in_digits

Floats = npt.NDArray[np.floating]
BODIES = "bodies"
"""Attribute name of the text for `body_ranges`."""


@dataclass(frozen=True, eq=False)
class Dress:
    """Display geometry of one body: the vertices `first` to `end` of the animation, or the surface that they move."""

    name: str
    first: int
    end: int
    cover: Cover | None = None

    @property
    def vertices(self) -> int:
        """Number of displayed vertices."""
        return self.end - self.first if self.cover is None else self.cover.n

    def seen(self, x: Singles, v: Singles, energy: Singles) -> tuple[Floats, Floats, Floats]:
        """Displayed positions, velocities and energies, from those of all vertices of the animation."""
        mine = slice(self.first, self.end)
        if self.cover is None:
            return x[mine], v[mine], energy[mine]
        own = (values[mine].astype(np.float64) for values in (x, v))
        return *self.cover.motion(*own), self.cover.mean(energy[mine].astype(np.float64))


def file_name(body: str) -> str:
    """File name of the coarse body of that name in the folder of a run; slashes are escaped as %2F."""
    return f"{quote(body, safe=' ')}.coarse.npz"


def dresses(animation: Animation, folder: Path | None) -> list[Dress]:
    """All bodies in order; those with a surface in the folder (None: not searched) get it."""
    found, first = [], 0
    for name, size in _bodies(animation):
        cover = None if folder is None else _cover(folder, name)
        if folder is not None and cover is not None and cover.bound != size:
            coarse = isinstance(cover, FineCover)
            file, kind = (file_name(name), "coarse vertices") if coarse else (model_file(name), "vertices")
            raise RecordError(
                f"{folder / file}: has {cover.bound} {kind}, the body in the animation has {size}: the file was changed "
                "after the run; put the old one back, or run again"
            )
        found.append(Dress(name, first, first + size, cover))
        first += size
    return found


def shown_cells(cells: Cells, worn: list[Dress]) -> Cells:
    """The recorded cells of the bodies, renumbered, and the triangles and lines of fine surfaces."""
    blocks: list[list[np.ndarray]] = [[], [], [], []]
    place = 0
    for dress in worn:
        for block, corners in zip(blocks, (4, 3, 2, 1), strict=True):
            own = cells.of_type(corners)
            own = own[(own[:, 0] >= dress.first) & (own[:, 0] < dress.end)] + (place - dress.first)
            block.append(own if dress.cover is None else own[:0])
        if dress.cover is not None:
            blocks[1].append(dress.cover.triangles.astype(np.int64) + place)
            blocks[2].append(dress.cover.edges.astype(np.int64) + place)
        place += dress.vertices
    return Cells.join([np.concatenate(block) for block in blocks])


def _cover(folder: Path, name: str) -> Cover | None:
    coarse = folder / file_name(name)
    return FineCover(load_coarse_body(coarse)) if coarse.is_file() else load_cover(folder, name)


def _bodies(animation: Animation) -> list[tuple[str, int]]:
    text = str(animation.metadata.get(BODIES, ""))
    lines = [line.partition(" ") for line in text.splitlines()]
    found = [(name, in_digits(size)) for size, _, name in lines if in_digits(size) >= 0]
    if len(found) < len(lines) or sum(size for _, size in found) not in (0, animation.vertices):
        raise RecordError(f"{animation.path}: its list of bodies does not fit its {animation.vertices} vertices")
    return found or [("body", animation.vertices)]
