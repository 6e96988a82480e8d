"""A velocity that must remain positive: stages that overshoot leave the domain of its logarithm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.stage import Stage
from supple.dynamics.state import State
from supple.dynamics.step import Solution
from supple.dynamics.system import System, build_system
from supple.energies.term import EnergyTerm
from supple.errors import StageNotConverged
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, about, at_least
from supple.integrators.implicit.bdf2 import BDF2
from supple.integrators.implicit.tr_bdf2 import SDIRK2, TRBDF2
from supple.loop import simulate
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

RATE, EPS = 100.0, 0.1


class Decay(EnergyTerm):
    """D = 50 u^2 + eps (u log u - u) of one velocity u, infinite for u <= 0: u' = -100 u - eps log u."""

    elements = np.zeros((1, 1), np.int32)

    def __init__(self, eps: float) -> None:
        self.eps = eps

    def element_values(self, x: Array) -> Array:
        u = float(x[0, 0])
        if self.eps == 0.0:
            return np.array([0.5 * RATE * u * u])
        return np.array([0.5 * RATE * u * u + self.eps * (u * np.log(u) - u) if u > 0.0 else np.inf])

    def element_gradients(self, x: Array) -> Array:
        u = float(x[0, 0])
        log = self.eps * np.log(u) if self.eps and u > 0.0 else 0.0
        return np.array([[[RATE * u + log, 0.0, 0.0]]])

    def element_hessians(self, x: Array) -> Array:
        u = float(x[0, 0])
        return np.diag([RATE + (self.eps / u if self.eps and u > 0.0 else 0.0), 0.0, 0.0])[None]


class _Watched(StepTools):
    """Records the results of the stages."""

    def __init__(self, system: System, options: SolverOptions) -> None:
        super().__init__(system, options)
        self.found: list[Array] = []

    def minimise(self, stage: Stage) -> Solution:
        solution = super().minimise(stage)
        self.found.append(solution.x)
        return solution


@PANELS("A-e2")
class DomainOfLog(Panel):
    title = "Stages outside the domain of a logarithm"
    claim = (
        "For u' = -100 u - 0.1 log u, the first stages of TR-BDF2 and SDIRK require u < 0. BDF2 remains in the domain."
    )
    setup = "one velocity from u = 1, steps of 1 s"
    command = "examples/one_dimension.py shows more steps of one particle"
    expects = Verdict.CORRECTED
    because = (
        "This holds for BDF2 only if its first step is a backward Euler step. Started with TR-BDF2, it "
        "also leaves the domain."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        middle = desk.kept("stages", lambda: {m.name: _first_stage(m) for m in (TRBDF2(), SDIRK2())})
        stays = np.array(desk.kept("bdf2", _kept_positive))

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            names = [*middle, "bdf2"]
            heights = [*middle.values(), float(stays[1, 1])]
            left.bar(names, heights, color=["#332288", "#661100", "#e69f00"], width=0.55)
            left.set(ylabel="u required by the first stage", title="From u = 1, h = 1 s", ylim=(-1.1, 1.1))
            mark(left, 0.0, "domain limit of log u")
            right.semilogy(stays[:, 0], stays[:, 1], "o-", color="#e69f00")
            right.set(xlabel="time [s]", ylabel="u", title="bdf2 started with backward Euler")
            mark(right, 0.0052496, "equilibrium, 100 u = -0.1 log u")

        desk.plot(
            "stages",
            draw,
            "The logarithm of a negative stage is undefined, so the step fails at any accuracy.",
            size=(8.4, 3.4),
            wide=True,
        )
        yield Figure(
            "first stage of TR-BDF2, without the logarithm", middle["tr-bdf2"], about(-0.92308, 1e-5), printed="below 0"
        )
        yield Figure("first stage of SDIRK", middle["sdirk"], about(-0.93397, 1e-5), printed="below 0")
        failed = sum(_fails(method) for method in (TRBDF2(), SDIRK2(), BDF2()))
        yield Figure(
            "failures with the logarithm among TR-BDF2, SDIRK, and BDF2 started with TR-BDF2", failed, about(3.0, 0.0)
        )
        yield Figure("smallest u, BDF2 started with backward Euler", float(stays[:, 1].min()), at_least(1e-3))
        yield Figure(
            "final u relative to the equilibrium, same method", float(stays[-1, 1]) / 0.0052496, about(1.0, 1e-3)
        )


def _problem(eps: float) -> tuple[System, State]:
    system = build_system(np.zeros((1, 3)), np.ones(1), [], dissipation=[Decay(eps)])
    return system, State(0.0, np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0]]))


def _first_stage(method: TRBDF2 | SDIRK2) -> float:
    """Velocity of the first stage without the logarithm."""
    system, start = _problem(0.0)
    tools = _Watched(system, SolverOptions(tolerance=1e-13))
    method.step(system, start, {}, 1.0, tools)
    return float(tools.found[0][0, 0]) / (method.fraction / 2.0) - 1.0


def _fails(method: TRBDF2 | SDIRK2 | BDF2) -> bool:
    system, start = _problem(EPS)
    try:
        method.step(system, start, {}, 1.0, StepTools(system))
    except StageNotConverged:
        return True
    return False


def _kept_positive() -> list[list[float]]:
    """Times and velocities of BDF2 after a first backward Euler step."""
    system, start = _problem(EPS)
    frames = simulate(system, BDF2(first="backward-euler"), start, 1.0, 8)
    return [[frame.state.t, float(frame.state.v[0, 0])] for frame in frames]
