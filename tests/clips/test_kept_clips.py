"""Runs keep copies of their motion files: resumed elsewhere, without the file, they continue bit for bit."""

import shutil
from collections.abc import Callable
from pathlib import Path

import motion_files as files
import numpy as np
import pytest
import rigs

from cli.command import assert_same_animation, assert_same_history, here
from supple.clips.kept import copy_name
from supple.mesh.topology import surface

BAR = files.bar()
X = BAR.vertices
SCENE = """
[world]
up = "{up}"
[time]
step = "1/48"
duration = 0.3
[[body]]
name = "bar"
mesh = {{ shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }}
material = {{ name = "stvk", young = 2e4, poisson = 0.3 }}
motion = [{{ group = "left", {motion} }}]
{more}
"""
FOLLOWED: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "walk.npz": (lambda p: files.npz(p, files.positions(X)), "file = 'walk.npz'", ""),
    "walk.pc2": (lambda p: files.pc2(p, files.positions(X)), "file = 'walk.pc2', fps = 24.0", ""),
    "frames": (lambda p: files.obj(p, files.positions(X)), "file = 'frames/*.obj', fps = 24.0", ""),
    "walk.usda": (lambda p: files.usd(p, files.positions(X)), "file = 'walk.usda', object = 'walker'", ""),
    "rig.usda": (lambda p: rigs.usd_rig(p, bend=2.0), "file = 'rig.usda', joint = 'hip'", ""),
    "soft.npz": (
        lambda p: files.npz(p, files.positions(X)),
        "translate = { velocity = [0.0, 0.1, 0.0] }",
        "[[energy]]\nname = 'soft-pin'\nvertices = 'bar.right'\nstiffness = 1e3\nmotion = { file = 'soft.npz' }",
    ),
    "wall.glb": (
        lambda p: files.glb(p, files.positions(X) + np.array([0.0, -0.6, 0.0]), surface(BAR)),
        "translate = { velocity = [0.0, 0.1, 0.0] }",
        "[contact]\nstiffness = 1e5\ndistance = 0.01\n"  # those of a longer run would differ
        "[[obstacle]]\nname = 'wall'\nmesh = { file = 'wall.glb' }\nmotion = { file = 'wall.glb' }",
    ),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_moved_run_goes_on_without_the_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, motion, more = FOLLOWED[name]
    monkeypatch.chdir(tmp_path)
    make(tmp_path / name)
    (tmp_path / "scene.toml").write_text(SCENE.format(motion=motion, more=more, up="z" if name == "rig.usda" else "y"))
    here("run", "scene.toml", "--out", "whole")
    here("run", "scene.toml", "--out", "part", "--steps", "6")
    (tmp_path / "elsewhere").mkdir()
    shutil.move(tmp_path / "part", tmp_path / "elsewhere" / "part")
    away = tmp_path / name
    shutil.rmtree(away) if away.is_dir() else away.unlink()
    here("run", "--resume", "elsewhere/part", "--steps", "14")
    assert_same_history(tmp_path / "whole", tmp_path / "elsewhere" / "part")
    assert_same_animation(tmp_path / "whole", tmp_path / "elsewhere" / "part")


def test_an_overwritten_run_leaves_no_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one.npz", "two.npz"):
        files.npz(tmp_path / name, files.positions(X))
        (tmp_path / "scene.toml").write_text(SCENE.format(motion=f"file = '{name}'", more="", up="y"))
        here("run", "scene.toml", "--out", "out", "--steps", "2", "--overwrite")
        copies = [file.name for file in (tmp_path / "out").glob("*.clip.npz")]
        assert copies == [copy_name(str((tmp_path / name).resolve()))]
