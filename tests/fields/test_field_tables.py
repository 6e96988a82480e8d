"""`[[field]]` in scenes: written down and read again, changed from the command line, resumed, refused, on the live page."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from schemas import scene_schema
from supple.errors import SceneError
from supple.model.fields.field import FIELDS
from supple.model.fields.region import FieldRegion
from supple.model.fields.wind import Wind
from supple.model.plain import scene_text
from supple.model.world import World
from supple.recording.folder import RunStatus
from supple.recording.history import read_history
from supple.runs.run import resume_run, start_run
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, parse_toml, read_scene
from supple.scene.text.override import apply

SCENE = """
[time]
step = 0.02
duration = 0.16
[[body]]
name = "sheet"
mesh = { shape = "cloth", cells = [3, 2], size = [1.2, 0.8], plane = "xy" }
material = { name = "stvk-spring", stretch = 300.0, shear = 100.0, bend = 5.0 }
mass = 0.3
pin = "left"
"""
KEYS = {"keys": [[0.0, 0.0], [0.1, 6.0]], "interpolation": "smooth"}
TABLES: dict[str, dict[str, Any]] = {
    "wind": {"strength": KEYS, "direction": [1, 0, 1], "gusts": 0.3, "seed": 4, "stop": 3.0, "fade": 0.1},
    "turbulence": {"size": 0.6, "seed": 3, "region": {"sphere": {"centre": [1, 0, 0], "radius": 2.0}, "edge": 0.3}},
    "vortex": {"strength": "6*t", "core": 0.4, "updraft": 2, "region": {"condition": "y < 3 and t < 9"}},
    "air": {"wind": [1, "sin(x + 3*t)", 0], "region": {"weight": "1 - x^2"}},
    "attractor": {"strength": "5 + t", "centre": [1, 0, 0.5], "to": "line", "range": 3.0, "per": "vertex"},
    "drag": {"linear": 0.4, "quadratic": 1.0, "region": {"box": [[0, 0, -1], [1, 1, 1]], "edge": 0.2}},
    "force": {"force": [1, "2*cos(5*t)", "z"], "region": {"plane": {"point": [0, 0, 0], "normal": [1, 0, 0]}}},
    "swirl": {"strength": 4.0, "axis": [0, 0, 1], "bodies": ["sheet"], "start": 0.05},
}


def scene(*tables: dict[str, Any], **more: Any) -> Scene:
    return read_scene({**tomllib.loads(SCENE), "field": list(tables), **more}, Path())


def every() -> list[dict[str, Any]]:
    return [{"name": name, **options} for name, options in TABLES.items()]


def finish(job: Any, steps: int) -> None:
    for frame in job.frames():
        if frame.step == steps:
            break
    job.save()
    assert job.finish(RunStatus.FINISHED) == []


def test_every_kind_is_here() -> None:
    assert set(TABLES) == set(FIELDS.load())


@pytest.mark.parametrize("name", TABLES)
def test_it_can_be_written_down_and_read_again(tmp_path: Path, name: str) -> None:
    one = scene({"name": name, **TABLES[name]})
    (tmp_path / "again.toml").write_text(dump_scene(one), encoding="utf-8")
    again = read_scene(parse_toml(tmp_path / "again.toml"), tmp_path)
    assert again == one
    assert again.make().world == one.make().world
    back = read_scene(tomllib.loads(scene_text(one.make().world, None, 0.02, 8)), tmp_path)
    assert back.make().world.fields == one.make().world.fields


def test_a_resumed_run_has_the_same_bits(tmp_path: Path) -> None:
    whole = scene(*every())
    finish(start_run(whole, tmp_path / "one"), 5)
    finish(start_run(whole, tmp_path / "two"), 3)
    (tmp_path / "two").rename(tmp_path / "moved")
    finish(resume_run(tmp_path / "moved", 5), 5)
    one, other = (read_history(tmp_path / name / "history.csv") for name in ("one", "moved"))
    assert {"work.field[4]", "work.field[6]", "work.field[7]"} <= set(one)
    for column in set(one) - {"wall_seconds"}:
        np.testing.assert_array_equal(one[column], other[column], err_msg=column)
    works = sum(one[f"work.field[{k}]"][-1] for k in (4, 6, 7))
    assert 0.0 < abs(works) < abs(one["external_work"][-1]) + 10.0


def test_overrides() -> None:
    data = {**tomllib.loads(SCENE), "field": every()}
    changed = apply(data, ["field[0].strength=3", "field[1].size=0.2", "field[2].name=wind", "field.3.strength=2*t"])
    assert changed["field"][0]["strength"] == 3
    assert changed["field"][1]["size"] == 0.2
    assert changed["field"][2]["name"] == "wind"
    assert "core" not in changed["field"][2]
    assert changed["field"][2]["strength"] == "6*t"
    wind = read_scene(changed, Path()).make().world.fields[0]
    assert wind == Wind(3, (1, 0, 1), 0.3, seed=4, stop=3.0, fade=0.1)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"name": "wnd"}, "field[0].name: unknown name 'wnd'; did you mean 'wind'?"),
        ({}, "field[0].name"),
        ({"name": "wind", "spead": 3}, "field[0].spead: unknown key"),
        ({"name": "wind", "strength": "6*x"}, "field[0].strength"),
        ({"name": "turbulence", "size": -1.0}, "field[0].size: input should be greater than 0, found -1"),
        ({"name": "vortex", "axis": [0, 0, 0]}, "field[0].axis: a direction must not be zero"),
        ({"name": "force"}, "field[0].force: missing"),
        ({"name": "force", "force": [1, "q", 0]}, "field[0].force[1]"),
        ({"name": "drag", "region": {"edge": 0.1}}, "a region needs exactly one of box, sphere"),
        ({"name": "wind", "start": 3.0, "stop": 1.0}, "wind: stop must be after start"),
    ],
)
def test_what_is_refused(table: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError) as caught:
        scene(table)
    assert any(message in problem for problem in caught.value.problems), caught.value.problems


def test_the_schema_has_the_words_of_every_kind() -> None:
    definitions = scene_schema()["$defs"]
    for cls in FIELDS.load().values():
        properties = definitions[cls.__name__]["properties"]
        assert {"bodies", "start", "stop", "fade"} <= set(properties)
        assert all("description" in entry for key, entry in properties.items() if key != "name"), cls.__name__
    assert set(FieldRegion.__dataclass_fields__) <= set(definitions["FieldRegion"]["properties"])


def test_the_live_page_keeps_fields() -> None:
    from supple.viewer.changed import as_scene, changed
    from supple.viewer.settings import settings_of

    one = scene(*every())
    setup = one.make()
    settings = replace(settings_of(setup), gravity=3.0)
    other = changed(setup, [p.mesh for p in setup.assemble().bodies], settings)
    assert other.world.fields == setup.world.fields
    assert as_scene(one, other).make().world.fields == setup.world.fields


def test_worlds_in_python_refuse_what_is_no_field() -> None:
    body = scene().make().world.bodies[0]
    with pytest.raises(Exception, match=r"fields\[0\]: found 3, which is not a ForceField"):
        World([body], fields=[3])
    assert World([body], fields=Wind()).fields == (Wind(),)


def test_an_infinite_energy_of_a_field_is_not_blamed_on_materials(tmp_path: Path) -> None:
    pull = {"name": "attractor", "power": 1e6, "centre": [0.1, 0.1, 0.3]}
    with pytest.raises(SceneError, match=r"comes from gravity, \[\[field\]\]"), np.errstate(all="ignore"):
        start_run(read_scene({**tomllib.loads(SCENE), "field": [pull]}, tmp_path), tmp_path / "out")
