"""The binary part of a GLB file, and the tables that describe it."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError

TRIANGLES = 4
ARRAY, ELEMENTS = 34962, 34963
"""Target of a buffer view: vertex attributes or indices."""


def check_size(size: int) -> None:
    """Refuse more bytes than the format supports."""
    if size > 2**32 - 2**24:
        raise RecordError(
            f"a GLB file is limited to 4 GB, and this one requires {size / 2**30:.1f}; lower --fps, or use usd"
        )


class GlbParts:
    """Grows with each array that is added."""

    def __init__(self) -> None:
        self.blocks: list[bytes] = []
        self.size = 0
        self.views: list[dict[str, int]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, values: npt.NDArray[Any], kind: str, target: int | None = None, bounds: bool = False) -> int:
        """Append an array of float32 or uint32; returns the number of its accessor."""
        raw = np.ascontiguousarray(values).tobytes()
        view = {"buffer": 0, "byteOffset": self.size, "byteLength": len(raw)}
        self.views.append(view if target is None else {**view, "target": target})
        self.blocks.append(raw)
        self.size += len(raw)  # always a multiple of 4
        component = 5126 if values.dtype == np.float32 else 5125
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(values), "type": kind}
        if bounds:
            rows = values.reshape(len(values), -1)
            accessor |= {"min": rows.min(axis=0).tolist(), "max": rows.max(axis=0).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def file(self, document: dict[str, Any]) -> bytes:
        """The whole file: header, description, data."""
        check_size(self.size)
        tables = {"accessors": self.accessors, "bufferViews": self.views, "buffers": [{"byteLength": self.size}]}
        text = json.dumps({**document, **tables}, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        header = struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + self.size)
        return b"".join(
            [
                header,
                struct.pack("<I4s", len(text), b"JSON"),
                text,
                struct.pack("<I4s", self.size, b"BIN\0"),
                *self.blocks,
            ]
        )
