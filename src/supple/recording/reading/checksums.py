"""A checksum of each array of each frame, so that readers tell a damaged frame from a recorded one.

HDF5 checks the bytes of compressed arrays only, and the arrays of a run are written past it. Files of earlier versions and
exports have no checksums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from supple.recording import vtkhdf

if TYPE_CHECKING:
    import h5py

PLACE = f"{vtkhdf.METADATA}/checksums"
"""One row per frame, one column per array."""
_TYPE = np.dtype("<u4")


def reserve(file: h5py.File, frames: int, arrays: int) -> None:
    """Room for the checksums of all frames, at a fixed place."""
    vtkhdf.reserve(file, PLACE, (frames, arrays), _TYPE)


def table(file: h5py.File, frames: int, arrays: int) -> Any:
    """The checksums of at least `frames` frames, or None; ValueError if their table is damaged."""
    import h5py

    found = file.get(PLACE)
    if found is None:
        return None
    fits = isinstance(found, h5py.Dataset) and found.dtype == _TYPE and found.ndim == 2 and found.chunks is None
    if not fits or len(found) < frames or found.shape[1] != arrays or found.id.get_offset() is None:
        raise ValueError(f"{PLACE} is no table of {frames} frames with {arrays} arrays")
    return found


def row(arrays: Sequence[npt.NDArray[Any]]) -> npt.NDArray[np.uint32]:
    """The checksums of the arrays of one frame."""
    return np.array([checksum(a) for a in arrays], dtype=_TYPE)


def checksum(values: npt.NDArray[Any]) -> int:
    return crc32(np.ascontiguousarray(values).view(np.uint8).reshape(-1).data)


def fits(values: npt.NDArray[Any], recorded: int) -> bool:
    return recorded == checksum(values)
