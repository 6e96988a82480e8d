"""GLB (glTF 2.0): every frame is a morph target of the first one, and an animation of weights blends from one to the next.

Between two frames a player thus moves vertices on straight lines. y is up, as glTF requires; time begins at 0. Clouds of
points have the surface around them as another mesh in each frame (see glb_clouds.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from supple import __version__
from supple.export import FORMATS
from supple.export.colours import own_colour
from supple.export.corners import Split, split
from supple.export.format import Format
from supple.export.formats.glb_clouds import CloudFrames
from supple.export.formats.glb_parts import ARRAY, ELEMENTS, TRIANGLES, GlbParts, check_size
from supple.export.sequence import Body, Instant, Sequence
from supple.mesh.faces.polygons import Finish

MANY = 250
"""Morph targets beyond which programs become slow."""
_LINES = 1


@FORMATS("glb")
class Glb(Format):
    title = "GLB with morph targets: browsers, Blender, game engines"
    suffixes = (".glb",)
    ups = ("y",)

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [path] = paths.values()
        check_size(
            12 * sum(body.n * (1 if body.still else len(sequence)) for body in sequence.bodies if not body.cloud)
        )
        parts = GlbParts()
        clouds = CloudFrames(parts, sequence)
        sequence = replace(sequence, bodies=clouds.others)
        bases: list[Any] = []
        seams: list[Split] = []
        targets: list[list[int]] = [[] for _ in sequence.bodies]
        for k, frame in enumerate(frames):
            poses = clouds.take(k, frame)
            if k == 0:
                seams = [split(body, pose.x) for body, pose in zip(sequence.bodies, poses, strict=True)]
                bases = [pose.x[seam.rows] for seam, pose in zip(seams, poses, strict=True)]
            for body, own, base, seam, pose in zip(sequence.bodies, targets, bases, seams, poses, strict=True):
                if k == 0 or not body.still:
                    x = pose.x[seam.rows]
                    own.append(parts.add(x if k == 0 else x - base, "VEC3", ARRAY, bounds=True))
        materials = _Materials()
        meshes = [
            _mesh(parts, body, seam, materials.of(body, seam), own)
            for body, seam, own in zip(sequence.bodies, seams, targets, strict=True)
        ]
        document = _document(sequence, meshes, materials.tables, _animation(parts, sequence))
        clouds.join(document, materials.own)
        path.write_bytes(parts.file(document))
        many = len(sequence) > MANY
        slow = (
            [f"{len(sequence)} frames, with one morph target each, make programs slow; lower --fps, or use usd"]
            if many
            else []
        )
        return slow + clouds.notes()


class _Materials:
    """The materials of the file: those of models, and one for each body that has none."""

    def __init__(self) -> None:
        self.tables: list[dict[str, Any]] = []
        self._known: dict[tuple[str, bool], int] = {}

    def of(self, body: Body, seam: Split) -> dict[int, int]:
        """Number in the file of each material of a body; -1 stands for faces without one."""
        if body.polygons is None:
            return {-1: self.own(body)}
        labels, finishes = body.polygons.materials, body.polygons.finishes
        found = {}
        for label in np.unique(seam.material).tolist():
            name = labels.names[label] if label >= 0 else body.name
            finish = finishes.get(name) if label >= 0 else None
            found[label] = self._number(name, body, finish)
        return found

    def own(self, body: Body) -> int:
        """The index of the material with the colour of a body."""
        return self._number(body.name, body, None)

    def _number(self, name: str, body: Body, finish: Finish | None) -> int:
        key = name, body.closed
        if key not in self._known:
            self._known[key] = len(self.tables)
            self.tables.append(_material(name, body, finish))
        return self._known[key]


def _mesh(parts: GlbParts, body: Body, seam: Split, materials: dict[int, int], positions: list[int]) -> dict[str, Any]:
    attributes = {"POSITION": positions[0]}
    if seam.uv is not None:
        attributes["TEXCOORD_0"] = parts.add(seam.uv, "VEC2", ARRAY)
    shared: dict[str, Any] = {"attributes": attributes}
    if len(positions) > 1:
        shared["targets"] = [{"POSITION": number} for number in positions[1:]]
    blocks = [(TRIANGLES, seam.triangles[seam.material == label], number) for label, number in materials.items()]
    blocks.append((_LINES, seam.edges, next(iter(materials.values()))))
    primitives = []
    for mode, cells, material in blocks:
        if len(cells):
            indices = parts.add(cells.ravel().astype(np.uint32), "SCALAR", ELEMENTS)
            primitives.append({**shared, "material": material, "indices": indices, "mode": mode})
    mesh: dict[str, Any] = {"name": body.name, "primitives": primitives}
    if len(positions) > 1:
        mesh["weights"] = [0.0] * (len(positions) - 1)
    return mesh


def _animation(parts: GlbParts, sequence: Sequence) -> list[dict[str, Any]]:
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


def _document(sequence: Sequence, meshes: list[Any], materials: list[Any], animations: list[Any]) -> dict[str, Any]:
    nodes = [{"name": body.name, "mesh": k} for k, body in enumerate(sequence.bodies)]
    document = {
        "asset": {"version": "2.0", "generator": f"supple {__version__}"},
        "scene": 0,
        "scenes": [{"name": sequence.title, "nodes": list(range(len(nodes)))}],
        "nodes": nodes,
        "meshes": meshes,
        "materials": materials,
    }
    return {**document, "animations": animations} if animations else document


def _material(name: str, body: Body, finish: Finish | None) -> dict[str, Any]:
    own = None if finish is None else finish.colour
    colour = own_colour(body).tolist() if own is None else list(own)
    surface = {"baseColorFactor": [*colour, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.6}
    return {"name": name, "pbrMetallicRoughness": surface, "doubleSided": not body.closed}
