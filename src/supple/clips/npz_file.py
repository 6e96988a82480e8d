"""NPZ: arrays of numpy, as a script or `supple export --to npz` writes them; positions are mapped where they are not compressed.

A single object: `positions` (frames, n, 3), `times` (frames,) [s], optional `triangles` (t, 3), `metres_per_unit`, `up` and
`name`. Several: `NAME.positions` and `NAME.faces` for each NAME, and one `times`. Copies in the folders of runs (kept.py) also
have `NAME.times`, polygons and rigs.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.clips.clip import Clip, Faces, triangle_faces
from supple.clips.clip_file import ClipFile
from supple.clips.rig import Rig, Skin
from supple.clips.space import Space
from supple.errors import SuppleError


class NpzFile(ClipFile):
    title = "NPZ"

    @cached_property
    def names(self) -> set[str]:
        """Of all arrays."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                return {name.removesuffix(".npy") for name in archive.namelist()}
        except (OSError, zipfile.BadZipFile) as error:
            raise SuppleError(f"{self.file}: cannot be read as .npz: {error}; write it with numpy.savez") from error

    @property
    def space(self) -> Space:
        metres = self._number("metres_per_unit")
        up = str(self.array("up")) if "up" in self.names else None
        if up is not None and up not in ("x", "y", "z"):
            raise SuppleError(f"{self.file}: up is '{up}'; write x, y or z")
        return Space(metres, up)

    @cached_property
    def objects(self) -> Sequence[str]:
        if "positions" in self.names:
            return (str(self.array("name")) if "name" in self.names else self.path.stem,)
        return tuple(sorted({*self._ending(".positions"), *self._ending(".weights")}))

    @property
    def skeletons(self) -> Sequence[str]:
        return sorted(self._ending(".poses"))

    def rig(self, name: str, skin: str | None = None) -> Rig:
        arrays = [self.array(f"{name}.{key}") for key in ("joints", "parents", "bind", "times", "poses")]
        joints, parents, bind, times, poses = arrays
        made = None
        if skin is not None:
            made = Skin(skin, *(self.array(f"{skin}.{key}") for key in ("rest", "skin", "weights")))
        return Rig(
            self.file, name, tuple(joints.tolist()), tuple(parents.tolist()), bind, times, poses, made, self.space
        )

    def _ending(self, ending: str) -> set[str]:
        return {name.removesuffix(ending) for name in self.names if name.endswith(ending)}

    def clip(self, name: str) -> Clip:
        before = "" if "positions" in self.names else f"{name}."
        positions = self._positions(f"{before}positions")
        clock = next((key for key in (f"{before}times", "times") if key in self.names), None)
        times = np.arange(float(len(positions))) if clock is None else self.array(clock).astype(np.float64).reshape(-1)
        if len(positions) == 1 and before:
            times = times[:1]  # an obstacle that never moves
        own = f"{before}timed"
        timed = bool(self.array(own)) if own in self.names else clock is not None
        edges = f"{before}edges"
        lines = self.array(edges).astype(np.int32).reshape(-1, 2) if edges in self.names else None
        return Clip(
            self.file, name, times, positions, self._faces(before, positions.shape[1]), lines, self.space, timed
        )

    def array(self, name: str) -> npt.NDArray[Any]:
        """One of the arrays."""
        try:
            with np.load(self.path, allow_pickle=False) as data:
                made: npt.NDArray[Any] = data[name]
                return made
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise SuppleError(f"{self.file}: the array '{name}' cannot be read: {error}") from error

    def _positions(self, name: str) -> npt.NDArray[Any]:
        if name not in self.names:
            known = ", ".join(sorted(self.names)) or "none"
            raise SuppleError(f"{self.file}: no array '{name}' (frames, n, 3); arrays: {known}")
        found = mapped(self.path, f"{name}.npy")
        found = self.array(name) if found is None else found
        if found.ndim != 3 or found.shape[2] != 3 or found.dtype.kind not in "fiu":
            raise SuppleError(f"{self.file}: {name} has the shape {found.shape}; write numbers of shape (frames, n, 3)")
        return found

    def _faces(self, before: str, n: int) -> Faces | None:
        if f"{before}counts" in self.names:
            return Faces(*(self.array(f"{before}{key}").astype(np.int32) for key in ("counts", "corners")))
        key = next((before + key for key in ("triangles", "faces") if before + key in self.names), None)
        if key is None:
            return None
        found = self.array(key)
        if found.ndim != 2 or found.shape[1] != 3 or (found.size and not (found.min() >= 0 and found.max() < n)):
            raise SuppleError(f"{self.file}: {key} has the shape {found.shape}; write rows of three vertices below {n}")
        return triangle_faces(found)

    def _number(self, key: str) -> float | None:
        if key not in self.names:
            return None
        value = float(self.array(key))
        if not (np.isfinite(value) and value > 0):
            raise SuppleError(f"{self.file}: {key} is {value:g}; write a positive number")
        return value


def mapped(path: Path, member: str) -> npt.NDArray[Any] | None:
    """An array of the archive mapped into memory; None if it is compressed or in Fortran's order."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo(member)
            if info.compress_type != zipfile.ZIP_STORED:
                return None
            with path.open("rb") as file:
                file.seek(info.header_offset)
                head = file.read(30)  # lengths of name and extra field are the last two numbers
                file.seek(
                    info.header_offset
                    + 30
                    + int.from_bytes(head[26:28], "little")
                    + int.from_bytes(head[28:30], "little")
                )
                major, _ = np.lib.format.read_magic(file)
                read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
                shape, fortran, dtype = read(file)
                if fortran or dtype.hasobject or not np.prod(shape):
                    return None
                return np.memmap(path, dtype=dtype, mode="r", offset=file.tell(), shape=shape)
    except (OSError, ValueError, zipfile.BadZipFile):
        return None
