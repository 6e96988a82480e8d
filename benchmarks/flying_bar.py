"""A free bar of 160 tets flies and spins for a very long time: what becomes of its energy and its momenta.

Four runs of one bar: Verlet without damping and with structure-preserving damping, both at h = 0.004 s, and Newmark with
gamma = 0.6 at h and at h/2, whose loss depends on the step. `--steps` is the length of the Verlet runs (2 million are
2.2 hours of flight), and `--seconds` ends each run earlier. The table has the number of steps. `--plot FILE` draws the energies.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bars import show
from supple.damping.damper import Damped
from supple.damping.structure_preserving import StructurePreserving
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System, build_system
from supple.energies.solids.solid import Solid
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.newmark import Newmark
from supple.linalg.threads import use_threads
from supple.loop import simulate
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.types import Array

STEP, TAU = 0.004, 0.002
"""[s]"""
SPIN, DRIFT = (0.3, 1.0, 2.0), (0.2, 0.5, -0.1)


@dataclass(frozen=True)
class Flight:
    """One run: times [s], energies [J] and momenta (k, 3) at some of its steps."""

    label: str
    steps: int
    micros: float
    """Time of a step [us]."""
    t: Array
    energy: Array
    linear: Array
    angular: Array

    def change(self, values: Array) -> Array:
        """Distance from the first value, relative to it."""
        return np.linalg.norm(values - values[0], axis=1) / np.linalg.norm(values[0])

    def row(self) -> dict[str, object]:
        E = self.energy / self.energy[0] - 1.0
        tenth = max(1, len(E) // 10)
        return {
            "run": self.label,
            "steps": self.steps,
            "step_us": self.micros,
            "dP/P": float(self.change(self.linear).max()),
            "dL/L": float(self.change(self.angular).max()),
            "|dE|/E0": float(np.abs(E).max()),
            "first 10 %": float(E[1 : 1 + tenth].mean()),
            "last 10 %": float(E[-tenth:].mean()),
        }


def flying_bar(damped: bool = False) -> tuple[System, State]:
    """2 x 0.5 x 0.5 m, modified neo-Hookean, stretched and spinning."""
    mesh = Bar(cells=(8, 2, 2), size=(2.0, 0.5, 0.5), origin=(-1.0, -0.25, -0.25)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, density=1000.0)
    solid = Solid(X, mesh.tets, ModifiedNeoHookean(3e3, 1.5e4))
    impulses = StructurePreserving(TAU, "explicit").on(Damped(mass, (solid,))).impulses if damped else ()
    x = X * [1.1, 0.98, 0.97]
    return build_system(X, mass, [solid], impulses=impulses), State(0.0, x, np.cross(SPIN, x) + DRIFT)


def fly(label: str, method: Integrator, damped: bool, h: float, steps: int, seconds: float, whole: int = 1) -> Flight:
    """Samples at a thousand steps or fewer, until the steps or the seconds are over; `whole`: steps that a step of the method is
    made of."""
    system, start = flying_bar(damped)
    every = max(1, steps // whole // 1000)
    rows, done, began = [], 0, time.perf_counter()
    for frame in simulate(system, method, start, whole * h, steps // whole):
        done = whole * frame.step
        if frame.step % every == 0:
            rows.append((frame.state.t, frame.ledger.energies.total, *momenta(system, frame.state)))
            if time.perf_counter() - began > seconds:
                break
    micros = 1e6 * (time.perf_counter() - began) / max(done, 1)
    t, energy, linear, angular = (np.array(column) for column in zip(*rows, strict=True))
    return Flight(label, done, micros, t, energy, linear, angular)


def flights(steps: int, seconds: float) -> list[Flight]:
    newmark, few, many = Newmark(beta=0.3025, gamma=0.6), min(steps, 20_000), max(1, steps // 1000)
    return [
        fly("verlet", Verlet(many), False, STEP, steps, seconds, many),
        fly("verlet, damped", Verlet(many), True, STEP, steps, seconds, many),
        fly("newmark 0.6, h", newmark, False, STEP, few, seconds),
        fly("newmark 0.6, h/2", newmark, False, STEP / 2, 2 * few, seconds),
    ]


def draw(found: list[Flight], path: Path) -> None:
    from supple.render import style

    figure = style.new_figure(8.0, 6.4, "A flying bar: energy and momentum over a long time")
    upper, lower = figure.subplots(2, 1, sharex=True)
    for flight, colour in zip(found, ("#aa4499", "#0072b2", "#d55e00", "#e69f00"), strict=True):
        t = flight.t[1:]
        upper.semilogx(t, flight.energy[1:] / flight.energy[0], color=colour, linewidth=1.8, label=flight.label)
        lower.loglog(t, np.maximum(flight.change(flight.angular)[1:], 1e-17), color=colour, linewidth=1.8)
    style.dress(upper, "energy / energy at the start")
    style.dress(lower, "change of the angular momentum")
    lower.set_xlabel("time  [s]", fontsize=12.5, color=style.INK)
    upper.legend(fontsize=11, frameon=False)
    style.save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2_000_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="longest time of each run")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(1)  # 160 tets are not worth a second one
    found = flights(options.steps, options.seconds)
    show([flight.row() for flight in found], options.json)
    if options.plot:
        draw(found, options.plot)


if __name__ == "__main__":
    main()
