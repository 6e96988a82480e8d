"""PVD for ParaView and VisIt: a list of times, and a folder with a VTU file for each. Larger than VTKHDF, read by more."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np
import numpy.typing as npt

from supple.export import FORMATS
from supple.export.format import Format
from supple.export.joined import joined_cells, joined_fields
from supple.export.sequence import Instant, Sequence
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
        cells = joined_cells(sequence)
        size = f'NumberOfPoints="{sequence.vertices}" NumberOfCells="{len(cells)}"'
        topology = _cells(cells)  # the same text in every file
        entries = []
        for number, frame in zip(sequence.numbers, frames, strict=True):
            name = f"{out.stem}_{number:04d}.vtu"
            (folder / name).write_text(_grid(frame, size, topology), encoding="ascii")
            entries.append(f'<DataSet timestep="{frame.t!r}" part="0" file={quoteattr(f"{final.name}/{name}")}/>\n')
        index.write_text(_document("Collection", "".join(entries)), encoding="utf-8")
        return []


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


def _grid(frame: Instant, size: str, topology: str) -> str:
    x, v, energy = joined_fields(frame)
    data = f"<PointData>\n{_array('velocity', v)}{_array('energy', energy)}</PointData>\n"
    piece = f"<Piece {size}>\n<Points>\n{_array('Points', x)}</Points>\n{topology}{data}</Piece>\n"
    return _document("UnstructuredGrid", piece)


def _array(name: str, values: npt.NDArray[Any]) -> str:
    """Length in bytes and the bytes themselves, both as base64."""
    raw = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<")).tobytes()
    text = base64.b64encode(len(raw).to_bytes(8, "little") + raw).decode()
    width = f' NumberOfComponents="{values.shape[1]}"' if values.ndim > 1 else ""
    return f'<DataArray type="{_TYPES[values.dtype.name]}" Name="{name}"{width} format="binary">{text}</DataArray>\n'
