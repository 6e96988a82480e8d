"""Springs whose energy is a formula: the shipped laws written as text, degree, means over steps, and refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from catalogue import EDGES, REST, deformed

from builders import drift, run
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.samples import Samples, one_sample
from supple.energies.springs.central import CentralSprings
from supple.energies.springs.formula import FormulaSprings
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.linalg.threads import threads, use_threads
from supple.mesh.shapes.thin import Cloth
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.materials.own_springs import OwnSpring, spring
from supple.model.materials.springs import HookeSpring
from supple.model.world import World
from supple.scene.text.load import read_scene
from supple.types import Array

K = np.linspace(5.0, 50.0, len(EDGES))
"""Stiffness of each spring, as a factor on the formulas."""
PAIRS = {
    "hooke": (lambda: HookeSprings(REST, EDGES, K), "k/2*(l - l0)^2"),
    "hooke by stretch": (lambda: HookeSprings(REST, EDGES, K), "k/2*l0^2*e^2"),
    "stvk": (lambda: StVKSprings(REST, EDGES, K), "k/2*(l^2 - l0^2)^2"),
    "stvk by s": (lambda: StVKSprings(REST, EDGES, K), "k/2*(s - l0*l0)^2"),
}


def written(energy: str, **constants: float) -> FormulaSprings:
    return FormulaSprings(REST, EDGES, energy, constants or {"k": 1.0}, K)


def close(found: Array, wanted: Array, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize("name", PAIRS)
def test_shipped_laws_written_as_formulas_are_the_same(name: str) -> None:
    make, energy = PAIRS[name]
    term, formula = make(), written(energy)
    x0, x = deformed(1), deformed(2)
    close(formula.element_values(x), term.element_values(x))
    close(formula.element_gradients(x), term.element_gradients(x))
    close(formula.element_hessians(x), term.element_hessians(x))
    close(formula.projected_hessians(0.8 * x), term.projected_hessians(0.8 * x))
    close(formula.element_mean_gradients(x0, x), term.element_mean_gradients(x0, x), 1e-11)  # differences of energies
    close(formula.element_mean_jacobians(x0, x), term.element_mean_jacobians(x0, x), 1e-9)
    close(formula.resting_at(x0).element_gradients(x), term.resting_at(x0).element_gradients(x))


def test_the_walk_of_the_graph_is_the_machine_code() -> None:
    formula = written("k/2*(l - l0)^2 + c*e^4 + k*log(l/l0)^2", k=2.0, c=3.0)
    _, s = formula._ends(deformed(3))
    psi, slope, bend = formula.potential.walk({"k": 2.0, "c": 3.0, "l0": formula.rest_length}, s[:, None])
    value, first, second = formula._law(s)
    close(value, K * psi)
    close(first, K * slope[:, 0])
    close(second, K * bend[:, 0])


@pytest.mark.parametrize(
    ("energy", "degree"),
    [
        ("k*(s - l0^2)^2", 4),
        ("k*(l^2 - l0^2)^3*s", 8),
        ("k*(l*l - l0^2)^2", 4),
        ("k*(l^4 - l0^4)^2", 8),
        ("k*(l - l0)^2", None),
        ("k*e^2", None),
    ],
)
def test_even_powers_of_the_length_are_polynomials(energy: str, degree: int | None) -> None:
    assert written(energy).degree == degree


def crushed(count: int) -> Samples:
    x = np.stack([deformed(seed) * [0.7, 1.1, 0.8] for seed in range(count)])
    return Samples(x, np.linspace(0.5, 1.0, count), np.linspace(0.2, 0.9, count), np.linspace(0.3, 1.2, count))


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("project", [False, True])
def test_fused_loops_equal_the_element_arrays(count: int, project: bool) -> None:
    """With a formula whose second derivative changes sign."""
    term, samples = written("k*(cos(3*e) - 1)*(-1)*l0^2 + k*(s - l0^2)^2"), crushed(count)
    system = build_system(REST, np.ones(len(REST)), [term])
    [place] = system.potential._places
    found, wanted = np.zeros((2, *REST.shape))
    value = term.add_value_gradient(samples, place.parts, found)
    assert value == pytest.approx(EnergyTerm.add_value_gradient(term, samples, place.parts, wanted), rel=1e-13)
    close(found, wanted)
    K, expected = np.zeros((2, system.pattern.nnz))
    term.add_hessian(samples, place, K, project)
    EnergyTerm.add_hessian(term, samples, place, expected, project)
    close(K, expected)


def test_bits_do_not_depend_on_the_number_of_threads() -> None:
    before, found = threads(), []
    try:
        for count in (1, 2):
            use_threads(count)
            system = build_system(REST, np.ones(len(REST)), [written("k*(l - l0)^2")])
            values = np.zeros(system.pattern.nnz)
            system.potential.add_hessian(one_sample(deformed()), values)
            found.append((system.potential.gradient(deformed()), values))
    finally:
        use_threads(before)
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


def test_a_spring_of_no_length_pulls_nowhere() -> None:
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    term = FormulaSprings(x, np.array([[0, 1]]), "k/2*(l - l0)^2", {"k": 3.0})
    assert term.element_values(0.0 * x)[0] == 1.5
    assert not term.element_gradients(0.0 * x).any()
    assert np.isfinite(term.element_hessians(0.0 * x)).all()
    locked = FormulaSprings(x, np.array([[0, 1]]), "k*log(l/l0)^2", {"k": 3.0})
    assert np.isposinf(locked.element_values(0.0 * x)).all()


def turning(term: CentralSprings) -> tuple[System, State]:
    system = build_system(REST, np.ones(len(REST)), [term])
    v = np.cross([1.0, 2.0, 3.0], REST - REST.mean(axis=0))
    return system, State(0.0, np.ascontiguousarray(REST * [1.2, 1.0, 0.9]), v)


@pytest.mark.parametrize(
    ("energy", "bound"), [("k*(l^2 - l0^2)^2", 1e-12), ("k*(l - l0)^2 + 2*k*e^4", 1e-9), ("k*max(l - l0, 0)^2", 1e-8)]
)
def test_avf_keeps_the_energy(energy: str, bound: float) -> None:
    """To rounding error where the formula is a polynomial in s, to the tolerance of the adaptive rule where it is not."""
    frames = run(turning(written(energy)), AVF(), 1 / 60, 12)
    assert drift(frames) <= bound
    assert np.ptp([f.ledger.energies.elastic for f in frames]) > 0.1


@pytest.mark.parametrize("energy", ["k*(l - l0)^2 + 2*k*e^4", "k*max(l - l0, 0)^2", "k*log(l/l0)^2"])
def test_simo_tarnow_keeps_energy_and_angular_momentum(energy: str) -> None:
    """Bands that go slack too: the quotient of energies is exact for any law of the length."""
    system, state = turning(written(energy))
    frames = run((system, state), SimoTarnow(), 1 / 60, 12)
    assert drift(frames) <= 1e-12
    L = [np.cross(f.state.x, system.mass[:, None] * f.state.v).sum(axis=0) for f in frames]
    assert np.abs(L - L[0]).max() <= 1e-12 * np.abs(L[0]).max()


@pytest.mark.parametrize(
    ("energy", "words"),
    [
        ("k*(l - l0)^2 + k", r"at rest the energy of a spring should be zero, found 1 J at l = l0 = .* m; subtract it"),
        ("k*(l - l0)", "at rest the force of a spring should be zero, found 1 N"),
        ("k*log(l - l0)", "not defined at rest"),
    ],
)
def test_springs_that_are_not_at_rest_are_refused(energy: str, words: str) -> None:
    with pytest.raises(SuppleError, match=words):
        written(energy)


@pytest.mark.parametrize(
    ("energy", "constants", "words"),
    [
        ("k*(x - l0)^2", {"k": 1.0}, r"band\.energy: unknown name 'x'.*column 4"),
        ("k*(l - l0)^2", {"k": 1.0, "c": 2.0}, r"band\.energy: it has no c, which is given as a constant"),
        ("k*(l - l0)^2", {"k": np.inf}, r"band\.k: input should be a finite number, found inf"),
        ("e*(l - l0)^2", {"l0": 1.0}, r"band\.energy: constants cannot be called l0"),
        ("l < l0", {}, r"band\.energy: an energy is a number, but 'l < l0' is a condition"),
    ],
)
def test_formulas_that_cannot_be_springs_are_refused(energy: str, constants: dict[str, float], words: str) -> None:
    with pytest.raises(SuppleError, match=words):
        spring("band", energy, **constants)


def test_groups_of_edges_have_factors() -> None:
    own = spring("net", "k/2*(l - l0)^2", k=30.0, shear=0.5, bend=0.1)
    made = assemble(World([Body(Cloth(cells=(3, 3)), own, mass=1.0)], gravity=0.0)).system.potential.terms[0]
    net = HookeSpring(stretch=30.0, shear=15.0, bend=3.0)
    wanted = assemble(World([Body(Cloth(cells=(3, 3)), net, mass=1.0)], gravity=0.0)).system.potential.terms[0]
    assert isinstance(made, FormulaSprings)
    np.testing.assert_array_equal(made.elements, wanted.elements)
    x = Cloth(cells=(3, 3)).mesh().vertices * [1.2, 1.0, 0.9]
    close(made.element_gradients(x), wanted.element_gradients(x))
    assert own.scaled(2.0).stretch == 2.0


def scene(**material: Any) -> dict[str, Any]:
    body = {"mesh": {"shape": "rope", "segments": 4}, "mass": 1.0, "material": {"name": "formula-spring", **material}}
    return {"time": {"step": 0.01, "duration": 0.1}, "body": [body]}


def test_a_scene_names_its_own_constants(tmp_path: Path) -> None:
    given = scene(energy="k/2*max(l - l0, 0)^2", k=50)
    setup = read_scene(given, tmp_path).make()
    assert setup.world.bodies[0].material == OwnSpring("k/2*max(l - l0, 0)^2", values=(("k", 50.0),))
    text = setup.world.to_toml()
    assert 'energy = "k/2*max(l - l0, 0)^2"' in text
    assert "k = 50.0" in text


@pytest.mark.parametrize(
    ("material", "words"),
    [
        ({"energy": "k*l0*e^2"}, r"body\[0\]\.material\.energy: unknown name 'k'"),
        ({"energy": "k*l0*e^2", "k": "much"}, r"body\[0\]\.material\.k: input should be a valid number"),
        ({"energy": "k*l", "k": 1.0}, r"body\[0\]\.material\.energy: at rest the energy"),
        ({"k": 1.0}, r"body\[0\]\.material\.energy: missing"),
    ],
)
def test_a_scene_is_refused_in_words(material: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(SceneError, match=words):
        read_scene(scene(**material), tmp_path).make().assemble()
