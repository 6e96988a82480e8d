"""Claims of single solids: limits of stretch, moduli along axes, resistance to compression, and refusals."""

import dataclasses

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.lame import lame
from supple.materials.solids.compressible import BlatzKo, CiarletGeymonat, StVKKikuuwe
from supple.materials.solids.orthotropic import Engineering, FungOrthotropic, Orthotropic
from supple.materials.solids.rubber import ArrudaBoyce, Gent, GentGent, LopezPamies, Yeoh
from supple.materials.solids.tissue import Fung, VerondaWestmann
from supple.scene.tables.materials import solid_model
from supple.types import Array

REST = np.eye(3)[None]
MODULI = {"E1": 11e9, "E2": 0.9e9, "E3": 0.5e9, "G12": 0.75e9, "G13": 0.7e9, "G23": 0.04e9}
WOOD = MODULI | {"nu12": 0.37, "nu13": 0.42, "nu23": 0.47}
OWN = [
    (Gent(mu=3e5, bulk=2e7, Jm=40.0), 3e5),
    (GentGent(mu=3e5, c2=1e5, bulk=2e7, Jm=40.0), 3e5 + 2 / 3 * 1e5),
    (Yeoh(c1=2e5, c2=-3e3, c3=200.0, bulk=2e7), 4e5),
    (ArrudaBoyce(mu=3e5, bulk=2e7, locking=2.5), 3e5),
    (LopezPamies(mu1=2e5, mu2=1e5, bulk=2e7, a1=0.6, a2=5.0), 3e5),
    (Fung(mu=3e3, bulk=2e5, b=7.0), 3e3),
    (VerondaWestmann(mu=3e3, bulk=2e5, b=7.0), 3e3),
    (BlatzKo(mu=3e3, beta=0.5, f=0.3), 3e3),
    (StVKKikuuwe(mu=3e3, lam=5e3, resistance=2e3), 3e3),
    (CiarletGeymonat(mu=3e3, lam=5e3), 3e3),
]


def uniaxial_rubber(law: Gent | GentGent | Yeoh | ArrudaBoyce, stretch: float) -> float:
    """Nominal stress of a bar that keeps its volume [Pa]."""
    side = stretch**-0.5
    P = law.stress(np.diag([stretch, side, side])[None])[0]
    return float(P[0, 0] - P[1, 1] * side / stretch)


@pytest.mark.parametrize(("law", "shear"), OWN, ids=lambda value: getattr(value, "name", ""))
def test_shear_modulus_at_rest_is_the_one_that_the_constants_say(law: Gent, shear: float) -> None:
    C = law.tangent(REST)[0]
    assert (C[0, 1, 0, 1] + C[0, 1, 1, 0]) / 2 == pytest.approx(shear, rel=1e-12)
    if hasattr(law, "bulk"):
        assert C[0, 0, 1, 1] + 2 / 3 * shear == pytest.approx(law.bulk, rel=1e-12)


@pytest.mark.parametrize("law", [*(law for law, _ in OWN), Orthotropic(**WOOD), FungOrthotropic(**WOOD, c=1e6)],
                         ids=lambda law: law.name)  # fmt: skip
def test_stiffness_can_be_multiplied(law: Gent) -> None:
    F = REST + 0.1 * np.random.default_rng(1).uniform(-1, 1, (5, 3, 3))
    np.testing.assert_allclose(law.scaled(3.0).density(F), 3.0 * law.density(F), rtol=1e-13)
    assert law.scaled(3.0).about_young == pytest.approx(3.0 * law.about_young)
    assert law.about_young > 0


def test_gent_locks_where_it_says() -> None:
    law = Gent(mu=1e5, bulk=1e7, Jm=10.0)
    limit = 3.5234  # stretch^2 + 2/stretch - 3 = 10 near 3.527
    assert np.isfinite(law.density(np.diag([limit, limit**-0.5, limit**-0.5])[None])).all()
    assert np.isposinf(law.density(np.diag([3.53, 3.53**-0.5, 3.53**-0.5])[None])).all()
    assert uniaxial_rubber(law, 3.5) > 20 * uniaxial_rubber(Gent(mu=1e5, bulk=1e7, Jm=1e6), 3.5)


def test_arruda_boyce_is_the_series_of_the_inverse_langevin_function() -> None:
    """dpsi/dI1 = n k T/(6 lam_chain) sqrt(N) L^-1(lam_chain/sqrt(N)), to the order of its five terms."""
    N, stretch = 49.0, 2.5
    law = ArrudaBoyce(mu=1.0, bulk=1e3, locking=N**0.5)
    denominator = 1 + 3 / (5 * N) + 99 / (175 * N**2) + 513 / (875 * N**3) + 42039 / (67375 * N**4)
    chain = np.sqrt((stretch**2 + 2 / stretch) / 3)
    x = chain / N**0.5
    low, high = 0.0, 1e3  # coth(y) - 1/y = x by bisection
    for _ in range(200):
        y = (low + high) / 2
        low, high = (y, high) if 1 / np.tanh(y) - 1 / y < x else (low, y)
    slope = y * N**0.5 / (6 * chain) / denominator
    wanted = 2 * slope * (stretch - stretch**-2)
    assert uniaxial_rubber(law, stretch) == pytest.approx(wanted, rel=1e-4)


def test_lopez_pamies_with_powers_of_one_is_neo_hookean() -> None:
    F = REST + 0.2 * np.random.default_rng(2).uniform(-1, 1, (9, 3, 3))
    law = LopezPamies(mu1=2.0, mu2=1.0, bulk=9.0, a1=1.0, a2=1.0)
    np.testing.assert_allclose(law.density(F), Yeoh(c1=1.5, c2=0.0, c3=0.0, bulk=9.0).density(F), rtol=1e-12)


def test_blatz_ko_foam_keeps_its_ratio_at_every_stretch() -> None:
    """A free bar of the foam of the paper, nu = 1/4, has sides stretch^-1/4."""
    law, stretch = BlatzKo(mu=1.0, beta=0.5), np.array([0.4, 0.7, 1.5, 3.0])
    F = np.zeros((4, 3, 3))
    F[:, 0, 0], F[:, 1, 1], F[:, 2, 2] = stretch, stretch**-0.25, stretch**-0.25
    P = law.stress(F)
    np.testing.assert_allclose(P[:, [1, 2], [1, 2]], 0.0, atol=1e-13)
    np.testing.assert_allclose(P[:, 0, 0], stretch**-0.5 * (1 - stretch**-2.5), rtol=1e-12)


def test_kikuuwe_resists_where_stvk_gives_in() -> None:
    mu, lam = lame(1000.0, 0.3)
    squeezed = np.stack([np.diag([s, 1.0, 1.0]) for s in np.linspace(1.0, 0.02, 50)])
    plain = MATERIALS["stvk"].from_young(1000.0, 0.3).stress(squeezed)[:, 0, 0]
    law = StVKKikuuwe.from_young(1000.0, 0.3)
    assert law.resistance == pytest.approx(lam + 2 * mu)
    assert (np.diff(law.stress(squeezed)[:, 0, 0]) < 0).all()
    assert not (np.diff(plain) < 0).all()
    stretched = np.diag([1.4, 1.0, 1.0])[None]
    assert law.density(stretched) == MATERIALS["stvk"].from_young(1000.0, 0.3).density(stretched)


def compliance(law: Engineering) -> Array:
    """Of the normal strains at rest."""
    C = law.tangent(REST)[0]
    return np.linalg.inv(np.einsum("aabb->ab", C))


@pytest.mark.parametrize("law", [Orthotropic(**WOOD), FungOrthotropic(**WOOD, c=1e6)], ids=lambda law: law.name)
def test_engineering_constants_are_those_at_rest(law: Engineering) -> None:
    S, C = compliance(law), law.tangent(REST)[0]
    np.testing.assert_allclose(1 / np.diag(S), [law.E1, law.E2, law.E3], rtol=1e-12)
    found = [-S[0, 1] * law.E1, -S[0, 2] * law.E1, -S[1, 2] * law.E2]
    np.testing.assert_allclose(found, [law.nu12, law.nu13, law.nu23], rtol=1e-10)
    shears = [C[0, 1, 0, 1], C[0, 2, 0, 2], C[1, 2, 1, 2]]
    np.testing.assert_allclose(shears, [law.G12, law.G13, law.G23], rtol=1e-12)


def test_engineering_constants_may_differ_from_tet_to_tet() -> None:
    E1, F = np.linspace(1e9, 2e9, 20), REST + 0.1 * np.random.default_rng(3).uniform(-1, 1, (20, 3, 3))
    varied = Orthotropic(**(WOOD | {"E1": E1}))
    alone = Orthotropic(**(WOOD | {"E1": float(E1[17])}))
    assert varied.density(F)[17] == pytest.approx(alone.density(F)[17], rel=1e-13)


def test_fung_of_large_c_is_the_quadratic_form() -> None:
    F = REST + 0.05 * np.random.default_rng(4).uniform(-1, 1, (9, 3, 3))
    law = FungOrthotropic(**WOOD, c=1e18)
    np.testing.assert_allclose(law.density(F), Orthotropic(**WOOD).density(F), rtol=1e-8)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"nu12": 3.6}, r"orthotropic\.nu12: must be between -3\.496 and 3\.496, the root of E1/E2, found 3\.6"),
        ({"nu23": -1.4}, r"orthotropic\.nu23: must be between -1\.342 and 1\.342, the root of E2/E3, found -1\.4"),
        (
            {"nu12": 3.0, "nu13": -4.0},
            r"orthotropic: nu12, nu13 and nu23 together give a stiffness that is not positive",
        ),
        ({"G23": 0.0}, r"orthotropic\.G23: input should be greater than 0, found 0"),
    ],
)
def test_impossible_engineering_constants_are_refused(changed: dict[str, float], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        Orthotropic(**(WOOD | changed))


def test_blatz_ko_without_beta_is_refused() -> None:
    with pytest.raises(SuppleError, match=r"blatz-ko\.beta: must not be 0, found 0; take 1e-6"):
        BlatzKo(mu=1.0, beta=0.0)


def test_a_scene_may_give_moduli_and_what_is_no_modulus() -> None:
    table = solid_model("gent", Gent).model_validate({"name": "gent", "young": 3e5, "poisson": 0.45, "Jm": 12.0})
    law = table.make()
    assert law == dataclasses.replace(Gent.from_young(3e5, 0.45), Jm=12.0)
    assert law.moduli == (3e5, 0.45)
