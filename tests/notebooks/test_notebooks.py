"""Every notebook runs and gives the figures that its text claims; the stored ones have outputs and no trace of a machine."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import nbformat
import pytest
from run_notebooks import LARGEST, NOTEBOOKS, executed, machine_paths, tidy

FILES = {file.stem: file for file in sorted(NOTEBOOKS.glob("*.ipynb"))}
Figures = dict[str, Any]


def figures(notebook: nbformat.NotebookNode) -> Figures:
    """The value of the cell with the tag `figures`."""
    (cell,) = (cell for cell in notebook.cells if "figures" in cell.metadata.get("tags", []))
    (output,) = cell.outputs
    return dict(ast.literal_eval(output.data["text/plain"]))


def figures_here(file: Path) -> Figures:
    """The same, of cells executed in this process."""
    names: dict[str, object] = {}
    value: object = None
    for cell in nbformat.read(file, as_version=4).cells:
        if cell.cell_type == "code":
            tree = ast.parse(cell.source)
            last = tree.body.pop() if "figures" in cell.metadata.get("tags", []) else None
            exec(compile(tree, file.name, "exec"), names)
            if last is not None:
                assert isinstance(last, ast.Expr)
                value = eval(compile(ast.Expression(last.value), file.name, "eval"), names)
    assert isinstance(value, dict)
    return value


def twisted_bar(found: Figures) -> None:
    assert found["AVF, largest change of energy"] < 1e-11
    assert found["backward Euler, energy left after one step"] == pytest.approx(0.66631, abs=1e-4)


def fit_a_stiffness(found: Figures) -> None:
    assert found["fitted over true stiffness"] == pytest.approx(1.005, abs=0.002)
    assert found["corrected over true stiffness"] == pytest.approx(1.0, abs=0.003)
    assert 0.87 < found["rms misfit [mm]"] < 1.3
    assert found["runs"] <= 15


def compare_integrators(found: Figures) -> None:
    left = found["energy left"]
    assert left["avf"] == 1.0
    assert left["midpoint"] > 1.01
    assert left["backward-euler"] < 0.02 < left["bdf2"] < 0.8 < left["tr-bdf2"] < 0.95
    assert found["error of AVF [mm]"] == pytest.approx(0.7, abs=0.05)


CLAIMS: dict[str, Callable[[Figures], None]] = {
    "compare-integrators": compare_integrators,
    "fit-a-stiffness": fit_a_stiffness,
    "twisted-bar": twisted_bar,
}


KERNELS = [
    "compare-integrators",
    *(pytest.param(n, marks=pytest.mark.study) for n in ("fit-a-stiffness", "twisted-bar")),
]
"""Executed by a kernel of Jupyter."""
HERE = ["fit-a-stiffness", pytest.param("twisted-bar", marks=pytest.mark.study)]
"""In make test without a kernel, which takes a third of the time. The figures of twisted-bar are those of an example."""


def test_each_notebook_has_claims() -> None:
    assert FILES.keys() == CLAIMS.keys()


@pytest.mark.parametrize("name", KERNELS)
def test_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    notebook = tidy(executed(FILES[name], tmp_path))
    CLAIMS[name](figures(notebook))
    assert machine_paths(notebook) == []


@pytest.mark.parametrize("name", HERE)
def test_cells_give_the_figures(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plt.switch_backend("agg")
    try:
        CLAIMS[name](figures_here(FILES[name]))
    finally:
        plt.close("all")


@pytest.mark.parametrize("name", CLAIMS)
def test_stored_outputs(name: str) -> None:
    notebook = nbformat.read(FILES[name], as_version=4)
    nbformat.validate(notebook)
    CLAIMS[name](figures(notebook))
    assert machine_paths(notebook) == []
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1)), "run `make notebooks`"
    assert any("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))


def test_stored_notebooks_are_small() -> None:
    assert sum(file.stat().st_size for file in FILES.values()) <= LARGEST


@pytest.mark.parametrize("text", ["/home/you/supple/run", "see /tmp/x", r"C:\\Users\\you"])
def test_machine_paths_are_found(text: str) -> None:
    output = nbformat.v4.new_output("stream", text=text)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[output])])
    assert machine_paths(notebook)
