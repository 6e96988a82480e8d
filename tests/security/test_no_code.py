"""No text of a scene, a mesh, a run or a formula becomes a program."""

import ast
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

import supple
from supple.cli import main
from supple.errors import SuppleError
from supple.scene.text.load import load_scene
from supple.scene.text.plugins import load_plugin

SOURCES = Path(supple.__file__).resolve().parent
FORBIDDEN = {"eval", "exec", "compile", "__import__", "execfile"}
"""Built-in functions that turn text into a program."""
RUNNING = {
    "pickle.load", "pickle.loads", "marshal.load", "marshal.loads", "yaml.load", "os.system", "os.popen", "shelve.open",
    "joblib.load", "dill.load", "dill.loads", "cloudpickle.load", "cloudpickle.loads", "runpy.run_path", "runpy.run_module",
}  # fmt: skip
ALLOWED = {
    "scene/text/plugins.py exec_module": "a plugin, which the user names by --plugin",
    "mesh/filled/process.py Popen": "supple itself in a separate process, whose memory is released",
    "mesh/stages/tried.py run": "a file of supple that reads a layer of USD, with limits",
    "render/gl.py run": "a fixed program that probes the graphics of the machine",
}
"""Places at which a program is started, each with its reason."""
IMPORTS = {
    "__init__.py": "public names, from the stub beside it",
    "clips/clip_file.py": "optional libraries by fixed names",
    "clips/reading.py": "readers by extension, from a fixed table",
    "export/format.py": "optional libraries by fixed names",
    "mesh/formats.py": "modules of meshio, from a fixed table",
    "mesh/guarded.py": "modules of meshio by fixed names",
    "registry.py": "modules of supple that register classes",
}
"""Files that import a module by a text; none of those texts is read from a file of the user."""

SCENE = """
[time]
step = 0.01
duration = 0.02
[[body]]
density = 100
mesh = { shape = "bar", cells = [1, 1, 1], size = [1, 1, 1] }
material = { name = "formula", energy = "%s", k = 1.0 }
"""


def dotted(node: ast.expr) -> str:
    """The name of the called function; `ast.unparse` takes seconds for the package."""
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, attr):
            return f"{dotted(value)}.{attr}"
        case ast.Call(function):
            return f"{dotted(function)}()"
        case ast.Subscript(value):
            return f"{dotted(value)}[]"
    return ast.unparse(node)


def calls() -> list[tuple[str, str, ast.Call]]:
    """File, dotted name and node of each call in the package."""
    found = []
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                found.append((file.relative_to(SOURCES).as_posix(), dotted(node.func), node))
    return found


@pytest.fixture(scope="module")
def called() -> list[tuple[str, str, ast.Call]]:
    return calls()


def test_no_text_is_evaluated(called: list[tuple[str, str, ast.Call]]) -> None:
    assert len(called) > 5000
    assert [(file, name) for file, name, _ in called if name in FORBIDDEN | RUNNING] == []


def test_no_pickle_is_read(called: list[tuple[str, str, ast.Call]]) -> None:
    """numpy refuses pickled objects by default."""
    wrong = [
        file
        for file, _, node in called
        for keyword in node.keywords
        if keyword.arg == "allow_pickle"
        and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is False)
    ]
    assert wrong == []


def test_programs_are_started_at_known_places_only(called: list[tuple[str, str, ast.Call]]) -> None:
    starting = {
        "Popen",
        "run",
        "call",
        "check_call",
        "check_output",
        "exec_module",
        "startfile",
        "spawnv",
        "execv",
        "execvp",
    }
    found = {
        f"{file} {name.rpartition('.')[2]}"
        for file, name, _ in called
        if name.rpartition(".")[2] in starting and name.partition(".")[0] in ("subprocess", "os", "spec")
    }
    assert found == set(ALLOWED)
    for file, _, node in called:
        shell = [k for k in node.keywords if k.arg == "shell" and isinstance(k.value, ast.Constant) and k.value.value]
        assert not shell, file


def test_modules_by_name_come_from_tables_of_ours(called: list[tuple[str, str, ast.Call]]) -> None:
    assert {file for file, name, _ in called if name.endswith("import_module")} == set(IMPORTS)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('touch owned')",
        "k.__class__.__mro__[1].__subclasses__()",
        "(lambda: open('owned', 'w'))()",
        "[x for x in (1, 2)]",
        "eval('1')",
        "f'{k}'",
        "k if k else exit()",
        "(k := 3)",
        "k[0]",
        "'%s' % k",
    ],
)
def test_a_formula_is_no_program(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scene = tmp_path / "scene.toml"
    scene.write_text(SCENE.replace("%s", text))
    with pytest.raises(SuppleError, match="energy"):
        load_scene(scene).make().assemble()
    assert not (tmp_path / "owned").exists()


def test_a_scene_cannot_start_a_plugin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plugin.py").write_text(f"open({str(tmp_path / 'owned')!r}, 'w')\n")
    scene = tmp_path / "scene.toml"
    scene.write_text('plugins = ["plugin.py"]\n' + SCENE.replace("%s", "k*(I1 - 3)"))
    with pytest.raises(SystemExit) as left:
        main(["run", str(scene), "--out", str(tmp_path / "run")])
    assert left.value.code == 2
    assert "a scene cannot start by itself" in capsys.readouterr().err
    assert not (tmp_path / "owned").exists()
    assert not (tmp_path / "run").exists()


def test_a_scene_names_a_large_file_as_a_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a plugin of the user, the content of each named file is compared; a large one is not read, and two are not equal."""
    from supple.scene.text import plugins

    monkeypatch.setattr(plugins, "_LOADED", {})
    (tmp_path / "mine.py").write_text("")
    load_plugin(tmp_path / "mine.py")
    monkeypatch.setattr(plugins, "LONGEST", 100)
    for name in ("disk.py", "other.py"):
        (tmp_path / name).write_bytes(b"#" * 101)
    with pytest.raises(SuppleError, match=r"other\.py has more than 0 MiB"):
        load_plugin(tmp_path / "other.py")
    with pytest.raises(SuppleError, match="a scene cannot start by itself"):
        plugins.check_named(["disk.py"], tmp_path)
    with pytest.raises(SuppleError, match="a scene cannot start by itself"):
        plugins.check_named(["missing.py"], tmp_path)
    assert plugins.check_named(["mine.py"], tmp_path) == (str(tmp_path / "mine.py"),)


class Owner:
    """Unpickled, it writes a file."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return open, (str(self.file), "w")


def hostile(file: Path, owned: Path) -> Path:
    """An array file whose content is a pickle."""
    payload = np.empty(1, dtype=object)
    payload[0] = Owner(owned)
    if file.suffix == ".npy":
        np.save(file, payload, allow_pickle=True)
        return file
    member = io.BytesIO()
    np.save(member, payload, allow_pickle=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("times", "positions", "x", "a.positions", "a.times", "meta", "data", "vertices", "points"):
            archive.writestr(f"{name}.npy", member.getvalue())
    return file


def test_no_array_file_starts_anything(tmp_path: Path) -> None:
    from supple.clips.reading import read_clip
    from supple.coarsening.coarse_body import load_coarse_body
    from supple.fits.losses.targets import read_target
    from supple.mesh.images import read_voxels

    owned = tmp_path / "owned"
    array, archive = hostile(tmp_path / "a.npy", owned), hostile(tmp_path / "a.npz", owned)
    readers = [(read_voxels, array), (read_clip, archive), (read_target, archive), (load_coarse_body, archive)]
    for reader, file in readers:
        with pytest.raises((SuppleError, ValueError)):
            reader(file)
    assert not owned.exists()
    np.load(array, allow_pickle=True)[0].close()  # it would have been one
    assert owned.exists()


NAMES = ["../../up", "/abs/olute", "a/b", "..", "c\\d", "x" * 20]


@pytest.mark.parametrize("name", NAMES)
def test_names_in_a_scene_never_lead_to_other_folders(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with a body of that name, and exports of it, write below their folders and nowhere else."""
    place = tmp_path / "deep" / "down"
    place.mkdir(parents=True)
    monkeypatch.chdir(place)
    text = SCENE.replace("%s", "k*(I1 - 3 - 2*log(J))").replace(
        "density", f'name = "{name}"\ndensity'.replace("\\", "\\\\")
    )
    (place / "scene.toml").write_text(f'title = "{name}"\n'.replace("\\", "\\\\") + text)
    for words in (
        ["run", "scene.toml", "--out", "run", "--steps", "1"],
        *(["export", "run", "--to", form, "--out", f"made/a.{form}"] for form in ("obj", "pc2", "npz")),
    ):
        (place / "made").mkdir(exist_ok=True)
        with pytest.raises(SystemExit):
            main(words)
    known = {place / "scene.toml"}
    outside = [f for f in tmp_path.rglob("*") if f.is_file() and f not in known]
    assert (place / "run" / "run.json").is_file() == (name == NAMES[-1])  # the others are refused before
    assert all(f.is_relative_to(place / "run") or f.is_relative_to(place / "made") for f in outside)
