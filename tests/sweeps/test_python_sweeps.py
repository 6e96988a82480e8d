"""Sweeps from Python: worlds with meshes in memory, functions as measures, tables, figures, and failures."""

import subprocess
import sys
from multiprocessing.spawn import get_preparation_data
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from clusters import Cluster

import supple as sp
from supple.sweeps.cluster.apart import apart
from supple.sweeps.manifest import Row, State

YOUNG = "body.0.material.young"


def world() -> sp.World:
    mesh = sp.Bar(cells=(2, 1, 1), size=(0.4, 0.2, 0.2)).mesh()
    return sp.World([sp.Body(mesh, sp.StVK.from_young(1e5, 0.3), name="bar", pin="left")])


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory, shared: Cluster) -> sp.Sweep:
    """Six runs of two workers; a measure refuses the heaviest bars."""

    def highest(run: sp.Run) -> float:
        if run.setup.world.bodies[0].density > 2000.0:
            raise TypeError("too heavy for this measure")
        return float(run.positions[-1, :, 1].max())

    return sp.sweep(
        world(),
        {"body.0.density": [500.0, 1000.0, 3000.0], "integrator.name": ["avf", "xpbd"]},
        {"highest": highest, "sag": "bar.right.y@min - bar.right.y@start", "drift": "total@drift"},
        h=0.01,
        steps=4,
        scheduler=shared.address,
        out=tmp_path_factory.mktemp("sweeps") / "bars",
        progress=False,
    )


def test_a_world_is_swept_and_errors_are_rows(swept: sp.Sweep) -> None:
    columns = swept.columns
    assert columns["body.0.density"] == [500.0, 500.0, 1000.0, 1000.0, 3000.0, 3000.0]
    assert columns["integrator.name"] == ["avf", "xpbd"] * 3
    assert columns["state"][::2] == ["finished", "finished", "failed"]
    assert swept.errors[4] == "measure 'highest': TypeError: too heavy for this measure"
    assert "Sweep(" in repr(swept)
    assert "6 runs" in repr(swept)
    assert not swept.path.with_name("bars-meshes").exists()
    assert len(list((swept.path / "files").glob("bar-*.vtk"))) == 1, "a mesh in memory is kept once for all runs"


def test_runs_are_those_of_supple_run(swept: sp.Sweep, tmp_path: Path) -> None:
    from supple.linalg.threads import use_threads

    use_threads(1)
    try:
        alone = sp.run(world(), sp.AVF(), h=0.01, steps=4, out=tmp_path / "alone", progress=False)
    finally:
        use_threads(0)
    run = swept.runs[2]
    assert run is not None
    np.testing.assert_array_equal(run.positions, alone.positions)
    right = alone.setup.assemble().mesh.group("bar.right")
    sag = alone.positions[:, right, 1].mean(axis=1, dtype=float)
    assert swept.columns["sag"][2] == pytest.approx(sag.min() - sag[0], rel=1e-12)
    assert swept.columns["highest"][2] == alone.positions[-1, :, 1].max()
    assert swept.runs[4] is None


def test_the_table_is_one_of_pandas_where_it_is_installed(
    swept: sp.Sweep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pandas.py").write_text(
        "class DataFrame:\n"
        "    def __init__(self, columns): self.columns = columns\n"
        "    def set_index(self, name): self.index = name; return self\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "pandas", raising=False)
    table = swept.table
    assert table.index == "run"
    assert table.columns["sag"][0] == swept.columns["sag"][0]


def test_a_figure_and_what_matters_most(swept: sp.Sweep) -> None:
    panels = swept.plot().axes
    assert len(panels) == 6
    assert {panel.get_ylabel() for panel in panels} - {""} == {"highest", "sag", "drift"}
    assert [panel.get_xlabel() for panel in panels[-2:]] == ["density", "name"]


def test_failed_measures_are_taken_again_without_another_run(swept: sp.Sweep, shared: Cluster) -> None:
    before = (swept.path / "runs" / "004" / "history.csv").stat().st_mtime_ns
    names = {"highest": lambda run: 1.0, "sag": "bar.right.y@min", "drift": "total@drift"}
    again = sp.resume_sweep(swept.path, measure=names, retry_failed=True, scheduler=shared.address, progress=False)
    assert again.columns["highest"][4] == 1.0, again.errors
    assert (swept.path / "runs" / "004" / "history.csv").stat().st_mtime_ns == before
    with pytest.raises(sp.SuppleError, match=r"measure 'highest': it is a Python function.*resume_sweep"):
        sp.resume_sweep(swept.path, progress=False)


def test_an_interrupted_sweep_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: Cluster) -> None:
    from contextlib import contextmanager

    from supple.sweeps import results

    def stop(row: Row) -> None:
        if row.state is State.FINISHED:
            raise KeyboardInterrupt

    @contextmanager
    def stopping(*_: Any) -> Any:
        yield stop

    options: dict[str, Any] = {"h": 0.01, "steps": 3, "progress": False, "out": tmp_path / "bars"}
    with monkeypatch.context() as patch:
        patch.setattr(results, "shown", stopping)
        with pytest.raises(KeyboardInterrupt):
            sp.sweep(world(), {YOUNG: [1e4, 1e5, 1e6]}, scheduler=shared.address, **options)
    half = sp.Sweep(tmp_path / "bars")
    assert half.columns["state"].count("finished") == 1
    done = next(run for run in half.runs if run is not None)
    before = (done.path / "history.csv").stat().st_mtime_ns
    whole = sp.resume_sweep(tmp_path / "bars", scheduler=shared.address, progress=False)
    assert whole.columns["state"] == ["finished"] * 3
    assert (done.path / "history.csv").stat().st_mtime_ns == before
    assert (tmp_path / "bars" / "table.csv").read_text().count("finished") == 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"vary": {}}, "nothing varies"),
        ({"vary": {YOUNG: []}}, "found no values"),
        ({"vary": {YOUNG: [-1.0]}}, r"run 0 \(young=-1\): body\[0\].material"),
        ({"vary": {YOUNG: "1e4:1e5:20000"}}, "20,000 runs are more than 10,000"),
        ({"vary": {YOUNG: [1e5]}, "measure": {"tip": "bar.tip.y@max"}}, "unknown vertex group 'bar.tip'"),
        ({"vary": {YOUNG: [1e5]}, "measure": ["totl@end"]}, "did you mean 'total'"),
        ({"vary": {YOUNG: [1e5]}, "sampling": "sobol"}, "add --sample N, or omit it"),
    ],
)
def test_refusals_come_before_anything_starts(tmp_path: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(sp.SuppleError, match=said):
        sp.sweep(world(), **options, h=0.01, steps=2, out=tmp_path / "out", progress=False)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("file", ["script.py", None], ids=["file", "piped"])
def test_workers_do_not_import_the_main_script(file: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    main = ModuleType("__main__")
    if file is not None:
        main.__file__ = file
    monkeypatch.setitem(sys.modules, "__main__", main)
    before = dict(vars(main))
    assert ("init_main_from_path" in get_preparation_data("worker")) == (file is not None)
    with apart():
        assert not [key for key in get_preparation_data("worker") if key.startswith("init_main")]
    assert vars(main) == before


@pytest.mark.parametrize("piped", [pytest.param(True, marks=pytest.mark.study), False], ids=["piped", "file"])
def test_a_script_need_not_guard_its_sweep(tmp_path: Path, piped: bool) -> None:
    """Workers do not run it again, and find its functions, and those of modules beside it, all the same."""
    (tmp_path / "beside.py").write_text("def first(run): return float(run.history['time'][0])\n")
    text = """
import beside
import supple as sp

def last(run):
    return float(run.history["time"][-1])

vary = {"body.0.density": [500.0, 600.0]}
measures = {"last": last, "first": beside.first}
found = sp.sweep("cantilever", vary, measures, steps=2, workers=1, progress=False, out="x")
print("measured", found.columns["last"], found.columns["first"])
"""
    (tmp_path / "script.py").write_text(text)
    words = [sys.executable, "-"] if piped else [sys.executable, "script.py"]
    done = subprocess.run(words, cwd=tmp_path, input=text if piped else "", capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("measured") == 1
    assert "0.0333" in done.stdout
    assert done.stdout.endswith("[0.0, 0.0]\n")
