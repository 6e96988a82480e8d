"""Words and expressions for the state at time 0."""

from typing import Any

import numpy as np
import pytest

from supple.model.initial import Initial
from supple.scene.text.registry_models import options_model

X = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 1.0, 4.0]])
CENTROID = X.mean(axis=0)


def initial(**words: Any) -> Initial:
    """As the table `body.initial` has it."""
    made: Initial = options_model(Initial).model_validate(words).make()
    return made


def placed(**words: Any) -> np.ndarray:
    return initial(**words).positions(X)


def test_nothing_said() -> None:
    np.testing.assert_array_equal(placed(), X)
    assert placed() is not X
    np.testing.assert_array_equal(Initial().velocities(X), 0.0)


def test_expressions_use_rest_positions() -> None:
    found = placed(position=["X + 0.5 * (Y / 2) ^ 2", "1.6 * Y", 3.0])
    np.testing.assert_allclose(found, np.stack([X[:, 0] + X[:, 1] ** 2 / 8, 1.6 * X[:, 1], np.full(4, 3.0)], axis=1))


def test_stretch_keeps_the_centroid() -> None:
    found = placed(stretch=[1.5, 0.8, 1.0])
    np.testing.assert_allclose(found.mean(axis=0), CENTROID)
    np.testing.assert_allclose(found - CENTROID, (X - CENTROID) * [1.5, 0.8, 1.0])


@pytest.mark.parametrize(("axis", "plane"), [("x", (1, 2)), ("y", (2, 0)), ("z", (0, 1))])
def test_twist_turns_by_the_right_hand(axis: str, plane: tuple[int, int]) -> None:
    along, (a, b) = "xyz".index(axis), plane
    found = placed(twist={"axis": axis, "rate": np.pi / 8, "centre": [0.0, 0.0, 0.0]})
    np.testing.assert_array_equal(found[:, along], X[:, along])
    angle = np.pi / 8 * X[:, along]
    turned = (X[:, a] + 1j * X[:, b]) * np.exp(1j * angle)
    np.testing.assert_allclose(found[:, a] + 1j * found[:, b], turned, atol=1e-15)


def test_words_are_applied_in_order() -> None:
    found = placed(
        stretch=[2.0, 1.0, 1.0],
        rotate={"axis": [0, 0, 1], "angle": np.pi / 2, "centre": [0, 0, 0]},
        translate=[0.0, 0.0, 1.0],
    )
    stretched = CENTROID + (X - CENTROID) * [2.0, 1.0, 1.0]
    np.testing.assert_allclose(found, np.stack([-stretched[:, 1], stretched[:, 0], X[:, 2] + 1], axis=1), atol=1e-14)


def test_spin_about_the_rest_centroid() -> None:
    start = initial(velocity=[1.0, "Y", 0], spin=[0.0, 0.0, 2.0], stretch=[3.0, 1.0, 1.0])
    found = start.velocities(X)
    r = X - CENTROID
    np.testing.assert_allclose(found[:, 0], 1.0 - 2 * r[:, 1])
    np.testing.assert_allclose(found[:, 1], X[:, 1] + 2 * r[:, 0])
