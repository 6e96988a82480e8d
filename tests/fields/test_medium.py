"""Drag in a region: derivatives, pulls for sweeps, decay inside and none outside, a ledger that closes, order 2."""

import numpy as np
import pytest

from builders import run
from supple.damping.medium import Medium
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.instant import Instant
from supple.energies.roles.frozen import frozen
from supple.energies.samples import Samples
from supple.energies.springs.springs import StVKSprings
from supple.errors import SuppleError
from supple.formulas.curves import Curve
from supple.integrators.implicit.avf import AVF
from supple.model.fields.drag import DragField
from supple.model.fields.field import Reached
from supple.model.fields.region import FieldRegion
from supple.model.selection import Within
from supple.types import Array

RNG = np.random.default_rng(5)
X = RNG.uniform(-1.0, 1.0, (12, 3))
MASS = np.linspace(0.5, 2.0, 12)
V = RNG.standard_normal((12, 3))
BALL = FieldRegion(sphere=Within((0.2, 0.0, 0.0), 1.2), edge=0.9)
EDGES = np.array([[k, k + 1] for k in range(11)] + [[0, 5], [3, 9]], dtype=np.int32)


def medium(**options) -> Medium:
    (made,) = DragField(region=BALL, **options).dampers(Reached(MASS, ()), "field[0]")
    assert isinstance(made, Medium)
    return made


def difference(function, eps: float = 1e-3):
    """df/de at 0, by central differences of sixth order."""
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    return sum(c * (function(k * eps) - function(-k * eps)) for k, c in steps.items()) / (60 * eps)


def instant(place: Array = X) -> Instant:
    return Instant(X, place, 0.4, 0.1, V)


@pytest.mark.parametrize("options", [{"linear": 2.0}, {"linear": 0.0, "quadratic": 1.5}, {"quadratic": 0.7}])
def test_derivatives(options) -> None:
    term, d = frozen(medium(**options), instant()), RNG.standard_normal(V.shape)
    gradients, hessians = term.element_gradients(V)[:, 0], term.element_hessians(V)
    assert np.abs(gradients).max() > 0.1
    slope = difference(lambda e: term.element_values(V + e * d))
    np.testing.assert_allclose(np.einsum("mi,mi->m", gradients, d), slope, rtol=0, atol=1e-9)
    change = difference(lambda e: term.element_gradients(V + e * d)[:, 0])
    np.testing.assert_allclose(np.einsum("mij,mj->mi", hessians, d), change, rtol=0, atol=1e-8)
    assert np.linalg.eigvalsh(hessians).min() >= 0.0
    assert np.isfinite(term.element_hessians(np.zeros_like(V))).all()


def test_pulls() -> None:
    """On to the place at which it was frozen, and on to its numbers."""
    live, lam = medium(linear=1.3, quadratic=0.7), RNG.standard_normal(V.shape)
    samples = Samples(np.stack([V, 0.5 * V]), np.ones(2), np.array([0.7, 0.4]), np.ones(2))

    def worked(term: Medium, place: Array = X) -> float:
        return float(frozen(term, instant(place)).element_works(samples, lam).sum())

    d = RNG.standard_normal(X.shape)
    wanted = difference(lambda e: worked(live, X + e * d), 1e-5)
    assert abs(wanted) > 1e-2
    assert np.vdot(live.pull_place(instant(), samples, lam), d) == pytest.approx(wanted, rel=1e-6)
    pulled = live.pull_frozen(instant(), samples, lam)
    for name, value in live.constants().items():
        move = RNG.uniform(0.2, 1.0, value.shape)
        wanted = difference(lambda e, name=name, v=value, m=move: worked(live.with_constant(name, v + e * m)))
        assert np.vdot(pulled[name], move) == pytest.approx(wanted, rel=1e-7)


def test_decay_inside_and_free_flight_outside() -> None:
    """v = v0 exp(-a t) in it, at the speed of before outside."""
    (term,) = DragField(linear=2.0, region=FieldRegion(condition="y < 0")).dampers(Reached(np.ones(2), ()), "field[0]")
    x = np.array([[0.0, -5.0, 0.0], [0.0, 5.0, 0.0]])
    system = build_system(x, np.ones(2), [], dissipation=[term])
    end = run((system, State(0.0, x, np.ones((2, 3)))), AVF(), 0.5 / 350, 350)[-1]
    np.testing.assert_allclose(end.state.v[0], np.exp(-1.0), rtol=1e-6)
    np.testing.assert_allclose(end.state.v[1], 1.0, rtol=1e-12)


def test_quadratic_drag() -> None:
    """v = v0/(1 + b v0 t)."""
    (term,) = DragField(linear=0.0, quadratic=0.5).dampers(Reached(np.ones(1), ()), "field[0]")
    x = np.zeros((1, 3))
    end = run(
        (build_system(x, np.ones(1), [], dissipation=[term]), State(0.0, x, x + np.array([4.0, 0, 0]))),
        AVF(),
        5e-3,
        200,
    )
    assert end[-1].state.v[0, 0] == pytest.approx(4.0 / 3.0, rel=1e-4)


def moving(n: int) -> State:
    field = DragField(linear=1.0, quadratic=0.5, strength=Curve("1 + 0.5*sin(3*t)"), region=BALL)
    terms = field.dampers(Reached(MASS, ()), "field[0]")
    system = build_system(X, MASS, [StVKSprings(X, EDGES, 5.0)], dissipation=[*terms])
    frames = run((system, State(0.0, X * 1.1, 0.5 * V)), AVF(), 0.8 / n, n)
    assert max(abs(f.ledger.residual) for f in frames) <= 1e-11 * frames[0].ledger.energies.scale
    assert frames[-1].ledger.dissipated > 0.2 * frames[0].ledger.energies.total
    return frames[-1].state


def test_order_two_and_a_closed_ledger() -> None:
    fine = moving(320).x
    errors = [np.abs(moving(n).x - fine).max() for n in (40, 80)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


def test_what_is_refused() -> None:
    with pytest.raises(SuppleError, match="which have no effect; give one of them above 0"):
        DragField(linear=0.0)
    with pytest.raises(SuppleError, match=r"drag\.linear: input should be greater than or equal to 0"):
        DragField(linear=-1.0)
    negative = medium(strength=Curve("1 - 5*t"))
    with pytest.raises(SuppleError, match=r"field\[0\]\.strength: must not be negative, found -1 at t = 0\.4 s"):
        negative.freeze(instant())
