"""Three masses on springs: step control at increasing step sizes, and an asymmetric discrete Lagrangian."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.adaptive.rules import ElasticRule
from supple.adaptive.symplectic import AdaptiveSymplectic
from supple.analysis.evaluations import counted
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.thesis.toys import arrays, drift, series, steps
from supple.gallery.verdicts import Figure, at_least, at_most
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.integrators.variational.steps import Variational
from supple.scene.text.load import load_scene
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

RULE = ElasticRule(2.582)
"""sigma = 1/(1 + W/10)."""
STEPS = (0.02, 0.04, 0.06, 0.08)
"""0.04 s is sigma = 2/(1 + W/10) at 0.02 s."""
METHODS: dict[str, Method] = {
    "constant": Midpoint(),
    "naive": AdaptiveNaive(RULE),
    "symplectic": AdaptiveSymplectic(RULE),
    "reversible": AdaptiveReversible(RULE),
}


def three_masses(method: Method, h: float, count: int) -> dict[str, Any]:
    """A run of the scene; forces: evaluations per second of simulated time."""
    model = load_scene("three-masses", []).make().assemble()
    system, evaluated = counted(model.system)
    found = series((system, model.state), method, h, steps(count))
    return {**found, "forces": evaluated.evaluations / found["t"][-1]}


@PANELS("K3.9")
class ThreeMasses(Panel):
    title = "Three masses with step control"
    claim = (
        "At larger steps, symplectic step control blows up and reversible control does not. At equal "
        "accuracy, constant steps are cheaper than both."
    )
    setup = (
        "three-masses scene, midpoint rule, sigma = 1/(W/10 + 1) times steps of 0.02 to 0.08 s; 350 steps (full: 3000)"
    )
    command = "supple run three-masses --set integrator.name=adaptive-symplectic --set time.step=0.08"

    def study(self, desk: Desk) -> Iterable[Figure]:
        count = desk.size(350, 3000)
        runs: dict[str, list[dict[str, Any]]] = {
            name: [desk.kept(f"{name}-{h:g}", partial(three_masses, method, h, count)) for h in STEPS]
            for name, method in METHODS.items()
        }
        off = {name: np.array([_off(run) for run in found]) for name, found in runs.items()}

        what = "Energy over the steps, with sigma = 2/(W/10 + 1) and with twice that value."
        desk.plot("energy", partial(_draw_energies, runs), what, size=(9.0, 4.2), wide=True)
        desk.plot(
            "growth",
            partial(_draw_growth, off),
            "Largest deviation of the energy from its initial value.",
            size=(5.6, 3.4),
        )
        yield Figure(
            "largest relative energy deviation at 0.08 s, symplectic",
            float(off["symplectic"][-1]),
            at_least(0.3),
            printed="blows up",
        )
        yield Figure(
            "largest relative energy deviation at 0.08 s, reversible",
            float(off["reversible"][-1]),
            at_most(0.05),
            printed="stays",
        )
        yield Figure(
            "largest relative energy deviation at 0.02 s, symplectic", float(off["symplectic"][0]), at_most(0.02)
        )
        naive = drift(arrays(runs["naive"][1])["energy"])
        yield Figure("energy drift at 0.04 s, naive", naive, at_most(-0.005))
        share = (
            _forces_at(off["constant"], runs["constant"], float(off["reversible"][1])) / runs["reversible"][1]["forces"]
        )
        yield Figure(
            ("force evaluations of constant steps relative to reversible control, at equal energy error"),
            share,
            at_most(1.0),
        )


@PANELS("K3.10")
class Asymmetric(Panel):
    title = "An asymmetric discrete Lagrangian with naive steps"
    claim = (
        "With naive steps, the energy error of an asymmetric discrete Lagrangian (force at a quarter of "
        "the step) is far larger than that of a symmetric one."
    )
    setup = "three-masses scene, variational integrator, alpha = 1/4, sigma = 1/(W/10 + 1) at 0.02 s; 350 steps (full: 3000)"
    command = (
        'supple run three-masses --set \'integrator={name="adaptive-naive", rule={name="elastic", eps=2.582}, '
        'of={name="variational", alpha=0.25}}\''
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        count = desk.size(350, 3000)
        lagrangians = {"asymmetric": Variational(0.25), "symmetric": Variational(0.25, "symmetric")}
        runs: dict[str, dict[str, Array]] = {}
        for name, method in lagrangians.items():
            for kind, taken in (("constant", method), ("naive", AdaptiveNaive(RULE, of=method))):
                found = desk.kept(f"{name}-{kind}", partial(three_masses, taken, 0.02, count))
                runs[f"{name}, {kind} steps"] = {key: np.array(found[key]) for key in ("step", "energy")}

        def draw(canvas: Canvas) -> None:
            given = {label: (run["step"], run["energy"]) for label, run in runs.items()}
            curves(canvas.subplots(), given, "step", "energy / initial energy")

        desk.plot("energy", draw, "Energy over the steps.", size=(7.6, 3.8))
        ends = {label: float(run["energy"][-50:].mean()) for label, run in runs.items()}
        yield Figure("energy / initial energy, asymmetric, naive steps", ends["asymmetric, naive steps"], at_least(2.0))
        yield Figure(
            "energy / initial energy, asymmetric, constant steps", ends["asymmetric, constant steps"], at_most(1.1)
        )
        off = abs(ends["symmetric, naive steps"] - 1.0)
        yield Figure("relative energy deviation, symmetric, naive steps", off, at_most(desk.size(0.05, 0.3)))
        yield Figure(
            "relative energy deviation, symmetric, constant steps",
            abs(ends["symmetric, constant steps"] - 1.0),
            at_most(0.01),
        )


_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")


def _draw_energies(runs: dict[str, list[dict[str, Any]]], canvas: Canvas) -> None:
    grid = canvas.subplots(2, 4, sharex=True, sharey=True)
    for column, (name, found) in enumerate(runs.items()):
        for row, k in enumerate((1, 3)):
            axes = grid[row, column]
            axes.plot(np.clip(found[k]["energy"], 0.6, 1.6), color=_COLOURS[column], linewidth=0.9)
            axes.set_title(f"{name}, {STEPS[k]:g} s", fontsize=9.5)
    grid[0, 0].set(ylim=(0.7, 1.45))
    canvas.supxlabel("step", fontsize=10)
    canvas.supylabel("energy / initial energy", fontsize=10)


def _draw_growth(off: dict[str, Array], canvas: Canvas) -> None:
    given = {name: (np.array(STEPS), values) for name, values in off.items()}
    curves(canvas.subplots(), given, "longest step [s]", "largest |E/E0 - 1|", log="y")


def _off(run: dict[str, Any]) -> float:
    """Largest deviation from the initial energy, relative to it."""
    return float(np.abs(np.array(run["energy"]) - 1.0).max())


def _forces_at(off: Array, runs: list[dict[str, Any]], wanted: float) -> float:
    """Evaluations per second at which constant steps reach an energy error, by linear interpolation in logarithms."""
    forces = np.array([run["forces"] for run in runs])
    return float(np.exp(np.interp(np.log(wanted), np.log(off), np.log(forces))))
