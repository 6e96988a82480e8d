"""Several bodies as one mesh, for formats that support one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.export.sequence import Body, Pose
from supple.recording.cells import Cells
from supple.recording.playback import Singles
from supple.types import Ints

KINDS = ("tets", "faces", "edges", "points")


def joined_cells(bodies: Sequence[Body]) -> Cells:
    """The tets, faces and edges of all bodies, and the points of clouds; vertices in the order of the bodies."""
    firsts = np.cumsum([0, *(body.n for body in bodies)])[:-1]
    blocks = [
        np.concatenate(
            [getattr(body, kind).astype(np.int64) + first for body, first in zip(bodies, firsts, strict=True)]
        )
        for kind in KINDS
    ]
    return Cells.join(blocks)


def cell_owners(bodies: Sequence[Body]) -> Ints:
    """(m,) index of the body of each joined cell."""
    owners = [np.full(len(getattr(body, kind)), k) for kind in KINDS for k, body in enumerate(bodies)]
    return np.concatenate(owners).astype(np.int32)


def joined_fields(poses: Sequence[Pose]) -> tuple[Singles, Singles, Singles]:
    """Positions, velocities and strain energies of all bodies, concatenated."""
    return (
        np.concatenate([pose.x for pose in poses]),
        np.concatenate([pose.v for pose in poses]),
        np.concatenate([pose.energy for pose in poses]),
    )
