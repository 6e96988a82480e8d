"""Rankings of methods: by error at a budget, by cost for an accuracy, without extrapolation."""

import math

import pytest

from supple.analysis.ranking import common_budget, rank_by_cost, rank_by_error

CURVES = {
    "steep": [(4.0, 1e-2), (8.0, 1e-4), (16.0, 1e-6)],
    "cheap": [(1.0, 1e-2), (2.0, 5e-3), (4.0, 2.5e-3)],
    "exploded": [],
}


def test_by_error_at_a_budget() -> None:
    first, second, out = rank_by_error(CURVES, 8.0)
    assert (first.integrator, first.error, first.cost) == ("steep", 1e-4, 8.0)
    assert (second.integrator, second.error, second.cost) == ("cheap", 2.5e-3, 4.0)  # its finest run, not beyond
    assert (out.integrator, out.reason) == ("exploded", "no run gave a usable error")


def test_between_two_runs_the_logarithms_are_straight() -> None:
    place = rank_by_error(CURVES, 4.0 * math.sqrt(2.0))[0]
    assert place.error == pytest.approx(1e-3, rel=1e-12)
    assert place.cost == pytest.approx(4.0 * math.sqrt(2.0))
    assert rank_by_cost(CURVES, 1e-3)[0].cost == pytest.approx(4.0 * math.sqrt(2.0), rel=1e-12)


def test_too_dear_for_the_budget() -> None:
    cheap, steep, _ = rank_by_error(CURVES, 2.0)
    assert cheap.integrator == "cheap"
    assert steep.reason == "its cheapest run takes 4 CPU s per simulated second"
    assert math.isnan(steep.error)


def test_by_cost_for_an_accuracy() -> None:
    assert [place.integrator for place in rank_by_cost(CURVES, 5e-3)] == ["cheap", "steep", "exploded"]
    steep, cheap, _ = rank_by_cost(CURVES, 1e-5)
    assert steep.integrator == "steep"
    assert cheap.reason == "its best run has an error of 0.0025"
    assert rank_by_cost(CURVES, 1e-5, budget=10.0)[0].reason.endswith("above the budget")


def test_errors_of_rounding_are_equal() -> None:
    curves = {"dear": [(2.0, 1e-16)], "cheap": [(1.0, 1e-13), (3.0, 1e-15)]}
    cheap, dear = rank_by_error(curves, 5.0)
    assert (cheap.integrator, cheap.cost, dear.integrator) == ("cheap", 1.0, "dear")


def test_an_error_of_zero_is_not_interpolated() -> None:
    assert rank_by_error({"a": [(1.0, 1e-3), (4.0, 0.0)]}, 2.0)[0].error == 1e-3


def test_the_budget_that_all_can_meet() -> None:
    assert common_budget(CURVES) == 4.0
    assert math.isnan(common_budget({"exploded": []}))
