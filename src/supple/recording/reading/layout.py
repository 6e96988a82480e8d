"""Consistency of the arrays of an animation with each other and the file size: files may be damaged or untrusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from supple.recording import vtkhdf

if TYPE_CHECKING:
    import h5py

PACKED = 1100
"""Largest compression ratio of an array."""


def check_layout(root: h5py.Group, size: int) -> None:
    """Raise ValueError for inconsistencies; `size`: bytes of the file. Frame arrays are inspected, but not read."""
    steps = _entry(_entry(root.file, "VTKHDF", group=True), "Steps", group=True)
    if not isinstance(steps.attrs.get("NSteps"), int | np.integer) or steps.attrs["NSteps"] < 0:
        raise ValueError("Steps has no count of steps")
    times = _dataset(steps, "Values", "f", 1, size)
    _dataset(steps, "PointOffsets", "iu", 1, size)
    count = _dataset(root, "NumberOfPoints", "iu", 1, size)
    if not len(count) or not 0 < int(count[0]) < 2**31:
        raise ValueError("NumberOfPoints is not a count")
    vertices, frames = int(count[0]), min(len(times), int(steps.attrs["NSteps"]))
    for name, width in vtkhdf.fields_of(root).items():
        found = _dataset(root, name, "f", 1 if width == 1 else 2, size)
        if len(found) < frames * vertices or found.shape[1:] != ((width,) if width > 1 else ()):
            raise ValueError(f"{name} has the shape {found.shape} for {frames} frames of {vertices} vertices")
    _check_cells(root, vertices, size)


def _check_cells(root: h5py.Group, vertices: int, size: int) -> None:
    corners, offsets, types = (_dataset(root, name, "iu", 1, size)[:] for name in ("Connectivity", "Offsets", "Types"))
    if len(corners) and not 0 <= corners.min() <= corners.max() < vertices:
        raise ValueError(f"Connectivity refers to vertices outside its {vertices}")
    lengths = np.array([{1: 1, 3: 2, 5: 3, 10: 4}.get(int(kind), 0) for kind in np.unique(types)])
    wanted = lengths[np.unique(types, return_inverse=True)[1]] if len(types) else lengths
    if (lengths == 0).any() or len(offsets) != len(types) + 1 or not np.array_equal(np.diff(offsets), wanted):
        raise ValueError("Offsets and Types are inconsistent")
    if offsets[0] != 0 or offsets[-1] != len(corners):
        raise ValueError("Offsets and Connectivity are inconsistent")


def _dataset(group: h5py.Group, name: str, kinds: str, axes: int, size: int) -> Any:
    found = _entry(group, name)
    if found.dtype.kind not in kinds or found.ndim != axes:
        raise ValueError(f"{name} is {found.dtype} of shape {found.shape}")
    stored = found.id.get_storage_size()
    if stored > size or found.nbytes > (stored if found.chunks is None else PACKED * stored + found.dtype.itemsize):
        raise ValueError(f"{name} declares {found.nbytes:,} bytes, the file has {stored:,} of them")
    return found


def _entry(parent: h5py.Group, name: str, group: bool = False) -> Any:
    import h5py

    found = parent.get(name)
    if not isinstance(found, h5py.Group if group else h5py.Dataset):
        raise ValueError(f"{name} is missing or not an array")
    return found
