"""The runs behind `analyse order` and `analyse work-precision`: one study and its options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.convergence import Trial
    from supple.analysis.timed_run import Problem
    from supple.analysis.yardstick import Yardstick
    from supple.dynamics.state import State
    from supple.dynamics.step import Integrator
    from supple.scene.tables.scene import Scene

SceneName: TypeAlias = Annotated[str, typer.Argument(help="Name of a shipped scene, or a path to a .toml file.")]
Integrators: TypeAlias = Annotated[
    str, typer.Option(help="Names, separated by commas; options as generalized-alpha:rho=0.8.")
]
Steps: TypeAlias = Annotated[str, typer.Option(help="Step counts over the duration, separated by commas.")]
Duration: TypeAlias = Annotated[
    float | None, typer.Option(help="Simulated time [s]; default: time.duration of the scene.")
]
Settings: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
]
Reference: TypeAlias = Annotated[
    str, typer.Option(help="dop853, or NAME:STEPS for a fine run of a method, better for stiff bodies.")
]
Tolerance: TypeAlias = Annotated[float, typer.Option(help="Tolerance of the solver in all runs, as solver.tolerance.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")]

EXACT = "dop853"
"""The reference that is not a supple run."""
COLUMNS = (
    "integrator", "steps", "h", "error_x", "error_v", "error_energy", "error_modes", "cpu_seconds", "wall_seconds",
    "iterations", "taken", "evaluations", "failure",
)  # fmt: skip
NORMS = "largest coordinate error at the end: x [m], v [m/s]"


@dataclass(frozen=True)
class Study:
    """All runs of a study with their labels."""

    title: str
    reference: str
    steps: list[int]
    duration: float
    size: float
    """Extent of the body together with its motion [m]."""
    trials: list[Trial]

    def of(self, integrator: str) -> list[Trial]:
        return [trial for trial in self.trials if trial.integrator == integrator]

    @property
    def integrators(self) -> list[str]:
        return list(dict.fromkeys(trial.integrator for trial in self.trials))

    def curves(self) -> dict[str, dict[str, Any]]:
        """Integrator -> columns of figures, for the plots; NaN for runs that diverged."""
        import numpy as np

        errors = ("error_x", "error_v", "error_energy", "error_modes")
        names = ("h", *errors, "cpu_seconds", "wall_seconds", "evaluations")
        found: dict[str, dict[str, Any]] = {}
        for name in self.integrators:
            found[name] = {column: np.array([getattr(t, column) for t in self.of(name)]) for column in names}
            failed = np.array([bool(t.failure) for t in self.of(name)])
            for column in errors:
                found[name][column][failed] = np.nan
        return found

    def write(self, csv: Path) -> None:
        from dataclasses import asdict

        from supple.cli.analyse.output import write_csv

        write_csv(csv, COLUMNS, [asdict(trial) for trial in self.trials])

    def explain_failures(self, console: Console) -> None:
        """Print in full the failures that the table abbreviates, once per method and failure."""
        told: dict[tuple[str, str], list[str]] = {}
        for trial in self.trials:
            if ":" in trial.failure:
                told.setdefault((trial.integrator, trial.failure), []).append(str(trial.steps))
        for (integrator, failure), steps in told.items():
            console.print(f"{integrator}, {', '.join(steps)} steps: {failure}", markup=False)


def carry_out(
    scene: str, integrators: str, steps: str, duration: float | None, settings: list[str] | None,
    reference: str, tolerance: float, console: Console, repeats: int = 1, modes: int = 0,
) -> Study:  # fmt: skip
    """Check everything, compute the reference, then run all methods; also computes errors of this many modes."""
    from supple.analysis.yardstick import yardstick
    from supple.cli.analyse.methods import methods, reference_method
    from supple.cli.analyse.output import counts
    from supple.errors import SuppleError
    from supple.scene.text.load import load_scene
    from supple.values import LARGEST, SMALLEST

    chosen, numbers = methods(integrators), counts(steps, "--steps")
    if reference != EXACT:
        reference_method(reference)
    if duration is not None and not SMALLEST <= duration <= LARGEST:
        raise SuppleError(f"--duration: found {duration:g}; give a time above 0 [s], from {SMALLEST:g} to {LARGEST:g}")
    if not 0.0 < tolerance <= 1e-2:
        raise SuppleError(f"--tolerance: found {tolerance:g}; give a number above 0 and up to 0.01")
    loaded = load_scene(scene, settings or [])
    limits = loaded.limits.make()
    limits.demand("--steps", "steps", "steps", numbers[-1])
    limits.demand("--duration", "steps of time.step", "steps", (duration or 0.0) / loaded.time.step)
    problem = _problem(loaded, duration or loaded.time.duration, tolerance, console)
    end = _reference(problem, reference, console)
    measure = yardstick(problem.system, problem.start, end, modes)
    found = _runs(problem, chosen, numbers, measure, console, repeats)
    return Study(loaded.title or scene, reference, numbers, problem.duration, measure.size, found)


def _problem(scene: Scene, duration: float, tolerance: float, console: Console) -> Problem:
    import dataclasses

    from supple.analysis.convergence import placed
    from supple.analysis.timed_run import Problem

    body = scene.make().assemble()
    for note in body.notes:
        console.print(note, markup=False)
    options = dataclasses.replace(scene.solver.make(), tolerance=tolerance)
    return Problem(body.system, placed(body.system, body.state), duration, options)


def _runs(
    problem: Problem, methods: dict[str, Integrator], steps: list[int], measure: Yardstick, console: Console,
    repeats: int,
) -> list[Trial]:  # fmt: skip
    """All runs, with a progress bar over steps; steps that a stopped run did not take count as done."""
    from supple.analysis.convergence import trials
    from supple.cli.analyse.output import progress

    found: list[Trial] = []
    taken = 0
    with progress(console, "runs", repeats * len(methods) * sum(steps)) as show:

        def stepped() -> None:
            nonlocal taken
            taken += 1
            show(taken, "")

        for trial in trials(problem, methods, steps, measure, stepped, repeats):
            found.append(trial)
            taken = repeats * sum(t.steps for t in found)
            show(taken, f"{trial.integrator}, {trial.steps} steps")
    return found


def _reference(problem: Problem, reference: str, console: Console) -> State:
    from supple.analysis.reference import dop853, fine_run
    from supple.cli.analyse.methods import reference_method
    from supple.cli.analyse.output import progress

    start, duration = problem.start, problem.duration
    with progress(console, f"reference ({reference})", duration) as show:

        def tell(t: float) -> None:
            show(t - start.t, f"t {t:.4g} s")

        if reference == EXACT:
            return dop853(problem.system, start, duration, tell)
        method, steps = reference_method(reference)
        return fine_run(problem.system, method, start, duration / steps, steps, problem.options, tell)
