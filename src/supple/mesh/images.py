"""Voxel images: a `.npy` file of three axes, or a folder of PNG files, one for each slice across z."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.arrays import read_npy
from supple.errors import MeshError

MOST_VOXELS = 200_000_000
"""Largest number of voxels of an image; each takes as many bytes as in the file, twice while slices are stacked."""


def read_voxels(path: str | Path) -> npt.NDArray[Any]:
    """(nx, ny, nz) integers of the type in the file: x, y, z are the axes of the array, or columns, rows from below, and slices
    by name."""
    path = Path(path)
    values = _stack(path) if path.is_dir() else _array(path)
    _demand_room(values.size, path)
    if values.ndim != 3 or not values.size:
        raise MeshError(f"{path}: found an array of shape {values.shape}; a voxel image has three axes")
    if values.dtype.kind not in "iub":
        whole = values.astype(np.int64) if values.dtype.kind == "f" and (np.abs(values) < 2**53).all() else None
        if whole is None or (whole != values).any():
            raise MeshError(f"{path}: voxels are integers that identify materials; found {values.dtype}")
        values = whole
    return values


def _array(path: Path) -> npt.NDArray[Any]:
    if path.suffix != ".npy":
        raise MeshError(f"{path}: voxel images are .npy files or folders of .png files")
    try:
        return read_npy(path)
    except (OSError, ValueError) as error:
        raise MeshError(f"{path}: cannot be read as .npy: {error}") from error


def _stack(folder: Path) -> npt.NDArray[Any]:
    from PIL import Image, UnidentifiedImageError

    files = sorted(folder.glob("*.png"))
    if not files:
        raise MeshError(f"{folder}: the folder has no .png files")
    slices: list[npt.NDArray[Any]] = []
    for file in files:
        try:
            with _opened(file) as image:
                _demand_room(image.width * image.height * len(files), folder)
                grey = image if image.mode in ("1", "L", "P", "I", "I;16") else image.convert("L")
                slices.append(np.asarray(grey))
        except (
            OSError,
            ValueError,
            SyntaxError,
            EOFError,
            UnidentifiedImageError,
            Image.DecompressionBombError,
        ) as error:
            raise MeshError(f"{file}: cannot be read as .png: {error}") from error
        if slices[-1].shape != slices[0].shape:
            sizes = [f"{s.shape[1]} x {s.shape[0]}" for s in (slices[-1], slices[0])]
            raise MeshError(f"{file}: has {sizes[0]} pixels, but {files[0].name} has {sizes[1]}")
    # rows of a picture run downwards, y upwards
    return np.stack(slices, axis=-1)[::-1].transpose(1, 0, 2)


def _opened(file: Path) -> Any:
    """A PNG image and nothing else; Pillow would accept dozens of formats."""
    from PIL import Image

    if not file.is_file():
        raise OSError(2, "not a plain file")
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            return Image.open(file, formats=("PNG",))
        except Image.DecompressionBombWarning as error:
            raise ValueError(str(error)) from None


def _demand_room(count: int, where: Path) -> None:
    if count > MOST_VOXELS:
        raise MeshError(f"{where}: has {count:,} voxels; at most {MOST_VOXELS:,} are read: use every second slice")
