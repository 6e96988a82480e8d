"""Bad files through the command line: a sentence, exit code 2, and nothing written."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import motion_files as files
import numpy as np
import pytest
import rigs

from cli.command import here
from supple.clips.contents import contents
from supple.clips.reading import read_rig
from supple.errors import SuppleError

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


def garbled_abc(path: Path) -> Path:
    files.abc(path, moves())
    path.write_bytes(
        path.read_bytes()
        .replace(b"AbcGeom_PolyMesh", b"Abc\xfceom_PolyMesh")
        .replace(b"AbcGeom_Points", b"Abc\xfceom_Points")
    )
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
    "far": (
        "w.npz",
        lambda p: files.npz(p, 1e200 * moves()),
        "",
        "frame 0 of 'w': 19 of 20 positions are beyond 1e+30",
    ),
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
    "no alembic": ("w.abc", text, "", "is not an Alembic file"),
    "alembic that is no UTF-8": ("w.abc", garbled_abc, "", "cannot be read as Alembic: 'utf-8' codec"),
    "no gltf": ("w.glb", text, "", "cannot be read as glTF"),
    "no pc2": ("w.pc2", text, "fps = 24.0", "w.pc2: is not a PC2 file"),
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


CRATES = """
import struct, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from fuzz.files.clip_samples import samples
from supple.clips.contents import contents
from supple.errors import SuppleError
data = samples()["a.usdc"]
first = data.index(struct.pack("<Q", 2), 88)  # after the head: how many children the root has, and their names
for place in range(first, first + 16, 4):
    path = Path(sys.argv[2]) / f"a{place}.usdc"
    path.write_bytes(data[:place] + bytes([255, 255, 255, 127]) + data[place + 4 :])
    try:
        contents(path)
    except SuppleError as error:
        print(error)
"""


def limit_memory() -> None:
    """So that a failure of this test costs no other process its memory."""
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, resource.getrlimit(resource.RLIMIT_AS)[1]))


def test_a_crate_with_a_wrong_list_of_children_is_refused(tmp_path: Path) -> None:
    """pxr ends the process at a child that is not there, and takes 20 GB for a count; so this is tried in another process."""
    words = [sys.executable, "-c", CRATES, str(Path(__file__).parents[1]), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=limit_memory)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.splitlines()) == 4
    assert done.stdout.count("that it does not have (first: ''); it is damaged, export it again") == 2


@pytest.mark.parametrize(("value", "words"), [(1e200, r"beyond 1e\+30"), (np.inf, "not finite")])
def test_a_rig_whose_transforms_are_no_numbers_to_compute_with_is_refused(
    tmp_path: Path, value: float, words: str
) -> None:
    one = np.broadcast_to(np.eye(4), (3, 1, 4, 4)).copy()
    one[1, 0, 0, 0] = value
    for bind, poses in ((one[1], one[[0, 0, 0]]), (one[0], one)):
        arrays = {"s.joints": np.array(["hip"]), "s.parents": np.array([-1]), "s.bind": bind, "s.poses": poses}
        np.savez(tmp_path / "w.npz", **arrays, **{"s.times": np.arange(3.0)})
        with pytest.raises(SuppleError, match=rf"w\.npz: transforms of the joints of 's' are {words}"):
            read_rig(tmp_path / "w.npz")


@pytest.mark.parametrize("key", ["up", "name"])
def test_texts_with_characters_that_do_not_exist_are_refused(tmp_path: Path, key: str) -> None:
    odd = np.array([0x7FFFFFFF], dtype=np.uint32).view("<U1").reshape(())
    files.npz(tmp_path / "w.npz", moves(), **{key: odd})
    with pytest.raises(SuppleError, match=rf"w\.npz: the array '{key}' cannot be read: .* which does not exist"):
        contents(tmp_path / "w.npz")
    files.npz(tmp_path / "w.npz", moves(), **{key: np.zeros((2, 2))})
    with pytest.raises(SuppleError, match=rf"w\.npz: {key} is float64 of shape \(2, 2\)"):
        contents(tmp_path / "w.npz")
