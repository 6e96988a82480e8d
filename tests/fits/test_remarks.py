"""Remarks of a result: certainty, damping of the method, frequencies."""

import numpy as np
import pytest

import supple as sp
from supple.fits.losses.targets import Target
from supple.fits.results.certainty import certainty
from supple.fits.results.remarks import (
    damping_remarks,
    is_damping,
    is_stiffness,
    observed_frequency,
    stiffness_factor,
)


def test_standard_errors_are_those_of_a_straight_line() -> None:
    """y = a + b t with noise: textbook formulas."""
    t = np.linspace(0.0, 1.0, 50)
    J, r = np.stack([np.ones(50), t], axis=1), np.random.default_rng(1).normal(size=50)
    found = certainty(J, r, ["a", "b"], [1.0, 100.0], np.array([1.0, 2.0]))
    s2, spread = r @ r / 48, np.sum((t - t.mean()) ** 2)
    assert found.errors[1] == pytest.approx(2.0 * np.sqrt(s2 / spread))
    assert found.errors[0] == pytest.approx(np.sqrt(s2 * (1 / 50 + t.mean() ** 2 / spread)))
    assert found.correlation[0, 1] == pytest.approx(-t.mean() / np.sqrt(np.mean(t**2)))
    assert found.open == ()


def test_what_is_open_is_named() -> None:
    J = np.zeros((10, 3))
    J[:, 0] = J[:, 1] = np.arange(10)
    both, idle = sorted(certainty(J, np.ones(10), ["a", "b", "c"], [1, 1, 1], np.ones(3)).open)
    assert both == "a, b: the data determine only combinations of them"
    assert idle.startswith("c: does not affect the compared")
    weak = certainty(np.eye(9)[:, :2], np.ones(9), ["a", "b"], [0.1, 100.0], np.ones(2)).open
    assert len(weak) == 1
    assert "standard error" in weak[0]
    assert np.isinf(certainty(np.ones((1, 2)), np.ones(1), ["a", "b"], [1, 1], np.ones(2)).errors).sum() in (0, 2)


def test_kinds_of_keys() -> None:
    assert is_damping("damping[0].shear")
    assert not is_damping("body[0].density")
    assert is_stiffness("body[0].material.young")
    assert is_stiffness("body[0].regions[0].layers.materials[2].young")
    assert not is_stiffness("body[0].material.poisson")


def test_only_methods_that_damp_are_warned_of() -> None:
    keys = ["body[0].material.young", "damping[0].shear"]
    assert damping_remarks(sp.AVF(), keys, 0.01) == []
    assert damping_remarks(sp.BackwardEuler(), keys[:1], 0.01) == []
    assert "has numerical damping" in damping_remarks(sp.BackwardEuler(), keys, 0.01)[0]
    assert damping_remarks(sp.BDF2(), keys, 0.01)


def test_the_frequency_of_a_target() -> None:
    t = np.sort(np.random.default_rng(2).uniform(0.0, 2.0, 60))
    x = np.zeros((60, 3))
    x[:, 1] = -0.3 + 0.1 * np.exp(-0.5 * t) * np.cos(14.0 * t + 0.3)
    x[:, 0] = 0.01 * np.sin(60.0 * t)
    assert observed_frequency(Target(t, x)) == pytest.approx(14.0, rel=5e-3)
    assert observed_frequency(Target(t[t < 0.5], x[t < 0.5])) is None
    assert observed_frequency(Target(t[:5], x[:5])) is None


def test_the_factor_of_a_stiffness() -> None:
    """A linear oscillator by the midpoint rule: tan(w h/2) = k h/2, w as seen, k^2 the stiffness over the mass."""
    h, k = 1 / 30, 15.0
    w = 2.0 / h * np.arctan(0.5 * h * k)
    factor = stiffness_factor(sp.AVF(), h, w)
    assert factor == pytest.approx(k * k / (w * w))
    assert stiffness_factor(sp.BackwardEuler(), h, w) is None
    assert stiffness_factor(sp.AVF(), h, None) is None
