"""Stages through the command: runs, copies that move with the folder, refusals."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from pxr import Gf, Usd, UsdGeom

import supple as sp
from supple.cli import main
from supple.errors import SuppleError
from supple.recording.history import read_history
from supple.recording.playback import open_animation
from written_stage import Written, put, rope_points, small_bar, small_cloth


def told(arguments: list[object], code: int, capsys: pytest.CaptureFixture[str]) -> str:
    """Output of a command with this exit code."""
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    said = capsys.readouterr()
    assert int(left.value.code or 0) == code, said.out + said.err
    return " ".join((said.out + said.err).split())


def falling(folder: Path) -> Path:
    """A block above the ground, as a reference from another file."""
    part = Written(folder / "part.usda")
    made = part.volume("/World/Jelly", small_bar())
    part.material(made, youngsModulus=2e4, poissonsRatio=0.4, density=1000, staticFriction=0.5)
    part.save()
    stage = Written(folder / "stage.usda")
    one = UsdGeom.Xform.Define(stage.stage, "/World/Copy")
    one.GetPrim().GetReferences().AddReference("./part.usda")
    one.GetPrim().SetInstanceable(True)
    one.AddTranslateOp().Set((0, 0.05, 0))
    stage.ground()
    return stage.save()


def test_a_run_goes_on_bit_for_bit_after_its_folder_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage = falling(tmp_path)
    stiffness = ["--set", "obstacle[0].stiffness=1e5"]  # one that is chosen depends on the duration
    told(["run", stage, *stiffness, "--out", tmp_path / "whole"], 0, capsys)
    text = told(["run", stage, *stiffness, "--steps", 7, "--out", tmp_path / "part"], 0, capsys)
    assert "attribute physics:staticFriction is ignored" in text
    assert "staticFriction" in (tmp_path / "part" / "log.txt").read_text()
    shutil.move(tmp_path / "part", tmp_path / "elsewhere")
    stage.unlink()
    (tmp_path / "part.usda").unlink()
    told(["run", "--resume", tmp_path / "elsewhere", "--steps", 12], 0, capsys)
    shutil.move(tmp_path / "elsewhere", tmp_path / "again")
    told(["run", "--resume", tmp_path / "again", "--steps", 18], 0, capsys)
    with (
        open_animation(tmp_path / "whole/animation.vtkhdf") as one,
        open_animation(tmp_path / "again/animation.vtkhdf") as two,
    ):
        assert len(one) == len(two) == 7
        for k in range(len(one)):
            np.testing.assert_array_equal(one.points(k), two.points(k))
    residual = read_history(tmp_path / "whole/history.csv")["residual"]
    assert np.abs(residual).max() < 1e-10


def test_a_cloth_pinned_to_a_rail_over_a_ball_that_rises(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage = Written(tmp_path / "cloth.usda")
    mesh = small_cloth()
    made = stage.surface("/World/Cloth", mesh)
    schema = "PhysicsSurfaceDeformableMaterialAPI"
    stage.material(made, schema, youngsModulus=1e5, density=300, dynamicFriction=0.3)
    UsdGeom.Xform.Define(stage.stage, "/World/Rail")
    corners = [0, mesh.n - 1]
    stage.attachment("/World/Pins", "/World/Cloth", "/World/Rail", indices0=corners)
    ball = stage.collider(UsdGeom.Sphere.Define(stage.stage, "/World/Ball"))
    ball.CreateRadiusAttr(0.08)
    x, _, z = mesh.vertices.mean(axis=0)
    move = ball.AddTranslateOp()
    for code in range(1, 8):
        move.Set((float(x), -0.2 + 0.02 * (code - 1), float(z)), Usd.TimeCode(code))
    told(["run", stage.save(), "--out", tmp_path / "run"], 0, capsys)
    run = sp.open_run(tmp_path / "run")
    x = run.positions
    np.testing.assert_allclose(x[:, corners], np.broadcast_to(x[0, corners], (7, 2, 3)))
    middle = x[:, mesh.n :].mean(axis=1)
    np.testing.assert_allclose(middle[:, 1] - middle[0, 1], 0.02 * np.arange(7), atol=1e-6)
    gaps = np.linalg.norm(x[-1, : mesh.n] - middle[-1], axis=1)
    assert gaps.min() > 0.078
    assert np.abs(run.history["residual"]).max() < 1e-8


def test_ropes_and_attached_bodies_run(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    rope = stage.curves("/World/Rope", rope_points())
    put(rope, "physics:thicknesses", "FloatArray", [0.01])
    stage.material(rope, "PhysicsCurvesDeformableMaterialAPI", youngsModulus=1e6)
    stage.volume("/World/Load", small_bar()).AddTranslateOp().Set((0.5, 0, 0))
    UsdGeom.Xform.Define(stage.stage, "/World/Hook")
    stage.attachment("/World/Pin", "/World/Rope", "/World/Hook", indices0=[0])
    stage.attachment(
        "/World/Knot", "/World/Rope", "/World/Load", type0="point", type1="point", indices0=[5], indices1=[0]
    )
    run = sp.run(str(stage.save()), out=tmp_path / "run", steps=12, progress=False)
    x = run.positions
    np.testing.assert_allclose(x[:, 0], 0.0, atol=1e-9)
    assert np.linalg.norm(x[-1, 5] - x[-1, 6]) < 1e-3
    assert x[-1, 5, 1] < -1e-3


def test_points_that_are_animated_move_an_obstacle(tmp_path: Path) -> None:
    stage = Written(tmp_path / "a.usda")
    stage.volume("/World/Jelly", small_bar()).AddTranslateOp().Set((0, 0.5, 0))
    mesh = small_cloth()
    flat = mesh.vertices
    wave = stage.surface("/World/Wave", mesh, ("PhysicsCollisionAPI",))
    for code in range(1, 8):
        moved = flat + np.array([0, 0.01 * (code - 1), 0])
        wave.GetPointsAttr().Set([Gf.Vec3f(*row) for row in moved.tolist()], Usd.TimeCode(code))
    file = stage.save()
    sp.run(str(file), out=tmp_path / "part", steps=8, progress=False)
    shutil.move(tmp_path / "part", tmp_path / "run")
    file.unlink()
    run = sp.resume(tmp_path / "run", steps=18, progress=False)
    heights = run.positions[:, 12:, 1].mean(axis=1)
    np.testing.assert_allclose(heights - heights[0], 0.01 * np.arange(7), atol=1e-6)
    assert (tmp_path / "run/files").is_dir()


def test_new_writes_the_scene_of_a_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stage = falling(tmp_path)
    (tmp_path / "scenes").mkdir()
    scene = tmp_path / "scenes/fall.toml"
    told(["new", scene, "--from", stage, "--no-check"], 0, capsys)
    text = scene.read_text()
    assert 'file = "../stage.usda"' in text
    assert "# stage: attribute physics:staticFriction is ignored" in text
    assert sp.load(scene).world == sp.load(stage).world
    assert "or omit the option" in told(["new", tmp_path / "b.toml", "--from", stage, "--scale", "2"], 2, capsys)
    model = Written(tmp_path / "model.usda", "Z")
    model.volume("/World/Bar", small_bar(), ())
    told(["new", tmp_path / "c.toml", "--from", model.save(), "--no-check"], 0, capsys)
    assert sp.load(tmp_path / "c.toml").world.up == "z"


def test_settings_change_a_stage(tmp_path: Path) -> None:
    setup = sp.load(falling(tmp_path), ["body[0].material.young=5e4", "time.duration=0.1"])
    assert setup.duration == 0.1
    assert setup.notes
    assert setup.world.bodies[0].material.moduli[0] == 5e4  # type: ignore[union-attr]


def test_a_setup_from_a_stage_runs(tmp_path: Path) -> None:
    run = sp.run(sp.load(falling(tmp_path)), out=tmp_path / "run", steps=2, progress=False)
    assert any("staticFriction" in line for line in run.log)


def broken(folder: Path, name: str) -> Path:
    """A stage with one error."""
    stage = Written(folder / "a.usda")
    if name == "no body":
        stage.surface("/World/Chair", small_cloth(), ())
        return stage.save()
    made = stage.volume("/World/Jelly", small_bar())
    if name == "nan":
        made.GetPointsAttr().Set([Gf.Vec3f(float("nan"), 0, 0)] * 12)
    elif name == "corner":
        made.GetTetVertexIndicesAttr().Set([(0, 1, 2, 99)])
    elif name == "empty":
        made.GetTetVertexIndicesAttr().Set([])
    elif name == "type":
        stage.surface("/World/Wrong", small_cloth(), ("PhysicsVolumeDeformableSimAPI",))
    elif name == "rest":
        put(made, "physics:restShapePoints", "Point3fArray", [Gf.Vec3f(0, 0, 0)])
    elif name == "poisson":
        stage.material(made, poissonsRatio=0.7)
    elif name == "young":
        stage.material(made, youngsModulus=-5.0)
    elif name == "pin":
        UsdGeom.Xform.Define(stage.stage, "/World/Wall")
        stage.attachment("/World/Pin", "/World/Jelly", "/World/Wall", indices0=[0, 12])
    elif name == "nowhere":
        stage.attachment("/World/Pin", "/World/Jelly", "/World/Nowhere", indices0=[0])
    elif name == "text":
        put(made, "supple:body", "String", "material = ")
    elif name == "key":
        put(made, "supple:body", "String", "colours = 3")
    elif name == "units":
        UsdGeom.SetStageMetersPerUnit(stage.stage, -1.0)
    elif name == "far":
        made.GetPointsAttr().Set([Gf.Vec3f(*(row + 1e9).tolist()) for row in small_bar().vertices])
    elif name == "kinematic":
        put(made, "physics:kinematicEnabled", "Bool", True)
    return stage.save()


WORDS = {
    "no body": "contains no deformable body, only 1 Xform (/World), 1 Mesh (/World/Chair)",
    "nan": "12 vertices with a NaN or infinite coordinate",
    "corner": "tetVertexIndices: has 1 wrong entries, the first is 99; they count from 0 to 11",
    "empty": "tetVertexIndices is empty",
    "type": "PhysicsVolumeDeformableSimAPI requires a TetMesh, found a Mesh",
    "rest": "restShapePoints has 1 points, points has 12",
    "poisson": "poissonsRatio is 0.7; it must be above -1",
    "young": "youngsModulus is -5; give a finite number above 0",
    "pin": "names element 12 of /World/Jelly, which has 12",
    "nowhere": "no prim '/World/Nowhere'",
    "text": "supple:body is not TOML",
    "key": "body[0].colours: unknown key; did you mean 'colour'?",
    "units": "metersPerUnit is -1",
    "far": "tets without volume",
    "kinematic": "all deformable bodies are kinematic",
}


@pytest.mark.parametrize("name", WORDS)
def test_wrong_stages_are_refused_and_nothing_is_written(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told(["run", broken(tmp_path, name), "--out", tmp_path / "run"], 2, capsys)
    assert WORDS[name] in text
    assert not (tmp_path / "run").exists()


def test_a_body_of_kilometres_is_remarked_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Metres that are taken for kilometres, as a stage without its unit has them."""
    stage = Written(tmp_path / "a.usda")
    stage.volume("/World/Jelly", small_bar().moved(1000.0 * small_bar().vertices))
    assert "is 400 m long" in told(["run", stage.save(), "--steps", 1, "--out", tmp_path / "run"], 0, capsys)


def test_a_stage_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SuppleError, match="no such file"):
        sp.load(tmp_path / "nothing.usda")
