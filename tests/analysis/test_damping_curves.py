"""Damping curves: the table of the literature to all its digits, nothing lost where nothing may be, and honest gaps."""

import math
from typing import Any

import numpy as np
import pytest

from methods import METHODS as REGISTERED
from supple.analysis.damping import amplification, damping, damping_curves
from supple.analysis.oscillator import oscillator
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.errors import StepFailed
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.implicit.newmark import GeneralizedAlpha, Newmark, Trapezoid
from supple.integrators.implicit.tr_bdf2 import SDIRK2, TRBDF2, Bathe
from supple.integrators.method import Method
from supple.solvers.tools import StepTools

AT = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0)
TABLE = {
    "BE": (9.950331e-02, 4.462871e-01, 6.931472e-01, 8.047190e-01, 6.516193e-01, 4.615121e-01, 9.210440e-02),
    "BDF2": (4.878190e-04, 3.857971e-02, 1.380120e-01, 2.715007e-01, 3.072788e-01, 2.402955e-01, 5.099271e-02),
    "TR-BDF2": (6.932407e-06, 8.317738e-04, 5.899722e-03, 3.175670e-02, 1.189683e-01, 1.564890e-01, 5.993387e-02),
    "SDIRK": (7.346705e-06, 8.818844e-04, 6.261920e-03, 3.374857e-02, 1.251444e-01, 1.620000e-01, 6.063046e-02),
    "alpha 0": (9.616701e-04, 6.352993e-02, 1.961888e-01, 3.465736e-01, 3.675283e-01, 2.833213e-01, 6.080151e-02),
    "alpha .5": (3.679156e-05, 3.956361e-03, 2.148946e-02, 6.493080e-02, 9.610187e-02, 7.639022e-02, 1.242868e-02),
    "alpha .8": (1.367688e-06, 1.595598e-04, 1.051048e-03, 4.725284e-03, 1.304672e-02, 1.455892e-02, 3.615153e-03),
    "alpha .9": (1.454152e-07, 1.710833e-05, 1.154855e-04, 5.623212e-04, 2.088541e-03, 3.274037e-03, 1.484804e-03),
}
METHODS = {
    "BE": BackwardEuler(),
    "BDF2": BDF2(),
    "TR-BDF2": TRBDF2(),
    "SDIRK": SDIRK2(),
    "alpha 0": GeneralizedAlpha(rho=0.0),
    "alpha .5": GeneralizedAlpha(rho=0.5),
    "alpha .8": GeneralizedAlpha(rho=0.8),
    "alpha .9": GeneralizedAlpha(rho=0.9),
}


def curve(method: Any, at: tuple[float, ...] = AT) -> np.ndarray:
    points = list(damping_curves({"it": method}, at))
    assert [(p.integrator, p.h_omega, p.note) for p in points] == [("it", h, "") for h in at]
    return np.array([p.damping_over_omega for p in points])


@pytest.mark.parametrize("name", TABLE)
def test_the_table_to_all_its_digits(name: str) -> None:
    np.testing.assert_allclose(curve(METHODS[name]), TABLE[name], rtol=1e-6, atol=0)


def test_bathe_is_tr_bdf2() -> None:
    np.testing.assert_array_equal(curve(Bathe()), curve(TRBDF2()))


@pytest.mark.parametrize("method", [AVF(), AVF("simpson"), Midpoint(), Trapezoid(), Newmark(0.25, 0.5)], ids=repr)
def test_conservative_methods_damp_nothing(method: Any) -> None:
    assert np.abs(curve(method, (0.05, *AT))).max() <= 1e-12


def test_the_peaks() -> None:
    for method, where, height in (
        (BackwardEuler(), 1.979, 0.80474),
        (BDF2(), 3.656, 0.31748),
        (TRBDF2(), 10.93, 0.15694),
    ):
        left, top, right = curve(method, (0.98 * where, where, 1.02 * where))
        assert top == pytest.approx(height, rel=2e-5)
        assert top > max(left, right)


def test_growth_is_reported_as_it_is() -> None:
    # forward Euler multiplies the amplitude by sqrt(1 + (h omega)^2): the mirror image of backward Euler
    np.testing.assert_allclose(curve(ForwardEuler()), -curve(BackwardEuler()), rtol=1e-12)


@pytest.mark.parametrize("name", [name for name, cls in REGISTERED.items() if cls().facts.order > 0])
def test_every_method_has_a_curve(name: str) -> None:
    (small,) = curve(REGISTERED[name](), (0.05,))
    # the loss of a consistent method of order p is of order p at least
    assert abs(small) <= 1.1 * 0.05 ** REGISTERED[name]().facts.order


def test_the_frequency_enters_only_as_h_omega() -> None:
    for omega in (0.02, 50.0):
        system = oscillator(omega)
        tools = StepTools(system)
        T = amplification(system, BackwardEuler(), 2.0 / omega, tools)
        assert damping(T, 2.0) == pytest.approx(8.047190e-01, rel=1e-6)
        tools.solver.close()


class Odd(Method):
    """Multiplies x by a function of itself."""

    def __init__(self, factor: Any) -> None:
        self.factor = factor

    def step(self, system: Any, state: Any, memory: Any, h: float, tools: Any) -> Any:
        return State(state.t + h, self.factor(state.x) * state.x, 0 * state.v), memory, StepReport(h)


def refuse(x: Any) -> Any:
    raise StepFailed("not today")


@pytest.mark.parametrize(
    ("factor", "words"),
    [(lambda x: np.abs(x), "not linear"), (refuse, "not today"), (lambda x: math.inf, "diverges at once")],
    ids=["not linear", "refuses", "explodes"],
)
def test_a_gap_is_explained(factor: Any, words: str) -> None:
    good, bad = damping_curves({"be": BackwardEuler(), "odd": Odd(factor)}, [1.0])
    assert not good.note
    assert math.isnan(bad.damping_over_omega)
    assert words in bad.note


def test_a_method_that_forgets_everything() -> None:
    (point,) = damping_curves({"odd": Odd(lambda x: 0.0)}, [1.0])
    assert point.damping_over_omega == math.inf
