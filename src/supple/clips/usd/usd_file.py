"""USD: meshes, points and curves with sampled points, under animated transforms, or skinned by UsdSkel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from supple.clips.clip import Clip
from supple.clips.clip_file import ClipFile
from supple.clips.rig import Rig
from supple.clips.room import demand_room, demand_work
from supple.clips.sampling import applied, one_count
from supple.clips.space import Space
from supple.clips.usd.skeletons import Skinning, bound_prims, depth, rig_of, skeletons_of
from supple.clips.usd.stage import (
    cameras_of,
    codes,
    codes_per_second,
    faces_of,
    meshes_of,
    open_stage,
    space_of,
    to_world,
    transform_keys,
)
from supple.errors import SuppleError
from supple.mesh.stages.stage import refusing
from supple.mesh.stages.values import numbers


class UsdFile(ClipFile):
    title = "USD"

    @cached_property
    def stage(self) -> Any:
        return open_stage(self.path)

    @cached_property
    def space(self) -> Space:
        return space_of(self.stage)

    @cached_property
    def _meshes(self) -> dict[str, Any]:
        return {str(prim.GetPath()): prim for prim in meshes_of(self.stage)}

    @cached_property
    def _skinnings(self) -> dict[str, Skinning]:
        """Prims bound to skeletons: finding them takes a look at the whole stage."""
        return bound_prims(self.stage)

    @property
    def objects(self) -> Sequence[str]:
        return tuple(self._meshes)

    @property
    def cameras(self) -> Sequence[str]:
        return cameras_of(self.stage)

    @property
    def skeletons(self) -> Sequence[str]:
        return tuple(skeletons_of(self.stage))

    def rig(self, name: str, skin: str | None = None) -> Rig:
        with refusing(self.path):
            return rig_of(self.stage, self.file, name, skin)

    def clip(self, name: str) -> Clip:
        with refusing(self.path):
            return self._clip(name)

    def _clip(self, name: str) -> Clip:
        from pxr import Usd, UsdGeom

        prim = self._meshes[name]
        attribute = UsdGeom.PointBased(prim).GetPointsAttr()
        skinning = self._skinnings.get(name)
        turning = transform_keys(prim if skinning is None else skinning.skeleton)
        turning += [] if skinning is None else skinning.keys
        when = codes(self.stage, attribute.GetTimeSamples() if attribute.GetNumTimeSamples() > 1 else [], turning)
        if not len(when) and not attribute.HasValue():
            raise SuppleError(f"{self.file}: '{name}' has no points; export its geometry too")
        if not len(when):
            when = np.array(attribute.GetTimeSamples() or [0.0], dtype=np.float64)[:1]
        places = [Usd.TimeCode(code) for code in when.tolist()]
        points = len(numbers(attribute, places[0]))
        demand_room(self.file, len(places), points)
        demand_work(self.file, len(places), *((depth(prim), 0) if skinning is None else skinning.work(points)))
        frames = [self._points(prim, attribute, skinning, place) for place in places]
        positions = one_count(self.file, name, frames)
        faces = faces_of(prim)
        n = positions.shape[1]
        if faces is not None and len(faces.corners) and not 0 <= faces.corners.min() <= faces.corners.max() < n:
            raise SuppleError(f"{self.file}: faces of '{name}' name points that are none of its {n}; export it again")
        return Clip(self.file, name, when / codes_per_second(self.stage), positions, faces, space=self.space)

    def _points(self, prim: Any, attribute: Any, skinning: Skinning | None, place: Any) -> np.ndarray:
        """In the world."""
        points = numbers(attribute, place)
        if skinning is None:
            return applied(points, to_world(prim, place))
        return applied(skinning.skinned(points, place), to_world(skinning.skeleton, place))
