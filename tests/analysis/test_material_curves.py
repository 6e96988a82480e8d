"""Curves of solids in simple tests: against closed forms, and where they end or lose stability."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from supple.analysis.materials.curves import material_curves
from supple.analysis.materials.loading import LOADINGS
from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.formula_material import material
from supple.materials.solids.compressible import BlatzKo
from supple.materials.solids.orthotropic import Orthotropic
from supple.materials.solids.rubber import Gent, Yeoh
from supple.materials.stvk import StVK

ALL = tuple(LOADINGS)
YOUNG, POISSON = 1e6, 0.3
NAMES = sorted(MATERIALS.load())
NO_BULK = {"arap"}


@pytest.mark.parametrize("name", NAMES)
def test_slopes_at_rest_are_those_of_the_moduli(name: str) -> None:
    """E; E/(1 - nu); E/(1 - nu^2); G; K."""
    nu = 0.0 if name in NO_BULK else POISSON
    young = 2 * YOUNG / (2 * (1 + POISSON)) * (1 + nu)
    curves = material_curves(MATERIALS[name].from_young(YOUNG, POISSON), ALL, (1 - 1e-5, 1 + 1e-5), points=5)
    wanted = [young, young / (1 - nu), young / (1 - nu**2), young / (2 * (1 + nu)), young / (3 * (1 - 2 * nu))]
    for mode, slope in zip(ALL, wanted, strict=True):
        c = curves[mode]
        found = (c.stress[-1] - c.stress[0]) / (c.amount[-1] - c.amount[0])
        assert found == pytest.approx(slope, rel=1e-4), mode
    assert curves.rest.young[0, 0] == pytest.approx(young)
    assert curves.rest.poisson[0, 0] == pytest.approx(nu, abs=1e-12)
    assert curves.rest.isotropic


@pytest.mark.parametrize("name", NAMES)
def test_free_faces_are_free_and_stress_is_the_slope_of_the_energy(name: str) -> None:
    law = MATERIALS[name].from_young(YOUNG, POISSON)
    c = material_curves(law, ("uniaxial",), (0.7, 1.5), points=41)["uniaxial"]
    P, psi = law.stress(c.F), law.density(c.F)
    assert np.isfinite(c.stress).all()
    assert np.abs(P[:, [1, 2, 0, 0, 1], [1, 2, 1, 2, 2]]).max() < 1e-8 * YOUNG
    work = np.concatenate([[0.0], np.cumsum((c.stress[1:] + c.stress[:-1]) / 2 * np.diff(c.amount))])
    np.testing.assert_allclose(psi - psi[0], work, rtol=0, atol=2e-3 * np.abs(psi).max())


def test_incompressible_neo_hookean_has_its_closed_forms() -> None:
    mu = 1e5
    curves = material_curves(Yeoh(c1=mu / 2, c2=0.0, c3=0.0, bulk=1e6 * mu), ALL[:4], (0.5, 3.0))
    forms = {
        "uniaxial": lambda a: mu * (a - a**-2),
        "biaxial": lambda a: mu * (a - a**-5),
        "pure-shear": lambda a: mu * (a - a**-3),
        "shear": lambda a: mu * a,
    }
    for mode, form in forms.items():
        np.testing.assert_allclose(curves[mode].stress, form(curves[mode].amount), rtol=3e-5, atol=2e-4 * mu)


def test_blatz_ko_bar_keeps_its_poisson_ratio() -> None:
    c = material_curves(BlatzKo(mu=1e5, beta=0.5), ("uniaxial",))["uniaxial"]
    np.testing.assert_allclose(c.F[:, 1, 1], c.amount**-0.25, rtol=1e-9)
    np.testing.assert_allclose(c.stress, 1e5 * (1 - c.amount**-2.5) * c.amount**-0.5, rtol=0, atol=1e-3)


def test_stvk_gives_in_where_theory_says() -> None:
    """A bar under St. Venant-Kirchhoff, P = E a (a^2 - 1)/2, has its extremum at 1/sqrt(3)."""
    curves = material_curves(StVK.from_young(YOUNG, POISSON), ("uniaxial", "shear"), (0.4, 2.0))
    c = curves["uniaxial"]
    np.testing.assert_allclose(c.stress, YOUNG * c.amount * (c.amount**2 - 1) / 2, rtol=1e-8, atol=1e-3)
    assert c.stable[0] == pytest.approx(3**-0.5, abs=1e-3)
    assert c.elliptic[0] > c.stable[0]
    assert c.is_whole(c.defined)
    assert curves["shear"].is_whole(curves["shear"].stable)


def test_ellipticity_ends_where_an_acoustic_tensor_vanishes() -> None:
    """Confined along z, psi = m/2 (F33 - 1)^2 - q/3 (1 - F33)^3 loses its wave along z at F33 = 1 - m/(2 q)."""
    law = material(
        "soft", "mu*((F11 - 1)^2 + (F22 - 1)^2) + mu*(F12^2 + F13^2 + F21^2 + F23^2 + F31^2 + F32^2)/2"
        " + m/2*(F33 - 1)^2 - q/3*(1 - F33)^3", mu=1.0, m=1.0, q=1.0,
    )  # fmt: skip
    c = material_curves(law, ("volumetric",), (0.05, 1.0), points=401)["volumetric"]
    assert c.elliptic[0] == pytest.approx(0.5**3, abs=1e-3)


@pytest.mark.parametrize(("jm", "mode", "end"), [(5.0, "shear", 5.0**0.5), (1.0, "shear", 1.0)])
def test_the_end_of_a_density_is_found(jm: float, mode: str, end: float) -> None:
    c = material_curves(Gent(mu=1e5, bulk=1e6, Jm=jm), (mode,), (0.4, 4.0))[mode]
    assert c.defined[0] == 0.0
    assert c.defined[1] == pytest.approx(end, abs=1e-4)
    assert np.isnan(c.stress[c.amount > end]).all()
    assert np.isfinite(c.stress[c.amount < end]).all()


def test_curves_follow_the_branch_from_rest_beyond_the_first_guess() -> None:
    """The isochoric guess is outside of the domain of a compressible Gent bar before the bar is."""
    law = Gent(mu=1e5, bulk=1e5, Jm=1.0)
    c = material_curves(law, ("uniaxial",), (1.0, 3.0))["uniaxial"]
    assert np.isposinf(law.density(np.diag([2.0, 2**-0.5, 2**-0.5])[None]))[0]
    assert c.defined[1] > 2.0


def test_orthotropic_bars_differ_along_the_axes() -> None:
    law = Orthotropic(E1=4e6, E2=2e6, E3=1e6, nu12=0.3, nu13=0.2, nu23=0.1, G12=1e6, G13=0.5e6, G23=0.3e6)
    for k, (axis, young, nu) in enumerate((("x", 4e6, 0.3), ("y", 2e6, 0.1), ("z", 1e6, 0.2 * 1e6 / 4e6))):
        curves = material_curves(law, ("uniaxial",), (0.9999, 1.0001), axis, points=3)
        assert curves.rest.young[0, k] == pytest.approx(young)
        assert curves.rest.poisson[0, k] == pytest.approx(nu)
        assert np.diff(curves["uniaxial"].stress) / 1e-4 == pytest.approx(young, rel=1e-3)
    assert not curves.rest.isotropic
    S = np.linalg.inv(law.at_rest().stiffness[0])
    np.testing.assert_allclose(1 / np.diag(S)[3:], [0.3e6, 0.5e6, 1e6], rtol=1e-12)


def test_shears_of_an_oblique_solid_are_free() -> None:
    """Stiff along the diagonal of x and y: a bar along x shears."""
    law = material("oblique", "mu*(E11^2 + E22^2 + E33^2 + 2*(E12^2 + E13^2 + E23^2)) + k*(E11 + E22 + 2*E12)^2",
                   mu=1.0, k=5.0)  # fmt: skip
    c = material_curves(law, ("uniaxial",), (1.0, 1.2), points=5)["uniaxial"]
    assert abs(c.F[-1, 0, 1]) > 0.05
    assert abs(law.stress(c.F)[-1, 0, 1]) < 1e-10


def test_figure_of_several(tmp_path: Path) -> None:
    curves = {name: material_curves(MATERIALS[name].from_young(1e6, 0.45), points=21) for name in ("stvk", "fung")}
    file = curves["stvk"].plot(tmp_path / "a.svg", fung=curves["fung"])
    text = file.read_text()
    assert text.count("<svg") == 1
    assert (curves["fung"].plot(tmp_path / "b.png")).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"modes": ("unaxial",)}, "unknown mode 'unaxial'; did you mean 'uniaxial'"),
        ({"stretch": (1.2, 2.0)}, "stretch: found 1.2 to 2; give a positive range that contains 1"),
        ({"axis": "w"}, "axis: found 'w'; give x, y or z"),
        ({"points": 1}, "points: found 1; give 3 or more"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        material_curves(StVK(1.0, 1.0), **options)


def test_a_constant_per_tet_has_no_curve() -> None:
    with pytest.raises(SuppleError, match=r"gent\.mu: it varies between tets; give a single number for a curve"):
        material_curves(replace(Gent(1.0, 1.0), mu=np.ones(3)))
