"""Long studies, run by `make study`: they repeat figures that the documentation quotes."""

from pathlib import Path

import pytest

from supple.solvers.options import SolverOptions

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"

pytestmark = pytest.mark.study


@pytest.fixture(autouse=True)
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


@pytest.mark.parametrize("material", ["stvk", "stable-neo-hookean"])
@pytest.mark.parametrize("integrator", ["backward-euler", "tr-bdf2", "avf"])
def test_a_soft_bar_swings_down_without_a_failed_step(integrator: str, material: str) -> None:
    from bars import bar
    from swing import measure

    row = measure(bar("small", material), integrator, material, 60, SolverOptions())
    assert row["steps"] == 60
    assert row["failed"] == ""


@pytest.mark.parametrize("material", ["stvk", "stable-neo-hookean"])
def test_avf_keeps_the_energy_of_a_bar_stretched_by_half(material: str) -> None:
    from bars import bar
    from swing import measure

    row = measure(bar("small", material, gravity=0.0, stretch=1.5), "avf", material, 300, SolverOptions())
    assert row["steps"] == 300
    assert row["drift"] <= 1e-10
