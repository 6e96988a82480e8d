"""Cost of the energy budget: steps of backward Euler with and without it, alternating, from the same states.

A free bar spins and vibrates under gravity, so that momenta are restored as well. Both sides evaluate the energies, as the loop
does after every step. A run with the budget keeps more motion, which requires more Newton iterations. This is not counted, since
both sides take the same steps. `ratio` compares whole steps and is as noisy as the machine. `own_ratio` is 1 plus the time of the
budget alone, without the energies, relative to the step. Both are lower quartiles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bars import STEP, arguments, bar, show
from supple.budget.energy_budget import EnergyBudget
from supple.dynamics.state import State
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.linalg.threads import threads
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools

STEPS = 40


@dataclass(frozen=True)
class Clocked(BackwardEuler):
    """Backward Euler that keeps the time it took."""

    walls: list[float] = field(default_factory=list)

    def advance(self, *arguments: Any) -> Any:
        began = time.perf_counter()
        new, memory, report = super().advance(*arguments)
        self.walls.append(time.perf_counter() - began)
        return new, memory, report


def measure(size: str, backend: str) -> dict[str, object]:
    problem = bar(size, stretch=1.1, clamped=False)
    system, x = problem.system, problem.state.x
    state = State(0.0, x, np.cross([0.3, 1.0, 2.0], x - x.mean(axis=0)))
    plain, inside = BackwardEuler(), Clocked()
    budget = EnergyBudget(inside)
    options = SolverOptions(backend=backend, tolerance=1e-8)
    sides: list[tuple[Any, StepTools]] = [(plain, StepTools(system, options)), (budget, StepTools(system, options))]
    memory = budget.start(system, state)
    walls: dict[str, list[float]] = {plain.name: [], budget.name: [], "energies": []}
    for step in range(STEPS):
        for _, tools in sides:
            tools.energies(state)  # known from the step before in a run
        for method, tools in sides if step % 2 else sides[::-1]:
            began = time.perf_counter()
            new, kept, _ = method.advance(system, state, memory if method is budget else {}, STEP, tools)
            arrived = time.perf_counter()
            tools.energies(new)
            walls[method.name].append(time.perf_counter() - began)
            if method is budget:
                after = new, kept
            else:
                walls["energies"].append(time.perf_counter() - arrived)
        state, memory = after
    for _, tools in sides:
        tools.close()
    bare, closed, energies, inner = (
        np.array(w[2:]) for w in (walls[plain.name], walls[budget.name], walls["energies"], inside.walls)
    )
    own = np.percentile(closed - inner, 25) - np.percentile(energies, 25)
    return {
        "tets": problem.tets,
        "threads": threads(),
        "step_s": float(np.median(bare)),
        "budget_step_s": float(np.median(closed)),
        "ratio": float(closed.sum() / bare.sum()),
        "own_s": float(own),
        "own_ratio": float(1.0 + own / np.percentile(bare, 25)),
    }


def main() -> None:
    options = arguments(__doc__ or "", ("small",))
    show([measure(size, options.backend) for size in options.sizes], options.json)


if __name__ == "__main__":
    main()
