"""Panels of the slides: what they measure with, on the smallest bodies."""

import numpy as np
import pytest

import supple as sp
from supple.gallery.slides.answers import LAWS, OBSTACLE, SCENE, SETTINGS
from supple.gallery.slides.linear_solvers import SOLVERS, _measured
from supple.gallery.slides.particle import _dragged, _factor
from supple.gallery.slides.pendulum import _is_stable, _spring
from supple.scene.text.load import load_scene


def test_factors_of_both_eulers() -> None:
    assert _factor(sp.ForwardEuler(), 2.5) == pytest.approx(-1.5, abs=1e-14)
    assert _factor(sp.BackwardEuler(), 2.5) == pytest.approx(1 / 3.5, abs=1e-14)
    assert abs(_dragged("forward-euler", 0.04)[-1, 1]) > 10 > 1e-6 > abs(_dragged("backward-euler", 0.04)[-1, 1])


def test_all_linear_solvers_move_the_bar_alike() -> None:
    rows = {name: _measured(2, 1 / 60, options) for name, options in SOLVERS.items()}
    assert {row[0] for row in rows.values()} == {3.0 * 8 * 9}
    assert np.ptp([row[3] for row in rows.values()]) < 1e-8
    assert rows["direct"][2] == 0 < rows["cg"][2]


def test_a_spring_limits_the_step_as_theory_says() -> None:
    """Verlet is stable up to 2/omega; the bob has half of the 2 kg, and the other end is held."""
    model = load_scene("pendulum", _spring(1e4)).make().assemble()
    limit = 2.0 / np.sqrt(1e4 / 1.0)
    assert _is_stable(model, 0.95 * limit)
    assert not _is_stable(model, 1.1 * limit)


def test_laws_of_the_floor_are_those_of_the_panel() -> None:
    for law in LAWS.values():
        scene = load_scene(SCENE, [*SETTINGS, OBSTACLE.format(law)])
        assert scene.make().world.obstacles[0].law == law
