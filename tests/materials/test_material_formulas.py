"""Materials that are formulas: against derivations by hand, against a walk of their graph, and near rest."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from exact_formula import exact_formula, is_exact
from references import HANDS, exact

from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.formula_material import FormulaMaterial, material
from supple.materials.lame import lame
from supple.materials.principal.law import PrincipalLaw
from supple.types import Array

FORMULAS = sorted(name for name, cls in MATERIALS.load().items() if issubclass(cls, FormulaMaterial))
BY_HAND = sorted(HANDS)
HALF = np.triu_indices(9)
GENT = "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2"


def make(name: str) -> FormulaMaterial:
    made = MATERIALS[name].from_young(1000.0, 0.3)
    assert isinstance(made, FormulaMaterial)
    return made


def gradients(seed: int, size: float = 0.25, m: int = 45) -> Array:
    return np.eye(3) + size * np.random.default_rng(seed).uniform(-1, 1, (m, 3, 3))


def close(found: Array, wanted: Array, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize("name", BY_HAND)
def test_density_stress_and_tangent_are_those_derived_by_hand(name: str) -> None:
    law, F = make(name), gradients(1)
    wanted = HANDS[name](F, **law.constants())
    close(law.density(F), wanted.psi)
    close(law.stress(F), wanted.P)
    close(law.tangent(F), wanted.C)


@pytest.mark.parametrize("name", FORMULAS)
def test_machine_code_is_the_walk_of_the_graph(name: str) -> None:
    law, F = make(name), gradients(2)
    psi, P, C = law.law.walk(law.constants(), F)
    tolerance = 1e-13 if isinstance(law.law, PrincipalLaw) else 1e-14  # singular values of LAPACK against our own
    close(law.density(F), psi, tolerance)
    close(law.stress(F).reshape(-1, 9), P, tolerance)
    close(law.tangent(F).reshape(-1, 9, 9)[:, *HALF], C, tolerance)


@pytest.mark.parametrize("name", [name for name in FORMULAS if name in HANDS or is_exact(make(name))])
@pytest.mark.parametrize(("strain", "error"), [(1e-2, 1e-12), (1e-4, 1e-11), (1e-6, 1e-9)])
def test_small_strains_keep_their_digits(name: str, strain: float, error: float) -> None:
    law, F = make(name), gradients(3, strain, 8)
    by_hand = name in HANDS
    wanted = np.array([exact(name, f, law.constants()) if by_hand else exact_formula(law, f) for f in F])
    np.testing.assert_allclose(law.density(F), wanted, rtol=error)


@pytest.mark.parametrize("name", FORMULAS)
def test_nothing_at_all_is_stored_at_rest(name: str) -> None:
    rest = np.eye(3)[None]
    assert make(name).density(rest)[0] == 0.0
    assert np.abs(make(name).stress(rest)).max() <= 1e-16 * 1000.0


def test_where_a_density_is_not_defined_it_is_infinite_and_presses_nowhere() -> None:
    flat = np.stack([np.diag([1.0, 1.0, -0.5]), np.diag([1.0, 1.0, 0.0]), np.eye(3)])
    gent = material("gent", GENT, mu=1e5, lam=4e5, Jm=3.0)
    torn = 3.0 * np.eye(3)[None]  # I1 - 3 = 24 > Jm
    for law, F in ((make("neo-hookean"), flat[:2]), (gent, flat[:2]), (gent, torn)):
        assert np.isposinf(law.density(F)).all()
        assert not law.stress(F).any()
        assert not law.tangent(F).any()
    assert gent.density(flat)[2] == 0.0
    inverse = material("inverse", "k*(J + 1/J - 2)", k=1.0)
    assert np.isposinf(inverse.density(flat[:2])).all()


def test_degree_and_strain_come_from_the_graph() -> None:
    found = {name: (MATERIALS[name].degree, MATERIALS[name].quadratic_in_strain) for name in BY_HAND}
    assert found == {
        "arap": (None, False),
        "corotated": (None, False),
        "hencky": (None, False),
        "hyperfoam": (None, False),
        "linear": (2, False),
        "modified-neo-hookean": (None, False),
        "mooney-rivlin": (None, False),
        "neo-hookean": (None, False),
        "ogden": (None, False),
        "stable-neo-hookean": (6, False),
        "stable-neo-hookean-log": (None, False),
        "stvk": (4, True),
    }
    by_invariants = material("stvk", "mu/4*(i1^2 + 4*i1 - 2*i2) + lam/8*i1^2", mu=300.0, lam=500.0)
    assert (by_invariants.degree, by_invariants.quadratic_in_strain) == (4, True)
    F = gradients(4)
    close(by_invariants.tangent(F), HANDS["stvk"](F, 300.0, 500.0).C)


def test_an_own_material_is_a_formula_and_its_constants() -> None:
    gent = material("gent", GENT, mu=1e5, lam=4e5, Jm=30.0)
    F, e = gradients(5), 1e-6
    d = np.random.default_rng(6).normal(size=F.shape)
    slope = (gent.density(F + e * d) - gent.density(F - e * d)) / (2 * e)
    np.testing.assert_allclose(np.einsum("mij,mij->m", gent.stress(F), d), slope, rtol=0, atol=1e-9 * 1e6)
    bend = (gent.stress(F + e * d) - gent.stress(F - e * d)) / (2 * e)
    np.testing.assert_allclose(np.einsum("mijkl,mkl->mij", gent.tangent(F), d), bend, rtol=0, atol=1e-8 * 1e6)
    close(gent.scaled(3.0).stress(F), 3.0 * gent.stress(F))


def test_the_stiffness_of_an_own_material_is_that_at_rest() -> None:
    mu, lam = lame(2.6e5, 0.3)
    assert material("soft", "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2", mu=mu, lam=lam).about_young == pytest.approx(
        2.6e5
    )


def test_constants_of_an_own_material_may_differ_from_tet_to_tet() -> None:
    F, mu = gradients(7, m=20), np.linspace(1.0, 2.0, 20)
    varied = material("soft", "mu/2*(I1 - 3) - mu*log(J)", mu=mu)
    alone = material("soft", "mu/2*(I1 - 3) - mu*log(J)", mu=float(mu[17]))
    assert varied.density(F)[17] == alone.density(F)[17]


@pytest.mark.parametrize(
    ("energy", "message"),
    [
        ("mu*I1", r"soft\.energy: at rest the energy density should be zero, found 3 J/m\^3; subtract it"),
        ("mu*(I1 - 3)", r"soft\.energy: at rest the stress should be zero, found 2 Pa; add a term that balances it"),
        ("mu*log(J - 1)", r"soft\.energy: it is not defined at rest"),
        ("mu*(I9 - 3)", r"soft\.energy: unknown name 'I9'.*column 5"),
        ("mu > 1", r"soft\.energy: an energy density is a number, but 'mu > 1' is a condition"),
        ("mu*().__class__", r"soft\.energy: .*not allowed"),
    ],
)
def test_a_formula_that_cannot_be_a_density_is_refused(energy: str, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        material("soft", energy, mu=1.0)


def test_a_constant_cannot_have_the_name_of_a_variable() -> None:
    with pytest.raises(SuppleError, match=r"soft\.energy: constants cannot be called J"):
        material("soft", "J*(I1 - 3)^2", J=1.0)


def test_materials_travel_to_other_processes_as_text() -> None:
    gent = pickle.loads(pickle.dumps(material("gent", GENT, mu=1e5, lam=4e5, Jm=30.0)))
    assert gent.density(np.eye(3)[None])[0] == 0.0


def test_a_new_law_compiles_nothing_with_numba() -> None:
    code = """
import numpy as np
from supple.materials.formula_material import material
from supple.materials.stvk import StVK
StVK(1.0, 1.0).tangent(np.eye(3)[None]), StVK(1.0, 1.0).stress(np.eye(3)[None])
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, event): compiled.append(event)
    def on_end(self, event): pass
event.register("numba:compile", Listener())
soft = material("soft", "mu*(I1 - 3)^2", mu=1.0)
soft.tangent(np.eye(3)[None]), soft.stress(np.eye(3)[None])
print(len(compiled))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0"]
