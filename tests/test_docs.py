"""The documentation agrees with the code: tables, names, links, scenes and Python in it."""

import importlib
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import typer

from schemas import scene_schema
from supple.cli.app import app
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.mesh import SHAPES
from supple.model.materials.structure import STRUCTURES
from supple.recording.history import COLUMNS
from supple.scene.tables.body import BodyTable
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.scene.text.shipped import shipped_scenes
from supple.solvers.options import SolverOptions
from supple.sweeps.sweep_file import SweepFile

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in PAGES}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def fenced(language: str) -> list[tuple[str, int, str]]:
    """Page, number on the page and text of each block in a language."""
    blocks = []
    for page, text in TEXT.items():
        found = [code for kind, code in FENCE.findall(text) if kind == language]
        blocks += [(page, k, code) for k, code in enumerate(found)]
    return blocks


@pytest.fixture(scope="module")
def tables() -> ModuleType:
    return tool("write_tables")


@pytest.fixture(scope="module")
def solids() -> ModuleType:
    return tool("write_materials")


def tool(name: str) -> ModuleType:
    """A file of the folder tools, which is on the path of the tests."""
    return importlib.import_module(name)


@pytest.mark.parametrize("page", TEXT)
def test_generated_tables_are_current(page: str, tables: ModuleType) -> None:
    assert TEXT[page] == tables.current(TEXT[page]), "run `make docs`"


def test_sections_of_materials_are_current(solids: ModuleType) -> None:
    """Formulas, constants, and stresses of bars, which change with every law."""
    assert TEXT["docs/guide/materials.md"] == solids.current(TEXT["docs/guide/materials.md"]), "run `make docs`"


def test_every_material_has_its_curves(solids: ModuleType) -> None:
    names = {name for name, cls in MATERIALS.load().items() if solids.shipped(cls)}
    assert {picture.stem for picture in solids.PICTURES.iterdir()} == names
    for name in names:
        assert f"](../images/materials/{name}.svg)" in TEXT["docs/guide/materials.md"]


def test_every_table_stands_on_one_page(tables: ModuleType) -> None:
    found = [name for text in TEXT.values() for name in re.findall(r"<!-- table: (\S+) -->", text)]
    assert sorted(found) == sorted(tables.TABLES)
    assert sum(text.count("<!-- end of table -->") for text in TEXT.values()) == len(found)


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/start/first-scene.md", shipped_scenes()),
        ("docs/methods/choosing-an-integrator.md", INTEGRATORS.load()),
        ("docs/reference/scene-file.md", {**MATERIALS.load(), **SHAPES.load()}),
        ("docs/reference/scene-file.md", [*MEMBRANES.load(), *STRUCTURES.load()]),
        ("docs/reference/scene-file.md", set(BodyTable.model_fields)),
        ("docs/reference/scene-file.md", set(Scene.model_fields) - {"title", "description"}),
        ("docs/develop/solver.md", SolverOptions.__dataclass_fields__),
        ("docs/reference/history-columns.md", COLUMNS),
    ],
    ids=[
        "scenes",
        "integrators",
        "materials and shapes",
        "thin materials",
        "keys of bodies",
        "tables",
        "solver",
        "columns",
    ],
)
def test_every_name_is_mentioned(page: str, names: list[str]) -> None:
    assert [name for name in names if not re.search(rf"[`\[]{re.escape(name)}[`.\]]", TEXT[page])] == []


@pytest.mark.parametrize("name", ["write_cli", "write_columns"])
def test_pages_of_the_reference_are_current(name: str) -> None:
    writer = tool(name)
    assert writer.PAGE.read_text(encoding="utf-8") == writer.page(), "run `make docs`"


def test_keys_of_a_scene_file_are_current(monkeypatch: pytest.MonkeyPatch) -> None:
    """All tables of the schema stand on the page, each key with its meaning."""
    writer = tool("write_scene_file")
    monkeypatch.setattr(writer, "schema", scene_schema)  # which takes seconds to make
    text = TEXT["docs/reference/scene-file.md"]
    assert writer.undescribed(text) == []
    assert text == writer.current(text), "run `make docs`"


def test_pages_of_the_api_are_current() -> None:
    writer = tool("write_api")
    pages = {file.name: file.read_text(encoding="utf-8") for file in writer.PAGES.iterdir()}
    assert pages == writer.pages(), "run `make docs`"


@pytest.mark.parametrize("name_of_tool", ["draw_layers", "draw_flows", "draw_runs", "draw_theory_map"])
def test_drawings_are_current(name_of_tool: str) -> None:
    drawing = tool(name_of_tool)
    for name, drawn in drawing.PICTURES.items():
        assert (drawing.IMAGES / name).read_text(encoding="utf-8") == drawn(), "run `make docs`"


def test_every_option_of_every_command_is_described() -> None:
    """Those that typer makes of the functions, whose names the page takes from their hints."""
    writer = tool("write_cli")
    made = typer.main.get_command(app)
    for name, function in writer.commands():
        command = made
        for word in name.split():
            command = command.commands[word]  # type: ignore[attr-defined]  # groups have commands
        options = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} - {"--help"}
        described = {o for p in writer.parameters(function) for names in p.names for o in names.split("/")}
        assert options == described, name


@pytest.mark.parametrize(("page", "k", "code"), fenced("toml"), ids=lambda value: str(value).partition("\n")[0][:30])
def test_scenes_in_the_docs_are_scenes(page: str, k: int, code: str, tmp_path: Path) -> None:
    """And sweep files are sweeps, whose runs are all checked."""
    tables = tomllib.loads(code)
    if "vary" in tables:
        plan = SweepFile.model_validate(tables).plan(tmp_path, [])
        assert list(plan.check()) == list(range(1, len(plan.variants) + 1))
    else:
        assert read_scene(tables, tmp_path).body


@pytest.mark.parametrize("page", sorted({page for page, _, _ in fenced("python")}))
def test_python_in_the_docs_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page one after the other; they assert their claims."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "documentation"}
    for where, k, code in fenced("python"):
        if where == page:
            exec(compile(code, f"{page}, block {k}", "exec"), names)


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "images").rglob("*.*"):
        assert picture.stat().st_size < 150_000
