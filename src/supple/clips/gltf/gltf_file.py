"""glTF 2.0: meshes under animated nodes, with morph targets and skins; metres, y up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from supple.clips.clip import Clip, triangle_faces
from supple.clips.clip_file import ClipFile
from supple.clips.gltf.animation import Motion
from supple.clips.gltf.document import Document
from supple.clips.gltf.shapes import Shape, shape_of
from supple.clips.rig import Rig, Skin
from supple.clips.room import demand_room, demand_work
from supple.clips.sampling import applied, blended
from supple.clips.space import Space
from supple.errors import SuppleError
from supple.types import Array

TRS = ("translation", "rotation", "scale")


class GltfFile(ClipFile):
    title = "glTF"

    @cached_property
    def document(self) -> Document:
        return Document(self.path)

    @cached_property
    def motion(self) -> Motion:
        return Motion(self.document)

    @property
    def space(self) -> Space:
        return Space(1.0, "y")

    @cached_property
    def _meshes(self) -> dict[str, int]:
        """Nodes with a mesh by name."""
        return self._named([k for k, node in enumerate(self.motion.nodes) if "mesh" in node], "mesh")

    @property
    def objects(self) -> Sequence[str]:
        return tuple(self._meshes)

    @property
    def cameras(self) -> Sequence[str]:
        return tuple(self._named([k for k, node in enumerate(self.motion.nodes) if "camera" in node], "camera"))

    @cached_property
    def _skins(self) -> dict[str, int]:
        skins = self.document.list("skins")
        names = [skin.get("name") or self._node_name(skin.get("skeleton", skin["joints"][0])) for skin in skins]
        return _unique(names, range(len(skins)))

    @property
    def skeletons(self) -> Sequence[str]:
        return tuple(self._skins)

    def clip(self, name: str) -> Clip:
        node = self._meshes[name]
        shape = self._shape(node)
        skin = self.motion.nodes[node].get("skin")
        joints = [] if skin is None else self.document.list("skins")[skin]["joints"]
        if skin is not None and shape.joints is not None and len(shape.joints) and shape.joints.max() >= len(joints):
            raise SuppleError(
                f"{self.file}: '{name}' hangs on joint {shape.joints.max()} of {len(joints)}; export it again"
            )
        moved_by = [node] if skin is not None else []
        carriers = self.motion.above([node] if skin is None else joints)
        straight = self.motion.keys([node], ("weights",))
        turning = self.motion.keys(sorted({*carriers, *moved_by}), TRS)
        times = np.unique(np.concatenate([k for k in (straight, turning) if len(k) > 1] or [np.zeros(1)]))
        demand_room(self.file, len(times), len(shape.rest))
        influences = 0 if skin is None or shape.joints is None else shape.joints.size
        demand_work(self.file, len(times), len(carriers) + 1, influences)
        frames, mixed = np.empty((len(times), *shape.rest.shape)), 0
        for k, t in enumerate(times.tolist()):
            weights = self.motion.weights(node, t, len(shape.targets))
            mixed += int(np.count_nonzero(weights)) * len(shape.rest)
            demand_work(self.file, 1, 0, mixed)
            frames[k] = self._points(node, shape, weights, skin, t)
        faces = triangle_faces(shape.triangles) if len(shape.triangles) else None
        return Clip(self.file, name, times, frames, faces, shape.edges, self.space)

    def rig(self, name: str, skin: str | None = None) -> Rig:
        number = self._skins[name]
        joints: list[int] = self.document.list("skins")[number]["joints"]
        nodes = self.motion.above(joints)
        times = self.motion.keys(nodes, TRS)
        demand_work(self.file, len(times), len(nodes) + len(joints), 0)
        poses = np.array([self._joints(number, t) for t in times.tolist()])
        parents = tuple(self.motion.nearest(joints))
        names = tuple(_unique([self._node_name(j) for j in joints], range(len(joints))))
        made = None if skin is None else self._skin(number, name, skin)
        return Rig(self.file, name, names, parents, self._bind(number, poses[0]), times, poses, made, self.space)

    def _points(self, node: int, shape: Shape, weights: Array, skin: int | None, t: float) -> Array:
        """In world coordinates; `weights` of the morph targets, of which few are not zero at a time."""
        mixed = np.flatnonzero(weights)
        x = shape.rest + np.tensordot(weights[mixed], shape.targets[mixed], 1) if len(mixed) else shape.rest
        if skin is None:
            return applied(x, self.motion.world(node, t))
        if shape.joints is None or shape.weights is None:
            raise SuppleError(
                f"{self.file}: the mesh of '{self._node_name(node)}' has a skin, but no weights; export it again"
            )
        now = self._joints(skin, t)
        return blended(x, self._inverse(self._bind(skin, now)) @ now, shape.joints, shape.weights)

    def _joints(self, skin: int, t: float) -> Array:
        known: dict[int, Array] = {}
        return np.array([self.motion.world(joint, t, known) for joint in self.document.list("skins")[skin]["joints"]])

    def _bind(self, skin: int, now: Array) -> Array:
        """(J, 4, 4) of the pose in which the skin was bound; without matrices in the file, the joints' own coordinates."""
        number = self.document.list("skins")[skin].get("inverseBindMatrices")
        if number is None:
            return np.broadcast_to(np.eye(4), now.shape).copy()
        inverse = self.document.floats(number, 16).reshape(-1, 4, 4)
        if inverse.shape != now.shape:
            raise SuppleError(f"{self.file}: {len(inverse)} bind matrices for {len(now)} joints; export it again")
        return self._inverse(inverse)

    def _inverse(self, matrices: Array) -> Array:
        try:
            if np.isfinite(matrices).all():
                return np.asarray(np.linalg.inv(matrices), dtype=np.float64)
        except np.linalg.LinAlgError:
            pass
        raise SuppleError(f"{self.file}: a bind matrix of its skin has no inverse; export it again")

    def _skin(self, number: int, name: str, wanted: str) -> Skin:
        node = self._meshes[wanted]
        shape = self._shape(node)
        if self.motion.nodes[node].get("skin") != number or shape.joints is None or shape.weights is None:
            raise SuppleError(f"{self.file}: '{wanted}' does not hang on the skeleton '{name}'; choose another object")
        return Skin(wanted, shape.rest, shape.joints, shape.weights)

    def _shape(self, node: int) -> Shape:
        mesh = self.motion.nodes[node]["mesh"]
        if mesh not in self._shapes:
            self._shapes[mesh] = shape_of(self.document, mesh)
        return self._shapes[mesh]

    @cached_property
    def _shapes(self) -> dict[int, Shape]:
        """Shapes by the number of their mesh: many nodes may show the same one."""
        return {}

    def _node_name(self, node: int) -> str:
        return str(self.motion.nodes[node].get("name", f"node{node}"))

    def _named(self, nodes: list[int], key: str) -> dict[str, int]:
        lists = {"mesh": "meshes", "camera": "cameras"}[key]
        tables: list[dict[str, Any]] = self.document.list(lists)
        names = [
            self.motion.nodes[k].get("name") or tables[self.motion.nodes[k][key]].get("name") or f"node{k}"
            for k in nodes
        ]
        return _unique(names, nodes)


def _unique(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    """The names, with a number appended to repeated ones."""
    found: dict[str, int] = {}
    for name, number in zip(names, numbers, strict=True):
        found[name if name not in found else f"{name}.{number}"] = number
    return found
