"""Skeletons of UsdSkel: joints in the world over time, and the meshes bound to them by weights and blend shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.clips.rig import Rig, Skin
from supple.clips.room import demand_work
from supple.clips.sampling import applied, blended
from supple.clips.usd.stage import codes, codes_per_second, space_of, to_world, transform_keys, vectors
from supple.errors import SuppleError
from supple.mesh.stages.values import numbers
from supple.types import Array


@dataclass(frozen=True, eq=False)
class Skinning:
    """Deformation of the points of a prim by UsdSkel, from its own coordinates to those of its skeleton."""

    skeleton: Any
    """The prim of the skeleton."""
    query: Any
    pose: Any
    """UsdSkel.SkeletonQuery."""

    @property
    def keys(self) -> list[float]:
        """Time codes of the samples of the animation."""
        animation = self.pose.GetAnimQuery()
        if not animation:
            return []
        keys = list(animation.GetJointTransformTimeSamples())
        return keys + (list(animation.GetBlendShapeWeightTimeSamples()) if self.query.HasBlendShapes() else [])

    def work(self, n: int) -> tuple[int, int]:
        """Transforms per frame, and weights of n points: of joints, whose list may stand for each point, and of blend shapes."""
        from pxr import UsdSkel

        joints = len(self.pose.GetJointOrder()) + depth(self.skeleton)
        weights = n * self.query.GetNumInfluencesPerComponent()
        if self.query.HasBlendShapes():
            shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(self.query.GetPrim()))
            weights += sum(map(len, shapes.ComputeSubShapePointOffsets()))
        return joints, weights

    def influences(self, n: int) -> tuple[np.ndarray, Array]:
        """Joints of the skeleton and weights (n, k) of each point; weights add up to one."""
        found = self.query.ComputeVaryingJointInfluences(n)
        joints, weights = found or ((), ())
        k = max(1, len(joints) // max(n, 1))
        if len(joints) != n * k or len(weights) != n * k:
            raise self._broken(f"{len(joints)} joints and {len(weights)} weights for {n} points")
        numbers = np.array(joints, dtype=np.int64).reshape(n, k)
        own = self.query.GetJointOrder()
        if own:  # a prim may list only some joints, in its own order
            order = {str(joint): k for k, joint in enumerate(self.pose.GetJointOrder())}
            named = np.array([order.get(str(joint), -1) for joint in own], dtype=np.int64)
            numbers = np.where((numbers >= 0) & (numbers < len(named)), named[numbers.clip(0, len(named) - 1)], -1)
        count = len(self.pose.GetJointOrder())
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
            raise self._broken(f"a weight of a joint that is none of the {count} of its skeleton")
        values = np.array(weights, dtype=np.float64).reshape(n, k)
        total = values.sum(axis=1, keepdims=True)
        return numbers, np.divide(values, total, out=np.zeros_like(values), where=total > 0)

    def _broken(self, why: str) -> SuppleError:
        return SuppleError(
            f"{_file(self.query.GetPrim())}: {self.query.GetPrim().GetPath()} has {why}; export it again"
        )

    def at_bind(self, points: Array) -> Array:
        """Points (n, 3) in the coordinates of the skeleton, at the bind pose."""
        return applied(points, np.array(self.query.GetGeomBindTransform(), dtype=np.float64))

    def skinned(self, points: Array, place: Any) -> Array:
        """Points (n, 3) at a time code, in the coordinates of the skeleton."""
        shaped = self._shaped(points, place)
        found = self.pose.ComputeSkinningTransforms(place)
        transforms = np.array(() if found is None else found, dtype=np.float64).reshape(-1, 4, 4)
        if len(transforms) != len(self.pose.GetJointOrder()):
            raise self._broken(f"{len(transforms)} poses for {len(self.pose.GetJointOrder())} joints")
        if str(self.query.GetSkinningMethod()) == "dualQuaternion":
            return self._by_usd(shaped, place)
        return blended(self.at_bind(shaped), transforms, *self.influences(len(points)))

    def _by_usd(self, points: Array, place: Any) -> Array:
        from pxr import Vt

        made = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
        mapper, transforms = self.query.GetJointMapper(), self.pose.ComputeSkinningTransforms(place)
        own = mapper.RemapTransforms(transforms) if mapper and not mapper.IsIdentity() else transforms
        self.query.ComputeSkinnedPoints(own, made, place)
        return vectors(made)

    def _shaped(self, points: Array, place: Any) -> Array:
        """Points with blend shapes."""
        from pxr import UsdSkel, Vt

        animation = self.pose.GetAnimQuery()
        if not (self.query.HasBlendShapes() and animation):
            return points
        weights = animation.ComputeBlendShapeWeights(place)
        mapper = self.query.GetBlendShapeMapper()
        weights = mapper.Remap(weights) if mapper and not mapper.IsIdentity() else weights
        shapes = UsdSkel.BlendShapeQuery(UsdSkel.BindingAPI(self.query.GetPrim()))
        parts = shapes.ComputeSubShapeWeights(weights)
        made = Vt.Vec3fArray.FromNumpy(points.astype(np.float32))
        rows, offsets = shapes.ComputeBlendShapePointIndices(), shapes.ComputeSubShapePointOffsets()
        if not shapes.ComputeDeformedPoints(*parts, rows, offsets, made):
            raise self._broken("blend shapes that do not fit its points")
        return vectors(made)


def depth(prim: Any) -> int:
    """Number of prims whose transforms place this one."""
    return int(prim.GetPath().pathElementCount)


def _file(prim: Any) -> str:
    return str(prim.GetStage().GetRootLayer().GetDisplayName())


def skeletons_of(stage: Any) -> list[str]:
    """Paths of all skeletons."""
    from pxr import UsdSkel

    return [str(prim.GetPath()) for prim in stage.Traverse() if prim.IsA(UsdSkel.Skeleton)]


def bound_prims(stage: Any) -> dict[str, Skinning]:
    """All prims deformed by UsdSkel, by path."""
    from pxr import Usd, UsdSkel

    cache, found = UsdSkel.Cache(), {}
    every = Usd.TraverseInstanceProxies()
    for root in (UsdSkel.Root(prim) for prim in stage.Traverse() if prim.IsA(UsdSkel.Root)):
        cache.Populate(root, every)
        for binding in cache.ComputeSkelBindings(root, every):
            pose = cache.GetSkelQuery(binding.GetSkeleton())
            for target in binding.GetSkinningTargets():
                if pose and target.HasJointInfluences():
                    skeleton = binding.GetSkeleton().GetPrim()
                    found[str(target.GetPrim().GetPath())] = Skinning(skeleton, target, pose)
    return found


def rig_of(stage: Any, file: str, name: str, skin: str | None) -> Rig:
    """The joints of a skeleton in the world; `skin`: path of a prim whose weights are required."""
    from pxr import Usd, UsdSkel

    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath(name))
    bound = {path: s for path, s in bound_prims(stage).items() if str(s.skeleton.GetPath()) == name}
    pose = next((s.pose for s in bound.values()), None)
    if pose is None:
        pose = _query(skeleton)
    if pose is None:
        raise SuppleError(f"{file}: skeleton '{name}' has no joints that can be read; export it again")
    animation = pose.GetAnimQuery()
    turning = transform_keys(skeleton.GetPrim()) + (list(animation.GetJointTransformTimeSamples()) if animation else [])
    when = codes(stage, [], turning)
    when = when if len(when) else np.zeros(1)
    demand_work(file, len(when), len(pose.GetJointOrder()) + depth(skeleton.GetPrim()), 0)
    places = [Usd.TimeCode(code) for code in when.tolist()]
    world = [to_world(skeleton.GetPrim(), place) for place in places]
    with np.errstate(all="ignore"):  # the rig is refused if they are not finite
        poses = [_joints(pose, place) @ form for place, form in zip(places, world, strict=True)]
        bind = np.array(pose.GetJointWorldBindTransforms() or (), dtype=np.float64).reshape(-1, 4, 4) @ world[0]
    topology = pose.GetTopology()
    joints = tuple(str(joint) for joint in pose.GetJointOrder())
    parents = tuple(int(topology.GetParent(k)) for k in range(len(joints)))
    if not joints or len(bind) != len(joints) or any(len(found) != len(joints) for found in poses):
        raise SuppleError(
            f"{file}: skeleton '{name}' has {len(joints)} joints, {len(bind)} of them bound; export it again"
        )
    made = None if skin is None else _skin(stage, file, skin, bound, world[0])
    return Rig(
        file, name, joints, parents, bind, when / codes_per_second(stage), np.array(poses), made, space_of(stage)
    )


def _joints(pose: Any, place: Any) -> Array:
    """(J, 4, 4) in the coordinates of the skeleton."""
    found = pose.ComputeJointSkelTransforms(place)
    return np.array(() if found is None else found, dtype=np.float64).reshape(-1, 4, 4)


def _query(skeleton: Any) -> Any:
    """The query of a skeleton to which nothing is bound."""
    from pxr import Usd, UsdSkel

    root = skeleton.GetPrim()
    while root and not root.IsA(UsdSkel.Root):
        root = root.GetParent()
    cache = UsdSkel.Cache()
    if root:
        cache.Populate(UsdSkel.Root(root), Usd.TraverseInstanceProxies())
    return cache.GetSkelQuery(skeleton) or None


def _skin(stage: Any, file: str, path: str, bound: dict[str, Skinning], world: Array) -> Skin:
    from pxr import UsdGeom

    if path not in bound:
        raise SuppleError(
            f"{file}: '{path}' does not hang on this skeleton; bound to it: {', '.join(bound) or 'nothing'}"
        )
    skinning = bound[path]
    points = numbers(UsdGeom.PointBased(stage.GetPrimAtPath(path)).GetPointsAttr())
    demand_work(file, 1, *skinning.work(len(points)))
    joints, weights = skinning.influences(len(points))
    return Skin(path, applied(skinning.at_bind(points), world), joints, weights)
