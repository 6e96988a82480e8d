"""Plots of studies: drawn without warnings whatever the figures are, with a stroke for every curve."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from supple.integrators import INTEGRATORS
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth, Rope
from supple.render.plots.convergence import plot_orders, plot_work
from supple.render.plots.damping import coinciding, plot_damping
from supple.render.plots.modes import plot_mode_shapes, plot_spectra
from supple.render.style import INTEGRATORS as STROKES
from supple.render.style import strokes

PNG = b"\x89PNG\r\n\x1a\n"
GRID = np.geomspace(0.05, 100, 20)


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def drawn(file: Path) -> bool:
    return file.read_bytes().startswith(PNG)


def test_every_registered_method_has_a_stroke():
    assert set(INTEGRATORS.load()) <= set(STROKES)


def test_variants_of_a_method_differ_and_keep_their_colour():
    labels = ["avf", *(f"generalized-alpha:rho={rho}" for rho in (0, 0.5, 0.8, 0.9)), "newmark"]
    chosen = strokes(labels)
    assert len(set(chosen.values())) == len(labels)
    assert {chosen[label].colour for label in labels[1:5]} == {STROKES["generalized-alpha"].colour}
    assert chosen["generalized-alpha:rho=0"] == STROKES["generalized-alpha"]


def test_curves_that_coincide_are_one():
    curves = {"a": GRID, "b": GRID + 1e-12, "c": 2 * GRID, "d": np.full(20, np.nan), "e": np.full(20, np.nan)}
    assert coinciding(curves) == [["a", "b"], ["c"], ["d", "e"]]


@pytest.mark.parametrize(
    "curves",
    [
        {name: 0.1 * (k + 1) / GRID for k, name in enumerate(sorted(STROKES))}
        | {"avf": 0 * GRID, "backward-euler": np.log1p(GRID**2) / GRID, "rk4": -GRID},
        {"avf": np.full(20, np.nan)},
        {"avf": np.full(20, np.inf), "bdf2": 0 * GRID - 1e-15},
    ],
    ids=["all", "none", "odd"],
)
def test_damping(tmp_path, curves):
    plot_damping(GRID, curves, tmp_path / "d.png")
    assert drawn(tmp_path / "d.png")


@pytest.mark.parametrize(
    ("plot", "errors"),
    [
        (plot_orders, [1e-2, 1e-3, 1e-4]),
        (plot_orders, [np.nan] * 3),
        (plot_orders, [0.0, 1e-3, np.nan]),
        pytest.param(plot_orders, [1e-3] * 3, marks=pytest.mark.study),
        pytest.param(plot_work, [1e-2, 1e-3, 1e-4], marks=pytest.mark.study),
        (plot_work, [np.nan] * 3),
        (plot_work, [0.0, 1e-3, np.nan]),
        pytest.param(plot_work, [1e-3] * 3, marks=pytest.mark.study),
    ],
)
def test_convergence(tmp_path, plot, errors):
    h = np.array([0.1, 0.05, 0.025])
    kinds = ("error_x", "error_v", "error_energy")
    figures = {"h": h, "cpu_seconds": 1 / h, "error_modes": np.full(3, np.nan)} | dict.fromkeys(kinds, np.array(errors))
    plot({"avf": figures, "my method": figures}, tmp_path / "c.png", "study")
    assert drawn(tmp_path / "c.png")


def test_one_run_only(tmp_path):
    one = np.ones(1)
    plot_orders({"avf": {"h": one, "error_x": one, "error_v": one}}, tmp_path / "c.png", "study")
    assert drawn(tmp_path / "c.png")


@pytest.mark.parametrize(
    "spectra",
    [
        {"soft": (np.array([0.0] * 6 + [1.0, 2.0, 5.0]), 1e-9), "stiff": (100 * np.arange(1.0, 200.0), 1e-9)},
        {"buckled": (np.array([-5.0, 0.0, 3.0]), 1e-9)},
        {"loose": (np.zeros(4), 1e-9)},
    ],
    ids=["two", "buckled", "loose"],
)
def test_spectra(tmp_path, spectra):
    plot_spectra(spectra, tmp_path / "m.png", "modes")
    assert drawn(tmp_path / "m.png")


MESHES = (Bar(cells=(2, 1, 1)).mesh(), Cloth(cells=(2, 2)).mesh(), Rope().mesh())
VIEWS = ((1, "x"), (2, "y"), (4, "z"))


@pytest.mark.parametrize(
    ("mesh", "count", "up"),
    [
        pytest.param(mesh, *view, marks=[] if j == k else pytest.mark.study)
        for j, mesh in enumerate(MESHES)
        for k, view in enumerate(VIEWS)
    ],
)
def test_mode_shapes(tmp_path, mesh, count, up):
    shapes = np.random.default_rng(0).standard_normal((count, mesh.n, 3))
    shapes[0] = 0.0
    names = [f"mode {k}" for k in range(count)]
    plot_mode_shapes(mesh, mesh.vertices, shapes, names, tmp_path / "s.png", "shapes", up)
    assert drawn(tmp_path / "s.png")
