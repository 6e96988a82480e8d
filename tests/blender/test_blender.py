"""Blender as the judge: it imports the exports and finds the recorded motion, frame by frame.

`make test-blender` puts Blender's Python module into a separate environment, .venv-blender.
"""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from supple.cli import main
from supple.colours import colour_code, rgb
from supple.recording.film import Film, open_film
from supple.recording.folder import RunFolder

ROOT = Path(__file__).parent.parent.parent
PYTHON = ROOT / os.environ.get("BLENDER", ".venv-blender") / "bin" / "python"
FRAMES, FPS = 48, 24
pytestmark = [
    pytest.mark.blender,
    pytest.mark.skipif(not PYTHON.exists(), reason="Blender's module is not installed; run `make test-blender`"),
]
SCENE = """
[world]
gravity = 9.81
up = "{up}"
[time]
step = "1/48"
duration = "94/48"
[record]
fps = 24
[[body]]
name = "bar"
mesh = {{ shape = "bar", cells = [8, 2, 2], size = [1.0, 0.25, 0.25] }}
material = {{ name = "stvk", young = 2e5, poisson = 0.3 }}
density = 500.0
pin = "left"
"""


@pytest.fixture(scope="module", params=["y", "z"])
def film(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder = tmp_path_factory.mktemp(f"up-{request.param}")
    (folder / "bar.toml").write_text(SCENE.format(up=request.param))
    supple("run", folder / "bar.toml", "--out", folder / "bar")
    film = open_film(RunFolder.open(folder / "bar"))
    assert len(film) == FRAMES
    return film


def supple(*arguments: object) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    assert not left.value.code


def seen(film: Film, to: str, first: int) -> dict[str, np.ndarray]:
    """What Blender makes of an export, from the frame `first` on."""
    folder = film.path.parent
    suffix = "usdc" if to == "usd" else to
    supple("export", folder, "--to", to, "--overwrite")
    return looked_at(folder / f"bar.{suffix}", to, first, film.up)


def looked_at(file: Path, to: str, first: int, up: str, last: int | None = None) -> dict[str, np.ndarray]:
    """What Blender finds in a file; keys of the bar without its name."""
    folder = file.parent
    out = folder / f"seen-{to}.npz"
    words = [to, file, out, first, first + FRAMES - 1 if last is None else last, FPS, up]
    look = Path(__file__).parent / "look.py"
    done = subprocess.run([PYTHON, look, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with np.load(out) as found:
        return {key.removeprefix("bar."): values for key, values in found.items()}


def recorded(film: Film) -> np.ndarray:
    """(frames, n, 3) of the surface."""
    return np.stack([film.frame(k).x[film.parts[0].vertices] for k in range(FRAMES)])


def in_blender(film: Film) -> np.ndarray:
    """The same with z up."""
    x = recorded(film)
    return x if film.up == "z" else np.stack([x[..., 0], -x[..., 2], x[..., 1]], axis=-1)


def test_the_bar_moves(film: Film) -> None:
    assert np.ptp(recorded(film), axis=0).max() > 0.05


def test_usd(film: Film) -> None:
    """Blender keeps the file's axes in the mesh, and turns the object where y is up."""
    found = seen(film, "usd", first=1)
    np.testing.assert_array_equal(found["own"], recorded(film))
    np.testing.assert_allclose(found["world"], in_blender(film), atol=1e-6)
    np.testing.assert_array_equal(found["faces"], film.parts[0].faces)
    assert found["range"].tolist() == [1, FRAMES]


@pytest.mark.parametrize("to", ["pc2", "mdd"])
def test_point_caches(film: Film, to: str) -> None:
    found = seen(film, to, first=1)
    np.testing.assert_array_equal(found["own"], recorded(film))
    np.testing.assert_allclose(found["world"], in_blender(film), atol=1e-6)
    np.testing.assert_array_equal(found["faces"], film.parts[0].faces)


def test_point_cache_says_its_range(film: Film) -> None:
    supple("export", film.path.parent, "--to", "pc2", "--overwrite")
    header = np.fromfile(film.path.parent / "bar.pc2", dtype="<i4", count=8)
    assert header[[5, 6]].view("<f4").tolist() == [1.0, 1.0]
    assert header[7] == FRAMES


def test_glb(film: Film) -> None:
    """Blender's importer turns the mesh itself to z up; glTF's time 0 is frame 0."""
    found = seen(film, "glb", first=0)
    np.testing.assert_allclose(found["world"], in_blender(film), atol=1e-6)
    np.testing.assert_array_equal(found["faces"], film.parts[0].faces)
    assert found["keys"].tolist() == [0, FRAMES - 1]


def test_alembic(film: Film) -> None:
    found = seen(film, "abc", first=1)
    np.testing.assert_array_equal(found["world"], in_blender(film).astype(found["world"].dtype))
    np.testing.assert_array_equal(found["faces"], film.parts[0].faces)
    assert found["range"].tolist() == [1, FRAMES]


OBSTACLES = """
[[obstacle]]
name = "paddle"
mesh = {{ shape = "bar", cells = [1, 2, 2], size = [0.1, 0.5, 0.5], origin = [3.0, 0.0, 0.0] }}
motion = {{ rotate = {{ axis = [0.0, 0.0, 1.0], centre = [3.0, 0.0, 0.0], rate = 1.0 }} }}
colour = "red"
[[obstacle]]
name = "stairs"
shape = "stairs"
origin = [5.0, -3.0, 0.0]
[[obstacle]]
name = "crate"
shape = "box"
centre = [0.0, -3.0, 0.0]
size = [1.0, 0.5, 1.0]
turn = [0.0, 0.4, 0.0]
colour = "#102030"
"""
THINGS = ["bar", "paddle", "stairs", "crate"]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder = tmp_path_factory.mktemp("course")
    scene = SCENE + OBSTACLES
    (folder / "course.toml").write_text(scene.format(up="y").replace("94/48", "22/48"))
    supple("run", folder / "course.toml", "--out", folder / "course")
    return open_film(RunFolder.open(folder / "course"))


@pytest.mark.parametrize("to", ["usd", "abc", "glb", "obj"])
def test_obstacles(course: Film, to: str) -> None:
    """Every obstacle is a separate object, in its place at every frame, and in its colour."""
    folder, count = course.path.parent, len(course)
    supple("export", folder, "--to", to, "--overwrite")
    files = {"usd": "course.usdc", "abc": "course.abc", "glb": "course.glb", "obj": "course-obj/course-obj_0012.obj"}
    first = {"glb": 0}.get(to, 1)
    found = looked_at(folder / files[to], to, first, "y", first if to == "obj" else first + count - 1)
    assert sorted(found["names"]) == sorted(THINGS)
    frames = [11] if to == "obj" else range(count)
    for part in course.parts:
        key = "world" if part.name == "bar" else f"{part.name}.world"
        x = np.stack([course.frame(k).x[part.vertices] for k in frames])
        np.testing.assert_allclose(found[key], np.stack([x[..., 0], -x[..., 2], x[..., 1]], axis=-1), atol=1e-5)
    if to != "obj":
        assert np.ptp(found["paddle.world"], axis=0).max() > 0.1
        assert np.ptp(found["crate.world"], axis=0).max() == 0.0
    if to != "abc":  # which has no materials
        for name, code in (("paddle", colour_code("red")), ("crate", "#102030")):
            srgb = np.array(rgb(code))
            linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
            np.testing.assert_allclose(found[f"{name}.colour"], [linear], atol=2e-3)
