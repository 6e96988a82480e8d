"""Products with the second derivative of barriers between surfaces and of friction, held vertices included."""

import numpy as np
import pytest
from touching_bodies import DHAT, cube_pair

from builders import hold
from supple.constraints.motion import Motion
from supple.contact.friction import Friction
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.dynamics.system import build_system
from supple.energies.instant import Instant
from supple.energies.samples import one_sample
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.types import Array


def difference(function, eps: float):
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def crumpled() -> tuple[BarrierContact, Array]:
    """Two cubes a few millimetres apart."""
    rest, _, triangles, _ = cube_pair(offset=0.1, gap=0.02)
    x = rest + 0.003 * np.random.default_rng(1).standard_normal(rest.shape)
    return BarrierContact(ContactSurface(rest, triangles, np.arange(len(rest))), 2 * DHAT, 1e6), x


def compare(term: EnergyTerm, x: Array, size: float) -> None:
    held = Motion((hold(np.arange(4), x),))
    potential = build_system(x, np.ones(len(x)), [term], held).potential
    lam = np.random.default_rng(2).standard_normal(x.shape)
    found = potential.product(one_sample(x), lam)
    assert np.abs(found).max() > 1e-3
    wanted = difference(lambda e: potential.gradient(x + e * lam), size)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6 * np.abs(found).max())


def test_barriers() -> None:
    contact, x = crumpled()
    compare(contact, x, 1e-7)
    compare(contact.averaged(x + 1e-4), x, 1e-7)


def test_friction() -> None:
    contact, x = crumpled()
    v = np.random.default_rng(4).standard_normal(x.shape)
    friction = Friction(contact, np.full(len(x), 0.3), 0.1)
    compare(friction.freeze(Instant(x, x, 0.0, 0.01, v)), v, 1e-5)


def test_friction_between_bodies_says_that_it_has_no_derivatives() -> None:
    contact, x = crumpled()
    friction, instant = Friction(contact, np.full(len(x), 0.3), 0.1), Instant(x, x, 0.0, 0.01)
    with pytest.raises(SuppleError, match=r"friction between bodies: .* leave friction out"):
        friction.pull_start(instant, one_sample(x), x)
