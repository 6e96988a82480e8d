"""Cameras of glTF files: position and orientation of the camera node from the animations; time 0 is the start of the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from supple.clips.gltf.animation import Motion
from supple.clips.gltf.document import Document
from supple.errors import SuppleError
from supple.render.cameras.file_camera import choose
from supple.render.cameras.track import Pose
from supple.render.cameras.usd import orthonormal


class GltfSource:
    """One camera of a file."""

    up, unit = "y", 1.0

    def __init__(self, file: Path, name: str) -> None:
        self._file = file
        try:
            document = Document(file)
            self._motion = Motion(document)
            if self._motion.nodes:
                self._motion.world(0, 0.0)  # reports faults of its animations here
        except SuppleError as error:
            raise SuppleError(f"--camera {error}") from error
        nodes, cameras = self._motion.nodes, document.list("cameras")
        found = [k for k, node in enumerate(nodes) if "camera" in node]
        names = [str(nodes[k].get("name") or cameras[nodes[k]["camera"]].get("name") or f"node{k}") for k in found]
        self._node = found[choose(file, name, names)]
        camera = cameras[nodes[self._node]["camera"]]
        lens = camera.get("perspective", {})
        if camera.get("type") != "perspective" or not 0 < float(lens.get("yfov", 0)) < np.pi:
            raise SuppleError(f"--camera {file}: is not a perspective camera; use one, or --camera front, side or top")
        self._slope = float(np.tan(float(lens["yfov"]) / 2))
        self._aspect = float(lens["aspectRatio"]) if "aspectRatio" in lens else None

    def pose(self, t: float) -> Pose:
        """See `Source`."""
        try:
            matrix = self._motion.world(
                self._node, t
            )  # of row vectors: rows are right, up, towards the viewer, position
        except SuppleError as error:
            raise SuppleError(f"--camera {error}") from error
        return Pose(matrix[3, :3], orthonormal(matrix[:3, :3]), self._slope, self._aspect)
