"""The layout of an animation file: VTKHDF 2.2, a transient unstructured grid whose topology is written once.

Frame k has the rows k*n .. (k+1)*n of `Points`, `PointData/velocity` (m/s) and `PointData/energy` (J/m^3). The file has
two forms. *Reserved*, for the run: everything is allocated in the file from the start (a sparse file). A frame
only overwrites bytes, so a kill never interrupts HDF5 during a change of structure. *Compact*, for keeping:
chunked by frame and compressed.

VTK's reader writes out of bounds when `Steps/Values` (the times) is longer than the attribute `NSteps`. So NSteps
grows first and Values shrinks first, and the smaller of the two counts. HDF5 allocates space for the times
when the first one is added and frees it with the last one. A kill must not interrupt that, so Values always
has an entry, and a time that is not a number ends the list.
"""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from supple.interruption.placing import clear
from supple.recording.cells import Cells
from supple.recording.files import replace, temporary, trouble
from supple.recording.quiet_file import QuietFile
from supple.types import Array

if TYPE_CHECKING:
    import h5py

FIELDS = {"Points": 3, "PointData/velocity": 3, "PointData/energy": 1}
"""Path of each array below /VTKHDF -> values per vertex."""

DEFORMATION = {"PointData/deformation": 9}
"""The same for optional deformation gradients of material points, row by row."""

METADATA = "supple"
"""Group beside /VTKHDF with units, up axis ... as attributes; VTK ignores it."""


def open_file(path: Path | QuietFile, mode: str) -> h5py.File:
    """Open with settings that keep the file readable after the writer is killed.

    Newer HDF5 formats mark a file as being written, and after a kill it cannot be opened again: hence "earliest". No
    file locks: the run folder has its own, and a film may be viewed while it is being recorded.
    """
    import h5py

    locking = None if isinstance(path, QuietFile) else False
    if isinstance(path, QuietFile):
        _watch_exit()
    file = h5py.File(path, mode, libver=("earliest", "latest"), locking=locking)
    try:
        if mode != "w":
            _refuse_other_files(file)
    except (RuntimeError, ValueError, KeyError) as error:  # so h5py reports damaged groups, names and links
        file.close()
        raise OSError(str(error)) from error
    except BaseException:
        file.close()
        raise
    return file


@cache
def _watch_exit() -> None:
    """Once per process."""
    atexit.register(close_left_open)


def close_left_open() -> None:
    """Close files that write through a `QuietFile` and that an interruption has left open.

    HDF5 closes open files when the process ends. Python has ended by then, and cannot be called.
    """
    import h5py

    for file in h5py.h5f.get_obj_ids(types=h5py.h5f.OBJ_FILE):
        if file.get_access_plist().get_driver() == h5py.h5fd.fileobj_driver:
            with suppress(RuntimeError, OSError, ValueError):
                h5py.File(file).close()


def _refuse_other_files(group: h5py.Group, seen: frozenset[int] = frozenset()) -> None:
    """Refuse external links of HDF5, which expose bytes of other files; animations of supple have none."""
    import h5py

    seen |= {h5py.h5o.get_info(group.id).addr}
    for name in group:
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.ExternalLink):
            raise OSError(f"/{name} is in another file, which is not read")
        entry = group.get(name) if isinstance(link, h5py.HardLink) else None
        if isinstance(entry, h5py.Group):
            if h5py.h5o.get_info(entry.id).addr in seen:
                raise OSError(f"/{name} is a group within itself")
            _refuse_other_files(entry, seen)
        elif isinstance(entry, h5py.Dataset) and (entry.external or entry.is_virtual):
            raise OSError(f"/{name} has its data in another file, which is not read")


@contextmanager
def new_file(path: Path) -> Iterator[h5py.File]:
    """A new file that appears under `path` when it is complete, or not at all."""
    new = temporary(path)
    clear(new)
    try:
        with QuietFile(new, new=True) as disk:
            with open_file(disk, "w") as file:
                yield file
            disk.check()
        replace(new, path)
    except OSError as error:
        raise trouble(path, "write", error) from error
    finally:
        new.unlink(missing_ok=True)


def lay_out(
    file: h5py.File,
    cells: Cells,
    vertices: int,
    frames: int,
    metadata: Mapping[str, str | float],
    reserved: bool,
    fields: Mapping[str, int] = FIELDS,
) -> None:
    """Write everything independent of the motion, and reserve space for `frames` frames."""
    attributes = file.create_group(METADATA).attrs
    for key, value in metadata.items():
        attributes[key] = value
    root = file.create_group("VTKHDF")
    root.attrs["Version"] = np.array([2, 2], dtype=np.int64)
    root.attrs["Type"] = np.bytes_("UnstructuredGrid")  # the reader requires a fixed-length string
    _topology(root, cells, vertices)
    for name, width in fields.items():
        shape = (frames * vertices, width) if width > 1 else (frames * vertices,)
        if reserved:
            reserve(root, name, shape)
        else:
            root.create_dataset(
                name, shape, "<f4", maxshape=(None, *shape[1:]), chunks=(vertices, *shape[1:]),
                compression="gzip", compression_opts=1, shuffle=True,
            )  # fmt: skip
    _steps(root.create_group("Steps"), fields, vertices, frames, reserved)


def _topology(root: h5py.Group, cells: Cells, vertices: int) -> None:
    counts = {
        "NumberOfPoints": vertices,
        "NumberOfCells": len(cells),
        "NumberOfConnectivityIds": len(cells.connectivity),
    }
    for name, count in counts.items():
        root[name] = np.array([count], dtype=np.int64)
    root["Connectivity"], root["Offsets"], root["Types"] = cells.connectivity, cells.offsets, cells.types


def reserve(root: h5py.Group, name: str, shape: tuple[int, ...], kind: npt.DTypeLike = "<f4") -> None:
    """An allocated array without written data: holes, which take no disk space and read as zeros."""
    import h5py

    group, _, leaf = name.rpartition("/")
    parent = root.require_group(group) if group else root
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.CONTIGUOUS)
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    properties.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    space = h5py.h5s.create_simple(shape)
    h5py.h5d.create(parent.id, leaf.encode(), h5py.h5t.py_create(np.dtype(kind)), space, properties)


def _steps(steps: h5py.Group, fields: Iterable[str], vertices: int, frames: int, reserved: bool) -> None:
    """Row offsets of each frame; zeros mean that all frames share one topology."""
    rows = np.arange(frames, dtype=np.int64) * vertices
    zeros = np.zeros(frames, dtype=np.int64)
    steps["PartOffsets"], steps["NumberOfParts"], steps["PointOffsets"] = zeros, zeros + 1, rows
    steps["CellOffsets"] = steps["ConnectivityIdOffsets"] = zeros[:, None]
    for name in fields:
        if name.startswith("PointData/"):
            steps[name.replace("PointData", "PointDataOffsets")] = rows
    steps.attrs["NSteps"] = np.int64(1 if reserved else frames)
    if not reserved:
        steps.create_dataset("Values", (frames,), "<f8")
        return
    import h5py

    # One chunk for all times: adding a frame then changes 8 bytes of a header.
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((frames,))
    properties.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    properties.set_fill_value(np.array(np.nan))
    space = h5py.h5s.create_simple((1,), (frames,))
    h5py.h5d.create(steps.id, b"Values", h5py.h5t.IEEE_F64LE, space, properties)


def fields_of(root: h5py.Group) -> dict[str, int]:
    """Arrays of the frames of a file."""
    return FIELDS | {name: width for name, width in DEFORMATION.items() if name in root}


def recorded_times(steps: h5py.Group) -> Array:
    """The times (s) of all recorded frames."""
    times: Array = steps["Values"][: int(steps.attrs["NSteps"])]
    unset = np.flatnonzero(np.isnan(times))
    return times[: unset[0]] if len(unset) else times
