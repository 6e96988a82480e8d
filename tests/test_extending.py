"""A user's own class of every kind, in one file, is found everywhere without another edit."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


SESSION = """
import contextlib, io, json, sys
from supple.cli import main
found = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as left:
            code = int(left.code or 0)
    found.append((code, out.getvalue(), err.getvalue()))
json.dump(found, sys.stdout)
"""
COMPARED = ("--integrators", "dummy-dirk,dummy-euler", "--set", "obstacle=[]", "--json")
PRECISION = ("--steps", "4,8", "--duration", "0.02")
REFUSED = {
    "without": ("run", "--resume", "run", "--steps", "8"),
    "unknown": ("run", "own.toml", "--out", "other"),
    "nowhere": ("scenes", "--plugin", "nowhere.py"),
}
"""Requests in the same process before the plugin is loaded."""
COMMANDS = {
    "resume": ("run", "--resume", "run", "--steps", "7", "--json"),
    "export": ("export", "run", "--to", "dummy-arrays", "--out", "arrays.npz"),
    "report": ("report", "run", "--out", "page.html"),
    "render": ("render", "run", "--to", "end.png", "--renderer", "plain", "--size", "160x120"),
    "floor": ("run", "floor.toml", "--out", "floor"),
    "study": ("analyse", "own", "dummy-weight", "own.toml", "--option", "scale=2.0", "--json"),
    "wrong study": ("analyse", "own", "dummy-weight", "own.toml", "--option", "scale=-2.0"),
    "compare": ("compare", "own.toml", *COMPARED, "--out", "compared"),
    "order": ("analyse", "order", "own.toml", *COMPARED, *PRECISION),
    "work-precision": ("analyse", "work-precision", "own.toml", *COMPARED, *PRECISION),
    "schema": ("schema",),
}
"""Uses of the plugin, one after the other in one process: most of the time is that of its start."""


@dataclass(frozen=True)
class Done:
    """Exit code and output of a command."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> dict[str, Any]:
        """The document on its last line."""
        assert self.code == 0, self.err
        return dict(json.loads(self.out.splitlines()[-1]))


def supple(folder: Path, *commands: Sequence[str]) -> list[Done]:
    """Commands in a separate process."""
    done = subprocess.run(
        [sys.executable, "-c", SESSION],
        cwd=folder, input=json.dumps(commands), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [Done(*one) for one in json.loads(done.stdout)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("own")
    (place / "own.toml").write_text(SCENE)
    (place / "floor.toml").write_text(FLOOR)
    (done,) = supple(place, ("run", "own.toml", "--out", "run", "--json", "--plugin", str(PLUGIN)))
    assert done.code == 0, done.err
    return place


@pytest.fixture(scope="module")
def done(folder: Path) -> dict[str, Done]:
    given = ((*words, "--plugin", str(PLUGIN)) for words in COMMANDS.values())
    ends = supple(folder, *REFUSED.values(), *given)
    return dict(zip([*REFUSED, *COMMANDS], ends, strict=True))


def test_run_resume_export_and_report(folder: Path, done: dict[str, Done]) -> None:
    assert done["resume"].last["steps"] == 7
    text = (folder / "run" / "scene.toml").read_text()
    assert "extending_plugin.py" in text
    assert "dummy_moon" in text
    for name in ("export", "report", "render", "floor"):
        assert done[name].code == 0, done[name].err
    assert (folder / "arrays.npz").is_file()


def test_a_scene_cannot_start_a_plugin_by_itself(done: dict[str, Done]) -> None:
    refused, unknown, nowhere = (done[name] for name in REFUSED)
    assert refused.code == 2
    assert "is a Python program, which a scene cannot start by itself" in refused.err
    assert "--plugin" in refused.err
    assert unknown.code == 2
    assert "unknown name 'dummy-euler'" in unknown.err
    assert nowhere.code == 2


def test_studies(done: dict[str, Done]) -> None:
    rows = done["study"].last["rows"]
    assert rows == [{"body": "bar", "mass": pytest.approx(2.0 * 0.5 * 0.25**2 * 1000.0), "method": "dummy-euler"}]
    assert "input should be greater than 0, found -2.0" in done["wrong study"].err
    assert [row["integrator"] for row in done["compare"].last["runs"]] == ["dummy-dirk", "dummy-euler"]
    for study in ("order", "work-precision"):
        assert done[study].code == 0, done[study].err
        assert "dummy-dirk" in done[study].out


def test_the_schema_and_the_page_of_choices_have_them(done: dict[str, Done]) -> None:
    schema = done["schema"].out
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
