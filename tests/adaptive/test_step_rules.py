"""Rules for the length of steps: smoothness, limits and purpose."""

from typing import Any

import numpy as np
import pytest
from swinging import RULES as TUNED
from swinging import pendulum, three_masses

from builders import held_beam
from supple.adaptive import RULES
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.pace import Pace
from supple.adaptive.place import Place
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule, PhaseRule, PosesRule, SwitchingRule
from supple.dynamics.invariants import energies
from supple.errors import StepRejected, SuppleError
from supple.integrators.implicit.midpoint import Midpoint

SMOOTH = {name: cls() for name, cls in sorted(RULES.load().items()) if cls.smooth}


def place(setup: Any, shift: float = 0.05) -> Place:
    system, start = setup
    x = start.x + system.on_free(shift * np.random.default_rng(0).standard_normal(start.x.shape))
    return Place(system, x, energies(system, start).total)


def slope(rule: Any, at: Place, d: np.ndarray, eps: float) -> float:
    ahead, behind = (rule.value(Place(at.system, at.x + s * eps * d, at.energy)) for s in (1, -1))
    return (ahead - behind) / (2 * eps)


@pytest.mark.parametrize("limits", [{}, {"h_min": 0.006, "h_max": 0.02}], ids=["free", "limited"])
@pytest.mark.parametrize("name", SMOOTH)
def test_gradients_are_derivatives(name: str, limits: dict[str, float]) -> None:
    at = place(three_masses())
    d = np.random.default_rng(1).standard_normal(at.x.shape)
    pace = Pace(SMOOTH[name], 0.02, **limits)
    ahead, behind = (pace.step(Place(at.system, at.x + s * 1e-5 * d, at.energy)) for s in (1, -1))
    found = float((pace.gradient(at) * d).sum())
    assert found == pytest.approx((ahead - behind) / 2e-5, rel=2e-6, abs=1e-12)
    assert (abs(found) > 1e-6) == (name != "constant")


def test_held_vertices_do_not_count() -> None:
    at = place(held_beam(), 0.002)
    held = at.system.motion.held(at.system.n)
    for rule in (PosesRule(), PhaseRule(), ElasticRule()):
        assert not rule.gradient(at)[held].any()


@pytest.mark.parametrize("name", SMOOTH)
def test_the_asked_step_is_the_longest(name: str) -> None:
    for shift in (0.0, 0.05, 0.3):
        assert 0.0 < SMOOTH[name].value(place(three_masses(), shift)) <= 1.0


def test_no_kink_where_the_body_comes_to_rest() -> None:
    """A plain max(E0 - W, 0) has one there: its slope would jump by 0.5 1/m."""
    system, start = pendulum()
    E0 = energies(system, start).total
    ahead, behind = (Place(system, start.x + s * np.array([[1e-6, 0.0, 0.0]]), E0) for s in (1, -1))
    for rule in TUNED.values():
        assert rule.gradient(ahead)[0, 0] == pytest.approx(rule.gradient(behind)[0, 0], abs=1e-4)


def test_limits_are_kept() -> None:
    at = place(three_masses())
    for h in (1e-4, 0.01, 10.0):
        for sign in (1, -1):
            dt = Pace(ElasticRule(), sign * h, 0.001, 0.02).step(at)
            assert 0.001 <= sign * dt <= 0.02
    assert Pace(ElasticRule(), 0.01, 1e-5, 10.0).step(at) == pytest.approx(Pace(ElasticRule(), 0.01).step(at), rel=1e-4)


class Wrong(PosesRule):
    def value(self, place: Place) -> float:
        return -1.0


def test_what_is_refused() -> None:
    with pytest.raises(SuppleError, match=r"adaptive-reversible.rule: found 'switching', which jumps.*adaptive-naive"):
        AdaptiveReversible(SwitchingRule())
    with pytest.raises(SuppleError, match=r"adaptive-reversible.h_min: found 0.2, which is not below h_max = 0.1"):
        AdaptiveReversible(PosesRule(), h_min=0.2, h_max=0.1)
    with pytest.raises(SuppleError, match=r"adaptive-naive.of: found 'adaptive-reversible', which chooses its steps"):
        AdaptiveNaive(of=AdaptiveReversible(PosesRule()))
    with pytest.raises(StepRejected, match=r"sigma = -1.0; allowed are positive numbers"):
        Pace(Wrong(), 0.1).step(place(pendulum()))
    damped = held_beam(damping=0.1)[0]
    assert AdaptiveReversible(PosesRule()).refuses(damped) == ""
    assert not AdaptiveReversible(PosesRule()).facts.symmetric
    assert AdaptiveReversible().facts.symmetric
    assert AdaptiveNaive(PosesRule(), of=Midpoint()).adapts
