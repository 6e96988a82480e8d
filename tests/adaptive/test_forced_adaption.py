"""Symplectic step control with damping, wind and impulses: the level of the energy moves with their work."""

import math
from typing import Any

import numpy as np
import pytest
from swinging import one, steps_of

from builders import Setup, four_nodes
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.place import Place
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rule import Rule
from supple.adaptive.rules import ElasticRule
from supple.adaptive.symplectic import AdaptiveExplicit, AdaptiveSymplectic
from supple.analysis.reference import dop853
from supple.damping.damper import Damped
from supple.damping.drag import Drag, WindDrag
from supple.damping.structure_preserving import StructurePreserving
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.springs.anchor import Anchors
from supple.energies.springs.springs import HookeSprings
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.loop import simulate
from supple.recording.cadence import between
from supple.types import Array

SOFT = ElasticRule(np.sqrt(20 / 3))


class Bumpy(Rule):
    """sigma = 1 + tanh(4 (q^2 - 1/2))/2: steps between half and one and a half."""

    def value(self, place: Place) -> float:
        return 1.0 + 0.5 * math.tanh(4.0 * (place.x[0, 0] ** 2 - 0.5))

    def gradient(self, place: Place) -> Array:
        q = place.x[0, 0]
        return np.array([[4.0 * q / math.cosh(4.0 * (q * q - 0.5)) ** 2, 0.0, 0.0]])


def oscillator(rate: float = 0.02, wind: float | None = None) -> Setup:
    """x'' = -x - rate (x' - wind) from 1 m, at rest; its energy falls by exp(-rate t) without wind."""
    still = Drag(np.ones(1), rate)
    drag = still if wind is None else WindDrag(still, lambda x, t: np.full_like(x, wind) * [1.0, 0.0, 0.0])
    system, start = one(Anchors(np.zeros((1, 3)), 1.0), 1.0)
    return build_system(np.zeros((1, 3)), np.ones(1), system.potential.terms, dissipation=[drag]), start


def until(setup: Setup, method: Any, h: float, end: float) -> list[Any]:
    """Frames up to the first one past `end`."""
    frames: list[Any] = []
    for frame in simulate(setup[0], method, setup[1], h, 10**9):
        frames.append(frame)
        if frame.state.t >= end:
            return frames
    raise AssertionError("the run ended too early")


def energy_at(frames: list[Any], end: float, rate: float = 0.02) -> float:
    """E/E0 of the last full swing before `end`, in which the energy of the step oscillates."""
    rows = [f for f in frames if f.state.t > end - math.tau]
    return float(np.mean([f.ledger.energies.total * math.exp(rate * (f.state.t - end)) for f in rows])) / 0.5


def test_a_damped_oscillator_loses_what_damping_takes() -> None:
    exact = math.exp(-2.0)
    found = energy_at(until(oscillator(), AdaptiveExplicit(Bumpy()), 0.2, 100.0), 100.0)
    assert found == pytest.approx(exact, rel=0.06)
    naive = energy_at(until(oscillator(), AdaptiveNaive(Bumpy(), of=SymplecticEuler()), 0.2, 100.0), 100.0)
    assert naive < 0.65 * exact


class Stubborn(AdaptiveSymplectic):
    """The extension without the work of forces: every step has the energy of the first."""

    def follow(self, system: Any, state: State, memory: Any, h: float, tools: Any) -> Any:
        new, after, report = super().follow(system, state, memory, h, tools)
        return new, {**after, "level": memory.get("level", after["level"])}, report


def test_a_level_that_stays_pushes_the_body() -> None:
    """Without the work term the multiplier grows by the dissipated energy."""
    ours, stubborn = (
        energy_at(until(oscillator(0.05), method(Bumpy()), 0.2, 20.0), 20.0, 0.05)
        for method in (AdaptiveSymplectic, Stubborn)
    )
    exact = math.exp(-1.0)
    assert abs(ours - exact) < 0.03 * exact
    assert abs(stubborn - exact) > 0.1 * exact


@pytest.mark.parametrize("method", [AdaptiveSymplectic, AdaptiveReversible, AdaptiveExplicit])
@pytest.mark.parametrize("wind", [pytest.param(None, marks=pytest.mark.study), 0.3])
def test_orders_with_damping_and_wind(method: Any, wind: float | None) -> None:
    setup = oscillator(0.2, wind)
    end = dop853(*setup, 2.0, lambda t: None)
    errors = []
    coarse = 0.08 if method().facts.order > 1 else 0.04
    for h in (coarse, coarse / 2):
        frames = until(setup, method(Bumpy()), h, 2.0)
        errors.append(np.abs(between(frames[-2].state, frames[-1].state, 2.0).x - end.x).max())
    found = math.log2(errors[0] / errors[1])
    assert found == pytest.approx(method().facts.order, abs=0.15)


def test_the_energy_balance_closes_with_the_square_of_the_step() -> None:
    """Energy gained or lost by the numerics is returned; it does not accumulate over three swings."""
    misses = []
    for h in (0.2, 0.1):
        frames = until(oscillator(), AdaptiveSymplectic(Bumpy()), h, 20.0)
        residual = np.array([f.ledger.residual for f in frames])
        late = np.abs(residual[-len(residual) // 10 :]).max()
        misses.append(np.abs(residual).max())
        assert late <= 1.2 * misses[-1]
    assert misses[0] / misses[1] == pytest.approx(4.0, abs=1.0)


def damped_triangle() -> Setup:
    """Three masses on springs with impulses of the structure-preserving model between steps."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, np.sqrt(0.75), 0.0]])
    springs = HookeSprings(X, np.array([[0, 1], [1, 2], [2, 0]], np.int32), 100.0)
    x = np.array([[0.0, 0.0, 0.0], [1.3, 0.0, 0.0], [0.4, 1.1, 0.0]])
    v = np.array([[0.0, -0.5, 0.0], [0.0, 0.8, 0.0], [-0.3, 0.0, 0.0]])
    impulses = StructurePreserving(0.002, "explicit").on(Damped(np.ones(3), (springs,))).impulses
    return build_system(X, np.ones(3), [springs], impulses=impulses), State(0.0, x, v)


@pytest.mark.parametrize(
    ("method", "off"), [(AdaptiveSymplectic, 0.05), (AdaptiveExplicit, 0.15), (AdaptiveReversible, 0.05)]
)
def test_impulses_keep_momenta_and_move_the_level(method: Any, off: float) -> None:
    """off: what the energy may oscillate by, of order 1 in the explicit method."""
    frames = steps_of(damped_triangle(), method(SOFT), 0.02, 150)
    L = [np.cross(f.state.x, f.state.v).sum(axis=0)[2] for f in frames]
    P = [f.state.v.sum(axis=0) for f in frames]
    first, last = frames[0].ledger, frames[-1].ledger
    assert np.ptp(L) <= 1e-11
    assert np.ptp(P, axis=0).max() <= 1e-12
    assert last.dissipated > 0.1 * first.energies.total
    residual = np.array([f.ledger.residual for f in frames]) / first.energies.total
    assert np.abs(residual).max() < off
    assert abs(residual[-75:].mean()) < off / 2


def test_damping_is_no_reason_to_refuse() -> None:
    system, _ = four_nodes(0.3)
    for method in (AdaptiveSymplectic(SOFT), AdaptiveExplicit(SOFT), AdaptiveReversible(SOFT)):
        assert method.refuses(system) == ""
