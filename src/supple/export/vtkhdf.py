"""VTKHDF for ParaView: the compact form of a run's own animation, resampled or cut."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from supple.export import FORMATS
from supple.export.format import Format
from supple.export.joined import joined_cells, joined_fields
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
            metadata["units"] = f"kg, s, and lengths of which {sequence.scale:g} make a metre"
        with vtkhdf.new_file(path) as file:
            vtkhdf.lay_out(file, joined_cells(sequence), n, len(sequence), metadata, reserved=False)
            root = file["VTKHDF"]
            root["Steps/Values"][:] = sequence.times
            for k, frame in enumerate(frames):
                for name, rows in zip(vtkhdf.FIELDS, joined_fields(frame), strict=True):
                    root[name][k * n : (k + 1) * n] = rows
        return []
