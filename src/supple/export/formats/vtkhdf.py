"""VTKHDF for ParaView: the compact form of a run's own animation, resampled or cut, with obstacles.

The cell array `part` is the index of the body or obstacle of a cell, from 0 in the order of the text `bodies` beside the grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from supple.export import FORMATS
from supple.export.format import Format
from supple.export.joined import cell_owners, joined_cells, joined_fields
from supple.export.sequence import Instant, Sequence
from supple.recording import vtkhdf
from supple.recording.film import body_ranges


@FORMATS("vtkhdf")
class VtkHdf(Format):
    title = "VTKHDF: ParaView, PyVista; tets, velocities and energies in one file"
    suffixes = (".vtkhdf",)
    whole = True

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [path] = paths.values()
        n = sequence.vertices
        metadata = dict(sequence.film.metadata)
        metadata["bodies"] = body_ranges([(body.name, body.n) for body in sequence.bodies])
        if sequence.scale != 1:
            metadata["units"] = f"kg, s, and length units of 1/{sequence.scale:g} m"
        with vtkhdf.new_file(path) as file:
            vtkhdf.lay_out(file, joined_cells(sequence.bodies), n, len(sequence), metadata, reserved=False)
            root = file["VTKHDF"]
            root["CellData/part"] = cell_owners(sequence.bodies)
            root["Steps/CellDataOffsets/part"] = np.zeros(len(sequence), dtype=np.int64)
            root["Steps/Values"][:] = sequence.times
            for k, frame in enumerate(frames):
                for name, rows in zip(vtkhdf.FIELDS, joined_fields(frame.poses), strict=True):
                    root[name][k * n : (k + 1) * n] = rows
        return []
