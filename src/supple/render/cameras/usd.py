"""Cameras of USD stages: transform and lens at any time code. The first time code of the stage is time 0 of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import SuppleError
from supple.mesh.stages.stage import open_stage
from supple.render.cameras.file_camera import choose
from supple.render.cameras.track import Pose


class UsdSource:
    """One camera of a stage."""

    def __init__(self, file: Path, name: str) -> None:
        try:
            opened = open_stage(file)
        except SuppleError as error:
            raise type(error)(f"--camera {error}") from error
        from pxr import UsdGeom

        stage = opened.usd
        self._file, self._stage = file, stage  # a prim dies with its stage
        self.up, self.unit = opened.up, opened.units.metres
        self._rate = float(stage.GetTimeCodesPerSecond())
        self._first = float(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else 0.0
        found = [prim for prim in stage.Traverse() if prim.IsA(UsdGeom.Camera)]
        chosen = found[choose(file, name, [str(prim.GetPath()) for prim in found])]
        self._camera: Any = UsdGeom.Camera(chosen)

    def pose(self, t: float) -> Pose:
        """See `Source`."""
        camera: Any = self._camera.GetCamera(self._first + t * self._rate)
        where = f"--camera {self._file}: {self._camera.GetPath()}"
        if camera.projection != camera.Perspective:
            raise SuppleError(f"{where} is orthographic; use a perspective camera, or --camera front, side or top")
        lens, wide, high = (float(v) for v in (camera.focalLength, camera.horizontalAperture, camera.verticalAperture))
        if not (lens > 0 and wide > 0 and high > 0):
            raise SuppleError(
                f"{where} has a focal length of {lens:g} and an aperture of {wide:g} x {high:g}; both must be above 0"
            )
        matrix = np.array(
            camera.transform, dtype=float
        )  # of row vectors: rows are right, up, towards the viewer, position
        axes = orthonormal(matrix[:3, :3])
        shift = float(camera.horizontalApertureOffset) / lens, float(camera.verticalApertureOffset) / lens
        return Pose(matrix[3, :3], axes, high / 2 / lens, wide / high, shift)


def orthonormal(axes: np.ndarray) -> np.ndarray:
    """Rows right, up and towards the viewer without scale, shear and reflection; the viewing direction is preserved."""
    with np.errstate(invalid="ignore", divide="ignore"):
        towards = axes[2] / np.linalg.norm(axes[2])
        right = np.cross(axes[1], towards)
        right = right / np.linalg.norm(right)
    return np.stack([right, np.cross(towards, right), towards])
