"""Attractors: derivatives of every falloff, the force that is promised, energy kept to round-off, orbits."""

import numpy as np
import pytest

from builders import run
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.fields.attraction import Attraction
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.model.fields.attractor import Attractor
from supple.model.fields.field import Reached
from supple.types import Array

RNG = np.random.default_rng(3)
N = 40
X = RNG.uniform(-1.0, 1.0, (N, 3))
MASS = np.linspace(0.5, 2.0, N)
KINDS: dict[str, Attractor] = {
    "gravity": Attractor(strength=3.0, centre=(0.2, 0.0, -0.1)),
    "line": Attractor(strength=-3.0, to="line", axis=(1.0, 2.0, 0.0), power=1.0, centre=(0.2, 0.0, -0.1)),
    "plane": Attractor(strength=3.0, to="plane", axis=(0.0, 1.0, 1.0), power=0.0),
    "spring": Attractor(strength=3.0, power=-1.0),
    "range": Attractor(strength=3.0, range=1.2, power=2.0, core=0.2),
    "range of a logarithm": Attractor(strength=3.0, range=1.2, power=1.0, core=0.2, size=0.7),
    "long range": Attractor(strength=3.0, range=1.5, power=-1.0),
    "gaussian": Attractor(strength=3.0, falloff="gaussian", size=0.5, to="line"),
}


def term(field: Attractor, mass: Array = MASS) -> Attraction:
    (made,) = field.terms(Reached(mass, ()), "work")
    assert isinstance(made, Attraction)
    return made


def difference(function, x: Array, d: Array, eps: float = 1e-3):
    """Derivative of `function` at x along d, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(x + k * eps * d) - function(x - k * eps * d)) for k, c in steps.items()) / (60 * eps)


@pytest.mark.parametrize("name", KINDS)
def test_derivatives(name: str) -> None:
    made, d = term(KINDS[name]), 0.05 * RNG.standard_normal(X.shape)
    gradients, hessians = made.element_gradients(X), made.element_hessians(X)
    assert np.abs(gradients).max() > 1.0
    assert np.abs(hessians).max() > 1.0
    size = np.abs(gradients).max(axis=(1, 2)) + np.abs(gradients).max()
    along = np.einsum("mai,mi->m", gradients, d)
    np.testing.assert_array_less(np.abs(along - difference(made.element_values, X, d)), 1e-8 * size)
    along = np.einsum("mij,mj->mi", hessians, d)
    wanted = difference(made.element_gradients, X, d)[:, 0]
    np.testing.assert_allclose(along, wanted, rtol=0, atol=1e-7 * np.abs(hessians).max())
    products = made.element_products(X, d)[:, 0]
    np.testing.assert_allclose(products, along, rtol=0, atol=1e-12 * np.abs(along).max())


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.5, -1.0])
def test_force_over_distance(power: float) -> None:
    """Towards the centre, (distance/size)^-power times the strength, for each kg."""
    r = np.array([0.4, 0.8, 1.6])
    field = Attractor(strength=5.0, power=power, size=0.8, core=1e-6)
    x = np.stack([r, 0 * r, 0 * r], axis=1)
    force = -term(field, np.full(3, 2.0)).element_gradients(x)[:, 0]
    np.testing.assert_allclose(force[:, 0], -2.0 * 5.0 * (r / 0.8) ** -power, rtol=1e-9)
    assert np.abs(force[:, 1:]).max() == 0.0


def test_range_and_core() -> None:
    field = Attractor(strength=5.0, power=0.0, core=0.1, range=2.0)
    x = np.outer([0.0, 0.01, 1.0, 1.999, 2.001, 5.0], [0.0, 1.0, 0.0])
    made = term(field, np.ones(6))
    force = -made.element_gradients(x)[:, 0, 1]
    assert force[0] == 0.0
    assert -1.0 < force[1] < 0.0
    assert force[2] == pytest.approx(-5.0 * (15 / 16) ** 4, rel=0.01)
    assert abs(force[3]) < 1e-8
    assert force[4] == force[5] == 0.0
    np.testing.assert_array_equal(made.element_values(x)[4:], 0.0)
    assert (np.diff(made.element_values(x)[:4]) > 0.0).all()  # a well


def test_gaussian_is_largest_at_its_size() -> None:
    r = np.linspace(0.05, 2.0, 391)
    made = term(Attractor(strength=5.0, falloff="gaussian", size=0.5), np.ones(len(r)))
    force = -made.element_gradients(np.outer(r, [1.0, 0.0, 0.0]))[:, 0, 0]
    assert r[np.argmin(force)] == pytest.approx(0.5)
    assert force.min() == pytest.approx(-5.0)


def test_lines_and_planes() -> None:
    x = np.array([[0.3, 2.0, 0.0]])
    one = np.ones(1)
    to_line = -term(Attractor(to="line", power=-1.0), one).element_gradients(x)[0, 0]
    to_plane = -term(Attractor(to="plane", power=-1.0), one).element_gradients(x)[0, 0]
    np.testing.assert_allclose(to_line, [-3.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(to_plane, [0.0, -20.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("name", KINDS)
def test_energy_is_constant(name: str) -> None:
    """Particles in the field and nothing else; the rule of AVF taken to rounding error."""
    system = build_system(X, MASS, [term(KINDS[name])])
    start = State(0.0, X, np.cross([0.5, 1.0, 0.2], X) + np.array([0.1, 0.0, -0.2]))
    frames = run((system, start), AVF(tolerance=1e-14), 0.02, 30)
    totals = np.array([f.ledger.energies.total for f in frames])
    assert np.abs(frames[-1].state.x - X).max() > 0.3
    assert np.ptp(totals) <= 1e-12 * max(f.ledger.energies.scale for f in frames)


def test_kepler() -> None:
    """A circular orbit about a centre of 1/r^2 with a small core: period 2 pi sqrt(r^3/S)."""
    made = Attraction(np.ones(1), 4.0, np.zeros(3), np.eye(3), term(KINDS["gravity"])._falloff, 1e-3)
    period = 2 * np.pi / 2.0
    start = State(0.0, np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 2.0, 0.0]]))
    end = run((build_system(start.x, np.ones(1), [made]), start), AVF(), period / 1000, 500)[-1].state
    np.testing.assert_allclose(end.x, -start.x, atol=1e-4)  # after half a period


def test_what_is_refused() -> None:
    with pytest.raises(SuppleError, match="a gaussian has a finite range itself; leave out range"):
        Attractor(falloff="gaussian", range=2.0)
    with pytest.raises(SuppleError, match=r"attractor\.core: input should be greater than 0"):
        Attractor(core=0.0)
    with pytest.raises(SuppleError, match=r"attractor\.to"):
        Attractor(to="ring")
