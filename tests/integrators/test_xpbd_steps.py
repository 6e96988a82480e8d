"""Position-based steps: friction that changes with time, and an end to their work."""

import pytest

import supple as sp


def speed(friction: float | sp.Curve) -> float:
    """Mean velocity of a block after 0.1 s of sliding from 1 m/s [m/s]."""
    solid = sp.StVK.from_young(1e5, 0.3)
    block = sp.Body(sp.Bar(cells=(1, 1, 1), size=(0.1, 0.1, 0.1)), solid, initial=sp.Initial(velocity=(1.0, 0.0, 0.0)))
    floor = sp.Obstacle(sp.HalfSpace(), law="quadratic", distance=0.01, friction=friction)
    model = sp.assemble(sp.World([block], obstacles=[floor]))
    *_, last = sp.simulate(model, sp.XPBD(), h=0.01, steps=10)
    assert abs(last.ledger.residual) < 0.01 * last.ledger.initial
    return float(last.state.v[:, 0].mean())


def test_the_coefficient_of_each_step_acts() -> None:
    """The one at time 0 acted throughout, so friction that sets in later never did."""
    constant = speed(0.5)
    assert constant == pytest.approx(1.0 - 0.5 * 9.81 * 0.1, abs=0.02)
    assert speed(sp.Curve("0.5 + 0*t")) == constant
    assert speed(sp.Curve(keys=((0.0, 0.0), (1e-3, 0.5)), interpolation="step")) == constant
    assert speed(sp.Curve("where(t < 0.05, 0, 0.5)")) == pytest.approx(1.0 - 0.5 * 9.81 * 0.05, abs=0.02)


def test_the_work_of_a_step_has_an_end() -> None:
    """The largest numbers of substeps and iterations are 1e8 visits of each constraint."""
    bar = sp.Body(sp.Bar(cells=(1, 1, 1)), sp.StVK.from_young(1e5, 0.3))
    model = sp.assemble(sp.World([bar]), solver=(few := sp.SolverOptions(max_work=1000)))
    with pytest.raises(sp.SuppleError, match=r"solver\.max_work = 1000"):
        list(sp.simulate(model, sp.XPBD(substeps=10_000, iterations=10_000), h=0.01, steps=1, solver=few))
    assert len(list(sp.simulate(model, sp.XPBD(substeps=100), h=0.01, steps=3, solver=few))) == 4
