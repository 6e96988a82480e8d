"""Surfaces of clouds in a GLB file: a mesh and a node for each frame, only one of which has a nonzero scale at a time.

Morph targets share their triangles, but these surfaces change theirs in every frame. A node whose scale is zero is not drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from supple.export.clouds import Clouds
from supple.export.formats.glb_parts import ARRAY, ELEMENTS, TRIANGLES, GlbParts
from supple.export.sequence import Body, Instant, Pose, Sequence


class CloudFrames:
    """Extracts the clouds from the frames of a sequence, and adds their nodes to the document at the end."""

    def __init__(self, parts: GlbParts, sequence: Sequence) -> None:
        self._parts, self._sequence, self._clouds = parts, sequence, Clouds(sequence)
        self._chosen = [k for k, body in enumerate(sequence.bodies) if body.cloud]
        self.others = tuple(body for body in sequence.bodies if not body.cloud)
        """Bodies that are not clouds."""
        self._frames: list[tuple[Body, int, dict[str, Any]]] = []

    def take(self, number: int, frame: Instant) -> list[Pose]:
        """Keep the clouds of a frame; returns the poses of the others."""
        for k in self._chosen:
            body, x = self._clouds.surface(k, frame)
            if len(x):
                corners = self._parts.add(body.faces.ravel().astype(np.uint32), "SCALAR", ELEMENTS)
                place = self._parts.add(x, "VEC3", ARRAY, bounds=True)
                mesh = {"attributes": {"POSITION": place}, "indices": corners, "mode": TRIANGLES}
                self._frames.append((body, number, mesh))
        return [pose for k, pose in enumerate(frame.poses) if k not in self._chosen]

    def join(self, document: dict[str, Any], material: Callable[[Body], int]) -> None:
        """Add meshes, nodes and the animation that shows them in sequence; `material`: its index for a body."""
        if not self._frames:
            return
        nodes, meshes = document["nodes"], document["meshes"]
        samplers, channels = self._motion(document)
        for body, number, mesh in self._frames:
            name = f"{body.name}_{number + self._sequence.first:04d}"
            meshes.append({"name": name, "primitives": [{**mesh, "material": material(body)}]})
            document["scenes"][0]["nodes"].append(len(nodes))
            if len(self._sequence) > 1:
                channels.append({"sampler": len(samplers), "target": {"node": len(nodes), "path": "scale"}})
                samplers.append(self._shown_at(number))
            # programs without animations show the first frame
            nodes.append({"name": name, "mesh": len(meshes) - 1, "scale": [float(number == 0)] * 3})

    def notes(self) -> list[str]:
        """Notes on points omitted by the surfaces."""
        return self._clouds.notes()

    def _motion(self, document: dict[str, Any]) -> tuple[list[Any], list[Any]]:
        """Samplers and channels of the animation, extended in place; a single frame needs none."""
        if len(self._sequence) < 2:
            return [], []
        new = {"name": self._sequence.title, "samplers": [], "channels": []}
        animation = document.setdefault("animations", [new])[0]
        return animation["samplers"], animation["channels"]

    def _shown_at(self, number: int) -> dict[str, Any]:
        """Scale 1 from this frame to the next, otherwise 0."""
        times = (self._sequence.times - self._sequence.times[0]).astype(np.float32)
        keys = [k for k in dict.fromkeys((0, number, number + 1)) if k < len(times)]
        sizes = np.repeat(np.array([[float(k == number)] for k in keys], dtype=np.float32), 3, axis=1)
        return {
            "input": self._parts.add(times[keys], "SCALAR", bounds=True),
            "output": self._parts.add(sizes, "VEC3"),
            "interpolation": "STEP",
        }
