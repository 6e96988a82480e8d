"""Dampers over every elastic term: pulls of Rayleigh's and of structure-preserving damping, with and without clamped matrices."""

from dataclasses import replace

import catalogue
import numpy as np
import pytest
from catalogue import ELASTIC, KINKED, REST, deformed

from supple.damping.rayleigh import StiffnessDamping
from supple.damping.structure_preserving import IncrementDamping
from supple.energies.instant import Instant
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array

LAM = np.random.default_rng(17).standard_normal(REST.shape)
SMOOTH = sorted(set(ELASTIC) - KINKED)
CHANGING = sorted(set(SMOOTH) - {"solid linear"})
"""Terms whose stiffness changes with the place."""
KINDS = {"solid stvk", "hooke springs", "membrane stvk-membrane", "corotational", "dihedral bending"}
"""One term of each kind."""


def setup(h: float) -> tuple[Instant, Samples]:
    x, random = deformed(), np.random.default_rng(6)
    v = np.stack([random.standard_normal(REST.shape) * 0.3 for _ in range(2)])
    return Instant(x, x + 0.02 * v[0], 0.0, h, v[0]), Samples(v, np.ones(2), np.array([0.3, 0.8]), np.ones(2))


def difference(function, eps: float = 1e-5):
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def worked(term, instant: Instant, samples: Samples) -> float:
    now: EnergyTerm = term.freeze(instant)
    gradients = sum(f * now.element_gradients(v) for v, f in zip(samples.x, samples.force, strict=True))
    return float(np.einsum("mai,mai->", gradients, LAM[now.elements]))


def moved(term, instant: Instant, samples: Samples, eps: float = 1e-5, **ways: Array) -> float:
    """Slope of the work while each of these fields of the instant goes its way."""
    start = {field: getattr(instant, field) for field in ways}

    def ahead(e: float) -> float:
        return worked(term, replace(instant, **{field: start[field] + e * d for field, d in ways.items()}), samples)

    return difference(ahead, eps)


@pytest.mark.parametrize("name", CHANGING)
def test_stiffness_damping_on_its_place(name: str) -> None:
    (instant, samples), term = setup(0.01), StiffnessDamping(ELASTIC[name](), 0.02)
    d = np.random.default_rng(4).standard_normal(REST.shape)
    found = np.vdot(term.pull_place(instant, samples, LAM), d)
    # so near that kinks of the clamped matrices stay outside, and two places are enough
    ahead, behind = (worked(term, replace(instant, place=instant.place + e * d), samples) for e in (1e-7, -1e-7))
    wanted = (ahead - behind) / 2e-7
    assert abs(wanted) > 1e-6
    assert found == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize(
    ("name", "h"),
    # at h = 0 pulls are differences of the frozen matrix, the same way for every term
    [
        pytest.param(name, h, marks=pytest.mark.study if h == 0.0 and name not in KINDS else ())
        for name in SMOOTH
        for h in (0.01, 0.0)
    ],
)
def test_increment_damping_on_its_start(name: str, h: float) -> None:
    """Place and start move at once, each its own way: a mistake in either pull shows in the sum."""
    (instant, samples), term = setup(h), IncrementDamping(ELASTIC[name](), 0.02)
    ways = np.random.default_rng(4).standard_normal((2, *REST.shape))
    pulls = [np.vdot(term.pull_place(instant, samples, LAM), ways[0])]
    pulls.append(np.vdot(term.pull_start(instant, samples, LAM), ways[1]))
    wanted = moved(term, instant, samples, place=ways[0], x0=ways[1])
    assert sum(pulls) == pytest.approx(wanted, rel=1e-6, abs=1e-8 * abs(worked(term, instant, samples)))


def test_clamping_is_reported_and_unclamped_pulls_agree() -> None:
    term = StiffnessDamping(ELASTIC["solid stvk"](), 0.02)
    instant, samples = setup(0.01)
    stretched = replace(instant, place=1.3 * REST)
    crushed = replace(instant, place=0.8 * REST)
    assert term.pull_place_is_exact(stretched)
    assert not term.pull_place_is_exact(crushed)
    d = np.random.default_rng(4).standard_normal(REST.shape)
    for here in (stretched, crushed):
        found = np.vdot(term.pull_place(here, samples, LAM), d)
        assert found == pytest.approx(moved(term, here, samples, place=d), rel=1e-6)


@pytest.mark.parametrize("scale", [1.3, 0.8])
@pytest.mark.parametrize("name", ["solid stvk", "hooke springs", "membrane stvk-membrane"])
def test_stiffness_damping_on_constants_and_rest(name: str, scale: float, monkeypatch: pytest.MonkeyPatch) -> None:
    instant, samples = setup(0.01)
    instant = replace(instant, place=scale * REST)
    term = StiffnessDamping(ELASTIC[name](), 0.02)
    pulled = term.pull_frozen(instant, samples, LAM)
    for key, value in term.constants().items():
        wanted = difference(
            lambda e, key=key, value=value: worked(term.with_constant(key, value * (1.0 + e)), instant, samples), 1e-3
        )
        size = abs(worked(term, instant, samples))
        assert np.vdot(pulled[key], value) == pytest.approx(wanted, rel=1e-6, abs=1e-11 * size)
    d = np.random.default_rng(4).standard_normal(REST.shape)

    def rebuilt(e: float) -> float:
        monkeypatch.setattr(catalogue, "REST", REST + e * d)
        return worked(StiffnessDamping(ELASTIC[name](), 0.02), instant, samples)

    assert np.vdot(pulled["rest"], d) == pytest.approx(
        difference(rebuilt), rel=1e-6, abs=1e-9 * abs(pulled["stiffness"][0])
    )
