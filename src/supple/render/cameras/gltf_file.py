"""A glTF file, text or binary: its tables, and its arrays as numbers."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from supple.errors import SuppleError
from supple.types import Array

_TYPES = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}


class GltfFile:
    """The document and its buffers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            data = path.read_bytes()
            text, self._binary = _chunks(data) if data[:4] == b"glTF" else (data, b"")
            self._document: dict[str, Any] = json.loads(text)
        except (OSError, ValueError, struct.error) as error:
            raise SuppleError(f"--camera {path}: not a readable glTF file ({error})") from error

    def table(self, name: str) -> list[dict[str, Any]]:
        """Nodes, cameras, animations ...; none if the file has none."""
        return list(self._document.get(name, ()))

    def accessor(self, k: int) -> Array:
        """(count, width) numbers; integers that stand for fractions come as fractions."""
        try:
            accessor = self._document["accessors"][k]
            view = self._document["bufferViews"][accessor["bufferView"]]
            kind, width, count = (
                np.dtype(_TYPES[accessor["componentType"]]),
                _WIDTHS[accessor["type"]],
                accessor["count"],
            )
            first = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            step = view.get("byteStride", kind.itemsize * width)
            rows = np.ndarray((count, width), kind, self._buffer(view["buffer"]), first, (step, kind.itemsize))
        except (KeyError, IndexError, TypeError, ValueError, OSError) as error:
            raise SuppleError(
                f"--camera {self._path}: its array {k} cannot be read ({error!r}); export it again"
            ) from error
        numbers = rows.astype(float)
        if accessor.get("normalized") and kind.kind in "iu":
            return np.maximum(numbers / np.iinfo(kind).max, -1.0)
        return numbers

    def _buffer(self, k: int) -> bytes:
        uri = self._document["buffers"][k].get("uri")
        if uri is None:
            return self._binary
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        return (self._path.parent / unquote(uri)).read_bytes()


def _chunks(data: bytes) -> tuple[bytes, bytes]:
    """The text and the binary part of a .glb."""
    found: dict[int, bytes] = {}
    place = 12
    while place + 8 <= len(data):
        length, kind = struct.unpack_from("<II", data, place)
        found.setdefault(kind, data[place + 8 : place + 8 + length])
        place += 8 + length
    return found.get(0x4E4F534A, b""), found.get(0x004E4942, b"")
