# SPDX-License-Identifier: GPL-3.0-or-later
"""Results on the object itself: point caches in its own axes, played by a Mesh Cache modifier."""

import os
import struct
from pathlib import Path

import bpy
import numpy as np

from ..messages import Refusal
from . import slot

HEADER = struct.Struct("<12siiffi")


def read_points(path: Path) -> np.ndarray:
    """(frames, n, 3) of a PC2 file."""
    with path.open("rb") as file:
        mark, _, n, _, _, frames = HEADER.unpack(file.read(HEADER.size))
        if not mark.startswith(b"POINTCACHE2"):
            raise Refusal(f"{path}: no PC2 point cache; run the simulation again")
        return np.fromfile(file, dtype="<f4").reshape(frames, n, 3)


def write_points(path: Path, x: np.ndarray, first: int) -> None:
    """A PC2 file; it appears when it is complete."""
    made = path.with_name(f"{path.name}.new")
    with made.open("wb") as file:
        file.write(HEADER.pack(b"POINTCACHE2", 1, x.shape[1], float(first), 1.0, len(x)))
        file.write(np.ascontiguousarray(x, dtype="<f4").data)
    os.replace(made, path)


def in_object(world: np.ndarray, matrices: np.ndarray, scale: float) -> np.ndarray:
    """World positions [m] in the axes that the object has at each frame."""
    inverse = np.linalg.inv(matrices[: len(world)])
    return np.einsum("fij,fnj->fni", inverse[:, :3, :3], world / scale) + inverse[:, None, :3, 3]


def attach(thing: bpy.types.Object, path: Path, first: int) -> None:
    """Let the object play the cache; an older one is replaced."""
    modifier = slot.cache_of(thing)
    if modifier is None:
        place = slot.place_of(thing)
        modifier = thing.modifiers.new(slot.NAME, "MESH_CACHE")
        thing.modifiers.move(len(thing.modifiers) - 1, place)
        modifier = thing.modifiers[place]
    modifier.cache_format = "PC2"
    modifier.filepath = relative(path)
    modifier.frame_start = first
    modifier.frame_scale = 1.0
    modifier.interpolation = "LINEAR"
    thing.update_tag(refresh={"DATA"})


def detach(thing: bpy.types.Object) -> None:
    """Take the cache off the object."""
    modifier = slot.cache_of(thing)
    if modifier is not None:
        thing.modifiers.remove(modifier)


def relative(path: Path) -> str:
    """As Blender writes it: relative to the .blend where there is one."""
    if not bpy.data.filepath:
        return str(path)
    try:
        return bpy.path.relpath(str(path))
    except ValueError:  # another drive
        return str(path)
