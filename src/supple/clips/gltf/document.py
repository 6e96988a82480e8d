"""glTF 2.0 as a document with arrays: .glb, or .gltf with its buffers beside it or inside."""

from __future__ import annotations

import base64
import json
import struct
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from supple.clips.clip_file import read_bytes
from supple.clips.gltf.schema import problem
from supple.errors import SuppleError
from supple.paths import checked_path
from supple.types import Array

TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
KNOWN = {"KHR_mesh_quantization"}
"""Extensions that may be required; all others, such as compressed meshes, are rejected by name."""
ROOM = 20_000_000
PER_BYTE = 4
"""Largest count of numbers in all accessors and faces together: a constant, or this many per byte of the file and its buffers.
Accessors can repeat the same bytes, and need none for zeros."""


class Document:
    """The JSON of a file, and its accessors as arrays."""

    def __init__(self, path: Path) -> None:
        self.path = path
        raw = read_bytes(path)
        try:
            self.json, self._binary = _parts(raw)
            if wrong := problem(self.json):
                raise ValueError(wrong)
        except (ValueError, struct.error, KeyError, RecursionError) as error:
            raise SuppleError(f"{path.name}: cannot be read as glTF: {error}; export it again") from error
        self._size = len(raw)
        self._bytes, self._taken = len(raw), 0
        if str(self.json["asset"].get("version", "")).split(".")[0] != "2":
            raise SuppleError(f"{path.name}: is not a glTF 2.0 file; export it again")
        strange = [name for name in self.json.get("extensionsRequired", ()) if name not in KNOWN]
        if strange:
            raise SuppleError(
                f"{path.name}: needs {', '.join(strange)}, which supple does not read; export it without compression"
            )
        self.accessor = cache(self._accessor)

    def list(self, key: str) -> list[dict[str, Any]]:
        """A list of the document; empty if it has none."""
        return list(self.json.get(key, ()))

    def take(self, count: int) -> None:
        """Count numbers that are kept in memory; too many for the size of the file are rejected."""
        self._taken += count
        if self._taken > max(ROOM, PER_BYTE * self._bytes):
            raise SuppleError(
                f"{self.path.name}: its {self._bytes:,} bytes declare more than {self._taken - count:,} numbers, many of them "
                "several times; export it again"
            )

    def floats(self, number: int, width: int | None = None) -> Array:
        """(count, width) of an accessor; normalised integers are converted to fractions."""
        found, entry = self.accessor(number), self.json["accessors"][number]
        if width not in (None, found.shape[1]):
            raise SuppleError(
                f"{self.path.name}: accessor {number} has {found.shape[1]} numbers per entry, {width} are needed; export it again"
            )
        if not entry.get("normalized") or found.dtype.kind == "f":
            return found.astype(np.float64)
        return np.maximum(found.astype(np.float64) / np.iinfo(found.dtype).max, -1.0)

    def _accessor(self, number: int) -> npt.NDArray[Any]:
        try:
            entry = self.json["accessors"][number]
            kind, width, count = np.dtype(TYPES[entry["componentType"]]), WIDTHS[entry["type"]], int(entry["count"])
            if "bufferView" not in entry and count > self._size:  # as many as a mesh of that file could have
                raise ValueError(f"it has {count:,} entries without data")
            self.take(count * width)
            made = (
                self._rows(entry["bufferView"], entry.get("byteOffset", 0), kind, width, count)
                if "bufferView" in entry
                else np.zeros((count, width), dtype=kind)
            )
            if "sparse" in entry:
                made = self._sparse(made.copy(), entry["sparse"], kind, width)
            return made
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise SuppleError(
                f"{self.path.name}: accessor {number} cannot be read: {error}; is the file complete?"
            ) from error

    def _sparse(
        self, made: npt.NDArray[Any], table: dict[str, Any], kind: np.dtype[Any], width: int
    ) -> npt.NDArray[Any]:
        where, values, count = table["indices"], table["values"], int(table["count"])
        rows = self._rows(
            where["bufferView"], where.get("byteOffset", 0), np.dtype(TYPES[where["componentType"]]), 1, count
        )
        if len(rows) and rows.max() >= len(made):
            raise ValueError(f"a sparse entry {rows.max()} of {len(made)}")
        made[rows[:, 0]] = self._rows(values["bufferView"], values.get("byteOffset", 0), kind, width, count)
        return made

    def _rows(self, view: int, offset: int, kind: np.dtype[Any], width: int, count: int) -> npt.NDArray[Any]:
        table = self.json["bufferViews"][view]
        data = self._buffer(table["buffer"])
        start = table.get("byteOffset", 0) + offset
        stride = table.get("byteStride") or width * kind.itemsize
        if count and start + stride * (count - 1) + width * kind.itemsize > len(data):
            raise ValueError(f"its buffer has {len(data):,} bytes only")
        made: npt.NDArray[Any] = np.ndarray((count, width), kind, data, start, (stride, kind.itemsize))
        return made

    def _buffer(self, number: int) -> bytes:
        uri = self.json["buffers"][number].get("uri")
        if uri is None:
            return self._binary
        if uri.startswith("data:"):
            if number not in self._files:
                self._files[number] = base64.b64decode(uri.partition(",")[2])
            return self._files[number]
        return self._beside(unquote(uri))

    def _beside(self, name: str) -> bytes:
        path = checked_path(self.path, name)
        if not path.is_file():
            raise SuppleError(f"{self.path.name}: its buffer {name} is missing beside it")
        if path not in self._files:
            self._files[path] = read_bytes(path)
            self._bytes += len(self._files[path])
        return self._files[path]

    @property
    def _files(self) -> dict[Path | int, bytes]:
        return self.__dict__.setdefault("_kept_files", {})


def _parts(raw: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary chunk."""
    if raw[:4] != b"glTF":
        text = json.loads(raw.decode("utf-8"))
        if not isinstance(text, dict):
            raise ValueError("its JSON is not an object")
        return text, b""
    _, version, length = struct.unpack("<4sII", raw[:12])
    if version != 2:
        raise ValueError(f"version {version} of the container")
    if length > len(raw):
        raise ValueError(f"it has {len(raw):,} of {length:,} bytes")
    found: dict[bytes, bytes] = {}
    place = 12
    while place + 8 <= length:
        size, kind = struct.unpack("<I4s", raw[place : place + 8])
        found.setdefault(kind, raw[place + 8 : place + 8 + size])
        place += 8 + size
    return json.loads(found[b"JSON"]), found.get(b"BIN\0", b"")
