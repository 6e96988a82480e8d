"""Axes of sweeps: values and ranges in words and from Python, and refusals."""

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.sweeps.axes import Listed, Range, make_axis, override, parse_axis


@pytest.mark.parametrize(
    ("text", "axis"),
    [
        ("time.step=0.01,0.02", Listed("time.step", (0.01, 0.02))),
        ("integrator.name=avf,bdf2", Listed("integrator.name", ("avf", "bdf2"))),
        ("world.gravity=[0, -1, 0],[0, -2, 0]", Listed("world.gravity", ([0, -1, 0], [0, -2, 0]))),
        ('title="a, b",c', Listed("title", ("a, b", "c"))),
        ("a.young=1e4:1e6:3:log", Range("a.young", 1e4, 1e6, 3, log=True)),
        ("a.young=1:2:5", Range("a.young", 1.0, 2.0, 5)),
        ("a.young=1:2", Range("a.young", 1.0, 2.0)),
        ("a.young=1:2:log", Range("a.young", 1.0, 2.0, log=True)),
        ('time.step="1/30","1/60"', Listed("time.step", ("1/30", "1/60"))),
        ("a.b=true", Listed("a.b", (True,))),
    ],
)
def test_axes_in_words(text: str, axis: Listed | Range) -> None:
    assert parse_axis(text) == axis


def test_values_of_ranges() -> None:
    assert parse_axis("a=1e4:1e6:3:log").grid() == pytest.approx([1e4, 1e5, 1e6])
    assert parse_axis("a=2:1:3").grid() == (2.0, 1.5, 1.0)
    assert parse_axis("a=1e4:1e6:3:log").grid()[-1] == 1e6, "ends agree with the request, to the bit"
    assert parse_axis("a=x,y,z").at(0.999) == "z"
    assert parse_axis("a=1:100:log").at(0.5) == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k=1:1000:1000000000", "a count of 1,000,000,000; a range has at most 1,000,000 values"),
        ("young", "expected KEY=V1,V2"),
        ("=1,2", "expected KEY=V1,V2"),
        ("a=", "found no values"),
        ("a=1:1:3", "empty range"),
        ("a=1:2:1", "a range has 2 values or more"),
        ("a=1:2:2.5", "whole number"),
        ("a=-1:2:3:log", "above 0"),
        ("a=1:inf:3", "finite"),
        ("a=1:2:3:4", "expected START:STOP"),
    ],
)
def test_refusals_say_what_is_right(text: str, said: str) -> None:
    with pytest.raises(SuppleError, match=said):
        parse_axis(text).grid()


def test_a_range_without_a_count_is_for_samples() -> None:
    with pytest.raises(SuppleError, match=r"a=1:2:5 for five values, or --sample N"):
        parse_axis("a=1:2").grid()


def test_axes_from_python() -> None:
    assert make_axis("a", [1, 2]) == Listed("a", (1, 2))
    assert make_axis("a", np.array([1.0, 2.0])) == Listed("a", (1.0, 2.0))
    assert make_axis("a", "1:2:3") == Range("a", 1.0, 2.0, 3)
    with pytest.raises(SuppleError, match=r"vary\['a'\]: found 3"):
        make_axis("a", 3)


def test_values_become_overrides_that_keep_every_bit() -> None:
    assert override("a", 0.1 + 0.2) == "a=0.30000000000000004"
    assert override("a", "avf") == 'a="avf"'
    assert override("a", [0.0, True]) == "a=[0.0, true]"
