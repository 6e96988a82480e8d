"""Small systems of the chapter on time integration: a pendulum in its angle, a mass on a spring, and their runs as arrays."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import Any

import numpy as np

from supple.adaptive.place import Place
from supple.adaptive.rule import Rule
from supple.adaptive.rules import AccelerationRule, PhaseRule, PosesRule
from supple.damping.drag import Drag
from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System, build_system
from supple.energies.samples import Samples
from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm, Placement
from supple.errors import SuppleError
from supple.linalg.parts import Parts
from supple.loop import Frame, simulate
from supple.types import Array

G = 9.8
ANGLE = 2.0
"""Release angle of the pendulum [rad]."""
RULES: dict[str, Rule] = {
    "poses": PosesRule(np.sqrt(2.0)),
    "phase": PhaseRule(np.sqrt(2.0), np.sqrt(2.0)),
    "acceleration": AccelerationRule(np.sqrt(12.5)),
}
"""1/sqrt(E0 - W + 1), 1/sqrt(E0 - W + W'^2 + 1) and 1/sqrt(4 W'^2 + 50) for the pendulum, each times a constant."""
Series = dict[str, list[float]]


class Swing(EnergyTerm):
    """W = G (1 - cos q), where q is the first coordinate of the only vertex: a mass of 1 kg on a rod of 1 m, by its angle."""

    elements = np.zeros((1, 1), np.int32)

    def element_values(self, x: Array) -> Array:
        return np.array([G * (1.0 - np.cos(x[0, 0]))])

    def element_gradients(self, x: Array) -> Array:
        return np.array([[[G * np.sin(x[0, 0]), 0.0, 0.0]]])

    def element_hessians(self, x: Array) -> Array:
        return np.diag([G * np.cos(x[0, 0]), 0.0, 0.0])[None]

    # scalar problems: no threads
    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        q = samples.x[:, 0, 0]
        gradient[0, 0] += G * float(samples.force @ np.sin(q))
        return G * float(samples.energy @ (1.0 - np.cos(q)))

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        values[0] += G * float(samples.curvature @ np.cos(samples.x[:, 0, 0]))


def pendulum() -> tuple[System, State]:
    return _one(Swing(), ANGLE, 0.0)


def mass_on_spring(drag: float = 0.0) -> tuple[System, State]:
    """x'' = -x - drag x', from 1 m at rest."""
    return _one(Anchors(np.zeros((1, 3)), 1.0), 1.0, drag)


def _one(term: EnergyTerm, q: float, drag: float) -> tuple[System, State]:
    dampers = [Drag(np.ones(1), drag)] if drag else []
    start = State(0.0, np.array([[q, 0.0, 0.0]]), np.zeros((1, 3)))
    return build_system(np.zeros((1, 3)), np.ones(1), [term], dissipation=dampers), start


def base_step(rule: Rule, mean: float = 0.03) -> float:
    """time.step at which the rule's steps have the given mean over the angles of the pendulum [s]."""
    system, start = pendulum()
    energy = float(system.potential.terms[0].element_values(start.x)[0])
    places = [Place(system, np.array([[q, 0.0, 0.0]]), energy) for q in np.linspace(-ANGLE, ANGLE, 41)]
    return mean / float(np.mean([rule.value(place) for place in places]))


def series(
    setup: tuple[System, State], method: Integrator, h: float, more: Callable[[Frame], bool],
    **columns: Callable[[Frame], float],
) -> Series:  # fmt: skip
    """step, t [s], dt [s], E/E0, q, and the values of `columns` for each frame, as long as `more` holds; shorter if a
    step fails."""
    system, start = setup
    asked: dict[str, Callable[[Frame], float]] = {
        "step": lambda f: f.step,
        "t": lambda f: f.state.t,
        "dt": lambda f: f.h,
        "energy": lambda f: f.ledger.energies.total,
        "q": lambda f: float(f.state.x[0, 0]),
        **columns,
    }
    found: Series = {name: [] for name in asked}
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            for frame in takewhile(more, simulate(system, method, start, h, 10**9)):
                for name, ask in asked.items():
                    found[name].append(float(ask(frame)))
    except SuppleError:  # divergence is a result
        pass
    first = found["energy"][0]
    return {**found, "energy": [e / first for e in found["energy"]]}


def steps(count: int) -> Callable[[Frame], bool]:
    """The first `count` steps."""
    return lambda frame: frame.step <= count


def arrays(found: dict[str, Any]) -> dict[str, Array]:
    return {name: np.array(column) for name, column in found.items()}


def drift(energy: Array) -> float:
    """Mean of the last tenth minus that of the first."""
    tenth = max(1, len(energy) // 10)
    return float(energy[-tenth:].mean() - energy[:tenth].mean())
