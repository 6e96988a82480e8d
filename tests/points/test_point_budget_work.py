"""The budget of material points includes external work and dissipation."""

from dataclasses import replace
from typing import Any

import pytest

from supple.analysis.free_bar import FreeBar
from supple.budget.points import PointBudget
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate

STEP = 0.0005


def energies(monkeypatch: pytest.MonkeyPatch, **booked: float) -> tuple[float, float]:
    """Total energy before and after two steps whose inner method books these amounts [J]."""
    advance = Mpm.advance

    def with_bookings(*words: Any) -> Any:
        new, memory, report = advance(*words)
        return new, memory, replace(report, **booked)

    monkeypatch.setattr(Mpm, "advance", with_bookings)
    system, state = FreeBar().placed()
    frames = list(simulate(system, PointBudget(Mpm(SymplecticEuler(), cell=0.1)), state, STEP, 2))
    monkeypatch.undo()
    return frames[0].ledger.energies.total, frames[-1].ledger.energies.total


@pytest.mark.parametrize(("work", "dissipated"), [(0.0, 0.0), (1e-3, 0.0), (0.0, 2e-3), (3e-3, 1e-3)])
def test_energy_follows_the_bookings(monkeypatch: pytest.MonkeyPatch, work: float, dissipated: float) -> None:
    before, after = energies(monkeypatch, external_work=work, dissipated=dissipated)
    assert after - before == pytest.approx(2 * (work - dissipated), abs=1e-12 * before)
