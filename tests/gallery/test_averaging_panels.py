"""Panels on average vector field integration, on the tree and on the brick: what they measure with."""

import numpy as np
import pytest

from supple.gallery.averaging.paths import first_step
from supple.gallery.averaging.sheet import FINER, tiny_steps
from supple.gallery.averaging.spinning import _trend
from supple.gallery.averaging.table import ROWS
from supple.gallery.averaging.wrinkles import LAST, _spectrum, _wrinkles
from supple.gallery.perspective.tree import swing
from supple.integrators.explicit.symplectic import Verlet
from supple.loop import simulate
from supple.scene.text.load import load_scene


def test_simpson_along_the_path_is_the_change_of_the_energy() -> None:
    path = first_step()
    assert path["gap"] < 1e-13
    assert abs(path["mean"]) < max(abs(f) for f in path["force"])


def test_the_spectrum_finds_a_wave() -> None:
    n, waves = 29, 12
    nodes = np.arange(n + 1) + 0.5
    field = np.zeros((LAST + 3, (n + 1) ** 2, 3))
    field[:, :, 2] = np.outer(np.cos(np.pi * waves * nodes / (n + 1)), np.ones(n + 1)).ravel()
    found = _spectrum(field, n, flat=True)
    assert np.argmax(found) == waves - 1
    assert found.sum() == pytest.approx(found[waves - 1])
    assert _wrinkles({"all": found, "none": np.where(np.arange(n - 1) < 7, found, 0.0)}) == pytest.approx(
        [found.sum(), 0.0], abs=1e-12
    )


def test_the_trend_of_a_line_is_its_rise() -> None:
    assert _trend(np.linspace(1.0, 0.9, 1001))[1] == pytest.approx(-0.1, rel=1e-2)
    assert _trend(1.0 + 0.1 * np.sin(np.arange(5001)))[1] == pytest.approx(0.0, abs=1e-3)


def test_the_swing_counts_within_its_span() -> None:
    times = np.linspace(0.0, 2.0, 201)
    way = np.exp(-times) * np.sin(20.0 * np.pi * times)
    assert swing(way, times, 1.0, 2.0) / swing(way, times, 0.0, 1.0) == pytest.approx(np.exp(-1.0), rel=0.02)


def test_tiny_steps_are_those_of_verlet() -> None:
    model = load_scene("spring-sheet").make().assemble()
    (found,) = tiny_steps(model.system, model.state, 1 / 30, 1)
    *_, last = simulate(model.system, Verlet(), model.state, 1 / 30 / FINER, FINER)
    assert np.abs(found - last.state.x).max() < 1e-12


def test_the_table_has_bodies_of_the_printed_sizes() -> None:
    for row in ROWS:
        printed = int(row.size.split(", ")[1].split(" ")[0].replace(",", ""))
        mesh = load_scene(row.scene, row.settings).make().assemble().mesh
        assert max(len(mesh.tets), len(mesh.edges)) == pytest.approx(printed, rel=0.07)
