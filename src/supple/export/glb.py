"""GLB (glTF 2.0): every frame is a morph target of the first one, and an animation of weights goes from one to the next.

Between two frames a player thus moves vertices on straight lines. y is up, as glTF demands; time begins at 0.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple import __version__
from supple.errors import RecordError
from supple.export import FORMATS
from supple.export.colours import own_colour
from supple.export.format import Format
from supple.export.sequence import Body, Instant, Sequence

MANY = 250
"""Morph targets beyond which programs become slow."""
_TRIANGLES, _LINES = 4, 1
_ARRAY, _ELEMENTS = 34962, 34963


@FORMATS("glb")
class Glb(Format):
    title = "GLB with morph targets: browsers, Blender, game engines"
    suffixes = (".glb",)
    ups = ("y",)

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [path] = paths.values()
        size = 12 * sum(body.n * (1 if body.still else len(sequence)) for body in sequence.bodies)
        if size > 2**32 - 2**24:
            raise RecordError(f"a GLB file ends at 4 GB and this one needs {size / 2**30:.1f}; lower --fps, or use usd")
        parts = _Parts()
        bases: list[Any] = []
        targets: list[list[int]] = [[] for _ in sequence.bodies]
        for k, frame in enumerate(frames):
            if k == 0:
                bases = [pose.x for pose in frame.poses]
            for body, own, base, pose in zip(sequence.bodies, targets, bases, frame.poses, strict=True):
                if k == 0 or not body.still:
                    own.append(parts.add(pose.x if k == 0 else pose.x - base, "VEC3", _ARRAY, bounds=True))
        meshes = [
            _mesh(parts, body, k, own) for k, (body, own) in enumerate(zip(sequence.bodies, targets, strict=True))
        ]
        document = _document(sequence, meshes, _animation(parts, sequence))
        path.write_bytes(parts.file(document))
        many = len(sequence) > MANY
        return [f"{len(sequence)} morph targets make programs slow; lower --fps, or use usd"] if many else []


class _Parts:
    """The binary part of the file as it grows, and the tables that describe it."""

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


def _mesh(parts: _Parts, body: Body, material: int, positions: list[int]) -> dict[str, Any]:
    shared = {"attributes": {"POSITION": positions[0]}, "material": material}
    if len(positions) > 1:
        shared["targets"] = [{"POSITION": number} for number in positions[1:]]
    primitives = []
    for mode, cells in ((_TRIANGLES, body.faces), (_LINES, body.edges)):
        if len(cells):
            indices = parts.add(cells.ravel().astype(np.uint32), "SCALAR", _ELEMENTS)
            primitives.append({**shared, "indices": indices, "mode": mode})
    mesh: dict[str, Any] = {"name": body.name, "primitives": primitives}
    if len(positions) > 1:
        mesh["weights"] = [0.0] * (len(positions) - 1)
    return mesh


def _animation(parts: _Parts, sequence: Sequence) -> list[dict[str, Any]]:
    """At frame k the weight of target k is 1 and all others are 0 (the first frame is the mesh itself)."""
    count = len(sequence)
    if count < 2 or all(body.still for body in sequence.bodies):
        return []
    times = (sequence.times - sequence.times[0]).astype(np.float32)
    weights = np.eye(count, dtype=np.float32)[:, 1:]
    sampler = {
        "input": parts.add(times, "SCALAR", bounds=True),
        "output": parts.add(weights.ravel(), "SCALAR"),
        "interpolation": "LINEAR",
    }
    moving = [k for k, body in enumerate(sequence.bodies) if not body.still]
    channels = [{"sampler": 0, "target": {"node": k, "path": "weights"}} for k in moving]
    return [{"name": sequence.title, "samplers": [sampler], "channels": channels}]


def _document(sequence: Sequence, meshes: list[Any], animations: list[Any]) -> dict[str, Any]:
    nodes = [{"name": body.name, "mesh": k} for k, body in enumerate(sequence.bodies)]
    document = {
        "asset": {"version": "2.0", "generator": f"supple {__version__}"},
        "scene": 0,
        "scenes": [{"name": sequence.title, "nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": [_material(body) for body in sequence.bodies],
    }
    return {**document, "animations": animations} if animations else document


def _material(body: Body) -> dict[str, Any]:
    surface = {"baseColorFactor": [*own_colour(body).tolist(), 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6}
    return {"name": body.name, "pbrMetallicRoughness": surface, "doubleSided": not body.closed}
