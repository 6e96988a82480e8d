"""Texts become graphs, or are refused with a sentence and a column."""

import contextlib

import pytest
from graphs import untimed
from hypothesis import given
from hypothesis import strategies as st

from supple.formulas.graph import apply, leaf
from supple.formulas.implicit import Implicit
from supple.formulas.parse import parse

X, Y = leaf("x"), leaf("y")


def read(text: str):
    return parse(text, ("x", "y"), {"pi": 3.0})


def test_texts_become_graphs() -> None:
    assert read("x + 2 * y") is X + 2.0 * Y
    assert read("-x^2 / pi") is -(X**2.0) / 3.0
    assert read("min(x, y, 1)") is apply("min", apply("min", X, Y), read("1"))
    assert read("x <\n y") is apply("lt", X, Y)


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("x + q", "unknown name 'q'; known: x, y, pi", 5),
        ("  x^2 * y^3 + q", "unknown name 'q'", 15),
        ("x + é", "unknown name 'é'", 5),
        ("x * sinus(y)", "unknown function 'sinus'; did you mean 'sin'?", 5),
        ("x.__class__", "'x.__class__' is not allowed; an expression has numbers, x, y, pi, + - * / ^", 1),
        ("1 + ().__class__", "'().__class__' is not allowed", 5),
        ("__class__", "unknown name '__class__'", 1),
        ("x + f()()", "unknown function 'f()'", 5),
        ("x + 1/0", "'1/0' divides by zero", 5),
        ("x / (2 - 2)", "'x / (2 - 2)' divides by zero", 1),
        ("x * exp(1000)", "'exp(1000)' is inf, which is not a finite number", 5),
        ("log(-1) + x", "'log(-1)' is nan, which is not a finite number", 1),
        ("9^9^9", "'9^9^9' is inf", 1),
        ("min(1/0, x)", "'1/0' divides by zero", 5),
        ("x + 1e999", "'1e999' is too large a number", 5),
        ("x + " + "9" * 400, "is too large a number", 5),
        ("x^2 +* y", "is not an expression (invalid syntax)", 6),
        ("x # y", "is not an expression (# cannot be used)", 3),
        ("x + (y < 1)", "'y < 1' is a condition, but a number is needed in that place", 6),
    ],
)
def test_mistakes_are_located(text: str, message: str, column: int) -> None:
    with pytest.raises(ValueError) as caught:
        read(text)
    assert message in str(caught.value)
    assert str(caught.value).endswith(f"(column {column})")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("*".join(["x"] * 10_000), "at most 1000 are read"),
        ("*".join(["x"] * 300), "at most 100 levels are read"),
        ("-" * 900 + "x", "nested too deeply|cannot be parsed"),
        ("not " * 200 + "x < 1", "nested too deeply"),
        ("(" * 400 + "x" + ")" * 400, "is not an expression"),
        ("min(" + ",".join(["x"] * 480) + ")", "at most 400 are read"),
        ("x\0", "is not an expression"),
        ("\ud800", "is not an expression"),
        ("x(" * 150 + ")" * 150, "nested too deeply|unknown function"),
        ("[x for x in " * 50, "is not an expression"),
    ],
)
def test_hostile_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(text)


@untimed
@given(st.text(alphabet="xyq019.e+-*/^()<>=!,' \n#[]{}:_@\\sincolgtaheroradwpmu", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):  # and nothing else
        assert read(text)


@pytest.mark.parametrize("text", ["exp(" * 60 + "x" + ")" * 60, "x^" * 60 + "y", "*".join(["(x + y)"] * 90)])
def test_large_formulas_have_second_derivatives(text: str) -> None:
    assert Implicit(text)


def test_surfaces_without_derivatives_are_refused() -> None:
    with pytest.raises(ValueError, match="the derivative by x has a part that is -inf"):
        Implicit("0^x + y")
    with pytest.raises(ValueError, match=r"'x < 1' cannot stand in the equation of a surface.*\(column 11\)"):
        Implicit("z + where(x < 1, x, y)")
