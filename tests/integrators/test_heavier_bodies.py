"""A body with c times the mass, stiffness and damping moves alike: only ratios of forces and masses matter."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from builders import Setup, accepted, run
from methods import METHODS
from supple.adaptive.rule import Rule
from supple.adaptive.rules import PhaseRule
from supple.damping.drag import Drag
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.springs.springs import HookeSprings, StVKSprings

HEAVIER = 8.0
RULE = PhaseRule(eps=1.0, tau=0.05)
REST = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, 0.9, 0.0], [0.4, 0.3, 0.8]])
PAIRS = np.array([[0, 1], [1, 2], [2, 0], [0, 3], [1, 3], [2, 3]], np.int32)
MASS = np.array([0.3, 0.5, 0.4, 0.7])


def body(c: float, damping: float, springs: type) -> Setup:
    """Six springs between four masses that differ, stretched and turning."""
    mass = c * MASS
    terms = [springs(REST, PAIRS, c * 30.0), Gravity(mass, (0.0, -9.8, 0.0))]
    system = build_system(REST, mass, terms, dissipation=[Drag(mass, damping)] if damping else [])
    x = 1.1 * REST
    return system, State(0.0, x, np.cross([0.0, 0.3, 1.0], x))


def made(name: str) -> Any:
    """The method with its defaults, but with steps that vary where a rule chooses them."""
    method: Any = METHODS[name]()
    return replace(method, rule=RULE) if isinstance(getattr(method, "rule", None), Rule) else method


@pytest.mark.parametrize("damping", [0.0, 0.6])
@pytest.mark.parametrize("name", METHODS)
def test_it_moves_alike(name: str, damping: float) -> None:
    method = made(name)
    ends = []
    for c in (1.0, HEAVIER):
        setup = accepted(method, *(partial(body, c, damping, kind) for kind in (StVKSprings, HookeSprings)))
        ends.append(run(setup, method, 1 / 60, 10, tolerance=1e-14)[-1])
    light, heavy = ends
    np.testing.assert_allclose(heavy.state.x, light.state.x, rtol=0, atol=1e-10)
    np.testing.assert_allclose(heavy.state.v, light.state.v, rtol=0, atol=1e-9)
    assert heavy.ledger.energies.total == pytest.approx(HEAVIER * light.ledger.energies.total, rel=1e-9)
    assert heavy.ledger.dissipated == pytest.approx(HEAVIER * light.ledger.dissipated, rel=1e-9)
    assert heavy.ledger.residual == pytest.approx(HEAVIER * light.ledger.residual, rel=1e-6, abs=1e-9)
