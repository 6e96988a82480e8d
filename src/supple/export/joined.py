"""All bodies of a sequence as one mesh, for formats that hold one."""

from __future__ import annotations

import numpy as np

from supple.export.sequence import Instant, Sequence
from supple.recording.cells import Cells
from supple.recording.playback import Singles


def joined_cells(sequence: Sequence) -> Cells:
    """The tets, faces and edges of all bodies; vertices in the order of the bodies."""
    firsts = np.cumsum([0, *(body.n for body in sequence.bodies)])[:-1]
    blocks = [
        np.concatenate(
            [getattr(body, kind).astype(np.int64) + first for body, first in zip(sequence.bodies, firsts, strict=True)]
        )
        for kind in ("tets", "faces", "edges")
    ]
    return Cells.join(blocks)


def joined_fields(frame: Instant) -> tuple[Singles, Singles, Singles]:
    """Positions, velocities and strain energies of all bodies in a row."""
    poses = frame.poses
    return (
        np.concatenate([pose.x for pose in poses]),
        np.concatenate([pose.v for pose in poses]),
        np.concatenate([pose.energy for pose in poses]),
    )
