"""Numbers that depend on the place."""

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.formulas.domain import domain
from supple.formulas.parse import parse
from supple.formulas.places.fields import Field, value_at, varies
from supple.materials.rest.text import text_of

POINTS = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, -4.0]])


def test_values_at_points() -> None:
    assert Field("1 + 4*Z").at(POINTS).tolist() == [9.0, -15.0]
    assert Field("1 + 4*z").at(POINTS).tolist() == [9.0, -15.0]
    assert Field("r^2 + 0*X").at(POINTS).tolist() == pytest.approx([5.0, 25.0])
    assert Field("where(Y > 0.5, 1, 2)").at(POINTS).tolist() == [1.0, 2.0]
    assert Field("7").at(POINTS).tolist() == [7.0, 7.0]


def test_arithmetic_gives_fields_with_a_text() -> None:
    a = Field("1 + X")
    for found, wanted in (
        (2.0 * a, [2.0, 8.0]),
        (a / (2 * (1 + Field("Y"))), [0.25, 2.0]),
        (1.0 - a, [0.0, -3.0]),
        (-a, [-1.0, -4.0]),
        (a - 1, [0.0, 3.0]),
        (8 / a, [8.0, 2.0]),
        (np.float64(2.0) * a, [2.0, 8.0]),
    ):
        assert isinstance(found, Field)
        assert found.at(POINTS).tolist() == wanted
        assert Field(found.text).at(POINTS).tolist() == wanted
    with pytest.raises(TypeError):
        np.ones(2) * a
    with pytest.raises(TypeError):
        a * "2"


def test_products_of_texts_at_their_limits() -> None:
    """A product is not read again: its text would be too long, or have too many parentheses."""
    for text in (f"{'(' * 190}X{')' * 190}", f"X{' ' * 990}+ 1"):
        a = Field(text)
        assert (2.0 * a / (1.0 + a)).at(POINTS).tolist() == (2.0 * a.at(POINTS) / (1.0 + a.at(POINTS))).tolist()
    with pytest.raises(SuppleError, match="divides by zero"):
        Field("X") / 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 + Q", r"unknown name 'Q'.*\(column 5\)"),
        ("X > 1", "'X > 1' is a condition; a number is needed here"),
        ("", "the expression is empty"),
        (3, "input should be an expression such as"),
    ],
)
def test_what_is_no_field(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Field(text)


def test_a_field_is_finite_in_its_places() -> None:
    with pytest.raises(SuppleError, match=r"'1/X' is inf in 1 of 2 elements, first at \(0, 1, 2\)"):
        Field("1/X").at(POINTS)


def test_vectors_have_components_of_both_kinds() -> None:
    assert varies((1.0, "X", 0.0))
    assert not varies((1.0, 2.0, 3.0))
    assert not varies(np.ones(3))
    assert value_at((1.0, "X", 0.0), POINTS).tolist() == [[1.0, 0.0, 0.0], [1.0, 3.0, 0.0]]
    assert value_at(2.5, POINTS) == 2.5


@pytest.mark.parametrize(
    "text",
    ["a - (b - c)", "a/(b*c)", "a/b*c", "-a^2", "(-a)^2", "(a^b)^c", "a^b^c", "exp(-(a + b))*c", "max(a, b, c)",
     "where(a < b and c > 0 or a == 1, a, b)", "a^(-2/3)", "-(a + b)", "2*-a", "a - b + c"],
)  # fmt: skip
def test_a_graph_as_text_is_the_same_graph(text: str) -> None:
    graph = parse(text, ("a", "b", "c"), {})
    written = text_of(graph)
    values = {name: np.array([0.3, 1.7]) for name in "abc"}
    again = parse(written, ("a", "b", "c"), {})
    from supple.formulas.walk import evaluate

    np.testing.assert_allclose(evaluate([again], values, 2)[0], evaluate([graph], values, 2)[0], rtol=1e-5)


def test_what_a_formula_needs_can_be_read() -> None:
    found = domain([parse("log(1 - (I - 3)/Jm) + sqrt(J)", ("I", "J", "Jm"), {})])
    assert [text_of(node) for node in found.positive] == ["1 - (I - 3)/Jm", "J"]
