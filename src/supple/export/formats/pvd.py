"""PVD for ParaView and VisIt: a list of times, and a folder with a VTU file for each. Larger than VTKHDF, read by more.

All bodies form one part per time; every obstacle is a separate part, in files with its name.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.escaping import attribute, file_parts
from supple.export import FORMATS
from supple.export.format import Format
from supple.export.joined import joined_cells, joined_fields
from supple.export.sequence import Instant, Pose, Sequence
from supple.recording.cells import Cells

_TYPES = {"float32": "Float32", "int32": "Int32", "uint8": "UInt8"}


@FORMATS("pvd")
class Pvd(Format):
    title = "PVD with VTU files: ParaView, VisIt"
    suffixes = (".pvd",)
    whole = True

    def outputs(self, out: Path, sequence: Sequence) -> tuple[Path, ...]:
        return (out, out.with_name(f"{out.stem}-vtu"))

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        (out, index), (final, folder) = paths.items()
        folder.mkdir()
        grids = list(_grids(sequence, out.stem))
        entries = []
        for number, frame in zip(sequence.numbers, frames, strict=True):
            for part, grid in enumerate(grids):
                file = grid.write(folder, number, frame)
                about = f"part={attribute(str(part))} name={attribute(grid.name)}"
                entries.append(f'<DataSet timestep="{frame.t!r}" {about} file={attribute(f"{final.name}/{file}")}/>\n')
        index.write_text(_document("Collection", "".join(entries)), encoding="utf-8")
        return []


class _Grid:
    """Some bodies in separate files."""

    def __init__(self, name: str, stem: str, sequence: Sequence, chosen: list[int]) -> None:
        bodies = [sequence.bodies[k] for k in chosen]
        cells = joined_cells(bodies)
        self.name, self._stem, self._chosen = name, stem, chosen
        self._size = f'NumberOfPoints="{sum(body.n for body in bodies)}" NumberOfCells="{len(cells)}"'
        self._topology = _cells(cells)  # the same text in every file
        self._still = all(body.still for body in bodies)

    def write(self, folder: Path, number: int, frame: Instant) -> str:
        """Returns the name of the file; static parts have one for all times."""
        file = f"{self._stem}.vtu" if self._still else f"{self._stem}_{number:04d}.vtu"
        if not (folder / file).exists():
            text = _grid([frame.poses[k] for k in self._chosen], self._size, self._topology)
            (folder / file).write_text(text, encoding="ascii")
        return file


def _grids(sequence: Sequence, stem: str) -> Iterator[_Grid]:
    """The bodies, then each obstacle."""
    bodies = [k for k, body in enumerate(sequence.bodies) if not body.obstacle]
    if bodies:
        yield _Grid("bodies", stem, sequence, bodies)
    for (k, body), part in zip(enumerate(sequence.bodies), file_parts(b.name for b in sequence.bodies), strict=True):
        if body.obstacle:
            yield _Grid(body.name, f"{stem}-{part}", sequence, [k])


def _document(kind: str, content: str) -> str:
    head = f'<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
    return f'<?xml version="1.0"?>\n{head}\n<{kind}>\n{content}</{kind}>\n</VTKFile>\n'


def _cells(cells: Cells) -> str:
    arrays: dict[str, npt.NDArray[Any]] = {
        "connectivity": cells.connectivity.astype(np.int32),  # half the size of the recorded numbers
        "offsets": cells.offsets[1:].astype(np.int32),
        "types": cells.types,
    }
    return f"<Cells>\n{''.join(_array(name, values) for name, values in arrays.items())}</Cells>\n"


def _grid(poses: list[Pose], size: str, topology: str) -> str:
    x, v, energy = joined_fields(poses)
    data = f"<PointData>\n{_array('velocity', v)}{_array('energy', energy)}</PointData>\n"
    piece = f"<Piece {size}>\n<Points>\n{_array('Points', x)}</Points>\n{topology}{data}</Piece>\n"
    return _document("UnstructuredGrid", piece)


def _array(name: str, values: npt.NDArray[Any]) -> str:
    """Length in bytes and the bytes themselves, both as base64."""
    raw = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes()
    text = base64.b64encode(len(raw).to_bytes(8, "little") + raw).decode()
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim > 1 else ""
    return f'<DataArray type="{_TYPES[values.dtype.name]}" Name="{name}"{width} format="binary">{text}</DataArray>\n'
