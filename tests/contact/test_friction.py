"""Friction: derivatives of the potential, blocks that stop at Coulomb's distance, slopes on which they stick or slide."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from builders import Setup, run
from supple.contact.barrier_law import Barrier
from supple.contact.friction import Friction, FrozenFriction, Slide
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.samples import one_sample
from supple.energies.touch import Touch
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.types import Array

CREEP = 1e-3
G = 9.8
RNG = np.random.default_rng(5)


def particle(slope: float = 0.0, mu: float = 0.5, speed: float = 0.0) -> Setup:
    """A unit mass on a half-space that falls towards +x by so many radians, at the gap where the barrier carries it."""
    law = Barrier(1e5, 0.01)
    normal = (math.sin(slope), math.cos(slope), 0.0)
    weight = G * math.cos(slope)
    gap = brentq(lambda d: float(law.slope(np.array([d]))[0]) + weight, 1e-6, 0.01 - 1e-9, xtol=1e-16)
    x = gap * np.array([normal])
    contact = HalfSpaceContact(HalfSpace(normal=normal), law, [0])
    terms = [Gravity(np.ones(1), np.array([0.0, -G, 0.0])), contact]
    friction = Friction(contact, np.array([mu]), CREEP, np.ones(1))
    system = build_system(x, np.ones(1), terms, dissipation=[friction])
    return (system, State(0.0, x, speed * np.array([[normal[1], -normal[0], 0.0]])))


def way(setup: Setup, state: State) -> float:
    return float(np.linalg.norm(state.x - setup[1].x))


@pytest.fixture(scope="module")
def frozen() -> tuple[FrozenFriction, Array]:
    """Three contacts of four corners; one slides, one creeps, one hardly moves."""
    c = np.array([[1.0, -0.2, -0.3, -0.5], [0.4, 0.6, -0.7, -0.3], [1.0, 0.0, -1.0, 0.0]])
    n = RNG.standard_normal((3, 3))
    touch = Touch(np.arange(12, dtype=np.int32).reshape(3, 4), c, n / np.linalg.norm(n, axis=1)[:, None], np.ones(3))
    v = RNG.standard_normal((12, 3))
    v[4:8] *= 3e-4
    v[8:] *= 1e-6
    return FrozenFriction([Slide(touch, np.array([2.0, 3.0, 4.0]))], CREEP), v


@pytest.fixture(scope="module")
def sticking(frozen: tuple[FrozenFriction, Array]) -> tuple[FrozenFriction, Array]:
    """The same where the contacts that creep at the start look at the end of the step."""
    term, v = frozen
    (slide,) = term._slides
    return FrozenFriction([slide.ending(0.5 * v, np.array([CREEP, CREEP, CREEP]))], CREEP), v


def evaluated(term: FrozenFriction, v: Array) -> tuple[float, Array]:
    gradient = np.zeros_like(v)
    return term.add_value_gradient(one_sample(v), None, gradient), gradient


@pytest.mark.parametrize("kind", ["frozen", "sticking"])
def test_derivatives_and_convexity(kind: str, request: pytest.FixtureRequest) -> None:
    term, v = request.getfixturevalue(kind)
    d = RNG.standard_normal(v.shape)
    d[4:8] *= 3e-4
    d[8:] *= 1e-6
    e = 1e-5
    (up, ahead), (down, behind) = (evaluated(term, v + s * e * d) for s in (1, -1))
    _, gradient = evaluated(term, v)
    assert (up - down) / (2 * e) == pytest.approx(np.vdot(gradient, d), rel=1e-6)
    ((corners, blocks),) = term.coupling_blocks(one_sample(v), False)
    bent = np.einsum("mij,mj->mi", blocks, d[corners].reshape(3, 12)).reshape(12, 3)
    np.testing.assert_allclose((ahead - behind) / (2 * e), bent, rtol=0, atol=1e-5 * np.abs(bent).max())
    assert np.linalg.eigvalsh(blocks).min() >= -1e-9
    assert np.vdot(gradient, v) > 0.0  # takes energy
    assert np.abs(gradient.sum(axis=0)).max() <= 1e-14


# Coulomb: v^2/(2 mu g) = 0.408163 m
@pytest.mark.parametrize(
    ("method", "h", "wanted"),
    [
        (AVF(), 1 / 30, 0.40801),
        (AVF(), 1 / 100, 0.408155),
        pytest.param(BackwardEuler(), 1 / 30, 0.3753, marks=pytest.mark.study),
        (BackwardEuler(), 1 / 100, 0.3982),
    ],
    ids=str,
)
def test_a_sliding_mass_stops(method: AVF, h: float, wanted: float) -> None:
    setup = particle(speed=2.0)
    frames = run(setup, method, h, round(0.7 / h))
    assert way(setup, frames[-1].state) == pytest.approx(wanted, rel=0, abs=1.5e-4)
    total = np.array([f.ledger.energies.total for f in frames])
    assert (np.diff(total) <= 1e-12 * total[0]).all()
    if method.name == "avf":
        assert max(abs(f.ledger.residual) for f in frames) <= 1e-12 * total[0]
        assert frames[-1].ledger.dissipated == pytest.approx(2.0, rel=1e-3)


def test_what_sticks_rings_or_stops_dead() -> None:
    """Reference notes: 0.028 m/s with the mean velocity (0.021 here), 0.40867 m with that at the end."""
    setup = particle(speed=2.0)
    ringing, still = (run(setup, AVF(stick=stick), 1 / 30, 30)[-1].state for stick in ("mean", "end"))
    assert 0.01 < np.abs(ringing.v[0, 0]) < 0.05
    assert np.abs(still.v[0, 0]) < 1e-12
    assert way(setup, still) == pytest.approx(0.40867, abs=1e-5)


@pytest.mark.parametrize("method", [BackwardEuler(), BDF2(), AVF()], ids=lambda m: m.name)
def test_on_a_gentle_slope_it_only_creeps(method: AVF) -> None:
    slope = math.atan(0.3)
    setup = particle(slope)
    frames = run(setup, method, 0.01, 40)
    speed = (way(setup, frames[-1].state) - way(setup, frames[-11].state)) / 0.1
    assert speed == pytest.approx(CREEP * (1.0 - math.sqrt(1.0 - 0.3 / 0.5)), rel=1e-3)


@pytest.mark.parametrize("method", [BackwardEuler(), BDF2(), AVF()], ids=lambda m: m.name)
def test_on_a_steep_slope_it_slides(method: AVF) -> None:
    slope = math.atan(0.8)
    setup = particle(slope, speed=0.5)
    frames = run(setup, method, 0.01, 30)
    wanted = G * (math.sin(slope) - 0.5 * math.cos(slope))
    speeds = [float(np.linalg.norm(f.state.v)) for f in frames]
    assert (speeds[-1] - speeds[10]) / 0.2 == pytest.approx(wanted, rel=0.01)


def test_bad_values_are_refused() -> None:
    contact = HalfSpaceContact(HalfSpace(), Barrier(1e5, 0.01), [0])
    with pytest.raises(SuppleError, match="not negative"):
        Friction(contact, np.array([-0.1]), CREEP)
    with pytest.raises(SuppleError, match="creep speed"):
        Friction(contact, np.array([0.1]), 0.0)
