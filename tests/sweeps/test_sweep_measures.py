"""Measures: columns at places, groups, arithmetic, and refusals."""

import math

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.sweeps.measures import at_place, make_measures, parse_measure

TIMES = np.array([0.0, 1.0, 3.0])
VALUES = np.array([2.0, 5.0, -1.0])


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("start", 2.0),
        ("end", -1.0),
        ("max", 5.0),
        ("min", -1.0),
        ("mean", (3.5 * 1.0 + 2.0 * 2.0) / 3.0),
        ("sum", 6.0),
        ("drift", 1.5),
        ("time-of-max", 1.0),
    ],
)
def test_places(place: str, value: float) -> None:
    assert at_place(TIMES, VALUES, place) == pytest.approx(value)


def test_a_series_of_one_value_has_a_mean_and_an_empty_one_nothing() -> None:
    assert at_place(TIMES[:1], VALUES[:1], "mean") == 2.0
    assert math.isnan(at_place(TIMES[:0], VALUES[:0], "max"))


def test_names_and_groups() -> None:
    measure = parse_measure("sag = bar.right.y@min - right.y@start")
    assert (measure.name, measure.groups) == ("sag", ["bar.right", "right"])
    assert parse_measure("wall_seconds / newton_iterations@sum").name == "wall_seconds / newton_iterations@sum"
    assert [m.name for m in make_measures({"a": "total@end", "b": lambda run: 1.0})] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("totl@end", "unknown column 'totl'; did you mean 'total'"),
        ("total@ende", "unknown place 'ende'; known: start, end"),
        ("3 + 4", "uses no data of the run"),
        ("total@end >", "'total@end >' is not an expression"),
        ("total@end > 1", "found a condition; a measure is a number"),
        ("total@end + foo", "foo"),
    ],
)
def test_refusals(text: str, said: str) -> None:
    with pytest.raises(SuppleError, match=said):
        parse_measure(text)


def test_each_measure_has_a_name_of_its_own() -> None:
    with pytest.raises(SuppleError, match="measure 'a': given 2 times"):
        make_measures(["a = total@end", "a = total@start"])
