"""NPZ: arrays of numpy, as a script or `supple export --to npz` writes them; uncompressed positions are memory-mapped.

A single object: `positions` (frames, n, 3), `times` (frames,) [s], optional `triangles` (t, 3), `metres_per_unit`, `up` and
`name`. Several: `NAME.positions` and `NAME.faces` for each NAME, and one `times`. Copies in the folders of runs (kept.py) also
have `NAME.times`, polygons and rigs.
"""

from __future__ import annotations

import math
import tokenize
import zipfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.arrays import Archive, read_header
from supple.clips.clip import Clip, Faces, triangle_faces
from supple.clips.clip_file import ClipFile
from supple.clips.rig import Rig, Skin
from supple.clips.space import Space
from supple.errors import SuppleError


class NpzFile(ClipFile):
    title = "NPZ"

    @cached_property
    def names(self) -> set[str]:
        """Names of all arrays."""
        try:
            with Archive(self.path) as archive:
                return set(archive)
        except (OSError, ValueError) as error:
            raise SuppleError(f"{self.file}: cannot be read as .npz: {error}; write it with numpy.savez") from error

    @property
    def space(self) -> Space:
        metres = self._number("metres_per_unit")
        up = self._text("up")
        if up is not None and up not in ("x", "y", "z"):
            raise SuppleError(f"{self.file}: up is '{up}'; write x, y or z")
        return Space(metres, up)

    @cached_property
    def objects(self) -> Sequence[str]:
        if "positions" in self.names:
            return (self._text("name") or self.path.stem,)
        return tuple(sorted({*self._ending(".positions"), *self._ending(".weights")}))

    @property
    def skeletons(self) -> Sequence[str]:
        return sorted(self._ending(".poses"))

    def rig(self, name: str, skin: str | None = None) -> Rig:
        joints = self.numbers(f"{name}.joints", -1, kinds="U")
        count = len(joints)
        parents = self.numbers(f"{name}.parents", count, kinds="i")
        bind, times = self.numbers(f"{name}.bind", count, 4, 4), self.numbers(f"{name}.times", -1)
        poses = self.numbers(f"{name}.poses", len(times), count, 4, 4)
        made = None if skin is None else self._skin(skin, count)
        return Rig(
            self.file, name, tuple(joints.tolist()), tuple(parents.tolist()), bind, times, poses, made, self.space
        )

    def _skin(self, name: str, joints: int) -> Skin:
        rest = self.numbers(f"{name}.rest", -1, 3)
        numbers = self.numbers(f"{name}.skin", len(rest), -1, kinds="iu")
        weights = self.numbers(f"{name}.weights", *numbers.shape)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < joints:
            raise SuppleError(f"{self.file}: {name}.skin names joints that do not exist; it has {joints}")
        return Skin(name, rest, numbers, weights)

    def _ending(self, ending: str) -> set[str]:
        return {name.removesuffix(ending) for name in self.names if name.endswith(ending)}

    def clip(self, name: str) -> Clip:
        before = "" if "positions" in self.names else f"{name}."
        positions = self._positions(f"{before}positions")
        clock = next((key for key in (f"{before}times", "times") if key in self.names), None)
        times = np.arange(float(len(positions))) if clock is None else self.numbers(clock, -1).astype(np.float64)
        if len(positions) == 1 and before:
            times = times[:1]  # an obstacle that never moves
        own = f"{before}timed"
        timed = bool(self.numbers(own, kinds="biu")) if own in self.names else clock is not None
        edges = f"{before}edges"
        lines = self._below(edges, positions.shape[1], -1, 2) if edges in self.names else None
        return Clip(
            self.file, name, times, positions, self._faces(before, positions.shape[1]), lines, self.space, timed
        )

    def array(self, name: str) -> npt.NDArray[Any]:
        """One of the arrays."""
        try:
            with Archive(self.path) as data:
                return data[name]
        except KeyError:
            raise SuppleError(f"{self.file}: has no array '{name}'; export it again") from None
        except (OSError, ValueError) as error:
            raise SuppleError(f"{self.file}: the array '{name}' cannot be read: {error}") from error

    def numbers(self, name: str, *shape: int, kinds: str = "fiu") -> npt.NDArray[Any]:
        """One of the arrays, with the given numbers of entries along its axes; -1 for any number."""
        found = self.array(name)
        fits = found.ndim == len(shape) and all(a in (-1, b) for a, b in zip(shape, found.shape, strict=True))
        if not fits or found.dtype.kind not in kinds:
            wanted = ", ".join("any" if length < 0 else str(length) for length in shape)
            raise SuppleError(
                f"{self.file}: {name} is {found.dtype} of shape {found.shape}; write numbers of shape ({wanted})"
            )
        return found

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
            counts = self.numbers(f"{before}counts", -1, kinds="iu").astype(np.int32)
            corners = self._below(f"{before}corners", n, -1)
            if (counts < 3).any() or counts.sum(dtype=np.int64) != len(corners):
                raise SuppleError(f"{self.file}: {before}counts does not fit {before}corners; export it again")
            return Faces(counts, corners)
        key = next((before + key for key in ("triangles", "faces") if before + key in self.names), None)
        if key is None:
            return None
        return triangle_faces(self._below(key, n, -1, 3))

    def _below(self, name: str, n: int, *shape: int) -> npt.NDArray[Any]:
        """Indices of vertices."""
        found = self.numbers(name, *shape, kinds="iu")
        if found.size and not 0 <= found.min() <= found.max() < n:
            raise SuppleError(f"{self.file}: {name} names vertices that do not exist; write indices from 0 to {n - 1}")
        return found.astype(np.int32)

    def _text(self, key: str) -> str | None:
        return str(self.numbers(key, kinds="U")) if key in self.names else None

    def _number(self, key: str) -> float | None:
        if key not in self.names:
            return None
        value = float(self.numbers(key))
        if not (np.isfinite(value) and value > 0):
            raise SuppleError(f"{self.file}: {key} is {value:g}; write a positive number")
        return value


def mapped(path: Path, member: str) -> npt.NDArray[Any] | None:
    """An array of the archive mapped into memory; None if it is compressed or in Fortran order."""
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
                shape, fortran, dtype = read_header(file)
                if fortran or not math.prod(shape) or math.prod(shape) * dtype.itemsize > info.file_size:
                    return None
                return np.memmap(path, dtype=dtype, mode="r", offset=file.tell(), shape=shape)
    except (OSError, ValueError, KeyError, SyntaxError, tokenize.TokenError, zipfile.BadZipFile):
        return None
