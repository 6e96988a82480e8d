"""Products and pulls of terms outside the catalogue: whole measures, flat sheets and rods, pins, obstacles."""

from collections.abc import Callable

import numpy as np
import pytest

from builders import random_tets
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Quadratic
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.shapes import SphereShape
from supple.dynamics.system import build_system
from supple.energies.areas.whole_measure import (
    ConstantPressure,
    Gas,
    Stiffness,
    enclosed_volume,
    whole_area,
    whole_volume,
)
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rod import RodBending
from supple.energies.fields.attraction import Attraction
from supple.energies.fields.falloff import Power
from supple.energies.samples import Samples, one_sample
from supple.energies.springs.anchor import Anchors
from supple.energies.springs.plane import KeptInPlane
from supple.energies.term import EnergyTerm
from supple.mesh.shapes.thin import Cloth
from supple.mesh.topology import boundary_triangles
from supple.types import Array

MESH = random_tets()
SKIN = boundary_triangles(MESH.tets)
N = len(MESH.vertices)
SHEET = Cloth(cells=(3, 3), size=(1.2, 1.0), plane="xy", pattern="equilateral").mesh()
ROD = np.outer(np.cumsum([0.0, 0.3, 0.5, 0.2, 0.4, 0.3]), [1.0, 0.0, 0.0])
SEGMENTS = np.array([[0, 1], [2, 1], [2, 3], [3, 4], [5, 4]], dtype=np.int32)
EVERY = np.arange(N, dtype=np.int32)
BODY, FLAT, LINE = MESH.vertices, SHEET.vertices, np.ascontiguousarray(ROD)

MEASURED: dict[str, tuple[Array, Callable[[Array], EnergyTerm]]] = {
    "constant pressure": (BODY, lambda X: enclosed_volume(X, SKIN, ConstantPressure(40.0))),
    "gas": (BODY, lambda X: enclosed_volume(X, SKIN, Gas(300.0, 200.0, 1.4))),
    "slow gas": (BODY, lambda X: enclosed_volume(X, SKIN, Gas(300.0, 200.0))),
    "volume inside": (BODY, lambda X: enclosed_volume(X, SKIN, Stiffness(500.0))),
    "whole area": (BODY, lambda X: whole_area(X, SKIN, Stiffness(50.0))),
    "whole volume": (BODY, lambda X: whole_volume(X, np.asarray(MESH.tets), Stiffness(500.0))),
    "quadratic bending": (FLAT, lambda X: QuadraticBending(X, SHEET.triangles, 0.7)),
    "rod": (LINE, lambda X: RodBending(X, SEGMENTS, np.array([1.0, 2.0, 3.0, 4.0]))),
}
"""By name: rest positions, and the term built on them."""
OTHERS: dict[str, tuple[Array, Callable[[Array], EnergyTerm]]] = {
    "anchors": (BODY, lambda X: Anchors(BODY + 0.1, np.linspace(1.0, 3.0, N))),
    "kept in plane": (BODY, lambda X: KeptInPlane(EVERY, BODY, np.array([0.0, 0.6, 0.8]), np.linspace(1.0, 3.0, N))),
    "floor": (BODY, lambda X: ObstacleContact(HalfSpace((0.0, 0.5, 0.0)), Quadratic(30.0), EVERY)),
    "barrier": (BODY, lambda X: ObstacleContact(HalfSpace((0.0, -0.4, 0.0)), Barrier(30.0, 2.0), EVERY)),
    "attractor": (
        BODY,
        lambda X: Attraction(
            np.linspace(1.0, 3.0, N), 4.0, np.array([0.4, 0.9, -0.3]), np.eye(3), Power(0.7, 2.0), 0.3
        ),
    ),
    "ball": (BODY, lambda X: ObstacleContact(SphereShape((0.5, 0.5, -0.2), 0.7), Quadratic(30.0), EVERY)),
}
TERMS = MEASURED | OTHERS


def along_rest(name: str) -> Array:
    """A change of the rest positions that leaves flat bodies flat and straight ones straight."""
    rest = TERMS[name][0]
    return np.random.default_rng(2).standard_normal(rest.shape) * (np.ptp(rest, axis=0) > 0.0)


def two_samples(rest: Array) -> tuple[Samples, Array]:
    random = np.random.default_rng(1)
    x = np.stack([rest + random.uniform(-0.05, 0.05, rest.shape) for _ in range(2)])
    lam = random.standard_normal(rest.shape)
    return Samples(x, np.ones(2), np.array([0.2, 0.7]), np.array([2.0, -0.4])), lam


def difference(function, eps: float = 1e-4):
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def worked(term: EnergyTerm, rest: Array, samples: Samples, lam: Array) -> float:
    system = build_system(rest, np.ones(len(rest)), [term])
    return float(np.vdot(lam, system.potential.weighted_gradient(samples)))


@pytest.mark.parametrize("name", TERMS)
def test_products(name: str) -> None:
    rest, make = TERMS[name]
    samples, lam = two_samples(rest)
    potential, x = build_system(rest, np.ones(len(rest)), [make(rest)]).potential, samples.x[0]
    found = potential.product(one_sample(x), lam)
    assert np.abs(found).max() > 1e-3
    wanted = difference(lambda e: potential.gradient(x + e * lam), 1e-6 if name in ("floor", "ball") else 1e-5)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7 * np.abs(found).max())
    both = sum(c * potential.product(one_sample(y), lam) for c, y in zip(samples.curvature, samples.x, strict=True))
    np.testing.assert_allclose(potential.product(samples, lam), both, rtol=0, atol=1e-12 * np.abs(both).max())


@pytest.mark.parametrize("name", [*MEASURED, "anchors", "kept in plane", "attractor"])
def test_pulls_on_constants(name: str) -> None:
    rest, make = TERMS[name]
    (samples, lam), term = two_samples(rest), make(rest)
    pulled = term.pull(samples, lam)
    assert set(pulled) - {"rest"} == set(term.constants())
    for key, value in term.constants().items():
        assert pulled[key].shape == value.shape
        d = np.random.default_rng(3).uniform(0.2, 1.0, value.shape) * np.where(value != 0.0, value, 1.0)
        wanted = difference(
            lambda e, key=key, value=value, d=d: worked(term.with_constant(key, value + e * d), rest, samples, lam),
            1e-3,
        )
        assert wanted != 0.0
        assert np.vdot(pulled[key], d) == pytest.approx(wanted, rel=1e-7)


@pytest.mark.parametrize("name", MEASURED)
def test_pulls_on_the_rest_shape(name: str) -> None:
    rest, make = TERMS[name]
    (samples, lam), d = two_samples(rest), along_rest(name)
    wanted = difference(lambda e: worked(make(rest + e * d), rest, samples, lam))
    found = float(np.vdot(make(rest).pull(samples, lam)["rest"], d))
    if name != "constant pressure":
        assert abs(wanted) > 1e-3
    assert found == pytest.approx(wanted, rel=1e-7, abs=1e-9)
