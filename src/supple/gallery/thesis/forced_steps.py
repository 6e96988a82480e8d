"""Damping in symplectic step control: the energy level changes with the work of forces."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.place import Place
from supple.adaptive.rule import Rule
from supple.adaptive.symplectic import LEVEL, AdaptiveExplicit, AdaptiveSymplectic
from supple.dynamics.state import State
from supple.dynamics.step import Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import arrays, mass_on_spring, series
from supple.gallery.verdicts import Figure, at_least, at_most, within
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.method import Method
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

DRAG, STEP, END = 0.02, 0.2, 100.0
"""[1/s], [s], [s]"""


class Bump(Rule):
    """sigma = 1 + tanh(4 (q^2 - 1/2))/2: steps between 0.5 and 1.5."""

    def value(self, place: Place) -> float:
        return 1.0 + 0.5 * math.tanh(4.0 * (place.x[0, 0] ** 2 - 0.5))

    def gradient(self, place: Place) -> Array:
        q = place.x[0, 0]
        return np.array([[4.0 * q / math.cosh(4.0 * (q * q - 0.5)) ** 2, 0.0, 0.0]])


@dataclass(frozen=True)
class FixedLevel(AdaptiveSymplectic):
    """Without the work of forces: each step has the energy of the first."""

    def follow(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        new, after, report = super().follow(system, state, memory, h, tools)
        return new, {**after, LEVEL: memory.get(LEVEL, after[LEVEL])}, report


METHODS: dict[str, Method] = {
    "midpoint": AdaptiveSymplectic(Bump()),
    "midpoint, level fixed": FixedLevel(Bump()),
    "explicit": AdaptiveExplicit(Bump()),
    "explicit, naive steps": AdaptiveNaive(Bump(), of=SymplecticEuler()),
}


@PANELS("K-a23")
class ForcedSteps(Panel):
    title = "Damping in symplectic step control"
    claim = (
        "Symplectic step control supports damping and external forces if the multiplier of time includes their work. The "
        "motion then loses exactly the dissipated energy."
    )
    setup = f"unit mass on a unit spring with drag {DRAG:g}/s, steps of {STEP / 2:g} to {1.5 * STEP:g} s, {END:g} s"
    command = "supple run damped-bar --set integrator.name=adaptive-symplectic --set integrator.rule=acceleration"

    def study(self, desk: Desk) -> Iterable[Figure]:
        runs = {
            label: arrays(desk.kept(label.replace(", ", "-"), partial(_run, method, STEP)))
            for label, method in METHODS.items()
        }
        fine = arrays(desk.kept("fine", lambda: _run(METHODS["midpoint"], STEP / 2)))

        def draw(canvas: Canvas) -> None:
            t = np.linspace(0.0, END, 200)
            given = {"exact": (t, np.exp(-DRAG * t)), **{name: (run["t"], run["energy"]) for name, run in runs.items()}}
            curves(canvas.subplots(), given, "time [s]", "energy / initial energy", log="y", limits=(0.03, 1.2))

        desk.plot(
            "energy",
            draw,
            "Energy of the damped mass. If the multiplier omits the work of damping, it drives the mass.",
            size=(7.6, 4.0),
        )
        end = {name: _energy(run) / math.exp(-DRAG * END) for name, run in runs.items()}
        yield Figure("final energy relative to the exact one, midpoint", end["midpoint"], within(0.95, 1.05))
        yield Figure("final energy relative to the exact one, explicit", end["explicit"], within(0.9, 1.1))
        yield Figure(
            "energy relative to the exact one, level fixed",
            end["midpoint, level fixed"],
            at_least(1.5),
            printed="wrong",
        )
        yield Figure("energy relative to the exact one, naive steps", end["explicit, naive steps"], at_most(0.7))
        residuals = [float(np.abs(run["residual"]).max()) for run in (runs["midpoint"], fine)]
        yield Figure(
            "largest error of the energy balance, relative to the initial energy", residuals[0] / 0.5, at_most(0.05)
        )
        yield Figure(
            "this error relative to that at half the step", residuals[0] / residuals[1], within(3.0, 5.0), printed="4"
        )


def _run(method: Method, h: float) -> dict[str, list[float]]:
    return series(mass_on_spring(DRAG), method, h, lambda f: f.state.t <= END, residual=lambda f: f.ledger.residual)


def _energy(run: dict[str, Array]) -> float:
    """Final E/E0: the mean over the last oscillation, including the energy dissipated until the end."""
    late = run["t"] > END - math.tau
    return float((run["energy"][late] * np.exp(DRAG * (run["t"][late] - END))).mean())
