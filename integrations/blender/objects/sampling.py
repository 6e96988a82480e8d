# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects as they are at every frame: evaluated meshes with armatures, modifiers, shape keys and parents."""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np

from ..messages import Refusal
from . import slot
from .surface import Surface, surface_of, turned

STILL = 1e-7
"""Motion below this part of the size of an object is rounding of single precision."""


@dataclass(eq=False)
class Samples:
    """One object over the frames of the scene, in world coordinates [m]."""

    name: str
    surface: Surface
    """At the first frame."""
    positions: np.ndarray
    """(frames, n, 3)"""
    matrices: np.ndarray
    """(frames, 4, 4), object to world, in units of Blender"""
    pinned: np.ndarray
    """(n,) whether a vertex belongs to the pins."""

    @property
    def size(self) -> float:
        """Diagonal of the box at the first frame [m]."""
        return float(np.linalg.norm(np.ptp(self.surface.vertices, axis=0)))

    def moves(self, some: np.ndarray | slice = slice(None)) -> bool:
        """Whether these vertices move at all."""
        x = self.positions[:, some]
        return bool(np.abs(x - x[0]).max(initial=0.0) > STILL * max(self.size, 1e-3))


def frames_of(scene: bpy.types.Scene) -> range:
    """All frames of the scene."""
    frames = range(scene.frame_start, scene.frame_end + 1)
    if len(frames) < 2:
        raise Refusal(f"scene '{scene.name}': frames {scene.frame_start} to {scene.frame_end}; give two frames or more")
    return frames


def metres(scene: bpy.types.Scene) -> float:
    """Metres in a unit of Blender."""
    return float(scene.unit_settings.scale_length)


def sample(
    context: bpy.types.Context, bodies: Sequence[bpy.types.Object], obstacles: Sequence[bpy.types.Object]
) -> dict[str, Samples]:
    """All objects at all frames. Afterwards the scene is as it was."""
    scene, scale = context.scene, metres(context.scene)
    found: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {thing.name: [] for thing in (*bodies, *obstacles)}
    first: dict[str, tuple[Surface, np.ndarray]] = {}
    with slot.inputs(bodies, scene):
        for frame in frames_of(scene):
            scene.frame_set(frame)
            graph = context.evaluated_depsgraph_get()
            for thing in (*bodies, *obstacles):
                seen = thing.evaluated_get(graph)
                mesh = seen.to_mesh()
                try:
                    x, matrix = _world(mesh, seen, scale)
                    if thing.name not in first:
                        first[thing.name] = _first(thing, mesh, x, matrix)
                    _check(thing, frame, x, first[thing.name][0])
                finally:
                    seen.to_mesh_clear()
                found[thing.name].append((x, matrix))
    return {
        name: Samples(
            name, first[name][0], np.stack([x for x, _ in rows]), np.stack([m for _, m in rows]), first[name][1]
        )
        for name, rows in found.items()
    }


def _world(mesh: bpy.types.Mesh, seen: bpy.types.Object, scale: float) -> tuple[np.ndarray, np.ndarray]:
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    matrix = np.array(seen.matrix_world, dtype=float)
    return (flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]) * scale, matrix


def _first(
    thing: bpy.types.Object, mesh: bpy.types.Mesh, x: np.ndarray, matrix: np.ndarray
) -> tuple[Surface, np.ndarray]:
    surface = surface_of(mesh, x)
    if np.linalg.det(matrix[:3, :3]) < 0.0:
        surface = turned(surface)
    return surface, _pinned(thing, mesh)


def _pinned(thing: bpy.types.Object, mesh: bpy.types.Mesh) -> np.ndarray:
    """Members of the vertex group of the pins."""
    mask = np.zeros(len(mesh.vertices), dtype=bool)
    name = thing.supple.pins
    if not name or thing.supple.role == "OBSTACLE":
        return mask
    group = thing.vertex_groups.get(name)
    if group is None:
        known = ", ".join(g.name for g in thing.vertex_groups) or "none"
        raise Refusal(f"{thing.name}: no vertex group '{name}' for the pins; groups of the object: {known}")
    # groups of the mesh itself serve where modifiers keep its vertices: evaluated meshes may come without weights
    rows = thing.data if len(thing.data.vertices) == len(mesh.vertices) else mesh
    for vertex in rows.vertices:
        mask[vertex.index] = any(g.group == group.index and g.weight >= 0.5 for g in vertex.groups)
    if not mask.any():
        raise Refusal(
            f"{thing.name}: vertex group '{name}' has no vertex with a weight of 0.5 or more; paint some, or choose none"
        )
    return mask


def _check(thing: bpy.types.Object, frame: int, x: np.ndarray, surface: Surface) -> None:
    if len(x) != len(surface.vertices):
        raise Refusal(
            f"{thing.name}: {len(x)} vertices at frame {frame}, {len(surface.vertices)} at the first; "
            "a simulated object keeps its vertices: move modifiers that add some behind the cache, or apply them"
        )
    if not np.isfinite(x).all():
        raise Refusal(f"{thing.name}: vertices at frame {frame} are not finite; check its modifiers and drivers")
