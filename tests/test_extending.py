"""A user's own class of every kind, in one file, is found everywhere without another edit."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).with_name("extending_plugin.py")
TOOLS = Path(__file__).parent.parent / "tools"
SCENE = """
time = { step = 0.01, duration = 0.05 }
integrator = { name = "dummy-euler" }
dummy_moon = { factor = 0.5 }

[[body]]
name = "bar"
mesh = { shape = "dummy-bar", length = 0.5 }
material = { name = "dummy-solid", young = 1e5, poisson = 0.3 }

[[obstacle]]
shape = "dummy-egg"
centre = [0.0, -1.0, 0.0]
radius = 0.2
law = "quadratic"

[[damping]]
name = "dummy-drag"
strength = 0.1

[[energy]]
name = "dummy-trap"
stiffness = 0.5
"""
FLOOR = """
time = { step = 0.01, duration = 0.05 }

[[body]]
mesh = { shape = "dummy-bar" }
material = { name = "dummy-solid", young = 1e5, poisson = 0.3 }

[[constraint]]
kind = "dummy-floor"
vertices = "body0"
"""


def supple(folder: Path, *words: str, plugin: bool = True) -> subprocess.CompletedProcess[str]:
    named = ["--plugin", str(PLUGIN)] if plugin else []
    command = [sys.executable, "-m", "supple", *words, *named]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own")
    (place / "own.toml").write_text(SCENE)
    (place / "floor.toml").write_text(FLOOR)
    done = supple(place, "run", "own.toml", "--out", "run", "--json")
    assert done.returncode == 0, done.stderr
    return place


def last(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_run_resume_export_and_report(folder: Path) -> None:
    assert last(supple(folder, "run", "--resume", "run", "--steps", "7", "--json"))["steps"] == 7
    text = (folder / "run" / "scene.toml").read_text()
    assert "extending_plugin.py" in text
    assert "dummy_moon" in text
    done = supple(folder, "export", "run", "--to", "dummy-arrays", "--out", "arrays.npz")
    assert done.returncode == 0, done.stderr
    assert (folder / "arrays.npz").is_file()
    assert supple(folder, "report", "run", "--out", "page.html").returncode == 0
    assert (
        supple(folder, "render", "run", "--to", "end.png", "--renderer", "plain", "--size", "160x120").returncode == 0
    )
    assert supple(folder, "run", "floor.toml", "--out", "floor").returncode == 0


def test_a_scene_cannot_start_a_plugin_by_itself(folder: Path) -> None:
    refused = supple(folder, "run", "--resume", "run", "--steps", "8", plugin=False)
    assert refused.returncode == 2
    assert "is a Python program, which a scene cannot start by itself" in refused.stderr
    assert "--plugin" in refused.stderr
    unknown = supple(folder, "run", "own.toml", "--out", "other", plugin=False)
    assert unknown.returncode == 2
    assert "unknown name 'dummy-euler'" in unknown.stderr
    assert supple(folder, "scenes", "--plugin", "nowhere.py", plugin=False).returncode == 2


def test_studies(folder: Path) -> None:
    rows = last(supple(folder, "analyse", "own", "dummy-weight", "own.toml", "--option", "scale=2.0", "--json"))["rows"]
    assert rows == [{"body": "bar", "mass": pytest.approx(2.0 * 0.5 * 0.25**2 * 1000.0), "method": "dummy-euler"}]
    wrong = supple(folder, "analyse", "own", "dummy-weight", "own.toml", "--option", "scale=-2.0")
    assert "input should be greater than 0, found -2.0" in wrong.stderr
    words = ["--integrators", "dummy-dirk,dummy-euler", "--set", "obstacle=[]", "--json"]
    compared = last(supple(folder, "compare", "own.toml", *words, "--out", "compared"))
    assert [row["integrator"] for row in compared["runs"]] == ["dummy-dirk", "dummy-euler"]  # type: ignore[attr-defined]
    for study in ("order", "work-precision"):
        found = supple(folder, "analyse", study, "own.toml", *words, "--steps", "8,16", "--duration", "0.05")
        assert found.returncode == 0, found.stderr
        assert "dummy-dirk" in found.stdout


def test_the_schema_and_the_page_of_choices_have_them(folder: Path) -> None:
    schema = supple(folder, "schema").stdout
    names = ("euler", "dirk", "solid", "net", "bar", "egg", "drag", "floor", "trap")
    assert [name for name in names if f'"dummy-{name}"' not in schema] == []
    assert '"dummy_moon"' in schema


def test_python_finds_them_after_the_tables_were_built(folder: Path, tmp_path: Path) -> None:
    code = f"""
import supple as sp
sp.load("jelly")  # the tables are built
try:
    sp.load("own.toml")
except sp.SuppleError as error:
    assert "dummy-euler" in str(error)
sp.load_plugin({str(PLUGIN)!r})
setup = sp.load("own.toml")
assert setup.world.acceleration[1] == -9.81 / 2
from supple.integrators import INTEGRATORS
from supple.render.style import integrator_stroke
from supple.viewer.settings import integrator_choices, material_choices
assert "dummy-dirk" in integrator_choices() and "dummy-solid" in material_choices(setup.world)
assert integrator_stroke("dummy-dirk").colour.startswith("#")
assert "dummy-dirk" in INTEGRATORS["verlet"]().refuses(sp.load("bouncing-ball").assemble().system)
import importlib.util
spec = importlib.util.spec_from_file_location("write_tables", {str(TOOLS / "write_tables.py")!r})
tables = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tables)
written = "".join(make() for make in tables.TABLES.values())
assert all(f"dummy-{{name}}" in written for name in ("dirk", "euler", "solid", "bar"))
text = setup.world.to_toml(setup.method)
assert 'name = "dummy-drag"' in text and 'shape = "dummy-egg"' in text
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
