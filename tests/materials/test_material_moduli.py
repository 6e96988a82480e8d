"""Moduli at rest, constants per element, and refusals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.lame import bulk_and_shear, lame
from supple.materials.mooney_rivlin import ModifiedNeoHookean, MooneyRivlin
from supple.materials.stvk import StVK

NAMES = sorted(MATERIALS.load())
NO_BULK = {"arap"}
"""Materials whose first Lame constant is zero whatever Poisson's ratio."""


def isotropic(mu: float, lam: float) -> np.ndarray:
    """C_ijkl = lam d_ij d_kl + mu (d_ik d_jl + d_il d_jk)."""
    d = np.eye(3)
    shear = np.einsum("ik,jl->ijkl", d, d) + np.einsum("il,jk->ijkl", d, d)
    return lam * np.einsum("ij,kl->ijkl", d, d) + mu * shear


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15, deadline=None)
@given(st.floats(1.0, 1e9), st.floats(0.0, 0.49))
def test_moduli_at_rest_are_those_of_young_and_poisson(name: str, young: float, poisson: float) -> None:
    mu, lam = lame(young, poisson)
    C = MATERIALS[name].from_young(young, poisson).tangent(np.eye(3)[None])[0]
    wanted = isotropic(mu, 0.0 if name in NO_BULK else lam)
    np.testing.assert_allclose(C, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize("name", NAMES)
def test_constants_may_differ_from_element_to_element(name: str) -> None:
    m = 37
    rng = np.random.default_rng(5)
    young, poisson = rng.uniform(100.0, 5000.0, m), rng.uniform(0.0, 0.45, m)
    F = np.eye(3) + rng.uniform(-0.2, 0.2, (m, 3, 3))
    varied = MATERIALS[name].from_young(young, poisson)
    for e in (0, 15, 16, m - 1):
        alone = MATERIALS[name].from_young(float(young[e]), float(poisson[e]))
        assert varied.density(F)[e] == pytest.approx(alone.density(F[e : e + 1])[0], rel=1e-13)
        np.testing.assert_allclose(
            varied.stress(F)[e], alone.stress(F[e : e + 1])[0], rtol=1e-12, atol=1e-12 * young[e]
        )
        np.testing.assert_allclose(
            varied.tangent(F)[e], alone.tangent(F[e : e + 1])[0], rtol=1e-12, atol=1e-12 * young[e]
        )


def test_mu_of_the_modified_neo_hookean_is_half_the_shear_modulus() -> None:
    mu, kappa = 300.0, 2000.0
    C = ModifiedNeoHookean(mu=mu, kappa=kappa).tangent(np.eye(3)[None])[0]
    np.testing.assert_allclose(C, isotropic(2 * mu, kappa - 2 / 3 * 2 * mu), rtol=0, atol=1e-12 * kappa)


def test_mooney_rivlin_has_the_shear_modulus_of_both_its_parts() -> None:
    C = MooneyRivlin(c1=200.0, c2=70.0, bulk=3000.0).tangent(np.eye(3)[None])[0]
    np.testing.assert_allclose(C, isotropic(540.0, 3000.0 - 2 / 3 * 540.0), rtol=0, atol=1e-9)


def test_known_moduli() -> None:
    assert lame(2.6, 0.3) == pytest.approx((1.0, 1.5))
    assert bulk_and_shear(2.6, 0.3) == pytest.approx((2.6 / 1.2, 1.0))


@pytest.mark.parametrize("young", [0.0, -1.0, np.nan, np.inf, np.array([1.0, -2.0])])
def test_bad_young_is_refused(young: float) -> None:
    with pytest.raises(
        SuppleError, match=r"young: input should be (greater than 0|a finite number), found (0|-1|nan|inf|-2)$"
    ):
        lame(young, 0.3)


@pytest.mark.parametrize("poisson", [0.5, 0.7, -1.0, np.nan, np.array([0.3, 0.5])])
def test_bad_poisson_is_refused(poisson: float) -> None:
    with pytest.raises(
        SuppleError, match=r"poisson: input should be above -1 and below 0.5, found (0.5|0.7|-1|nan);.*take 0.49"
    ):
        lame(1.0, poisson)


def test_wrong_number_of_constants_is_refused() -> None:
    with pytest.raises(
        SuppleError, match=r"stvk.mu: must be one number or one for each of the 3 elements, found shape \(2,\)"
    ):
        StVK(np.ones(2), 1.0).parameters(3)


def test_constants_that_are_not_finite_are_refused() -> None:
    with pytest.raises(SuppleError, match=r"stvk.lam: input should be a finite number, found nan"):
        StVK(1.0, np.nan)
