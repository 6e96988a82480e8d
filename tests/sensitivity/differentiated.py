"""Small runs, their derivatives, and the same by central differences of whole runs."""

from collections.abc import Callable, Sequence

import numpy as np

import supple as sp
from supple.dynamics.state import State
from supple.integrators.method import Method
from supple.model.model import Model
from supple.sensitivity.record import Record, record
from supple.sensitivity.sweeps import Bars, Direction, Share, pull, push
from supple.sensitivity.twins import Twin, twin
from supple.solvers.options import SolverOptions
from supple.types import Array

TIGHT = SolverOptions(tolerance=1e-12, energy_tolerance=1e-15)


def bar(material: object | None = None, cells: tuple[int, int, int] = (4, 1, 1), **options: object) -> sp.Body:
    """A bar of 0.8 m, clamped at its left end by default; 20 tets."""
    made = material or sp.StVK.from_young(5e4, 0.3)
    given = {key: value for key, value in ({"pin": "left"} | options).items() if value is not None}
    return sp.Body(sp.Bar(cells=cells, size=(0.8, 0.1, 0.1)), made, name="bar", **given)


def world(body: sp.Body | None = None, **options: object) -> sp.World:
    return sp.World([body or bar()], **({"gravity": (0.0, -9.81, 0.0)} | options))


def assembled(of: sp.World, **options: object) -> Model:
    return sp.assemble(of, solver=TIGHT, **options)


def covector(model: Model, seed: int = 1) -> tuple[Array, Array]:
    """Weights of the last state in a loss: positions and velocities at random."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal(model.state.x.shape), 0.1 * rng.standard_normal(model.state.x.shape)


def loss_of(found: Record, weights: tuple[Array, Array]) -> Callable[[int, State], Share | None]:
    """weights . last state."""
    last = len(found.times) - 1

    def loss(index: int, state: State) -> Share | None:
        if index != last:
            return None
        return Share(float(np.vdot(weights[0], state.x) + np.vdot(weights[1], state.v)), *weights)

    return loss


def value(
    model: Model, method: Method, h: float, steps: int, weights: tuple[Array, Array], start: State | None = None
) -> float:
    """The loss of a run."""
    *_, last = sp.simulate(model, method, h=h, steps=steps, start=start, solver=TIGHT)
    return float(np.vdot(weights[0], last.state.x) + np.vdot(weights[1], last.state.v))


def pulled(
    model: Model,
    method: Method,
    h: float,
    steps: int,
    weights: tuple[Array, Array],
    twins: Sequence[Twin] = (),
    **options: object,
) -> tuple[Record, Bars]:
    """A record, and the bars of its loss: of the numbers behind twins if there are any, else of everything."""
    found = record(model, method, h=h, steps=steps, solver=TIGHT, **options)
    return found, pull(found, loss_of(found, weights), twins, fields=not twins)


def pushed(found: Record, weights: tuple[Array, Array], direction: Direction) -> float:
    """Change of the loss along a direction."""
    *_, (_, _, (last,)) = push(found, [direction])
    return float(np.vdot(weights[0], last.x) + np.vdot(weights[1], last.v))


def twin_of(make: Callable[[float], sp.World], at: float, name: str = "number") -> tuple[Model, Twin]:
    """The model at a value of a number, and its neighbours."""
    base = assembled(make(at))

    def build(number: float) -> tuple[object, State]:
        model = assembled(make(number))
        return model.system, model.state

    return base, twin(name, at, build, base.system)


def difference(of: Callable[[float], float], e: float) -> float:
    """Central difference at 0."""
    return (of(e) - of(-e)) / (2 * e)
