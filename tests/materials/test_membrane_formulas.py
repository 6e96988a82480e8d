"""Membranes that are formulas: against derivations by hand, a walk of their graph, differences; and refusals."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from membrane_references import HANDS

from supple.energies.membranes.membrane import Membrane
from supple.errors import SuppleError
from supple.materials import MEMBRANES
from supple.materials.membranes.laws import NeoHookeanMembrane, RubberMembrane, StVKMembrane
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.membranes.own import OwnMembrane, membrane
from supple.materials.membranes.plane_strain import NeoHookeanPlaneStrain, StVKPlaneStrain
from supple.materials.membranes.woven import FungMembrane, OrthotropicMembrane
from supple.mesh.shapes.thin import Cloth
from supple.types import Array

LAWS: dict[str, MembraneLaw] = {
    "stvk-membrane": StVKMembrane(1000.0, 0.3),
    "orthotropic-membrane": OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4),
    "neo-hookean-membrane": NeoHookeanMembrane(1000.0, 0.3),
    "rubber-membrane": RubberMembrane(1000.0),
    "stvk-plane-strain": StVKPlaneStrain(1000.0, 0.3),
    "neo-hookean-plane-strain": NeoHookeanPlaneStrain(1000.0, 0.3),
    "fung-membrane": FungMembrane(2000.0, 500.0, 300.0, 0.4, stiffening=4.0),
}
YEOH = "c1*(I1 + 1/I2 - 3) + c2*(I1 + 1/I2 - 3)^2"
HALF = np.triu_indices(3)


def strains(seed: int, size: float = 0.2, m: int = 45) -> Array:
    return size * np.random.default_rng(seed).uniform(-1, 1, (m, 3))


def close(found: Array, wanted: Array, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


def test_every_membrane_has_a_derivation_by_hand() -> None:
    assert set(LAWS) == set(HANDS) == set(MEMBRANES.load()) - {"formula-membrane"}


@pytest.mark.parametrize("name", LAWS)
def test_density_stress_and_tangent_are_those_derived_by_hand(name: str) -> None:
    law, e = LAWS[name], strains(1)
    wanted = HANDS[name](e, **law.constants())
    close(law.density(e), wanted.psi)
    close(law.stress(e), wanted.S)
    close(law.tangent(e), wanted.D)


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("size", [1e-2, 1e-4, 1e-6])
def test_small_strains_keep_their_digits(name: str, size: float) -> None:
    """The density is e . D e/2 and terms of third order, which the derivation by hand has without cancellation."""
    law, e = LAWS[name], strains(2, size, 20)
    D = law.tangent(np.zeros((1, 3)))[0]
    quadratic = 0.5 * np.einsum("mi,ij,mj->m", e, D, e)
    np.testing.assert_allclose(law.density(e), quadratic, rtol=10 * size, atol=0)
    np.testing.assert_allclose(law.density(e), HANDS[name](e, **law.constants()).psi, rtol=1e-15 / size, atol=0)


@pytest.mark.parametrize("name", LAWS)
def test_machine_code_is_the_walk_of_the_graph(name: str) -> None:
    law, e = LAWS[name], strains(3)
    psi, S, D = law.law.walk(law.constants(), e)
    close(law.density(e), psi, 1e-14)
    close(law.stress(e), S, 1e-14)
    close(law.tangent(e)[:, *HALF], D, 1e-14)


def difference(function: Callable[[Array], Array], x: Array, d: Array, h: float = 1e-3) -> Array:
    """Derivative of `function` at x along d, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * h * d) - function(x - k * h * d)) for k, c in steps.items()) / (60 * h)


def test_an_own_membrane_has_the_derivatives_of_its_formula() -> None:
    law, e = membrane("yeoh", YEOH, c1=2e5, c2=3e4), strains(4, 0.1)
    d = np.random.default_rng(5).uniform(-1, 1, size=e.shape)
    close(np.einsum("mi,mi->m", law.stress(e), d), difference(law.density, e, d), 1e-9)
    close(np.einsum("mij,mj->mi", law.tangent(e), d), difference(law.stress, e, d), 1e-9)
    close(law.scaled(3.0).stress(e), 3.0 * law.stress(e))


def test_the_same_membrane_in_other_variables() -> None:
    """Neo-Hookean by the ratio of areas J instead of det C, and St. Venant-Kirchhoff by invariants."""
    e = strains(6)
    mu, lam = 1000.0 / 2.6, 300.0 / 0.91
    by_area = membrane("own", "mu/2*(I1 - 2 - 2*log(J)) + lam/2*log(J)^2", mu=mu, lam=lam)
    close(by_area.tangent(e), LAWS["neo-hookean-membrane"].tangent(e))
    close(by_area.density(e), LAWS["neo-hookean-membrane"].density(e))
    # E : E = (tr E)^2 - 2 det E, tr E = i1/2, det E = (I2 - I1 + 1)/4 = (i2 - i1)/4
    by_invariants = membrane("own", "mu*(i1^2/4 - (i2 - i1)/2) + lam/8*i1^2", mu=mu, lam=lam)
    close(by_invariants.tangent(e), LAWS["stvk-membrane"].tangent(e))
    assert (by_area.degree, by_invariants.degree, by_invariants.quadratic_in_strain) == (None, 4, True)


def test_isotropic_formulas_do_not_depend_on_the_axes() -> None:
    """The same sheet with its triangles' corners in another order, which turns their own axes."""
    mesh = Cloth(cells=(3, 3)).mesh()
    x = mesh.vertices + np.random.default_rng(7).uniform(-0.05, 0.05, mesh.vertices.shape)
    law = membrane("own", "mu*(E11^2 + E22^2 + 2*E12^2) + k*(E11 + E22)^4", mu=1e3, k=1e4)
    swapped = np.random.default_rng(8).permutation(mesh.n)
    there = np.argsort(swapped)
    found = Membrane(mesh.vertices[swapped], there[mesh.triangles], law, 0.1).element_values(x[swapped])
    np.testing.assert_allclose(found, Membrane(mesh.vertices, mesh.triangles, law, 0.1).element_values(x), rtol=1e-12)


def test_where_a_density_is_not_defined_it_is_infinite_and_pulls_nowhere() -> None:
    flat = np.array([[-0.5, 0.0, 0.0], [-0.5, -0.5, 0.0], [0.0, 0.0, 0.0]])
    locking = membrane("own", "-mu*Jm/2*log(1 - (E11^2 + E22^2 + 2*E12^2)/Jm)", mu=1e3, Jm=0.01)
    for law, e in ((LAWS["rubber-membrane"], flat), (LAWS["neo-hookean-membrane"], flat), (locking, flat)):
        assert np.isposinf(law.density(e)[:2]).all()
        assert not law.stress(e)[:2].any()
        assert not law.tangent(e)[:2].any()
        assert law.density(e)[2] == 0.0


def test_a_fung_membrane_stiffens_as_its_page_says() -> None:
    law, E = FungMembrane(2e4, 2e4, 5e3, 0.0, stiffening=20.0), 0.3
    e = np.array([[E, 0.0, 0.0]])
    assert law.tangent(e)[0, 0, 0] == pytest.approx(2e4 * (1 + 40 * E**2) * np.exp(20 * E**2), rel=1e-12)


def test_constants_may_differ_from_triangle_to_triangle() -> None:
    e, c1 = strains(9, m=20), np.linspace(1.0, 2.0, 20)
    varied = membrane("yeoh", YEOH, c1=c1, c2=0.1)
    assert varied.density(e)[17] == membrane("yeoh", YEOH, c1=float(c1[17]), c2=0.1).density(e)[17]


@pytest.mark.parametrize(
    ("energy", "options", "message"),
    [
        ("k*I1", {}, r"own\.energy: at rest the energy density should be zero, found 2 J/m\^3; subtract it"),
        ("k*(I1 - 2)", {}, r"own\.energy: at rest the stress should be zero, found 2 Pa; add a term"),
        ("k*log(J - 1)", {}, r"own\.energy: it is not defined at rest"),
        ("k*(E33 - 3)", {}, r"own\.energy: unknown name 'E33'.*column 4"),
        ("k > 1", {}, r"own\.energy: an energy density is a number, but 'k > 1' is a condition"),
        ("k*E11^2", {}, r"own\.warp: the energy depends on the direction; give the direction"),
        ("k*(E11*E12 + E22^2)", {"warp": (1, 0, 0)}, r"own\.energy: it changes with the sign of E12"),
        ("-k*log(1 - 1e3*(E11^2 + E22^2))", {}, r"own\.warp: the energy depends on the direction"),
        ("-k*log(1 - 4e4*(E11^2 + E22^2))", {}, r"own\.warp: the energy depends on the direction"),
        ("k*i1^2", {"warp": (0, 0, 0)}, r"own\.warp: found \(0, 0, 0\); give a vector"),
        ("k*i1^2", {"young": 3.0}, r"own\.energy: it has no young, which is given as a constant"),
        ("k*i1^2", {"J": 3.0}, r"own\.energy: constants cannot be called J"),
        ("k*i1^2", {"k": np.nan}, r"own\.k: input should be a finite number, found nan"),
    ],
)
def test_a_formula_that_cannot_be_a_membrane_is_refused(energy: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        membrane("own", energy, **({"k": 1.0} | options))


def test_directions_are_compared_only_where_the_formula_is_defined(recwarn: pytest.WarningsRecorder) -> None:
    membrane("own", "-k*q*log(1 - (E11^2 + E22^2 + 2*E12^2)/q)", k=4e4, q=5.76e-4)
    assert not recwarn.list


def test_a_sheet_without_shear_stiffness_has_no_flexural_rigidity() -> None:
    with pytest.raises(SuppleError, match=r"not stiff in all directions at rest; give bending\.rigidity"):
        _ = membrane("own", "k*(I1 - 2)^2", k=1.0).bending_modulus


def test_membranes_travel_to_other_processes_as_text() -> None:
    law = membrane("yeoh", YEOH, c1=2e5, c2=3e4)
    law.density(strains(1))
    again = pickle.loads(pickle.dumps(law))
    assert isinstance(again, OwnMembrane)
    assert again == law
    np.testing.assert_array_equal(again.stress(strains(1)), law.stress(strains(1)))
