"""Every damper: products with its second derivative, and pulls on to where it was frozen and on to its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from damped_bodies import DRAGS, ON_SOLIDS, ON_SPRINGS, cube, net

from supple.damping.damper import Damped, Damping
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenInSteps, frozen
from supple.energies.samples import Samples
from supple.energies.solids.solid import Solid
from supple.energies.term import EnergyTerm
from supple.materials.stvk import StVK
from supple.mesh.shapes.solid import Bar
from supple.types import Array

DAMPERS: dict[str, tuple[str, Damping]] = {
    **{f"solid, {name}": ("cube", damping) for name, damping in (ON_SOLIDS | DRAGS).items()},
    **{f"springs, {name}": ("net", damping) for name, damping in ON_SPRINGS.items()},
}
DAMPERS = {name: each for name, each in DAMPERS.items() if not name.endswith(("explicit", "implicit"))}
FIELDS = {"place": "pull_place", "x0": "pull_start", "v": "pull_velocity"}


def difference(function, eps: float = 1e-4):
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def built(name: str) -> tuple[System, State, EnergyTerm]:
    body, damping = DAMPERS[name]
    system, state = (cube if body == "cube" else net)(damping)
    (term,) = system.dissipation.terms
    return system, state, term


def instant_of(state: State, h: float = 0.1) -> Instant:
    return Instant(state.x, state.x + 0.5 * h * state.v, 0.3, h, state.v)


def sampled(state: State) -> tuple[Samples, Array]:
    random = np.random.default_rng(5)
    v = np.stack([state.v + random.normal(size=state.v.shape) for _ in range(2)])
    one = np.ones(2)
    return Samples(v, one, np.array([0.7, 0.4]), np.array([1.5, -0.2])), random.normal(size=state.v.shape)


def worked(term: EnergyTerm, instant: Instant, samples: Samples, lam: Array) -> float:
    """sum_q force_q lam . D'(v_q) of the term as it is at an instant."""
    now, total = frozen(term, instant), 0.0
    for v, force in zip(samples.x, samples.force, strict=True):
        total += force * float(np.einsum("mai,mai->", now.element_gradients(v), lam[now.elements]))
    return total


@pytest.mark.parametrize("name", DAMPERS)
def test_products(name: str) -> None:
    system, state, term = built(name)
    dissipation = build_system(state.x, system.mass, [frozen(term, instant_of(state))]).potential
    samples, lam = sampled(state)
    found = dissipation.product(samples, lam)
    assert np.abs(found).max() > 1e-3
    wanted = sum(
        curvature * difference(lambda e, v=v: dissipation.gradient(v + e * lam))
        for v, curvature in zip(samples.x, samples.curvature, strict=True)
    )
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max())


@pytest.mark.parametrize("h", [0.1, 0.0])
@pytest.mark.parametrize("name", DAMPERS)
def test_pulls_on_where_it_was_frozen(name: str, h: float) -> None:
    """All fields move at once, each its own way: a mistake in any pull shows in the sum."""
    _, state, term = built(name)
    instant, (samples, lam) = instant_of(state, h), sampled(state)
    if not isinstance(term, FrozenInSteps):
        return
    start = {field: getattr(instant, field) for field in FIELDS}
    ways = dict(zip(FIELDS, np.random.default_rng(8).normal(size=(len(FIELDS), *lam.shape)), strict=True))
    pulls = {field: getattr(term, method)(instant, samples, lam) for field, method in FIELDS.items()}
    size = abs(worked(term, instant, samples, lam))

    def moved(e: float) -> float:
        return worked(term, replace(instant, **{f: start[f] + e * d for f, d in ways.items()}), samples, lam)

    found = sum(np.vdot(pulls[field], d) for field, d in ways.items())
    assert found == pytest.approx(difference(moved, 1e-5), rel=1e-7, abs=1e-9 * size)
    assert max(np.abs(pulled).max() for pulled in pulls.values()) > 1e-3


@pytest.mark.parametrize("h", [0.1, 0.0])
@pytest.mark.parametrize("name", DAMPERS)
def test_pulls_on_constants(name: str, h: float) -> None:
    _, state, term = built(name)
    instant, (samples, lam) = instant_of(state, h), sampled(state)
    live = isinstance(term, FrozenInSteps)
    pulled = term.pull_frozen(instant, samples, lam) if live else term.pull(samples, lam)
    assert set(pulled) - {"rest"} == set(term.constants())
    for key, value in term.constants().items():
        assert pulled[key].shape == value.shape
        d = np.where(value != 0.0, np.abs(value), 1.0) * np.random.default_rng(3).uniform(0.2, 1.0, value.shape)
        wanted = difference(
            lambda e, key=key, value=value, d=d: worked(term.with_constant(key, value + e * d), instant, samples, lam),
            1e-3,
        )
        assert abs(wanted) > 1e-6
        assert np.vdot(pulled[key], d) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("name", ["viscosity", "formula", "formula, thickening", "rayleigh"])
def test_pulls_on_the_rest_shape(name: str) -> None:
    mesh = Bar(cells=(1, 1, 1), size=(1.0, 1.0, 1.0)).mesh()
    state, X = cube()[1], mesh.vertices
    instant, (samples, lam) = instant_of(state), sampled(state)
    d = np.random.default_rng(8).normal(size=X.shape)

    def damper(e: float) -> EnergyTerm:
        solid = Solid(X + e * d, mesh.tets, StVK(100.0, 60.0))
        (term,) = ON_SOLIDS[name].on(Damped(np.ones(len(X)), (solid,))).dissipation
        return term

    pulled = damper(0.0).pull_frozen(instant, samples, lam)["rest"]
    assert np.abs(pulled).max() > 1e-3
    wanted = difference(lambda e: worked(damper(e), instant, samples, lam), 1e-5)
    assert np.vdot(pulled, d) == pytest.approx(wanted, rel=1e-7)
