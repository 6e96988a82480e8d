"""One triangle mesh with a colour at each vertex as binary glTF, the only format in which the page supports such colours.

Chunks of a GLB: JSON (padded with spaces), then the bytes: positions and normals (f4), colours (4 u1, normalised), corners
(u4). Only bounds and bytes change from frame to frame.
"""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.types import Ints
from supple.viewer.slot import Singles

_FLOAT, _BYTE, _UINT = 5126, 5121, 5125
_HEADER = 0x46546C67, 2  # "glTF", version
_JSON, _BIN = 0x4E4F534A, 0x004E4942
# screen colours are not linear in light; glTF requires linear vertex colours
_LINEAR = np.round(255.0 * (np.arange(256) / 255.0) ** 2.2).astype(np.uint8)


class ColouredMesh:
    """The faces are fixed; `encode` is called for each frame."""

    def __init__(self, vertices: int, faces: Ints) -> None:
        self._faces = np.ascontiguousarray(faces, dtype=np.uint32)
        self._corners = faces.ravel()
        self._n = vertices
        self._colours = np.full((vertices, 4), 255, dtype=np.uint8)
        self._document = _document(vertices, self._faces.size)

    def encode(self, x: Singles, colours: npt.NDArray[np.uint8]) -> bytes:
        """The file for positions (k, 3) and colours (k, 3)."""
        self._colours[:, :3] = _LINEAR[colours]
        positions = np.ascontiguousarray(x, dtype=np.float32)
        parts = (positions, self._normals(positions), self._colours, self._faces)
        body = b"".join(part.tobytes() for part in parts)
        bounds = self._document["accessors"][0]
        bounds["min"], bounds["max"] = positions.min(axis=0).tolist(), positions.max(axis=0).tolist()
        text = json.dumps(self._document).encode()
        text += b" " * (-len(text) % 4)
        head = struct.pack("<III", *_HEADER, 28 + len(text) + len(body))
        return b"".join((head, struct.pack("<II", len(text), _JSON), text, struct.pack("<II", len(body), _BIN), body))

    def _normals(self, x: Singles) -> Singles:
        """Unit normals, area-weighted over the faces around a vertex."""
        a, b, c = (x[self._faces[:, k]] for k in range(3))
        across = np.repeat(np.cross(b - a, c - a), 3, axis=0)
        sums = np.stack([np.bincount(self._corners, across[:, k], minlength=self._n) for k in range(3)], axis=1)
        length = np.linalg.norm(sums, axis=1, keepdims=True)
        unit = np.divide(sums, length, out=np.tile([0.0, 0.0, 1.0], (self._n, 1)), where=length > 0)
        return unit.astype(np.float32)


def _document(n: int, corners: int) -> dict[str, Any]:
    sizes = (12 * n, 12 * n, 4 * n, 4 * corners)
    views: list[dict[str, int]] = []
    for size in sizes:
        start = views[-1]["byteOffset"] + views[-1]["byteLength"] if views else 0
        views.append({"buffer": 0, "byteOffset": start, "byteLength": size})
    kinds = ((_FLOAT, "VEC3", n), (_FLOAT, "VEC3", n), (_BYTE, "VEC4", n), (_UINT, "SCALAR", corners))
    accessors: list[dict[str, Any]] = [
        {"bufferView": k, "componentType": kind, "type": shape, "count": count}
        for k, (kind, shape, count) in enumerate(kinds)
    ]
    accessors[2]["normalized"] = True
    attributes = {"POSITION": 0, "NORMAL": 1, "COLOR_0": 2}
    look = {"pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.7}, "doubleSided": True}
    return {
        "asset": {"version": "2.0", "generator": "supple"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 3, "material": 0}]}],
        "materials": [look],
        "buffers": [{"byteLength": sum(sizes)}],
        "bufferViews": views,
        "accessors": accessors,
    }
