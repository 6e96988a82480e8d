"""The documentation agrees with the code: tables, names, links, scenes and Python in it."""

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

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
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
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
    file = ROOT / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", TEXT)
def test_generated_tables_are_current(page: str, tables: ModuleType) -> None:
    assert TEXT[page] == tables.current(TEXT[page]), "run `make docs`"


def test_sections_of_materials_are_current(solids: ModuleType) -> None:
    """Formulas, constants, and stresses of bars, which change with every law."""
    assert TEXT["docs/materials.md"] == solids.current(TEXT["docs/materials.md"]), "run `make docs`"


def test_every_material_has_its_curves(solids: ModuleType) -> None:
    names = {name for name, cls in MATERIALS.load().items() if solids.shipped(cls)}
    assert {picture.stem for picture in solids.PICTURES.iterdir()} == names
    for name in names:
        assert f"](images/materials/{name}.svg)" in TEXT["docs/materials.md"]


def test_every_table_stands_on_one_page(tables: ModuleType) -> None:
    found = [name for text in TEXT.values() for name in re.findall(r"<!-- table: (\S+) -->", text)]
    assert sorted(found) == sorted(tables.TABLES)
    assert sum(text.count("<!-- end of table -->") for text in TEXT.values()) == len(found)


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("docs/first-scene.md", shipped_scenes()),
        ("docs/choosing-an-integrator.md", INTEGRATORS.load()),
        ("docs/scene-file.md", {**MATERIALS.load(), **SHAPES.load()}),
        ("docs/scene-file.md", [*MEMBRANES.load(), *STRUCTURES.load()]),
        ("docs/scene-file.md", set(BodyTable.model_fields)),
        ("docs/scene-file.md", set(Scene.model_fields) - {"title", "description"}),
        ("docs/solver.md", SolverOptions.__dataclass_fields__),
        ("docs/recording.md", COLUMNS),
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


@pytest.mark.parametrize("page", TEXT)
def test_links_resolve(page: str) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", TEXT[page])
    local = [target.partition("#")[0] for target in targets if not target.startswith(("https://", "http://"))]
    assert [target for target in local if not ((ROOT / page).parent / target).exists()] == []


def test_the_index_names_every_page() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in TEXT["docs/index.md"]


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
    """All blocks of a page one after the other; they assert what they claim."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "documentation"}
    for where, k, code in fenced("python"):
        if where == page:
            exec(compile(code, f"{page}, block {k}", "exec"), names)


def test_pictures_are_small() -> None:
    for picture in (ROOT / "docs" / "images").rglob("*.*"):
        assert picture.stat().st_size < 150_000
