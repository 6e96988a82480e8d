"""Cameras of glTF files: the place of the camera's node, by the animations of the file; time 0 is that of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.render.cameras.file_camera import choose
from supple.render.cameras.gltf_curves import Curve, read_curves
from supple.render.cameras.gltf_file import GltfFile
from supple.render.cameras.track import Pose
from supple.render.cameras.usd import orthonormal
from supple.types import Array


class GltfSource:
    """One camera of a file."""

    up, unit = "y", 1.0

    def __init__(self, file: Path, name: str) -> None:
        self._file = GltfFile(file)
        nodes = self._file.table("nodes")
        parents = {int(child): k for k, node in enumerate(nodes) for child in node.get("children", ())}
        found = [k for k, node in enumerate(nodes) if "camera" in node]
        cameras = self._file.table("cameras")
        names = [str(nodes[k].get("name") or cameras[nodes[k]["camera"]].get("name") or f"node{k}") for k in found]
        k = found[choose(file, name, names)]
        camera = cameras[nodes[k]["camera"]]
        lens = camera.get("perspective", {})
        if camera.get("type") != "perspective" or not 0 < float(lens.get("yfov", 0)) < np.pi:
            raise SuppleError(f"--camera {file}: is no perspective camera; take one, or --camera front, side or top")
        self._slope = float(np.tan(float(lens["yfov"]) / 2))
        self._aspect = float(lens["aspectRatio"]) if "aspectRatio" in lens else None
        chain = [k]
        while chain[-1] in parents:
            chain.append(parents[chain[-1]])
            if len(chain) > len(nodes):
                raise SuppleError(f"--camera {file}: its nodes are children of themselves; export it again")
        curves = read_curves(self._file)
        self._chain = [(nodes[node], {path: c for (n, path), c in curves.items() if n == node}) for node in chain]

    def pose(self, t: float) -> Pose:
        """See `Source`."""
        matrix = np.eye(4)
        for node, curves in self._chain:
            matrix = _local(node, curves, t) @ matrix
        return Pose(matrix[:3, 3], orthonormal(matrix[:3, :3].T), self._slope, self._aspect)


def _local(node: dict[str, Any], curves: dict[str, Curve], t: float) -> Array:
    """(4, 4) of column vectors, from the node to its parent."""
    if "matrix" in node and not curves:
        return np.array(node["matrix"], dtype=float).reshape(4, 4).T
    place, turn, scale = (
        curves[path].at(t) if path in curves else np.array(node.get(path, usual), dtype=float)
        for path, usual in (("translation", (0, 0, 0)), ("rotation", (0, 0, 0, 1)), ("scale", (1, 1, 1)))
    )
    x, y, z, w = turn / max(float(np.linalg.norm(turn)), 1e-300)
    rotation = np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = rotation * scale, place
    return found
