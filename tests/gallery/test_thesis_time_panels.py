"""Panels of the thesis about time: what they measure with."""

import numpy as np
import pytest

from supple.analysis.reference import dop853
from supple.gallery.thesis.adaptive_cost import comet
from supple.gallery.thesis.step_rules import _unevenness
from supple.gallery.thesis.three_masses import _forces_at
from supple.gallery.thesis.toys import RULES, base_step, drift, mass_on_spring, pendulum, series, steps
from supple.integrators.implicit.avf import AVF


def test_the_pendulum_turns_round_where_it_was_let_go() -> None:
    found = series(pendulum(), AVF(), 0.02, steps(300), speed=lambda f: abs(f.state.v[0, 0]))
    assert max(np.abs(found["q"])) == pytest.approx(2.0, abs=1e-6)
    assert max(found["speed"]) == pytest.approx(np.sqrt(2 * 9.8 * (1 - np.cos(2.0))), rel=1e-3)
    assert len(found["t"]) == len(found["energy"]) == 301


def test_the_mass_on_a_spring_is_damped() -> None:
    system, start = mass_on_spring(0.2)
    end = dop853(system, start, 2 * np.pi, lambda t: None)
    assert end.x[0, 0] == pytest.approx(np.exp(-0.1 * 2 * np.pi), rel=0.02)


def test_the_comet_comes_back() -> None:
    system, start = comet()
    end = dop853(system, start, 2 * np.pi, lambda t: None)
    np.testing.assert_allclose(end.x, start.x, atol=1e-7)


@pytest.mark.parametrize("rule", RULES)
def test_rules_have_the_mean_step_that_is_asked_for(rule: str) -> None:
    assert base_step(RULES[rule], 0.06) == pytest.approx(2 * base_step(RULES[rule], 0.03))


def test_figures_of_known_series() -> None:
    assert drift(np.linspace(1.0, 2.0, 101)) == pytest.approx(0.91)
    assert _unevenness(np.array([1.0, 3.0])) == pytest.approx(0.5)
    runs = [{"forces": 100.0}, {"forces": 50.0}]
    assert _forces_at(np.array([0.01, 0.04]), runs, 0.02) == pytest.approx(np.sqrt(100.0 * 50.0))
