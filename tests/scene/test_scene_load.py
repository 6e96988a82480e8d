"""Scenes load, keep their meaning through a dump, and report the place of an error."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import supple
from schemas import scene_schema
from supple.errors import SceneError
from supple.scene.tables.expect import Check
from supple.scene.text import shipped
from supple.scene.text.load import dump_scene, load_scene, parse_toml, read_scene, scene_hash
from supple.scene.text.shipped import shipped_folder

FULL = """
title = 'a "full" scene \u2713'
description = "two\\nlines"
[world]
up = "z"
gravity = [0, -1.5, 0]
[time]
step = "1/30"
[solver]
backend = "superlu"
[record]
fps = 24
[[body]]
name = "bar"
mesh = { shape = "bar", tets = 6 }
material = { name = "mooney-rivlin", c1 = 100, c2 = 20.5, bulk = 1e4 }
mass = 1
mass_distribution = "uniform"
pin = ["left", "odd name"]
initial = { twist = { axis = "x", rate = 0.78, centre = [0, 0.25, 0.25] }, velocity = ["X", 0.1, 2], spin = [0, 0, 1] }
[body.groups]
tip = { expression = "X > 3.9" }
"odd name" = { vertices = [1, 2] }
all = { box = [[0, 0, 0], [9, 9, 9]] }
[body.groups.round]
sphere = { centre = [0, 0, 0], radius = 1 }
[body.groups.half]
plane = { point = [1, 0, 0], normal = [1, 1, 0] }
[[body.motion]]
group = "tip"
keyframes = [{ time = 0, offset = [0, 0, 0] }, { time = 1, offset = [0, 1, 0] }]
interpolation = "smooth"
[[body.motion]]
group = "half"
rotate = { axis = [1, 0, 0], centre = [0, 0, 0], rate = 3 }
stop = 0.5
[[body]]
mesh = { shape = "cloth" }
material = { name = "stvk-spring", stretch = 200 }
initial = { position = ["X", "Y + 1", 0.5] }
[expect.kept]
column = "total"
at = "drift"
below = 1e-11
[expect.swings]
swing = { group = "tip", body = "bar" }
above = 0.98
below = 1.02
"""


@pytest.fixture
def full(tmp_path: Path) -> Path:
    file = tmp_path / "full.toml"
    file.write_text(FULL, encoding="utf-8")
    return file


def test_round_trip(full: Path, tmp_path: Path) -> None:
    scene = load_scene(full)
    again = tmp_path / "elsewhere" / "again.toml"
    again.parent.mkdir()
    again.write_text(dump_scene(scene), encoding="utf-8")
    reloaded = load_scene(again)
    assert reloaded == scene
    assert dump_scene(reloaded) == dump_scene(scene)
    assert scene_hash(reloaded) == scene_hash(scene)
    assert scene.source == str(full)
    assert scene.folder == tmp_path


def test_values(full: Path) -> None:
    scene = load_scene(str(full))
    bar, cloth = scene.body
    assert scene.time.step == 1 / 30
    assert scene.time.steps == 30
    assert scene.make().world.acceleration == (0.0, -1.5, 0.0)
    assert scene.integrator.made_from.name == "avf"
    assert scene.solver.make().backend == "superlu"
    assert (scene.record.every, scene.record.fps, scene.record.checkpoint_seconds) == (None, 24.0, 5.0)
    assert (bar.name, bar.density, bar.mass) == ("bar", None, 1.0)
    assert (cloth.name, cloth.density, cloth.mass) == ("body1", 1000.0, None)
    springs = cloth.material.make()
    assert (springs.stretch, springs.diagonal, springs.bend) == (200.0, 200.0, 0.0)
    assert bar.material.make().c2 == 20.5
    assert bar.mesh.make().tets == 6
    assert cloth.initial.position == ("X", "Y + 1", 0.5)


def test_defaults(plain: dict[str, Any], tmp_path: Path) -> None:
    del plain["integrator"], plain["time"]["duration"]
    scene = read_scene(plain, tmp_path)
    assert scene.integrator.made_from.name == "avf"
    assert scene.time.duration == 1.0
    assert scene.record.every == 1
    assert scene.body[0].pin == ("left",)
    assert scene.body[0].name == "body0"
    assert scene.make().world.acceleration == (0.0, -9.81, 0.0)
    turned = read_scene({**plain, "world": {"up": "z", "gravity": 2}}, tmp_path)
    assert turned.make().world.acceleration == (0.0, 0.0, -2.0)


def test_young_and_poisson(plain: dict[str, Any], tmp_path: Path) -> None:
    material = read_scene(plain, tmp_path).body[0].material.make()
    assert material.mu == pytest.approx(1e5 / 2.6)


def test_options_without_a_name_belong_to_the_default(plain: dict[str, Any], tmp_path: Path) -> None:
    plain["integrator"] = {}
    assert read_scene(plain, tmp_path).integrator.made_from.name == "avf"


def test_hash_sees_physics_only(plain: dict[str, Any], tmp_path: Path) -> None:
    first = scene_hash(read_scene(plain, tmp_path))
    assert scene_hash(read_scene(plain, tmp_path, "other", ["title=other"])) == first
    assert scene_hash(read_scene(plain, tmp_path, "", ["time.step=0.01"])) != first


def test_mesh_files_are_found_from_the_scene(plain: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "ball.msh").touch()
    plain["body"][0]["mesh"] = {"file": "ball.msh"}
    scene = read_scene(plain, tmp_path)
    assert scene.body[0].mesh.file == str(tmp_path / "ball.msh")
    assert plain["body"][0]["mesh"]["file"] == "ball.msh"
    plain["body"][0]["mesh"] = {"file": "bal.msh", "scale": 0}
    with pytest.raises(SceneError) as caught:
        read_scene(plain, tmp_path)
    scale, missing = caught.value.problems
    assert scale == "body[0].mesh.scale: input should be greater than 0, found 0"
    assert missing.startswith('body[0].mesh.file: no such file, found "bal.msh", resolved to ')


def test_a_broken_file_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "broken.toml"
    file.write_text('title = "x"\n[time]\nstep 0.1\n')
    with pytest.raises(SceneError, match=r"broken\.toml: not TOML: .*line 3.*: step 0\.1"):
        load_scene(file)
    file.write_text('title = "x')
    with pytest.raises(SceneError, match="not TOML"):
        load_scene(file)
    file.write_text("")
    assert parse_toml(file) == {}
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene(file)
    with pytest.raises(SceneError, match="cannot be read"):
        load_scene(tmp_path)
    with pytest.raises(SceneError, match=r"no such scene file; `supple scenes` lists"):
        load_scene(tmp_path / "none.toml")


def test_shipped_by_name(full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "shipped_folder", lambda: tmp_path)
    assert load_scene("full").source == "full"
    message = "unknown scene 'ful'; did you mean 'full'? known: full; for a file give its path: ./ful.toml"
    with pytest.raises(SceneError, match=re.escape(message)):
        load_scene("ful")


def test_shipped_folder_in_a_checkout_and_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(__file__).parents[2]
    assert shipped_folder() == root / "scenes"
    package = tmp_path / "site" / "packages" / "supple"
    package.mkdir(parents=True)
    monkeypatch.setattr(supple, "__file__", str(package / "__init__.py"))
    with pytest.raises(SceneError, match="shipped scenes are missing"):
        shipped_folder()
    (package / "scenes").mkdir()
    assert shipped_folder() == package / "scenes"


def test_json_schema() -> None:
    schema = scene_schema()
    assert "newmark" in schema["properties"]["integrator"]["discriminator"]["mapping"]
    assert schema["required"] == ["time", "body"]
    assert schema["additionalProperties"] is False
    bar = schema["$defs"]["Bar"]["properties"]
    assert bar["size"]["description"].endswith("[m].")
    assert bar["size"]["prefixItems"][0] == {"exclusiveMinimum": 0, "type": "number"}
    assert schema["$defs"]["HookeSpring"]["required"] == ["name"]


def test_checks_measure() -> None:
    near = Check(column="total", value=2, relative=0.1)
    assert near.bounds == pytest.approx((1.8, 2.2))
    assert near.passes(2.1)
    assert not near.passes(2.3)
    drift = Check(column="total", at="drift", below=1e-11)
    assert drift.passes(0.0)
    assert not drift.passes(float("nan"))
    assert Check(column="px", value=0, absolute=1e-3).passes(-1e-3)


def test_toml_parses_the_dump(full: Path) -> None:
    data = tomllib.loads(dump_scene(load_scene(full)))
    assert data["title"] == 'a "full" scene \u2713'
    assert data["description"] == "two\nlines"
    assert data["body"][0]["groups"]["odd name"] == {"vertices": [1, 2]}
    assert [m["group"] for m in data["body"][0]["motion"]] == ["tip", "half"]
