"""Parameters over time: notation, meaning and refusals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.checks import checked
from supple.errors import SuppleError
from supple.formulas.curves import Curve, NotNegativeChanging, PositiveChanging, as_curve, negative, times
from supple.model.plain import plain
from supple.scene.text.registry_models import options_model

KEYS = ((0.1, 1.0), (0.5, 2.0), (0.9, -1.0), (1.3, 0.0))
KINDS = ("linear", "smooth", "spline", "step")
TIMES = np.linspace(-0.2, 1.6, 181)


@checked
@dataclass(frozen=True)
class Options:
    k: PositiveChanging = 1.0
    m: NotNegativeChanging = 0.0


@pytest.mark.parametrize("kind", KINDS)
def test_keys_are_met_and_held_outside(kind: Any) -> None:
    curve = Curve(keys=KEYS, interpolation=kind)
    assert [curve.at_time(t) for t, _ in KEYS] == pytest.approx([v for _, v in KEYS], abs=1e-15)
    assert (curve.at_time(-5.0), curve.at_time(7.0)) == (1.0, 0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_as_an_expression_it_is_the_same(kind: Any) -> None:
    curve = Curve(keys=KEYS, interpolation=kind)
    same = Curve(curve.expression)
    assert [curve.at_time(t) for t in TIMES] == pytest.approx([same.at_time(t) for t in TIMES], abs=1e-14)


@pytest.mark.parametrize("kind", ["smooth", "spline"])
def test_smooth_curves_have_no_corners(kind: Any) -> None:
    curve, e = Curve(keys=KEYS, interpolation=kind), 1e-6
    for t, _ in KEYS:
        before = (curve.at_time(t) - curve.at_time(t - e)) / e
        after = (curve.at_time(t + e) - curve.at_time(t)) / e
        assert abs(after - before) < 1e-3


def test_smooth_rests_at_its_keys() -> None:
    curve, e = Curve(keys=KEYS, interpolation="smooth"), 1e-6
    assert all(abs(curve.at_time(t + e) - v) < 1e-9 for t, v in KEYS)


def test_texts_at_their_limits_can_be_scaled() -> None:
    """A product is not read again: its text would be too long, or have too many parentheses."""
    for text in (f"{'(' * 190}t{')' * 190}", f"t{' ' * 990}+ 1"):
        curve = Curve(text)
        assert negative(curve).at_time(2.0) == -curve.at_time(2.0)
        assert times(3.0, curve).at_time(2.0) == 3.0 * curve.at_time(2.0)


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("t < 1", "is a condition"),
        ("x", "unknown"),
        ("1/t", "finite at all times"),
        ({"keys": []}, "keys = [[0.0, 1.0]"),
        ({"keys": [[0, 1], [0, 2]]}, "times must increase"),
        ({"keys": [[0, float("nan")]]}, "finite numbers"),
        ({"keys": [[0, 1, 2]]}, "a time and a value"),
        ({"keys": [[0, 1]], "interpolation": "bezier"}, "unknown value"),
        ({"key": [[0, 1]]}, "input should be"),
        ({"keys": [[0, -1.0]]}, "greater than 0"),
        (-2.0, "greater than 0"),
        (0.0, "greater than 0"),
        (True, "valid number"),
    ],
)
def test_mistakes_are_refused_in_python_and_in_scenes(written: Any, sentence: str) -> None:
    with pytest.raises(SuppleError, match=r"options\.k") as caught:
        Options(k=written)
    assert sentence in str(caught.value)
    with pytest.raises(ValueError, match="k"):
        options_model(Options)(k=written)


def test_a_curve_may_pass_through_zero_where_a_number_may_not() -> None:
    assert Options(k={"keys": [[0, 0], [1, 2]]}).k == Curve(keys=((0.0, 0.0), (1.0, 2.0)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "written", ["2*t + 1", {"keys": [[0.0, 1.0], [1.0, 2.0]]}, {"keys": [[0.0, 1.0]], "interpolation": "step"}]
)
def test_the_way_back_to_text(written: Any) -> None:
    table = options_model(Options)(k=written)
    assert plain(table.make()) == {"k": written}
    assert as_curve(plain(table.make().k)) == table.make().k


def test_fields_take_curves() -> None:
    field = sp.Field(Curve(keys=((0.0, 1e5), (1.0, 3e5))))  # type: ignore[arg-type]
    assert field.changes
    assert not sp.Field("1e5*X").changes
    assert field.at(np.zeros((2, 3)), 0.5).tolist() == [2e5, 2e5]
    assert plain(field) == {"keys": [[0.0, 1e5], [1.0, 3e5]]}
