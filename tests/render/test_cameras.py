"""Cameras: their texts and refusals, where points land, turntables, and cameras of USD and glTF files."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from render_runs import box, colourful, draw, record, shot_of

from supple.cli import main
from supple.errors import SuppleError
from supple.render.camera import CAMERAS, Camera, View
from supple.render.cameras.file_camera import FileCamera, turn_of_up
from supple.render.cameras.placed import PlacedCamera
from supple.render.cameras.reading import read_camera
from supple.render.cameras.turntable import Turntable
from supple.render.looks.direction import Direction

POINTS = np.array([[-1.0, -1, -1], [1, 1, 1]])


def test_texts_of_cameras():
    assert read_camera("orbit:30,-20") == Camera(30, -20)
    assert read_camera("orbit:30,20,2") == Camera(30, 20, 0.5)
    assert read_camera("at=1,2,3 to=0,0.5,0 fov=35") == PlacedCamera((1, 2, 3), (0, 0.5, 0), 35)
    assert read_camera("fov=35  at=1,2,3") == PlacedCamera((1, 2, 3), None, 35)
    assert read_camera("shots/a.usda") == FileCamera(Path("shots/a.usda"))
    assert read_camera("shots/a.usda:/world/cam") == FileCamera(Path("shots/a.usda"), "/world/cam")
    assert read_camera("a.glb:hero:left") == FileCamera(Path("a.glb"), "hero:left")
    assert read_camera(Camera(1, 2)) == Camera(1, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("orbit:30", "orbit:azimuth,elevation"),
        ("orbit:30,20,0", "distance factor must be above 0"),
        ("orbit:30,95", "elevation"),
        ("at=1,2", "3 numbers"),
        ("at=1,2,x", "3 numbers"),
        ("at=1,2,inf", "3 numbers"),
        ("at=1,2,3 at=1,2,3", "twice"),
        ("at=1,2,3 fo=35", "did you mean 'fov'"),
        ("at=1,2,3 35", "'35'"),
        ("to=1,2,3", "without a position"),
        ("at=1,2,3 fov=180", "below 180"),
        ("shot.usda:", "without a camera"),
    ],
)
def test_refused_texts(text, said):
    with pytest.raises(SuppleError, match="--camera") as found:
        read_camera(text)
    assert said in str(found.value)


def test_a_camera_at_its_own_target():
    with pytest.raises(SuppleError, match="position and target are both"):
        PlacedCamera((1, 2, 3), (1, 2, 3)).aim("y", POINTS, 100, 100)


def test_a_known_point_lands_on_the_known_pixel():
    # 4 m before the eye, 1 m to its right and 0.5 m up, with a slope of 1 at the upper edge
    view = PlacedCamera((0, 0, 4), (0, 0, 0), 90).aim("y", POINTS, 400, 200)
    pixels, depth = view.project(np.array([[1.0, 0.5, 0.0]]))
    np.testing.assert_allclose(pixels, [[200 + 100 / 4, 100 - 50 / 4]])
    np.testing.assert_allclose(depth, [4])
    side = PlacedCamera((5, 0, 0), (0, 0, 0), 90).aim("z", POINTS, 200, 200)
    np.testing.assert_allclose(side.project(np.array([[0.0, 1.0, 0.0]]))[0], [[100 + 100 / 5, 100]])


def test_a_shifted_lens_moves_the_picture():
    plain = PlacedCamera((0, 0, 4), (0, 0, 0), 90).aim("y", POINTS, 400, 200)
    shifted = View(400, 200, plain.axes, plain.centre, plain.distance, 45.0, (0.1, -0.2))
    moved = shifted.project(POINTS)[0] - plain.project(POINTS)[0]
    np.testing.assert_allclose(moved, [[-10, -20], [-10, -20]])
    ray = shifted.rays()[100 - 1, 200]
    np.testing.assert_allclose(ray @ shifted.axes.T, [0.1 + 0.005, -0.2 + 0.005, -1])


@pytest.mark.parametrize("shift", [(0.0, 0.0), (0.12, -0.07)])
def test_renderers_agree_with_the_projection(tmp_path, renderer, shift):
    from dataclasses import replace

    shot = shot_of(record(tmp_path / "run"), camera=PlacedCamera((3, 2, 4), (0.5, 0.5, 0.5), 40), colour="none")
    shot = replace(shot, view=replace(shot.view, shift=shift))
    body = colourful(draw(shot, 0.0, renderer))
    body[:40, :80] = False
    rows, columns = np.nonzero(body)
    corners = shot.view.project(box().vertices)[0]
    np.testing.assert_allclose([columns.min(), rows.min()], corners.min(axis=0), atol=2)
    np.testing.assert_allclose([columns.max(), rows.max()], corners.max(axis=0), atol=2)


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_a_turntable_is_an_orbit(up):
    first = Camera(20, 15).aim(up, POINTS, 100, 100)
    quarter = Turntable(8.0, 1.0, up, np.zeros(3)).view(first, 3.0)
    np.testing.assert_allclose(quarter.axes, Camera(110, 15).axes(up), atol=1e-12)
    again = Turntable(8.0, 1.0, up, np.zeros(3)).view(first, 9.0)
    np.testing.assert_allclose(again.eye, first.eye, atol=1e-12)


def test_turntables_show_all_from_all_sides_and_the_light_goes_with_them(tmp_path, renderer):
    from supple.recording.film import open_film
    from supple.recording.folder import RunFolder
    from supple.render.shot import make_shot

    run = record(tmp_path / "run", 6, move=4.0)
    with open_film(RunFolder.open(run)) as film:
        direction = Direction(period=2.0, frozen=0.5)
        shot = make_shot([run], [film], np.array([0.5]), (160, 90), CAMERAS["iso"], "none", direction=direction)
    for t in np.linspace(0.5, 2.5, 9):
        now = shot.at(float(t))
        pixels, _ = now.view.project(box().vertices + np.array([2.0, 0, 0]))
        assert (pixels > 0).all()
        assert (pixels < [160, 90]).all()
        np.testing.assert_allclose(now.light @ now.view.axes.T, shot.light @ shot.view.axes.T, atol=1e-12)
    pictures = [draw(shot, t, renderer).astype(int) for t in (0.5, 0.75, 2.5)]
    assert np.abs(pictures[0] - pictures[1]).max() > 40
    assert np.abs(pictures[0] - pictures[2]).max() <= 2  # but for rounding, a turn later


def _lens(stage, path: str):
    from pxr import Gf, UsdGeom

    camera = UsdGeom.Camera.Define(stage, path)
    camera.CreateHorizontalApertureAttr(36.0)
    camera.CreateVerticalApertureAttr(24.0)
    place = camera.AddTranslateOp()
    camera.AddRotateYOp().Set(90.0)
    place.Set(Gf.Vec3d(400, 0, 0), 1)
    place.Set(Gf.Vec3d(800, 0, 0), 25)
    camera.CreateFocalLengthAttr().Set(24.0, 1)
    camera.GetFocalLengthAttr().Set(48.0, 25)
    return camera


def _stage(file: Path, up: str = "Y"):
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.CreateNew(str(file))
    UsdGeom.SetStageUpAxis(stage, up)
    UsdGeom.SetStageMetersPerUnit(stage, 0.01)
    stage.SetTimeCodesPerSecond(24)
    stage.SetStartTimeCode(1)
    stage.SetEndTimeCode(25)
    return stage


def test_a_camera_of_a_usd_stage(tmp_path):
    stage = _stage(tmp_path / "shot.usda")
    _lens(stage, "/world/cam")
    stage.Save()
    track = FileCamera(tmp_path / "shot.usda").track("y", [0.0, 0.25, 0.5, 2.0], POINTS)
    for t, x, slope in ((0.0, 4.0, 0.5), (0.25, 5.0, 12 / 30), (0.5, 6.0, 12 / 36), (2.0, 8.0, 0.25)):
        pose = track.pose(t)
        np.testing.assert_allclose(pose.eye, [x, 0, 0], atol=1e-6)
        np.testing.assert_allclose(pose.axes, [[0, 0, -1], [0, 1, 0], [1, 0, 0]], atol=1e-6)
        assert pose.slope == pytest.approx(slope, abs=1e-6)
    view = track.view(View(300, 200, np.eye(3), np.zeros(3), 1.0), 0.0)
    np.testing.assert_allclose(view.eye, [4, 0, 0], atol=1e-6)
    np.testing.assert_allclose(view.project(np.array([[0.0, 1, 1]]))[0], [[150 - 50, 100 - 50]], atol=1e-4)
    # a narrower picture shows everything that the camera frames
    narrow = track.view(View(200, 200, np.eye(3), np.zeros(3), 1.0), 0.0)
    assert np.tan(np.radians(narrow.half_angle)) == pytest.approx(0.5 * 1.5)


def test_axes_of_a_stage_are_turned(tmp_path):
    stage = _stage(tmp_path / "shot.usda", "Z")
    _lens(stage, "/world/cam").AddRotateXOp().Set(0.0)
    stage.Save()
    pose = FileCamera(tmp_path / "shot.usda", "cam").track("y", [0.0], POINTS).pose(0.0)
    # the camera's own y was along y, which points backwards where y is up
    np.testing.assert_allclose(pose.eye, [4, 0, 0], atol=1e-6)
    np.testing.assert_allclose(pose.axes[1], [0, 0, -1], atol=1e-6)
    for old in "xyz":
        for new in "xyz":
            turn = turn_of_up(old, new)
            np.testing.assert_array_equal(turn @ np.eye(3)["xyz".index(old)], np.eye(3)["xyz".index(new)])
            assert np.linalg.det(turn) == pytest.approx(1)


def test_stages_that_are_refused(tmp_path):
    from pxr import UsdGeom

    stage = _stage(tmp_path / "none.usda")
    stage.Save()
    two = _stage(tmp_path / "two.usda")
    _lens(two, "/a/cam")
    UsdGeom.Camera.Define(two, "/b/cam").CreateProjectionAttr("orthographic")
    two.Save()
    (tmp_path / "broken.usda").write_text("no stage")
    for text, said in (
        ("none.usda", "contains no camera"),
        ("two.usda", "has 2 cameras (/a/cam, /b/cam)"),
        ("two.usda:cam", "several cameras 'cam'"),
        ("two.usda:/a/cma", "did you mean '/a/cam'"),
        ("two.usda:/b/cam", "orthographic"),
        ("broken.usda", "cannot be read as USD"),
        ("missing.usda", "no such file"),
        ("missing.glb", "no such file"),
    ):
        camera = read_camera(str(tmp_path / text))
        with pytest.raises(SuppleError, match="--camera") as found:
            camera.aim("y", POINTS, 100, 100)
        assert said in str(found.value)


def _gltf(file: Path, **more) -> None:
    """A camera below a node that moves, with keys at 0 and 2 s."""
    arrays = [
        np.array([0.0, 2.0]), np.array([[0.0, 0, 0], [4, 0, 0]]),
        np.array([[0, 0, 0, 1], [0, np.sin(np.pi / 4), 0, np.cos(np.pi / 4)]]),
    ]  # fmt: skip
    data = [a.astype("<f4").tobytes() for a in arrays]
    starts = np.cumsum([0, *(len(d) for d in data)])
    document = {
        "asset": {"version": "2.0"},
        "cameras": [{"type": "perspective", "perspective": {"yfov": 2 * float(np.arctan(0.5)), "znear": 0.1}}],
        "nodes": [
            {"name": "dolly", "children": [1], "scale": [2, 2, 2]},
            {"name": "cam", "camera": 0, "translation": [0, 0, 3]},
        ],
        "animations": [{
            "channels": [
                {"sampler": k, "target": {"node": 0, "path": path}} for k, path in enumerate(("translation", "rotation"))
            ],
            "samplers": [{"input": 0, "output": k + 1} for k in range(2)],
        }],
        "buffers": [{"byteLength": int(starts[-1]), "uri": "data:;base64," + base64.b64encode(b"".join(data)).decode()}],
        "bufferViews": [
            {"buffer": 0, "byteOffset": int(starts[k]), "byteLength": len(d)} for k, d in enumerate(data)
        ],
        "accessors": [
            {"bufferView": k, "componentType": 5126, "count": 2, "type": kind}
            for k, kind in enumerate(("SCALAR", "VEC3", "VEC4"))
        ],
    } | more  # fmt: skip
    file.write_text(json.dumps(document))


def test_a_camera_of_a_gltf_file(tmp_path):
    _gltf(tmp_path / "shot.gltf")
    track = FileCamera(tmp_path / "shot.gltf", "cam").track("y", [0.0, 1.0, 2.0, 3.0], POINTS)
    for t, angle, x in ((0.0, 0.0, 0.0), (1.0, np.pi / 4, 2.0), (2.0, np.pi / 2, 4.0), (3.0, np.pi / 2, 4.0)):
        pose = track.pose(t)
        towards = np.array([np.sin(angle), 0, np.cos(angle)])
        np.testing.assert_allclose(pose.eye, np.array([x, 0, 0]) + 6 * towards, atol=1e-6)
        np.testing.assert_allclose(pose.axes[2], towards, atol=1e-6)
        np.testing.assert_allclose(pose.axes @ pose.axes.T, np.eye(3), atol=1e-6)
        assert pose.slope == pytest.approx(0.5, abs=1e-6)
    turned = FileCamera(tmp_path / "shot.gltf").track("z", [0.0], POINTS).pose(0.0)
    np.testing.assert_allclose(turned.eye, [0, -6, 0], atol=1e-6)


def test_gltf_files_that_are_refused(tmp_path):
    _gltf(tmp_path / "flat.gltf", cameras=[{"type": "orthographic", "orthographic": {}}])
    _gltf(tmp_path / "none.gltf", nodes=[{"name": "dolly"}, {"name": "cam"}])
    _gltf(tmp_path / "ring.gltf", nodes=[{"children": [1]}, {"camera": 0, "children": [0]}])
    _gltf(tmp_path / "holes.gltf", buffers=[{"byteLength": 4, "uri": "data:;base64,AAAAAA=="}])
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    for name, said in (
        ("flat.gltf", "not a perspective camera"),
        ("none.gltf", "contains no camera"),
        ("ring.gltf", "children of themselves"),
        ("holes.gltf", "cannot be read"),
        ("broken.glb", "cannot be read as glTF"),
    ):
        with pytest.raises(SuppleError, match="--camera") as found:
            FileCamera(tmp_path / name).aim("y", POINTS, 100, 100)
        assert said in str(found.value)


def _supple(*words: object, code: int = 0) -> None:
    with pytest.raises(SystemExit) as left:
        main(["render", *map(str, words)])
    assert int(left.value.code or 0) == code


def test_films_with_moving_cameras(tmp_path, monkeypatch, capsys):
    from PIL import Image

    monkeypatch.chdir(tmp_path)
    run = record(Path("run"), 6)
    _gltf(tmp_path / "shot.gltf")
    small = ("--renderer", "plain", "--size", "96x64", "--workers", 1, "--fps", 10)
    _supple(run, "--to", "track.gif", "--camera", "shot.gltf", *small)
    _supple(run, "--to", "turn.gif", "--turntable", 1, *small)
    _supple(run, "--to", "still.gif", "--turntable", 0.8, "--time", 0.5, *small)
    for name, frames in (("track.gif", 6), ("turn.gif", 6), ("still.gif", 8)):
        with Image.open(name) as film:
            assert film.n_frames == frames
            first = np.asarray(film.convert("RGB")).astype(int)
            film.seek(frames // 2)
            assert np.abs(first - np.asarray(film.convert("RGB"))).max() > 40
    capsys.readouterr()
    for words, said in (
        (("--to", "a.png", "--turntable", 2), "applies to films"),
        (("--to", "a.gif", "--turntable", 0), "above 0"),
        (("--to", "a.gif", "--turntable", 2, "--camera", "shot.gltf"), "its own motion"),
        (("--to", "a.gif", "--turntable", 2, "--time", "0,0.1"), "one moment"),
        (("--to", "a.gif", "--turntable", 2, "--time", 0, "--stop", 0.2), "omit one of them"),
        (("--to", "a.gif", "--camera", "at=1,2"), "3 numbers"),
    ):
        _supple(run, *words, code=2)
        assert said in capsys.readouterr().err
        assert not Path("a.gif").exists()
