"""Skinned stages: joints times frames, and weights times points, are counted before anything is computed or stored."""

from pathlib import Path

import pytest
import rigs

from supple.clips import room
from supple.clips.reading import read_clip, read_rig
from supple.errors import SuppleError


def long(path: Path, joints: int, frames: int) -> Path:
    """Few samples that span many frames, and many joints that are at rest."""
    from pxr import Gf, Usd, UsdSkel

    rigs.usd_rig(path)
    stage = Usd.Stage.Open(str(path))
    names = [*rigs.JOINTS, *(f"hip/j{k}" for k in range(joints - len(rigs.JOINTS)))]
    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel"))
    skeleton.GetJointsAttr().Set(names)
    for attribute in (skeleton.GetBindTransformsAttr(), skeleton.GetRestTransformsAttr()):
        attribute.Set([Gf.Matrix4d(1)] * joints)
    motion = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Motion"))
    turns = motion.GetRotationsAttr()
    turns.Set(turns.Get(1), frames)
    stage.Save()
    return path


def test_joints_times_frames_are_counted(tmp_path: Path) -> None:
    """Four kilobytes made a table of 60 GB."""
    path = long(tmp_path / "long.usdc", 500, 900_000)
    with pytest.raises(SuppleError, match=r"long\.usdc: 900,000 frames of 50\d nodes and 0 weights are too many"):
        read_rig(path)
    with pytest.raises(SuppleError, match=r"long\.usdc: 900,000 frames of 50\d nodes and 162 weights are too many"):
        read_clip(path)


def test_weights_that_stand_for_every_point_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of joints for the whole mesh is repeated for each point."""
    from pxr import Usd, UsdGeom, UsdSkel

    path = rigs.usd_rig(tmp_path / "rig.usda")
    stage = Usd.Stage.Open(str(path))
    bound = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Leg"))
    bound.CreateJointIndicesPrimvar(True, 1000).Set([0, 1] * 500)
    bound.CreateJointWeightsPrimvar(True, 1000).Set([0.001] * 1000)
    assert bound.GetJointIndicesPrimvar().GetInterpolation() == UsdGeom.Tokens.constant
    stage.Save()
    read_rig(path, "/Root/Skel", skin="/Root/Leg")
    path = path.rename(tmp_path / "again.usda")  # what was read is remembered
    monkeypatch.setattr(room, "MOST_INFLUENCES", 80_000)
    with pytest.raises(SuppleError, match=r"again\.usda: 1 frames of \d+ nodes and 81,000 weights are too many"):
        read_rig(path, "/Root/Skel", skin="/Root/Leg")
    with pytest.raises(SuppleError, match=r"again\.usda: 10 frames of \d+ nodes and 81,000 weights are too many"):
        read_clip(path)
