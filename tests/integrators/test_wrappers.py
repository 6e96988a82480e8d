"""Methods around others: what they do not change is that of the method inside."""

from typing import Any

import numpy as np
import pytest

from builders import four_nodes, run
from supple.adaptive.error_control import ErrorControl
from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.rules import PosesRule
from supple.budget.energy_budget import EnergyBudget
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.newmark import GeneralizedAlpha
from supple.integrators.method import KEPT
from supple.integrators.wrapper import Wrapper, inside, outside, own
from supple.integrators.yoshida import Yoshida

WRAPPED: list[Any] = [
    Yoshida(AVF()),
    EnergyBudget(AVF()),
    ErrorControl(AVF(), tolerance=1e-2),
    AdaptiveNaive(PosesRule(), of=AVF()),
]
SYSTEM, START = four_nodes(0.3)


@pytest.mark.parametrize("method", WRAPPED, ids=lambda m: m.name)
def test_what_is_not_changed_is_that_of_the_method_inside(method: Wrapper) -> None:
    assert method.freezes_at == method.of.freezes_at
    assert method.sticks_at_end == method.of.sticks_at_end
    assert type(method)(of=AVF(stick="end")).sticks_at_end
    assert set(method.facts.conserves) >= {"linear momentum"}
    relaxed = method.relaxed
    assert relaxed is not None
    assert type(relaxed) is type(method)
    assert relaxed.of == AVF().relaxed


def test_who_promises_energy() -> None:
    assert [m.promises(SYSTEM) for m in WRAPPED] == [KEPT, None, KEPT, KEPT]
    assert Yoshida().promises(SYSTEM) is None


@pytest.mark.parametrize("method", WRAPPED, ids=lambda m: m.name)
def test_promises_are_kept(method: Wrapper) -> None:
    frames = run((SYSTEM, START), method, 1 / 60, 10)
    assert not any(frame.exceptional for frame in frames)
    if method.promises(SYSTEM) is not None:
        assert max(abs(f.ledger.residual) for f in frames) <= 10 * KEPT * frames[0].ledger.energies.scale


def test_names_of_what_is_remembered() -> None:
    memory = {"owed": np.zeros(()), "of.v": np.ones((2, 3))}
    assert own(memory).keys() == {"owed"}
    assert inside(memory).keys() == {"v"}
    assert own(memory) | outside(inside(memory)) == memory


@pytest.mark.parametrize("inner", [BDF2(), GeneralizedAlpha()], ids=lambda m: m.name)
def test_a_kick_reaches_the_method_inside(inner: Any) -> None:
    dv = np.full_like(START.v, 0.5)
    memory = {**inner.start(SYSTEM, START), "v": START.v}
    wrapped = EnergyBudget(inner).kicked({"owed": np.array(1.0), **outside(memory)}, dv)
    assert wrapped["owed"] == 1.0
    for key, value in inner.kicked(memory, dv).items():
        assert np.array_equal(wrapped[f"of.{key}"], value)
