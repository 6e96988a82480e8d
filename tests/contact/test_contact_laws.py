"""Laws of a gap: derivatives, and means over a step against quadrature of the law itself."""

import numpy as np
import pytest
from scipy.integrate import quad

from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic, Law, Quadratic
from supple.errors import SuppleError

LAWS = {"quadratic": Quadratic(500.0), "cubic": Cubic(900.0), "barrier": Barrier(2e3, 0.05)}
LAW = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def gaps(law: Law, seed: int, count: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of gaps on both sides of the reach: long, short and vanishing steps, some from far away."""
    rng, size = np.random.default_rng(seed), law.reach or 1.0
    low = 0.002 * size if law.keeps_apart else -size
    d0, d1 = rng.uniform(low, 2.0 * size, (2, count))
    d1[:40] = d0[:40] + size * 10.0 ** rng.uniform(-13, -3, 40)
    d1[40:45] = d0[40:45]
    d0[45:50] = d1[50:55] = law.reach
    d0[60:90] = size * rng.uniform(5.0, 60.0, 30)
    return d0, d1


def quadrature(function, a: float, b: float, kink: float) -> float:
    inner = [kink] if min(a, b) < kink < max(a, b) else None
    return quad(function, a, b, points=inner, epsabs=1e-15, epsrel=1e-13, limit=200)[0]


@LAW
def test_slope_and_curvature_are_derivatives(law: Law) -> None:
    size = law.reach or 1.0
    d = np.linspace(0.1 * size, 0.95 * size, 30) if law.keeps_apart else np.linspace(-2.0, -0.1, 30)
    e = 1e-4 * np.abs(d)
    assert np.abs(law.curvature(d)).min() > 1.0
    slope = (law.value(d + e) - law.value(d - e)) / (2 * e)
    curvature = (law.slope(d + e) - law.slope(d - e)) / (2 * e)
    np.testing.assert_allclose(law.slope(d), slope, rtol=1e-5)
    np.testing.assert_allclose(law.curvature(d), curvature, rtol=1e-5)


@LAW
def test_beyond_its_reach_nothing_is_felt(law: Law) -> None:
    d = law.reach + np.array([0.0, 1e-9, 1.0])
    for found in (law.value(d), law.slope(d), law.mean_slope(d, d + 1.0), law.potential_of_mean(d, d[::-1].copy())):
        assert not found.any()


@LAW
def test_the_mean_slope_times_the_step_is_the_change_of_energy(law: Law) -> None:
    d0, d1 = gaps(law, 0)
    before, after = law.value(d0), law.value(d1)
    assert np.abs(after - before).max() > 1e-3 * before.max()
    assert (np.abs(law.mean_slope(d0, d1) * (d1 - d0) - (after - before)) <= 4e-15 * (before + after)).all()


@LAW
def test_means_are_those_of_the_law_along_the_step(law: Law) -> None:
    d0, d1 = gaps(law, 1)
    Q, C = law.mean_slope(d0, d1), law.mean_curvature(d0, d1)
    assert (C >= 0.0).all()
    at = lambda f, a, b, s: float(f(np.array([a + s * (b - a)]))[0])  # noqa: E731
    for a, b, q, c in zip(d0, d1, Q, C, strict=True):
        kink = (law.reach - a) / (b - a) if a != b else 2.0
        slope = quadrature(lambda s, a=a, b=b: at(law.slope, a, b, s), 0.0, 1.0, kink)
        curvature = quadrature(lambda s, a=a, b=b: s * at(law.curvature, a, b, s), 0.0, 1.0, kink)
        assert q == pytest.approx(slope, rel=1e-11, abs=1e-13)
        assert c == pytest.approx(curvature, rel=1e-11, abs=1e-11)


@LAW
def test_the_mean_slope_is_the_derivative_of_its_potential(law: Law) -> None:
    """Psi is the integral of Q from the reach on; the barrier is close to the accuracy of the closed form."""
    d0, d1 = gaps(law, 2)
    size = float(np.abs(law.potential_of_mean(d0, d1)).max())
    for a, b, psi in zip(d0, d1, law.potential_of_mean(d0, d1), strict=True):
        wanted = quadrature(lambda y, a=a: law.mean_slope(np.array([a]), np.array([y]))[0], law.reach, b, a)
        assert psi == pytest.approx(wanted, rel=1e-10, abs=1e-14 * size)


def test_the_potential_keeps_its_digits_from_far_away() -> None:
    """A fast impact: the step begins at up to 2000 times the reach; both forms meet at 8 times."""
    law = LAWS["barrier"]
    d1 = np.linspace(1e-4, 0.045, 15)
    for ratio in (7.99, 8.01, 50.0, 2000.0):
        for b in d1:
            psi = law.potential_of_mean(np.array([ratio * law.reach]), np.array([b]))[0]
            wanted = quadrature(
                lambda y, a=ratio * law.reach: law.mean_slope(np.array([a]), np.array([y]))[0], law.reach, b, -1.0
            )
            assert psi == pytest.approx(wanted, rel=2e-9)


def test_the_barrier_has_no_inside() -> None:
    law, d = LAWS["barrier"], np.array([0.0, -1e-3])
    assert np.isinf(law.value(d)).all()
    assert np.isinf(law.potential_of_mean(np.full(2, 0.01), d)).all()


@pytest.mark.parametrize("make", [lambda: Quadratic(0.0), lambda: Cubic(-1.0), lambda: Barrier(1.0, float("nan"))])
def test_absurd_parameters_are_refused(make) -> None:
    with pytest.raises(SuppleError, match="must be a finite number above 0"):
        make()
