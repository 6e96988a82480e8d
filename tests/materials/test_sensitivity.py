"""Derivatives of densities, stresses and forces by the constants of a material."""

import numpy as np
import pytest

from supple.energies.solids.solid import Solid
from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.fibrous.artery import HolzapfelGasserOgden
from supple.materials.fibrous.reinforced import TransverselyIsotropic
from supple.materials.formula_material import FormulaMaterial, material
from supple.materials.options import with_values
from supple.materials.principal.hyperfoam import Hyperfoam
from supple.materials.principal.ogden import Ogden
from supple.materials.solids.compressible import BlatzKo
from supple.mesh.shapes.solid import Bar
from supple.types import Array

EXPONENTS = material(
    "exponents", "mu/a*(exp(a*(I1 - 3)) - 1) - 2*mu*log(J) + k*(J^b - 1)^2", mu=1e3, a=0.7, k=2e3, b=1.4
)
STRAINS = material("strains", "c/2*(exp(q*(E11^2 + E22^2 + 2*E12^2)) - 1) + k*E33^2", c=1e3, q=1.3, k=2e3)
LAWS: dict[str, FormulaMaterial] = {
    **{n: c.from_young(1000.0, 0.3) for n, c in MATERIALS.load().items() if issubclass(c, FormulaMaterial)},
    # away from the bounds of their constants, so that differences can be taken
    "blatz-ko": BlatzKo(mu=300.0, beta=0.7, f=0.4),
    "holzapfel-gasser-ogden": HolzapfelGasserOgden(mu=300.0, bulk=2e3, k1=500.0, k2=2.0, dispersion=0.1),
    "transversely-isotropic": TransverselyIsotropic(mu=300.0, lam=500.0, along=900.0),
    "exponents": EXPONENTS,
    "strains": STRAINS,
    "ogden of one term": Ogden(mu1=300.0, alpha1=2.5, bulk=2e3),
    "foam without contraction": Hyperfoam(mu1=300.0, alpha1=4.0, beta1=0.0),
    "foam of two terms": Hyperfoam(mu1=300.0, alpha1=4.0, beta1=0.3, mu2=200.0, alpha2=-2.0, beta2=0.4),
}
STEPS, WEIGHTS = (-2, -1, 1, 2), np.array([1.0, -8.0, 8.0, -1.0]) / 12.0


def gradients(m: int = 37) -> Array:
    return np.eye(3) + 0.2 * np.random.default_rng(1).uniform(-1, 1, (m, 3, 3))


def changed(law: FormulaMaterial, name: str, by: float) -> FormulaMaterial:
    if "values" in law.__dataclass_fields__:  # type: ignore[attr-defined]
        values = {**law.constants(), name: law.constants()[name] + by}
        return material(law.name, law.energy, **values)
    return with_values(law, **{name: getattr(law, name) + by})


def step(law: FormulaMaterial, name: str) -> float:
    """Large enough for central differences of order four."""
    return 1e-3 * max(abs(float(law.constants()[name])), 0.1)


def differences(law: FormulaMaterial, name: str, F: Array) -> tuple[Array, Array]:
    h = step(law, name)
    laws = [changed(law, name, k * h) for k in STEPS]
    return (
        np.tensordot(WEIGHTS, [other.density(F) for other in laws], 1) / h,
        np.tensordot(WEIGHTS, [other.stress(F) for other in laws], 1) / h,
    )


@pytest.mark.parametrize("case", LAWS)
def test_derivatives_by_every_constant_are_those_of_differences(case: str) -> None:
    law, F = LAWS[case], gradients()
    found = law.sensitivity(F)
    assert list(found) == [name for name in law.constants() if not name.startswith("fibre")]
    for name, (density, stress) in found.items():
        assert density.shape == (len(F),)
        assert stress.shape == F.shape
        for exact, difference, whole in zip(
            (density, stress), differences(law, name, F), (law.density(F), law.stress(F)), strict=True
        ):
            # rounding error of the differences themselves: that of the values, over the step
            noise = 1e-14 * np.abs(whole).max() / step(law, name)
            assert np.abs(exact - difference).max() <= 1e-8 * np.abs(exact).max() + noise


@pytest.mark.parametrize("case", LAWS)
def test_derivatives_are_those_of_a_walk_of_the_graph(case: str) -> None:
    law, F = LAWS[case], gradients()
    dpsi, dP = law.law.walk_sensitivity({name: float(value) for name, value in law.constants().items()}, F)
    for name, (density, stress) in law.sensitivity(F).items():
        k = list(law.constants()).index(name)
        assert np.abs(density - dpsi[:, k]).max() <= 1e-12 * np.abs(dpsi[:, k]).max()
        assert np.abs(stress.reshape(-1, 9) - dP[:, k]).max() <= 1e-12 * np.abs(dP[:, k]).max()


def test_a_term_that_is_left_out_still_has_a_derivative_by_its_strength() -> None:
    one, F = Ogden(mu1=300.0, alpha1=2.5, bulk=2e3, alpha2=4.0), gradients()
    with_second = Ogden(mu1=300.0, alpha1=2.5, bulk=2e3, mu2=1.0, alpha2=4.0)
    difference = with_second.stress(F) - one.stress(F)  # linear in mu2
    np.testing.assert_allclose(one.sensitivity(F)["mu2"][1], difference, rtol=0, atol=1e-10)


def test_each_element_by_its_own_constants() -> None:
    F, mu = gradients(20), np.linspace(1.0, 2.0, 20)
    a = np.linspace(0.5, 1.5, 20)
    many = material("soft", "mu/a*(exp(a*(I1 - 3)) - 1) - 2*mu*log(J)", mu=mu, a=a).sensitivity(F)
    one = material("soft", "mu/a*(exp(a*(I1 - 3)) - 1) - 2*mu*log(J)", mu=float(mu[17]), a=float(a[17])).sensitivity(F)
    for name in ("mu", "a"):
        assert np.array_equal(many[name][1][17], one[name][1][17])


def test_nothing_where_the_density_is_not_defined() -> None:
    flat = np.stack([np.diag([1.0, 1.0, -0.5]), np.eye(3)])
    for name in ("neo-hookean", "hencky"):
        for density, stress in LAWS[name].sensitivity(flat).values():
            assert not density.any()
            assert not stress.any()


@pytest.mark.parametrize("case", ["stvk", "neo-hookean", "exponents", "ogden", "corotated"])
def test_forces_of_a_body_by_the_constants(case: str) -> None:
    mesh, law = Bar(cells=(3, 2, 2)).mesh(), LAWS[case]
    x = mesh.vertices + 0.02 * np.random.default_rng(2).uniform(-1, 1, mesh.vertices.shape)

    def gradient(law: FormulaMaterial) -> Array:
        term, total = Solid(mesh.vertices, mesh.tets, law), np.zeros_like(x)
        np.add.at(total, term.elements, term.element_gradients(x))
        return total

    solid = Solid(mesh.vertices, mesh.tets, law)
    for name in law.constants():
        h = step(law, name)
        wanted = np.tensordot(WEIGHTS, [gradient(changed(law, name, k * h)) for k in STEPS], 1) / h
        found = solid.parameter_gradient(x, name)
        assert found.shape == x.shape
        assert np.abs(found).max() > 0
        noise = 1e-14 * np.abs(gradient(law)).max() / h
        assert np.abs(found - wanted).max() <= 1e-8 * np.abs(found).max() + noise


def test_an_unknown_constant_is_named() -> None:
    mesh = Bar(cells=(1, 1, 1)).mesh()
    with pytest.raises(SuppleError, match=r"stvk: unknown constant 'nu'; it has mu, lam"):
        Solid(mesh.vertices, mesh.tets, LAWS["stvk"]).parameter_gradient(mesh.vertices, "nu")
