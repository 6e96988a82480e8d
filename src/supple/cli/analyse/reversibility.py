"""`supple analyse reversibility`: forward and back in time, and how close each method returns to the start."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.methods import USUAL
from supple.cli.analyse.study import AsJson, Integrators, SceneName, Settings, Tolerance

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.reversibility import Journey, Reversal, Trail
    from supple.dynamics.step import Integrator
    from supple.scene.tables.scene import Scene

COLUMNS = ("integrator", "step", "time", "from_start", "strayed")
NORMS = "distances relative to the body size, velocities relative to the largest forward speed"


def reversibility(
    scene: SceneName,
    integrators: Integrators = USUAL,
    steps: Annotated[int, typer.Option(min=1, help="Number of steps in each direction.")] = 200,
    settings: Settings = None,
    tolerance: Tolerance = 1e-12,
    csv: Annotated[Path, typer.Option(help="File for the distances over time.")] = Path("reversibility.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("reversibility.png"),
    as_json: AsJson = False,
) -> None:
    """Run a scene forward, reverse all velocities and run it back; shows the distance from the start, writes a table and a plot.

    Scenes with damping, wind or moving scripts are refused because their motion is irreversible.
    """
    from dataclasses import asdict

    from supple.cli.analyse.methods import methods
    from supple.cli.analyse.output import check_results, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.render.plots.reversibility import plot_reversal
    from supple.scene.text.load import load_scene

    console = new_console(as_json)
    check_results(csv, plot)
    chosen = methods(integrators)
    loaded = load_scene(scene, settings or [])
    loaded.limits.make().demand("--steps", "steps", "steps", steps)
    found = _runs(_journey(loaded, steps, tolerance, console), chosen, console)
    write_csv(csv, COLUMNS, [row for one, trail in found for row in _rows(one.integrator, trail)])
    title = loaded.title or scene
    plot_reversal({one.integrator: vars(trail) for one, trail in found}, plot, f"{title}: there and back")
    _show(console, title, [one for one, _ in found])
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), "runs": [asdict(one) for one, _ in found]})


def _journey(scene: Scene, steps: int, tolerance: float, console: Console) -> Journey:
    from dataclasses import replace

    from supple.analysis.convergence import placed
    from supple.analysis.reversibility import Journey
    from supple.errors import SuppleError

    if not 0.0 < tolerance <= 1e-2:
        raise SuppleError(f"--tolerance: found {tolerance:g}; give a number above 0 and up to 0.01")
    body = scene.make().assemble()
    for note in body.notes:
        console.print(note, markup=False)
    options = replace(scene.solver.make(), tolerance=tolerance)
    return Journey(body.system, placed(body.system, body.state), scene.time.step, steps, options)


def _runs(journey: Journey, methods: dict[str, Integrator], console: Console) -> list[tuple[Reversal, Trail]]:
    """All runs, with a progress bar over steps; steps that a stopped run did not take count as done."""
    from supple.analysis.reversibility import reversals
    from supple.cli.analyse.output import progress

    found: list[tuple[Reversal, Trail]] = []
    taken = 0
    with progress(console, "there and back", 2 * journey.steps * len(methods)) as show:

        def stepped() -> None:
            nonlocal taken
            taken += 1
            show(taken, "")

        for one in reversals(journey, methods, stepped):
            found.append(one)
            taken = 2 * journey.steps * len(found)
            show(taken, one[0].integrator)
    return found


def _rows(name: str, trail: Trail) -> list[dict[str, Any]]:
    columns = (trail.step.astype(int), trail.time, trail.from_start, trail.strayed)
    return [
        dict(zip(COLUMNS, (name, *values), strict=True))
        for values in zip(*(column.tolist() for column in columns), strict=True)
    ]


def _show(console: Console, title: str, found: list[Reversal]) -> None:
    from supple.cli.analyse.output import show_table

    heads = ("integrator", "distance", "mean", "velocity", "mean", "energy", "time there [s]", "back [s]")
    cells = []
    for one in found:
        figures = (one.distance, one.mean_distance, one.velocity, one.mean_velocity)
        shown = [f"{value:.1e}" for value in figures]
        shown += [f"{one.energy:+.1e}", f"{one.time_there:.6g}", f"{one.time_back:.6g}"]
        cells.append([one.integrator, *(["failed", *[""] * 6] if one.failure else shown)])
    steps = found[0].steps
    show_table(console, f"{title}: {steps} steps there, {steps} steps back; {NORMS}", heads, cells)
    for one in found:
        if one.failure:
            console.print(f"{one.integrator}: {one.failure}", markup=False)
