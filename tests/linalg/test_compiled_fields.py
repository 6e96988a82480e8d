"""Compiled loops over fields agree with the array operations they stand for, most of them to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from supple.linalg.fields import (
    affine,
    all_finite,
    below,
    gathered,
    inertia,
    kinetic,
    lay_diagonal,
    scaled_if_finite,
    spread,
    weigh,
)
from supple.linalg.reduce import dot, largest

N = 57
RNG = np.random.default_rng(3)
FREE = np.flatnonzero(RNG.random(N) < 0.7).astype(np.int32)


def field() -> np.ndarray:
    return RNG.standard_normal((N, 3))


def mask() -> np.ndarray:
    found = np.zeros((N, 1))
    found[FREE] = 1.0
    return found


def test_gathering_and_spreading_are_inverse_on_the_unknowns() -> None:
    x = field()
    assert np.array_equal(gathered(x, FREE), -x[FREE].ravel())
    assert np.array_equal(spread(gathered(x, FREE), FREE, N), -x * mask())


def test_inertia_has_the_bits_of_its_parts() -> None:
    x, target, mass, gradient = field(), field(), RNG.random((N, 1)), np.empty((N, 3))
    value, size = inertia(x, target, mass, mask(), gradient)
    d = (x - target) * mask()
    assert np.array_equal(gradient, mass * d)
    assert value == 0.5 * dot(mass * d, d)
    assert size == largest(mass * d)


def test_inertia_shows_what_is_not_a_number() -> None:
    x = field()
    x[FREE[0], 1] = np.nan
    value, size = inertia(x, field(), np.ones((N, 1)), mask(), np.empty((N, 3)))
    assert np.isnan(value)
    assert np.isnan(size)


def test_kinetic_energy_counts_the_unknowns_only() -> None:
    v, mass = field(), RNG.random(N)
    assert kinetic(mass, v, FREE) == 0.5 * dot(mass[FREE][:, None] * v[FREE], v[FREE])


def test_a_uniform_field_of_forces_is_weighed_at_all_samples() -> None:
    weight, xs, energy, start = field(), RNG.standard_normal((3, N, 3)), RNG.random(3), field()
    gradient = start.copy()
    value = weigh(weight, xs, energy, 0.25, gradient)
    assert value == sum(float(e) * dot(weight, x) for x, e in zip(xs, energy, strict=True))
    assert np.array_equal(gradient, start + 0.25 * weight)


def test_samples_are_affine() -> None:
    x, offset, out = field(), field(), np.empty((N, 3))
    affine(x, 0.3, offset, out)
    assert np.array_equal(out, 0.3 * x + offset)


def test_the_diagonal_is_laid_into_zeros() -> None:
    values, diagonal, entries = np.full(20, 7.0), np.array([0, 4, 9], np.int32), np.array([1.0, 2.0, 3.0])
    lay_diagonal(values, diagonal, 2.0, entries)
    assert np.array_equal(values[diagonal], 2.0 * entries)
    assert values.sum() == 12.0


@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_one_entry_that_is_not_finite_is_found(bad: float) -> None:
    x, out = field(), np.empty((N, 3))
    assert all_finite(x)
    assert scaled_if_finite(x, 2.0, out)
    assert np.array_equal(out, 2.0 * x)
    x[N - 1, 2] = bad
    assert not all_finite(x)
    assert not scaled_if_finite(x, 2.0, out)


def test_one_entry_above_its_floor_is_enough() -> None:
    x = field()
    assert below(x, np.abs(x))
    assert not below(x, np.where(x == x[5, 1], 0.5 * np.abs(x), np.abs(x)))
    x[0, 0] = np.nan
    assert not below(x, np.full((N, 3), np.inf))
