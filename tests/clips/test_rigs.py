"""Skeletons: joints and skins as UsdSkel moves them, rigid between frames, C1, bound by one joint or by weights."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import rigs

import supple as sp
from supple.clips.reading import read_clip, read_rig
from supple.clips.sampling import applied
from supple.errors import SuppleError
from supple.mesh.mesh import Mesh
from supple.model.clips.driven import Driven
from supple.model.clips.making import file_script

POINTS, WEIGHTS = rigs.skin()
KNEE = np.flatnonzero(WEIGHTS[:, 1] == 1.0)


def driven(numbers: np.ndarray, up: str = "z") -> Driven:
    start = POINTS.astype(np.float64)[numbers]
    return Driven("leg", numbers.astype(np.int32), start, len(POINTS), 1.0, up)


def by_usd(path: Path, copy: Path) -> list[np.ndarray]:
    """Positions in the world, skinned by UsdSkel with its double transforms."""
    from pxr import Usd, UsdGeom, UsdSkel

    shutil.copy(path, copy)
    stage = Usd.Stage.Open(str(copy))
    cache, root = UsdSkel.Cache(), UsdSkel.Root(stage.GetPrimAtPath("/Root"))
    cache.Populate(root, Usd.PrimDefaultPredicate)
    query = cache.GetSkelQuery(UsdSkel.Skeleton(stage.GetPrimAtPath("/Root/Skel")))
    rest = np.array(UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Leg")).GetPointsAttr().Get(), dtype=np.float64)
    found = []
    for k in range(rigs.FRAMES):
        forms = np.array(query.ComputeSkinningTransforms(k + 1))
        world = np.array(UsdGeom.Xformable(root).ComputeLocalToWorldTransform(k + 1))
        mixed = sum(WEIGHTS[:, j, None].astype(np.float64) * applied(rest, forms[j]) for j in range(2))
        found.append(applied(mixed, world))
    return found


def baked_by_usd(path: Path, copy: Path) -> list[np.ndarray]:
    """Positions in the world, as UsdSkel bakes them in single precision."""
    from pxr import Usd, UsdGeom, UsdSkel

    shutil.copy(path, copy)
    stage = Usd.Stage.Open(str(copy))
    UsdSkel.BakeSkinning(stage.Traverse())
    leg = UsdGeom.Mesh(stage.GetPrimAtPath("/Root/Leg"))
    return [
        applied(
            np.array(leg.GetPointsAttr().Get(k + 1), dtype=np.float64),
            np.array(leg.ComputeLocalToWorldTransform(k + 1)),
        )
        for k in range(rigs.FRAMES)
    ]


def test_skinned_meshes_are_where_usd_has_them(tmp_path: Path) -> None:
    path = rigs.usd_rig(tmp_path / "rig.usda")
    clip, _ = read_clip(path)
    assert len(clip) == rigs.FRAMES
    np.testing.assert_allclose(clip.positions, by_usd(path, tmp_path / "b.usda"), rtol=0, atol=1e-12)
    np.testing.assert_allclose(clip.positions, baked_by_usd(path, tmp_path / "c.usda"), rtol=0, atol=1e-6)


@pytest.mark.parametrize("metres", [1.0, 0.01])
def test_weights_of_the_file_follow_to_the_last_digits(metres: float, tmp_path: Path) -> None:
    path = rigs.usd_rig(tmp_path / "rig.usda", metres)
    moves = sp.Moves(file=str(path), weights="file")
    script = file_script(moves, driven(np.arange(len(POINTS))), None, None)
    wanted = by_usd(path, tmp_path / "b.usda")
    for k in range(rigs.FRAMES):
        x = script.position(POINTS, k / rigs.FPS)
        np.testing.assert_allclose(
            x - script.offset, np.array(wanted[k]) * metres, rtol=0, atol=1e-7 if metres != 1 else 1e-10
        )
    assert np.abs(script.offset).max() < 1e-7


def test_one_joint_is_followed_rigidly_at_all_times(tmp_path: Path) -> None:
    path = rigs.usd_rig(tmp_path / "rig.usda")
    script = file_script(sp.Moves(file=str(path), joint="knee"), driven(KNEE), None, None)
    start = POINTS[KNEE].astype(np.float64)
    wanted = by_usd(path, tmp_path / "b.usda")
    for k in range(rigs.FRAMES):
        np.testing.assert_allclose(script.position(start, k / rigs.FPS), np.array(wanted[k])[KNEE], rtol=0, atol=1e-10)
    apart = np.linalg.norm(start[:, None] - start[None], axis=-1)
    eps = 1e-6
    for t in np.linspace(0.011, 0.35, 9).tolist():
        x = script.position(start, t)
        np.testing.assert_allclose(np.linalg.norm(x[:, None] - x[None], axis=-1), apart, rtol=0, atol=1e-7)
        slope = (script.position(start, t + eps) - script.position(start, t - eps)) / (2 * eps)
        np.testing.assert_allclose(script.velocity(start, t), slope, rtol=0, atol=1e-6)


def test_axes_are_turned_with_the_joints(tmp_path: Path) -> None:
    """A leg along z in a file with z up stands along y in a scene with y up."""
    path = rigs.usd_rig(tmp_path / "rig.usda")
    turned = POINTS.astype(np.float64)[:, [0, 2, 1]] * [1, 1, -1]
    group = Driven("leg", np.arange(len(POINTS), dtype=np.int32), turned, len(POINTS), 1.0, "y")
    script = file_script(sp.Moves(file=str(path), weights="file"), group, None, None)
    wanted = by_usd(path, tmp_path / "b.usda")
    for k in (0, 4, 9):
        np.testing.assert_allclose(
            script.position(turned, k / rigs.FPS), wanted[k][:, [0, 2, 1]] * [1, 1, -1], atol=1e-10
        )
    assert script.notes[0].startswith("rig.usda: 10 frames at 24 fps, 1 m per unit, z up -> y up")


def test_a_pose_that_is_not_that_of_the_skin_is_refused_or_eased_into(tmp_path: Path) -> None:
    path = str(rigs.usd_rig(tmp_path / "rig.usda", first=40.0))
    with pytest.raises(SuppleError, match=r"worst, vertex \d+, is 0\.\d+ m away.*lead_in = 1.0.*rest = \"first\""):
        file_script(sp.Moves(file=path, joint="knee"), driven(KNEE), None, None)
    start = POINTS[KNEE].astype(np.float64)
    eased = file_script(sp.Moves(file=path, joint="knee", lead_in=0.5), driven(KNEE), None, None)
    np.testing.assert_allclose(eased.position(start, 0.0), start, rtol=0, atol=1e-12)
    assert not eased.velocity(start, 0.0).any()
    wanted = by_usd(Path(path), tmp_path / "b.usda")
    for k in range(rigs.FRAMES):
        np.testing.assert_allclose(eased.position(start, 0.5 + k / rigs.FPS), wanted[k][KNEE], rtol=0, atol=1e-10)
    first = file_script(sp.Moves(file=path, joint="knee", rest="first"), driven(KNEE), None, None)
    np.testing.assert_allclose(first.position(start, 0.0), start, rtol=0, atol=1e-12)


@pytest.mark.parametrize("interpolation", ["LINEAR", "CUBICSPLINE", "STEP"])
def test_gltf_skins_turn_about_their_joints(interpolation: str, tmp_path: Path) -> None:
    path = rigs.glb_rig(tmp_path / "rig.glb", interpolation)
    clip, _ = read_clip(path)
    rig = read_rig(path, None, "leg")
    assert rig.joints == ("hip", "knee")
    assert rig.parents == (-1, 0)
    for k in range(rigs.FRAMES):
        at = int(np.abs(clip.times - k / rigs.FPS).argmin())
        a = 0.1 * k
        turn = np.array([[1, 0, 0], [0, np.cos(a), np.sin(a)], [0, -np.sin(a), np.cos(a)]])
        knee = (POINTS - [0, 0, 0.5]) @ turn + [0, 0, 0.5]
        wanted = WEIGHTS[:, :1] * POINTS + WEIGHTS[:, 1:] * knee
        np.testing.assert_allclose(clip.positions[at], wanted, rtol=0, atol=1e-6)


def test_gltf_joints_move_groups(tmp_path: Path) -> None:
    path = rigs.glb_rig(tmp_path / "rig.glb")
    for how in ({"joint": "knee"}, {"weights": "file"}):
        script = file_script(sp.Moves(file=str(path), **how), driven(KNEE, up="y"), None, None)
        clip, _ = read_clip(path)
        for k in range(rigs.FRAMES):
            x = script.position(POINTS[KNEE], float(clip.times[k]))
            np.testing.assert_allclose(x, clip.positions[k][KNEE], rtol=0, atol=1e-6)


def test_nearest_bones_are_followed(tmp_path: Path) -> None:
    path = rigs.usd_rig(tmp_path / "rig.usda")
    ends = np.flatnonzero((POINTS[:, 2] == 0.0) | (POINTS[:, 2] == 1.0))
    script = file_script(sp.Moves(file=str(path), weights="nearest"), driven(ends), None, None)
    wanted = by_usd(path, tmp_path / "b.usda")
    np.testing.assert_allclose(script.position(POINTS[ends], 9 / rigs.FPS), wanted[9][ends], rtol=0, atol=1e-10)


def test_blend_shapes_and_joints_of_a_subset_are_those_of_usd(tmp_path: Path) -> None:
    from pxr import Gf, Usd, UsdSkel, Vt

    path = rigs.usd_rig(tmp_path / "rig.usda")
    stage = Usd.Stage.Open(str(path))
    shape = UsdSkel.BlendShape.Define(stage, "/Root/Leg/bulge")
    shape.CreateOffsetsAttr(Vt.Vec3fArray([Gf.Vec3f(0.0, 0.1, 0.0)] * 4))
    shape.CreatePointIndicesAttr([3, 4, 5, 6])
    bound = UsdSkel.BindingAPI(stage.GetPrimAtPath("/Root/Leg"))
    bound.CreateBlendShapesAttr(["bulge"])
    bound.CreateBlendShapeTargetsRel().SetTargets(["/Root/Leg/bulge"])
    bound.CreateJointsAttr(["hip/knee", "hip"])  # another order than that of the skeleton
    bound.CreateJointIndicesPrimvar(False, 2).Set([1, 0] * len(POINTS))
    motion = UsdSkel.Animation(stage.GetPrimAtPath("/Root/Motion"))
    motion.CreateBlendShapesAttr(["bulge"])
    weights = motion.CreateBlendShapeWeightsAttr()
    for k in range(rigs.FRAMES):
        weights.Set([k / rigs.FRAMES], k + 1)
    stage.Save()
    del stage
    clip, _ = read_clip(path)
    np.testing.assert_allclose(clip.positions, baked_by_usd(path, tmp_path / "c.usda"), rtol=0, atol=1e-6)


def test_a_run_follows_its_skeleton(tmp_path: Path) -> None:
    path = rigs.usd_rig(tmp_path / "rig.usda")
    leg = Mesh(
        POINTS.astype(np.float64), edges=np.array([[k, k + 1] for k in range(len(POINTS) - 1)]), groups={"shin": KNEE}
    )
    body = sp.Body(
        leg, sp.HookeSpring(50.0), mass=1.0, motion=(sp.Motion(group="shin", file=str(path), weights="file"),)
    )
    model = sp.assemble(sp.World([body], up="z"))
    wanted = by_usd(path, tmp_path / "b.usda")
    for frame in sp.simulate(model, sp.AVF(), h=1 / 96, steps=36):
        if frame.step % 4 == 0:
            np.testing.assert_allclose(frame.state.x[KNEE], wanted[frame.step // 4][KNEE], rtol=0, atol=1e-10)
