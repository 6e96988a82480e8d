"""Mean gradients over a step: they give the difference of energies, share the invariants of the term, and have a derivative."""

from typing import Any

import numpy as np
import pytest
from catalogue import ELASTIC, KINKED, SOLIDS, TERMS, deformed

from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.errors import StepRejected
from supple.materials import MATERIALS
from supple.types import Array

MATERIALS.load()
OBJECTIVE = sorted(set(ELASTIC) - {"solid linear"})
SIZES = (1.0, 3e-2, 1e-3, 1e-5, 1e-8)
"""Steps from large ones, where energies are subtracted, to those in which only rounding error would be left."""
SOME = [pytest.param(size, marks=pytest.mark.study if size in (3e-2, 1e-5) else ()) for size in SIZES]


class Plain(EnergyTerm):
    """A term of which nothing but value, gradient and Hessian is known."""

    def __init__(self, term: EnergyTerm) -> None:
        self.elements, self.degree = term.elements, term.degree
        self.element_values, self.element_gradients = term.element_values, term.element_gradients
        self.element_hessians = term.element_hessians


CASES: dict[str, Any] = TERMS | {
    f"{name}, by default": lambda name=name: Plain(TERMS[name]()) for name in ("solid neo-hookean", "hooke springs")
}


def step(size: float = 1.0) -> tuple[Array, Array]:
    """Two configurations: one turned by 0.3 `size` rad and strained against the other."""
    x0 = deformed(2, size=0.05)
    c, s = np.cos(0.3 * size), np.sin(0.3 * size)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    noise = np.random.default_rng(3).uniform(-0.05, 0.05, x0.shape)
    return x0, np.ascontiguousarray(x0 @ turn.T + size * noise)


def along(term: EnergyTerm, gradients: Array, d: Array) -> Array:
    return np.einsum("mai,mai->m", gradients, d[term.elements])


@pytest.mark.parametrize("size", SOME)
@pytest.mark.parametrize("name", CASES)
def test_mean_gradients_give_the_difference_of_energies(name: str, size: float) -> None:
    term, (x0, x1) = CASES[name](), step(size)
    before, after = term.element_values(x0), term.element_values(x1)
    found = along(term, term.element_mean_gradients(x0, x1), x1 - x0)
    # energies are differences of terms as large as a stiffness times a squared length
    rounding = 1e-15 * max(np.abs(before).max(), np.abs(after).max(), np.abs(term.element_hessians(x0)).max())
    assert np.abs(found - (after - before)).max() <= (100 if name in KINKED else 10) * rounding
    if size >= 1e-3:
        assert np.abs(after - before).max() > 1e4 * rounding


@pytest.mark.parametrize("size", SOME)
@pytest.mark.parametrize("name", CASES)
def test_mean_gradients_do_not_care_which_end_comes_first(name: str, size: float) -> None:
    term, (x0, x1) = CASES[name](), step(size)
    there, back = term.element_mean_gradients(x0, x1), term.element_mean_gradients(x1, x0)
    np.testing.assert_allclose(there, back, rtol=0, atol=1e-12 * np.abs(there).max())


@pytest.mark.parametrize("name", CASES)
def test_without_a_step_they_are_the_gradient(name: str) -> None:
    term, x = CASES[name](), deformed(4)
    gradients = term.element_gradients(x)
    size = max(np.abs(gradients).max(), np.abs(term.element_hessians(x)).max())
    np.testing.assert_allclose(term.element_mean_gradients(x, x), gradients, rtol=0, atol=1e-14 * size)
    half = 0.5 * term.element_hessians(x)
    np.testing.assert_allclose(term.element_mean_jacobians(x, x), half, rtol=0, atol=1e-13 * size)


@pytest.mark.parametrize("name", CASES)
def test_small_steps_bring_no_noise(name: str) -> None:
    """The mean gradient differs from that of the midpoint by the square of the step, down to rounding error."""
    term = CASES[name]()
    for size in SIZES[1:]:
        x0, x1 = step(size)
        middle = term.element_gradients(0.5 * (x0 + x1))
        gap = np.abs(term.element_mean_gradients(x0, x1) - middle).max()
        assert gap <= 2 * size**2 * np.abs(middle).max() + 1e-12 * np.abs(term.element_hessians(x0)).max()


@pytest.mark.parametrize("size", SOME)
@pytest.mark.parametrize("name", OBJECTIVE)
def test_elastic_mean_forces_neither_push_nor_turn(name: str, size: float) -> None:
    term, (x0, x1) = TERMS[name](), step(size)
    gradients = term.element_mean_gradients(x0, x1)
    assert np.abs(gradients).max() > 1e-2
    assert np.abs(gradients.sum(axis=1)).max() <= 1e-13 * np.abs(gradients).max()
    middle = (0.5 * (x0 + x1))[term.elements]
    assert (
        np.abs(np.cross(middle, gradients).sum(axis=1)).max() <= 1e-13 * np.abs(gradients).max() * np.abs(middle).max()
    )


@pytest.mark.parametrize("size", [1.0, 0.2, 1e-2])
@pytest.mark.parametrize("name", CASES)
def test_mean_jacobians(name: str, size: float) -> None:
    term, (x0, x1) = CASES[name](), step(size)
    jacobians = term.element_mean_jacobians(x0, x1)
    m, k = term.elements.shape
    assert jacobians.shape == (m, 3 * k, 3 * k)
    if name != "gravity":
        assert np.abs(jacobians).max() > 1.0
    d = 0.1 * np.random.default_rng(7).standard_normal(x1.shape)
    eps = 1e-3 * size  # the correction along the step is as smooth as the step is long
    wanted = sum(
        c * (term.element_mean_gradients(x0, x1 + j * eps * d) - term.element_mean_gradients(x0, x1 - j * eps * d))
        for j, c in {1: 45.0, 2: -9.0, 3: 1.0}.items()
    ) / (60 * eps)
    found = np.einsum("mij,mj->mi", jacobians, d[term.elements].reshape(m, 3 * k)).reshape(m, k, 3)
    scale = max(np.abs(jacobians).max(), np.abs(term.element_gradients(x1)).max())
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8 * scale)


@pytest.mark.parametrize("name", CASES)
def test_mean_jacobians_of_small_steps_are_half_the_hessian(name: str) -> None:
    term = CASES[name]()
    for size in SIZES[2:]:
        x0, x1 = step(size)
        hessians = term.element_hessians(0.5 * (x0 + x1))
        gap = np.abs(term.element_mean_jacobians(x0, x1) - 0.5 * hessians).max()
        assert gap <= (2 * size + 1e-6) * np.abs(hessians).max()


@pytest.mark.parametrize("name", ["solid stvk", "solid stable-neo-hookean", "solid mooney-rivlin", "hooke springs"])
def test_mean_jacobians_are_not_symmetric(name: str) -> None:
    jacobians = TERMS[name]().element_mean_jacobians(*step())
    assert np.abs(jacobians - np.swapaxes(jacobians, 1, 2)).max() > 1e-3 * np.abs(jacobians).max()


TET = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
INVERTED = np.diag([1.0, 1.0, -1.0])[None]
FINITE = [
    name
    for name in sorted({name.removeprefix("solid ") for name in SOLIDS} - {"linear"})
    if np.isfinite(MATERIALS[name].from_young(1000.0, 0.3).density(INVERTED)).all()
]


@pytest.mark.parametrize("ends", [(-0.6, -0.8), (0.7, -0.5)], ids=["inverted", "inverting"])
@pytest.mark.parametrize("name", FINITE)
def test_inverted_elements_keep_their_energy(name: str, ends: tuple[float, float]) -> None:
    term = Solid(TET, np.arange(4)[None], MATERIALS[name].from_young(1000.0, 0.3))
    shear = np.array([[1.0, 0.1, 0.0], [0.0, 1.1, 0.2], [0.0, 0.0, 1.0]])
    x0, x1 = (np.ascontiguousarray(TET * [1.0, 1.0, z] @ shear) for z in ends)
    gradients = term.element_mean_gradients(x0, x1)
    change = term.element_values(x1) - term.element_values(x0)
    assert np.abs(change).max() > 1e-2
    np.testing.assert_allclose(along(term, gradients, x1 - x0), change, rtol=1e-12)


def test_an_element_that_stays_flat() -> None:
    flat = TET * [1.0, 1.0, 0.0]
    stvk = Solid(TET, np.arange(4)[None], MATERIALS["stvk"].from_young(1000.0, 0.3))
    assert np.isfinite(stvk.element_mean_gradients(flat, 1.1 * flat)).all()
    general = Solid(TET, np.arange(4)[None], MATERIALS["stable-neo-hookean"].from_young(1000.0, 0.3))
    with pytest.raises(StepRejected, match="an element is flat"):
        general.element_mean_gradients(flat, 1.1 * flat)


def test_springs_of_no_length() -> None:
    term = TERMS["hooke springs"]()
    x = np.zeros_like(deformed())
    assert (term.element_mean_gradients(x, x) == 0.0).all()
    assert np.isfinite(term.element_mean_jacobians(x, x)).all()
    y = deformed()
    np.testing.assert_allclose(
        along(term, term.element_mean_gradients(x, y), y), term.element_values(y) - term.element_values(x), rtol=1e-12
    )
