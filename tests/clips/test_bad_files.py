"""Bad files through the command line: a sentence, exit code 2, and nothing written."""

import sys
from collections.abc import Callable
from pathlib import Path

import motion_files as files
import numpy as np
import pytest
import rigs

sys.path.insert(0, str(Path(__file__).parents[1] / "cli"))
from command import here

X = files.bar().vertices
SCENE = """
[time]
step = "1/48"
duration = 0.1
[[body]]
name = "bar"
mesh = {{ shape = "bar", cells = [4, 1, 1], size = [1.0, 0.25, 0.25] }}
material = {{ name = "stvk", young = 2e4, poisson = 0.3 }}
motion = [{{ {motion} }}]
{more}
"""


def moves() -> np.ndarray:
    return files.positions(X)


def holed(path: Path) -> Path:
    pattern = files.obj(path, moves())
    (path / "walk_0004.obj").unlink()
    (path / "walk_0007.obj").unlink()
    return pattern


def grown(path: Path) -> Path:
    pattern = files.obj(path, moves())
    file = path / "walk_0006.obj"
    file.write_text("v 0 0 0\n" + file.read_text())
    return pattern


def nan(path: Path) -> Path:
    x = moves()
    x[3, 7, 1] = np.nan
    return files.pc2(path, x)


def jumping(path: Path) -> Path:
    x = moves()
    x[5, 3] += [4.0, 0.0, 0.0]
    return files.npz(path, x)


def cut(path: Path) -> Path:
    files.mdd(path, moves())
    path.write_bytes(path.read_bytes()[: -12 * len(X) * 3 - 5])
    return path


def growing_usd(path: Path) -> Path:
    from pxr import Usd, UsdGeom

    files.usd(path, moves())
    stage = Usd.Stage.Open(str(path))
    UsdGeom.Mesh(stage.GetPrimAtPath("/World/walker")).GetPointsAttr().Set([(0, 0, 0)] * 5, 4)
    stage.Save()
    return path


def empty_usd(path: Path) -> Path:
    path.write_text('#usda 1.0\ndef Xform "World" {}\n')
    return path


def text(path: Path) -> Path:
    path.write_text("this is no file of that format")
    return path


MANY = {"bar.positions": moves(), "rope.positions": moves(), "times": np.arange(12) / 24}


def several(path: Path) -> Path:
    np.savez(path, **MANY)
    return path


CASES: dict[str, tuple[str, Callable[[Path], Path], str, str]] = {
    "other count": (
        "w.npz",
        lambda p: files.npz(p, moves()[:, :7]),
        "",
        "'w' has 7 vertices, but the mesh has 20 and 'left' 4",
    ),
    "missing frames": ("f", holed, "fps = 24.0", "2 frames are missing from 1 to 12: 4, 7"),
    "a frame with other vertices": ("f", grown, "fps = 24.0", "walk_0006.obj has 21 vertices, the first frame has 20"),
    "points of usd change": ("w.usda", growing_usd, "", "frame 3 of '/World/walker' has 5 vertices, the first has 20"),
    "nan": ("w.pc2", nan, "fps = 24.0", "frame 3 of 'w': 1 of 20 positions are not finite, the first is vertex 7"),
    "cut off": ("w.mdd", cut, "", "4 of 12 frames are missing: the header promises"),
    "zero frames": (
        "w.pc2",
        lambda p: files.pc2(p, moves(), 0),
        "fps = 24.0",
        "'w' has no frames; export at least one",
    ),
    "zero frames of arrays": (
        "w.npz",
        lambda p: files.npz(p, moves()[:0]),
        "",
        "'w' has no frames; export at least one",
    ),
    "times": ("w.npz", lambda p: files.npz(p, moves(), np.arange(12)[::-1] / 24), "", "times must increase, found"),
    "no clock": ("w.pc2", lambda p: files.pc2(p, moves()), "", "the format has no clock; give the frames per second"),
    "a jump": ("w.npz", jumping, "", "vertex 3 of 'w' jumps by 4.01 units between frames 4 and 5"),
    "1,700 m": (
        "w.npz",
        lambda p: files.npz(p, 1700 * moves()),
        "",
        "'w' is 1,700 m long at 1 m per unit; if these are millimetres",
    ),
    "1 mm": ("w.npz", lambda p: files.npz(p, 1e-3 * moves()), "", "'w' is 0.001 m long at 1 m per unit"),
    "another unit": (
        "w.npz",
        lambda p: files.npz(p, 0.01 * moves()),
        "match = 'nearest'",
        "object is 0.01 m long and the mesh 1 m: compare the units, and set scale",
    ),
    "elsewhere": (
        "w.npz",
        lambda p: files.npz(p, moves() + 1.0),
        "",
        "is 1.73 m away, 0.001 m are allowed; place the body there",
    ),
    "unknown object": (
        "w.usda",
        lambda p: files.usd(p, moves()),
        "object = 'wlker'",
        "unknown object 'wlker'; did you mean 'walker'?",
    ),
    "several objects": ("w.npz", several, "", 'has 2 objects; choose one with object = "...": bar, rope'),
    "no objects": ("w.usda", empty_usd, "", "has no meshes, points or curves"),
    "no skeleton": (
        "w.usda",
        lambda p: files.usd(p, moves()),
        "joint = 'knee'",
        "has no skeletons; export the armature too",
    ),
    "unknown joint": ("w.usda", rigs.usd_rig, "joint = 'kne'", "no joint 'kne'; did you mean 'knee'? known: hip, knee"),
    "unknown skeleton": ("w.usda", rigs.usd_rig, "skeleton = 'x', joint = 'knee'", "unknown skeleton 'x'"),
    "no npz": ("w.npz", text, "", "cannot be read as .npz"),
    "no usd": ("w.usda", text, "", "cannot be read as USD"),
    "no alembic": ("w.abc", text, "", "is no Alembic file"),
    "no gltf": ("w.glb", text, "", "cannot be read as glTF"),
    "no pc2": ("w.pc2", text, "fps = 24.0", "w.pc2: is no PC2 file"),
    "unknown format": ("w.fbx", text, "", "unknown extension '.fbx'"),
    "no faces": ("w.npz", lambda p: files.npz(p, moves()), "match = 'barycentric'", "'w' has no faces"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_files_are_refused_with_a_sentence(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, make, keys, sentence = CASES[case]
    monkeypatch.chdir(tmp_path)
    made = make(tmp_path / name).relative_to(tmp_path)
    motion = f"file = '{made}', group = 'left'" + (f", {keys}" if keys else "")
    (tmp_path / "scene.toml").write_text(SCENE.format(motion=motion, more=""))
    before = sorted(tmp_path.rglob("*"))
    here("run", "scene.toml", "--out", "out", code=2)
    said = " ".join(capsys.readouterr().err.split())
    assert sentence in said
    assert "body[0].motion[0]: " in said
    assert sorted(tmp_path.rglob("*")) == before


def test_a_missing_file_and_a_missing_group_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scene.toml").write_text(SCENE.format(motion="file = 'walk.abc', group = 'left'", more=""))
    here("run", "scene.toml", "--out", "out", code=2)
    assert "body[0].motion[0].file: no such file, found" in capsys.readouterr().err
    files.npz(tmp_path / "walk.npz", moves())
    (tmp_path / "scene.toml").write_text(SCENE.format(motion="file = 'walk.npz', group = 'lefft'", more=""))
    here("run", "scene.toml", "--out", "out", code=2)
    assert "body[0].motion[0].group: unknown group 'lefft'; did you mean 'left'?" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_jump_may_be_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    x = moves()
    x[5, 19] += [4.0, 0.0, 0.0]  # far from the group
    files.npz(tmp_path / "walk.npz", x)
    (tmp_path / "scene.toml").write_text(
        SCENE.format(motion="file = 'walk.npz', group = 'left', jumps = 'allow'", more="")
    )
    here("run", "scene.toml", "--out", "out")
    assert "warning: walk.npz: vertex 19 of 'walk' jumps" in (tmp_path / "out" / "log.txt").read_text()


def test_an_obstacle_of_the_wrong_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files.npz(tmp_path / "hand.npz", moves())
    wall = files.bar()
    from supple.mesh.topology import surface

    files.npz(tmp_path / "wall.npz", 1700 * moves() - [0, 5000, 0], triangles=surface(wall))
    more = "[[obstacle]]\nmesh = { file = 'wall.npz' }\nmotion = { file = 'wall.npz' }"
    (tmp_path / "scene.toml").write_text(SCENE.format(motion="file = 'hand.npz', group = 'left'", more=more))
    here("run", "scene.toml", "--out", "out", code=2)
    assert "obstacle[0].motion: wall.npz: 'wall' is 1,700 m long" in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "out").exists()
