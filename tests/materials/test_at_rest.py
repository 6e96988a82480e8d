"""Materials at rest: stiffness, moduli, refusals, and facts as users see them."""

import dataclasses

import numpy as np
import pytest

import supple as sp
from supple.errors import SuppleError
from supple.materials import MATERIALS
from supple.materials.rest.at_rest import stiffness_at_rest
from supple.materials.rest.facts import class_facts

NEO = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
NAMES = sorted(set(MATERIALS.load()) - {"arap"})


@pytest.mark.parametrize("name", NAMES)
def test_isotropic_materials_have_the_moduli_that_they_were_made_from(name: str) -> None:
    rest = MATERIALS[name].from_young(2.6e5, 0.3).at_rest()
    assert rest.isotropic
    assert rest.definite
    assert not rest.weakness
    assert rest.young[0] == pytest.approx([2.6e5] * 3)
    assert rest.poisson[0] == pytest.approx(0.3)
    assert np.abs(rest.stress).max() < 1e-9
    assert abs(rest.energy[0]) < 1e-9


def test_stiffness_over_engineering_strains() -> None:
    law = sp.StVK(mu=3.0, lam=5.0)
    wanted = np.diag([6.0, 6.0, 6.0, 3.0, 3.0, 3.0])
    wanted[:3, :3] += 5.0
    np.testing.assert_allclose(law.at_rest().stiffness[0], wanted, atol=1e-14)
    e, G = 1e-4, np.array([[1.0, 0.4, -0.3], [0.4, -2.0, 0.6], [-0.3, 0.6, 0.5]])
    strain = e * np.array([1.0, -2.0, 0.5, 1.2, -0.6, 0.8])
    assert law.density((np.eye(3) + e * G)[None])[0] == pytest.approx(0.5 * strain @ wanted @ strain, rel=1e-3)


def test_each_set_of_constants_is_looked_at_once() -> None:
    mu = np.array([1.0, 2.0, 1.0, 2.0])
    law = sp.material("two", NEO, mu=mu, lam=4.0)
    assert len(law.at_rest().energy) == 2
    each = stiffness_at_rest(law, 4)
    assert each[:, 5, 5].tolist() == pytest.approx(mu.tolist())
    assert law.about_young == pytest.approx(2.0 * (3 * 4.0 + 4.0) / 6.0)


def test_every_tet_must_rest() -> None:
    energy = "(mu - 1)*(I1 - 3) + k*(I1 - 3)^2"
    sp.material("own", energy, mu=1.0, k=1.0)
    sp.material("own", energy, mu=np.ones(5), k=1.0)
    with pytest.raises(
        SuppleError, match=r"own\.energy: at rest the stress should be zero, found 1 Pa with mu = 1.5, k = 1;"
    ):
        sp.material("own", energy, mu=np.array([1.0, 1.0, 1.5]), k=1.0)
    with pytest.raises(SuppleError, match=r"own\.energy: it is not defined at rest.* with mu = 0"):
        sp.material("own", "(J - 1)^2/mu", mu=np.array([1.0, 0.0]))


def test_a_body_that_does_not_resist_is_noted() -> None:
    def notes(law: sp.Material) -> tuple[str, ...]:
        return sp.assemble(sp.World([sp.Body(sp.Bar(cells=(1, 1, 1)), law, name="bar")])).notes

    assert notes(sp.material("good", NEO, mu=1e5, lam=1e5)) == ()
    [slack] = notes(sp.material("slack", "mu*(J - 1)^2", mu=1e5))
    assert slack.startswith(
        "bar: warning: the stiffness of its material at rest is not positive definite: its lowest eigenvalue is zero"
    )
    [wild] = notes(sp.material("wild", NEO, mu=1e5, lam=-9e4))
    assert "lowest eigenvalue is -7e+04 Pa, so some small strains grow spontaneously" in wild
    # the second of two sets of constants
    assert len(notes(sp.material("part", NEO, mu="where(X < 0.5, 1e5, 2e4)", lam=-5e4))) == 1


def test_constants_must_be_used() -> None:
    with pytest.raises(SuppleError, match=r"own\.lam: the energy 'mu\*\(I1 - 3\)\^2' does not depend on it"):
        sp.material("own", "mu*(I1 - 3)^2", mu=1.0, lam=2.0)


def test_facts_of_a_formula() -> None:
    facts = sp.material_facts(
        sp.material("gent", "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2", mu=1e5, lam=4e5, Jm=30.0)
    )
    assert facts.domain == ("1 - (I1 - 3)/Jm > 0", "J > 0")
    assert facts.lines()[-1] == "at rest    isotropic, young = 280263 Pa, poisson = 0.401316"
    assert facts.table()["young"] == pytest.approx(280263.16)
    assert facts.degree is None
    assert "adapts" in facts.rule


@pytest.mark.parametrize(
    ("name", "degree", "rule"), [("stvk", 4, "gauss-2"), ("stable-neo-hookean", 6, "gauss-3"), ("linear", 2, "gauss-1")]
)
def test_facts_of_polynomials(name: str, degree: int, rule: str) -> None:
    facts = sp.material_facts(MATERIALS[name].from_young(1e5, 0.3))
    assert facts.degree == degree
    assert facts.rule.endswith(rule)
    assert facts.domain == ()


@pytest.mark.parametrize("name", sorted(MATERIALS.load()))
def test_every_material_has_facts(name: str) -> None:
    made = sp.material_facts(MATERIALS[name].from_young(1e5, 0.3))
    assert len(made.lines()) >= 5
    assert made.name == name
    cls = MATERIALS[name]
    of_class = class_facts(cls, {f.name: "" for f in dataclasses.fields(cls)})  # type: ignore[arg-type]
    assert of_class.energy == made.energy
    assert of_class.domain == made.domain
    assert "stiffness" not in of_class.table()


def test_facts_of_what_is_not_isotropic_are_a_matrix() -> None:
    lines = sp.material_facts(sp.TransverselyIsotropic(mu=1.0, lam=2.0, along=50.0)).lines()
    assert lines[-7].startswith("stiffness  over e11")
    assert lines[-6].split() == ["54", "2", "2", "0", "0", "0"]


def test_constants_of_the_place_are_known_in_their_places() -> None:
    soft = sp.NeoHookean.from_young(sp.Field("1e5*(1 + Z)"), 0.3)
    with pytest.raises(
        SuppleError, match=r"neo-hookean\.mu: it depends on position; evaluate the material at the centres"
    ):
        soft.density(np.eye(3)[None])
    placed = soft.at(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    assert placed.moduli[0].tolist() == [1e5, 2e5]
    assert placed.about_young == 2e5
    np.testing.assert_allclose(placed.at_rest().young[:, 0], [1e5, 2e5])
    with pytest.raises(SuppleError, match=r"neo-hookean\.mu\[1\]: input should be greater than 0, found -1.0"):
        sp.NeoHookean(mu=sp.Field("1 - 2*Z"), lam=1.0).at(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    with pytest.raises(SuppleError, match=r"stvk\.lam: must be above -2/3 mu"):
        sp.StVK(mu=1.0, lam=sp.Field("-Z")).at(np.array([[0.0, 0.0, 1.0]]))
