"""Fine surfaces in place of the coarse bodies that a run has simulated.

A run of a coarse body records the motion of its coarse vertices, and its folder has the coarse body in
`NAME.coarse.npz`; whoever shows the run sees the fine surface, which the map of coarsening/fine_map.py moves (blended, so
that it has no tears). Velocities are the derivative of the map, energy densities those at the corners of the coarse tet,
by the coordinates in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from supple.coarsening.coarse_body import CoarseBody, load_coarse_body
from supple.coarsening.fine_map import FineMap
from supple.errors import RecordError
from supple.recording.cells import Cells
from supple.recording.playback import Animation, Singles

Floats = npt.NDArray[np.floating]
BODIES = "bodies"
"""Name of the text in an animation that `body_ranges` makes."""


@dataclass(frozen=True, eq=False)
class Dress:
    """What is shown of one body: the vertices `first` to `end` of the animation, or the fine surface that they move."""

    name: str
    first: int
    end: int
    map: FineMap | None = None

    @property
    def vertices(self) -> int:
        """That are shown."""
        return self.end - self.first if self.map is None else len(self.map.body.skin)

    def seen(self, x: Singles, v: Singles, energy: Singles) -> tuple[Floats, Floats, Floats]:
        """Positions, velocities and energies of what is shown, from those of all vertices of the animation."""
        mine = slice(self.first, self.end)
        if self.map is None:
            return x[mine], v[mine], energy[mine]
        body = self.map.body
        corners = energy[mine][body.tets[body.host]]
        weights = np.clip(body.coordinates, 0.0, None)
        density = (corners * weights).sum(axis=1) / weights.sum(axis=1)
        return *self.map.motion(x[mine].astype(np.float64), v[mine].astype(np.float64)), density


def file_name(body: str) -> str:
    """What the folder of a run calls the file of the coarse body of that name; slashes and the like are written as %2F."""
    return f"{quote(body, safe=' ')}.coarse.npz"


def dresses(animation: Animation, folder: Path | None) -> list[Dress]:
    """All bodies in order; those with a coarse body in the folder (None: nobody looks there) get its fine surface."""
    found, first = [], 0
    for name, size in _bodies(animation):
        path = None if folder is None else folder / file_name(name)
        skin = _map(path, size) if path is not None and path.is_file() else None
        found.append(Dress(name, first, first + size, skin))
        first += size
    return found


def shown_cells(cells: Cells, worn: list[Dress]) -> Cells:
    """The cells of the bodies as they are recorded, renumbered, and the triangles of fine surfaces."""
    blocks: list[list[np.ndarray]] = [[], [], [], []]
    place = 0
    for dress in worn:
        for block, corners in zip(blocks, (4, 3, 2, 1), strict=True):
            own = cells.of_type(corners)
            own = own[(own[:, 0] >= dress.first) & (own[:, 0] < dress.end)] + (place - dress.first)
            block.append(own if dress.map is None else own[:0])
        if dress.map is not None:
            blocks[1].append(dress.map.body.skin_triangles.astype(np.int64) + place)
        place += dress.vertices
    return Cells.join([np.concatenate(block) for block in blocks])


def _map(path: Path, size: int) -> FineMap:
    body: CoarseBody = load_coarse_body(path)
    if len(body.vertices) != size:
        raise RecordError(
            f"{path}: has {len(body.vertices)} coarse vertices, the body in the animation has {size}: the file was "
            "changed after the run; put the old one back, or run again"
        )
    return FineMap(body, blend=True)


def _bodies(animation: Animation) -> list[tuple[str, int]]:
    text = str(animation.metadata.get(BODIES, ""))
    found = [(name, int(size)) for size, _, name in (line.partition(" ") for line in text.splitlines())]
    return found or [("body", animation.vertices)]
