"""Voxel images: a `.npy` file of three axes, or a folder of PNG files, one for each slice across z."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import MeshError


def read_voxels(path: str | Path) -> npt.NDArray[Any]:
    """(nx, ny, nz) whole numbers: x, y, z are the axes of the array, or columns, rows from below, and slices by name."""
    path = Path(path)
    values = _stack(path) if path.is_dir() else _array(path)
    if values.ndim != 3 or not values.size:
        raise MeshError(f"{path}: found an array of shape {values.shape}; a voxel image has three axes")
    if values.dtype.kind not in "iub":
        whole = values.astype(np.int64) if values.dtype.kind == "f" and np.isfinite(values).all() else None
        if whole is None or (whole != values).any():
            raise MeshError(f"{path}: voxels are whole numbers that stand for materials; found {values.dtype}")
        values = whole
    return values.astype(np.int64)


def _array(path: Path) -> npt.NDArray[Any]:
    if path.suffix != ".npy":
        raise MeshError(f"{path}: voxel images are .npy files or folders of .png files")
    try:
        return np.asarray(np.load(path, allow_pickle=False))
    except (OSError, ValueError) as error:
        raise MeshError(f"{path}: cannot be read as .npy: {error}") from error


def _stack(folder: Path) -> npt.NDArray[Any]:
    from PIL import Image, UnidentifiedImageError

    files = sorted(folder.glob("*.png"))
    if not files:
        raise MeshError(f"{folder}: the folder has no .png files")
    slices = []
    for file in files:
        try:
            with Image.open(file) as image:
                grey = image if image.mode in ("1", "L", "P", "I", "I;16") else image.convert("L")
                slices.append(np.asarray(grey).astype(np.int64))
        except (OSError, UnidentifiedImageError) as error:
            raise MeshError(f"{file}: cannot be read as .png: {error}") from error
        if slices[-1].shape != slices[0].shape:
            sizes = [f"{s.shape[1]} x {s.shape[0]}" for s in (slices[-1], slices[0])]
            raise MeshError(f"{file}: has {sizes[0]} pixels, but {files[0].name} has {sizes[1]}")
    # rows of a picture run downwards, y upwards
    return np.stack(slices, axis=-1)[::-1].transpose(1, 0, 2)
