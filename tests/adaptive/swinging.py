"""Small motions that the tests of adaptive time share, each a system and its initial state."""

from itertools import islice
from typing import Any

import numpy as np

from builders import Setup
from supple.adaptive.place import Place
from supple.adaptive.rules import AccelerationRule, PhaseRule, PosesRule
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.samples import Samples
from supple.energies.springs.springs import HookeSprings
from supple.energies.term import EnergyTerm, Placement
from supple.linalg.parts import Parts
from supple.loop import Frame, simulate
from supple.types import Array


class Swing(EnergyTerm):
    """W = 9.8 (1 - cos q) of the first coordinate q of the only vertex."""

    elements = np.zeros((1, 1), np.int32)

    def element_values(self, x: Array) -> Array:
        return np.array([9.8 * (1.0 - np.cos(x[0, 0]))])

    def element_gradients(self, x: Array) -> Array:
        return np.array([[[9.8 * np.sin(x[0, 0]), 0.0, 0.0]]])

    def element_hessians(self, x: Array) -> Array:
        return np.diag([9.8 * np.cos(x[0, 0]), 0.0, 0.0])[None]

    # one number each: without the threads, for which there is nothing to do
    def add_value_gradient(self, samples: Samples, parts: Parts, gradient: Array) -> float:
        q = samples.x[:, 0, 0]
        gradient[0, 0] += 9.8 * float(samples.force @ np.sin(q))
        return 9.8 * float(samples.energy @ (1.0 - np.cos(q)))

    def add_hessian(self, samples: Samples, place: Placement, values: Array, project: bool = False) -> None:
        values[0] += 9.8 * float(samples.curvature @ np.cos(samples.x[:, 0, 0]))


def one(term: EnergyTerm, q: float) -> Setup:
    """A mass of 1 kg at q on the first axis, at rest."""
    return build_system(np.zeros((1, 3)), np.ones(1), [term]), State(0.0, np.array([[q, 0.0, 0.0]]), np.zeros((1, 3)))


def pendulum() -> Setup:
    return one(Swing(), 2.0)


def three_masses() -> Setup:
    """Three unit masses and three springs, k = 100 N/m, in a plane."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.5, np.sqrt(0.75), 0.0]])
    springs = HookeSprings(X, np.array([[0, 1], [1, 2], [2, 0]], np.int32), 100.0)
    x = np.array([[0.0, 0.0, 0.0], [1.3, 0.0, 0.0], [0.4, 1.1, 0.0]])
    v = np.array([[0.0, -0.5, 0.0], [0.0, 0.8, 0.0], [-0.3, 0.0, 0.0]])
    return build_system(X, np.ones(3), [springs]), State(0.0, x, v)


RULES = {
    # 1/sqrt(z + 1), 1/sqrt(z + W'^2 + 1), 1/sqrt(4 W'^2 + 50), times a constant
    "poses": PosesRule(np.sqrt(2.0)),
    "phase": PhaseRule(np.sqrt(2.0), np.sqrt(2.0)),
    "acceleration": AccelerationRule(np.sqrt(12.5)),
}


def base_step(rule: Any, mean: float = 0.03) -> float:
    """h with which the rule's steps are so long in the mean over 41 angles of the pendulum."""
    system, start = pendulum()
    W0 = float(system.potential.terms[0].element_values(start.x)[0])
    places = [Place(system, np.array([[q, 0.0, 0.0]]), W0) for q in np.linspace(-2.0, 2.0, 41)]
    return mean / float(np.mean([rule.value(place) for place in places]))


def steps_of(setup: Setup, method: Any, h: float, count: int) -> list[Frame]:
    """The first frames of a run, however long they take."""
    system, state = setup
    return list(islice(simulate(system, method, state, h, 10**9), count + 1))


def drift(setup: Setup, method: Any, h: float, count: int) -> float:
    """Slope of E/E0 over so many steps, times 6000 steps."""
    E = np.array([frame.ledger.energies.total for frame in steps_of(setup, method, h, count)])
    return float(np.polyfit(np.arange(len(E)), E / E[0], 1)[0]) * 6000
