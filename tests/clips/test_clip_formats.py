"""Every format returns the written data: positions, times, faces, units and axes."""

from pathlib import Path

import motion_files as files
import numpy as np
import pytest

from export.moving import FPS, FRAMES, film, surface_positions, write
from supple.clips.contents import contents
from supple.clips.reading import open_clip_file, read_clip
from supple.errors import SuppleError

X = files.bar().vertices


@pytest.mark.parametrize("name", files.WRITERS)
def test_positions_and_times_come_back(name: str, tmp_path: Path) -> None:
    moves = files.positions(X)
    path = files.WRITERS[name](tmp_path / name, moves)
    clip, jump = read_clip(path)
    assert not jump
    assert clip.n == len(X)
    np.testing.assert_allclose(clip.positions, moves, rtol=0, atol=1e-6)
    fps = None if clip.timed else files.FPS
    np.testing.assert_allclose(clip.seconds(fps), np.arange(files.FRAMES) / files.FPS, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("to", "part"), [("abc", "bar"), ("usd", "bar"), ("glb", "bar"), ("npz", "bar"), ("obj", "bar")]
)
def test_own_exports_come_back(to: str, part: str, tmp_path: Path) -> None:
    with film(tmp_path / "run") as source:
        made = write(source, to, tmp_path / "made").paths[0]
        path = made / "*.obj" if to == "obj" else made
        clip, _ = read_clip(path, part)
        rows = source.parts[0].vertices if to != "npz" else np.arange(clip.n)
        assert len(clip) == FRAMES
        for k in range(FRAMES):
            np.testing.assert_allclose(clip.frame(k), source.frame(k).x[rows], rtol=0, atol=1e-6)
        np.testing.assert_array_equal(
            clip.mesh().triangles, source.parts[0].faces if to != "npz" else clip.mesh().triangles
        )
        np.testing.assert_allclose(clip.seconds(FPS), np.arange(FRAMES) / FPS, rtol=0, atol=1e-6)
        with pytest.raises(SuppleError, match=r"has \d objects; choose one with object = \"...\": .*bar"):
            read_clip(path)
        with pytest.raises(SuppleError, match=r"unknown object 'bat'; did you mean '.*bar'\?"):
            read_clip(path, "bat")


@pytest.mark.parametrize("to", ["pc2", "mdd"])
def test_own_point_caches_come_back_with_the_faces_of_their_mesh(to: str, tmp_path: Path) -> None:
    with film(tmp_path / "run", only="bar") as source:
        clip, _ = read_clip(write(source, to, tmp_path / "made").paths[0])
        for k in range(FRAMES):
            np.testing.assert_array_equal(clip.frame(k), surface_positions(source, k, 0))
        np.testing.assert_array_equal(clip.mesh().triangles, source.parts[0].faces)
        assert isinstance(clip.positions, np.memmap)


def test_arrays_that_are_not_compressed_are_mapped(tmp_path: Path) -> None:
    moves = files.positions(X)
    assert isinstance(read_clip(files.npz(tmp_path / "a.npz", moves))[0].positions, np.memmap)
    np.savez_compressed(tmp_path / "b.npz", positions=moves, times=np.arange(len(moves)) / 24)
    np.testing.assert_array_equal(read_clip(tmp_path / "b.npz")[0].positions, moves)


def test_transforms_above_a_mesh_are_composed_in_usd(tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    path = files.usd(tmp_path / "walk.usda", X[None], name="/World/arm/walker")
    stage = Usd.Stage.Open(str(path))
    arm = UsdGeom.Xformable(UsdGeom.Xform.Define(stage, "/World/arm"))
    turn = arm.AddRotateYOp()
    turn.Set(0.0, 0)
    turn.Set(90.0, 24)  # sparse: a second without a key
    UsdGeom.Xformable(UsdGeom.Xform.Define(stage, "/World")).AddTranslateOp().Set((0.0, 2.0, 0.0))
    stage.Save()
    del stage
    clip, _ = read_clip(path)
    assert len(clip) == 25
    for k, t in enumerate(clip.times.tolist()):
        a = np.deg2rad(90.0 * t)
        R = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        np.testing.assert_allclose(clip.positions[k], X @ R.T + [0, 2, 0], rtol=0, atol=1e-6)


def test_transforms_above_a_mesh_are_composed_in_alembic(tmp_path: Path) -> None:
    moves = files.positions(X)
    path = files.abc(tmp_path / "walk.abc", moves, move=lambda k: np.array([0.1 * k, 0.0, 1.0]), faces=files.QUADS)
    clip, _ = read_clip(path, "walker")
    shifts = np.stack([[0.1 * k, 0.0, 1.0] for k in range(len(moves))])
    np.testing.assert_allclose(clip.positions, moves + shifts[:, None], rtol=0, atol=1e-6)
    assert clip.faces is not None
    np.testing.assert_array_equal(clip.faces.corners.reshape(-1, 4), files.QUADS)


def test_left_handed_faces_are_turned(tmp_path: Path) -> None:
    from pxr import Usd, UsdGeom

    path = files.usd(tmp_path / "walk.usda", X[None], faces=files.QUADS)
    stage = Usd.Stage.Open(str(path))
    UsdGeom.Mesh(stage.GetPrimAtPath("/World/walker")).CreateOrientationAttr("leftHanded")
    stage.Save()
    del stage
    clip, _ = read_clip(path)
    assert clip.faces is not None
    np.testing.assert_array_equal(clip.faces.corners.reshape(-1, 4), files.QUADS[:, ::-1])


def test_fps_comes_before_the_clock_of_a_file(tmp_path: Path) -> None:
    clip, _ = read_clip(files.npz(tmp_path / "walk.npz", files.positions(X)))
    np.testing.assert_allclose(clip.seconds(48.0), np.arange(files.FRAMES) / 48.0, rtol=0, atol=1e-12)


def test_contents_list_what_is_there(tmp_path: Path) -> None:
    found = contents(files.usd(tmp_path / "walk.usda", files.positions(X), up="Z", metres=0.01))
    assert (found.format, found.metres_per_unit, found.up) == ("USD", 0.01, "z")
    [walker] = found.objects
    assert (walker.name, walker.vertices, walker.frames, walker.fps) == ("/World/walker", len(X), files.FRAMES, 24)
    np.testing.assert_allclose(walker.high, X.max(axis=0), atol=1e-6)
    assert "12 frames, 24 fps" in "\n".join(found.lines())


def test_unknown_extensions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match=r"unknown extension '.abd'; did you mean '.abc'\?"):
        open_clip_file(tmp_path / "walk.abd")
