"""The extension inside Blender: eight cases that are played without a window, each judged by what Blender then shows."""

import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest
from blender_python import needs_blender, played

from supple.cli import main
from supple.recording.film import open_film
from supple.recording.folder import RunFolder

pytestmark = needs_blender


def recorded(run: Path, body: str) -> np.ndarray:
    """(frames, n, 3) positions that supple recorded."""
    with open_film(RunFolder.open(run)) as film:
        part = next(part for part in film.parts if part.name == body)
        first, end = part.span
        return np.stack([film.frame(k).x[first:end] for k in range(len(film))]).astype(float)


def moved(x: np.ndarray) -> float:
    """How far a vertex goes at most [m]."""
    return float(np.abs(x - x[0]).max())


def test_a_rigged_character_with_a_soft_belly_and_a_cloth(home: Path, tmp_path: Path) -> None:
    found = played(home, "character", tmp_path)
    assert found["done"] == "{'FINISHED'}", found["report"]
    assert found["untouched"].all()
    assert found["order"].tolist() == ["ARMATURE", "MESH_CACHE", "MESH_CACHE", "SUBSURF"]
    body, rig, belly = found["Body"], found["Body.rig"], found["belly"]
    assert moved(rig) > 0.1
    np.testing.assert_allclose(body[:, ~belly], rig[:, ~belly], atol=1e-6)
    assert np.abs(body[:, belly] - rig[:, belly]).max() > 1e-3
    cloth = found["Cloth"]
    np.testing.assert_allclose(cloth, recorded(tmp_path / "work" / "run", "Cloth"), atol=1e-6)
    assert moved(cloth) > 0.05
    assert cloth[-1, :, 2].max() > 0.7  # the rest of the fall is taken up by the shoulders


def test_an_animated_collider_and_pins_below_a_parent(home: Path, tmp_path: Path) -> None:
    """Lengths of Blender are centimetres here."""
    found = played(home, "collider", tmp_path)
    assert found["done"] == "{'FINISHED'}", found["report"]
    cloth, rig = found["Cloth"], found["Cloth.rig"]
    np.testing.assert_allclose(cloth[:, [0, 6]], rig[:, [0, 6]], atol=1e-4)  # 1e-6 m
    np.testing.assert_allclose(cloth, 100.0 * recorded(tmp_path / "work" / "run", "Cloth"), atol=1e-4)
    ball = recorded(tmp_path / "work" / "run", "Ball")
    np.testing.assert_allclose(found["Ball"], 100.0 * ball, atol=1e-4)
    assert moved(ball) > 0.05
    centre = found["Ball"].mean(axis=1)
    away = np.linalg.norm(cloth - centre[:, None], axis=2).min(axis=1)
    assert (away > 14.0).all()
    assert away[-1] < 25.0


def test_a_cancelled_run_is_resumed(home: Path, tmp_path: Path) -> None:
    found = played(home, "cancelled", tmp_path)
    stopped, resumable, resumed, report = found["words"].tolist()
    assert stopped.startswith("cancelled: ")
    assert (resumable, resumed) == ("True", "{'FINISHED'}")
    assert report.startswith("finished: 25 frames")
    frames = int(found["frames"])
    assert 1 <= frames < 25
    assert len(found["times"]) >= 3
    np.testing.assert_array_equal(found["part"][:frames], found["whole"][:frames])
    np.testing.assert_array_equal(
        found["part"][frames:], np.broadcast_to(found["part"][frames - 1], found["part"][frames:].shape)
    )
    np.testing.assert_array_equal(found["whole"], found["never"])


def test_a_run_again_and_after_a_change(home: Path, tmp_path: Path) -> None:
    found = played(home, "rerun", tmp_path)
    words = found["words"].tolist()
    assert words[:4] == ["{'FINISHED'}"] * 4
    assert "its cache is baked; press Clear" in words[4]
    assert words[5] == "{'FINISHED'}"
    np.testing.assert_array_equal(found["first"], found["again"])
    assert np.abs(found["stiff"] - found["first"]).max() > 1e-4
    np.testing.assert_array_equal(found["baked"], found["stiff"])
    assert found["cache"] == "//supple/baked/shot-Scene-Jelly.pc2"
    assert found["kept"].all()


def test_an_open_body_in_parts_goes_into_a_cage(home: Path, tmp_path: Path) -> None:
    found = played(home, "cage", tmp_path)
    assert found["done"] == "{'FINISHED'}", found["report"]
    pile = found["Pile"]
    assert pile.shape == (5, 16, 3)
    np.testing.assert_allclose(pile[0], found["Pile.rig"][0], atol=1e-6)
    still = pile[0, :, 2] == 0.0
    np.testing.assert_allclose(pile[:, still], np.broadcast_to(pile[0, still], pile[:, still].shape), atol=1e-6)
    assert moved(pile) > 0.01


REASONS = {
    "loose_vertex": "Cloth: 1 loose vertices, the first is 9",
    "no_faces": "Wire: a shell needs faces, found none",
    "open_solid": "Bowl: tetrahedra need a closed surface, but 3 edges do not join two faces",
    "lost_group": "Cloth: no vertex group 'hands' for the pins",
    "changing_count": "Cloth: 4 vertices at frame 2",
    "inside_obstacle": "'Cloth' and 'Ball' intersect at the start",
    "nothing": "no object has the role",
}


def test_wrong_meshes_are_refused(home: Path, tmp_path: Path) -> None:
    found = played(home, "wrong_mesh", tmp_path)
    for case, reason in REASONS.items():
        raised, report, same = found[case].tolist()
        assert reason in report, case
        assert report in raised
        assert same == "True", case


def test_the_simulator_is_found_or_missed(home: Path, tmp_path: Path) -> None:
    found = played(home, "environment", tmp_path)
    checked, report, lost, offline, failed, left, missing = found["words"].tolist()
    assert (checked, left) == ("{'FINISHED'}", "False")
    assert sys.executable in report
    assert f"no Python at {tmp_path}/nowhere/python" in lost
    assert "online access is off" in offline
    assert f"{tmp_path}/empty" in failed
    assert "supple is not installed: press Install" in missing


def test_settings_are_saved(home: Path, tmp_path: Path) -> None:
    found = played(home, "saved", tmp_path)
    done, path, report = found["words"].tolist()
    assert done == "{'FINISHED'}", report
    assert found["same"].all()
    assert path == "//supple/kept-Scene/cache/Sheet.pc2"
    assert report.startswith("finished: 4 frames")
    np.testing.assert_array_equal(found["after"], found["before"])
    assert moved(found["before"]) > 1e-3


CENTRE = [0.0, 0.0, 2.0]
FIELDS: dict[str, dict] = {
    "wind": {},
    "turbulence": {"strength": 0.5, "size": 0.75, "seed": 7},
    "vortex": {"strength": 0.25, "core": 0.5, "centre": CENTRE, "axis": [0.0, 0.0, 1.0]},
    "attractor": {"strength": 2.0, "power": 1.0, "range": 3.0, "centre": CENTRE},
    "drag": {"linear": 0.5, "quadratic": 0.25, "region": {"sphere": {"centre": CENTRE, "radius": 1.5}}},
}


def test_an_exported_scene_runs_outside(home: Path, tmp_path: Path) -> None:
    """With a frame rate of 29.97, a rope, a shell and a wind that rises."""
    found = played(home, "exported", tmp_path)
    done, report, written = found["words"].tolist()
    assert (done, written) == ("{'FINISHED'}", "{'FINISHED'}"), report
    assert "force fields of type Magnet have no counterpart" in report
    with pytest.raises(SystemExit) as left:
        main(["run", str(tmp_path / "scene" / "scene.toml"), "--out", str(tmp_path / "outside")])
    assert not left.value.code
    written = tomllib.loads((tmp_path / "scene" / "scene.toml").read_text())
    assert [table["name"] for table in written["field"]] == list(FIELDS)
    for table in written["field"]:
        for key, value in FIELDS[table["name"]].items():
            assert table[key] == value, table
    keys = np.array(written["field"][0]["strength"]["keys"])
    np.testing.assert_allclose(keys[:, 0], np.arange(7) * 1.001 / 30.0)
    np.testing.assert_allclose(keys[[0, -1], 1], [2.0, 8.0])
    np.testing.assert_allclose(written["field"][0]["direction"], [0.0, 1.0, 0.0], atol=1e-5)
    for body in ("Rope", "Shell"):
        outside = recorded(tmp_path / "outside", body)
        np.testing.assert_array_equal(outside, recorded(tmp_path / "work" / "run", body))
        np.testing.assert_allclose(found[body], outside, atol=1e-6)
    assert len(found["Rope"]) == len(outside) == 7
    assert moved(found["Rope"]) > 0.01
    assert moved(found["Shell"]) > 0.01
