"""`supple analyse modes`: vibration spectrum of the bodies of a scene, and pictures of a few modes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.study import AsJson, SceneName, Settings

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.spectrum import Spectrum
    from supple.model.model import Model
    from supple.types import Array

COLUMNS = ("body", "mode", "eigenvalue", "frequency")
LISTED = 8
"""Modes per body in the terminal table."""


def modes(
    scene: SceneName,
    count: Annotated[int, typer.Option(min=1, help="Number of modes, starting at the lowest.")] = 100,
    draw: Annotated[
        int, typer.Option(min=0, help="Number of modes to draw, starting at the lowest one with stiffness.")
    ] = 6,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Another spectrum with this value of the scene changed; repeatable."),
    ] = None,
    settings: Settings = None,
    initial: Annotated[
        bool, typer.Option("--initial", help="Linearise about the initial state instead of the rest shape.")
    ] = False,
    csv: Annotated[Path, typer.Option(help="File for the eigenvalues.")] = Path("modes.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot of the spectrum.")] = Path("modes.png"),
    shapes: Annotated[Path, typer.Option(help="File for the pictures of modes.")] = Path("mode-shapes.png"),
    as_json: AsJson = False,
) -> None:
    """Compute the lowest vibration modes, K x = lambda M x; writes eigenvalues, a plot and pictures."""
    from supple.analysis.spectrum import spectrum
    from supple.cli.analyse.output import check_results, progress, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.render.plots.modes import plot_spectra
    from supple.scene.text.load import load_scene

    console = new_console(as_json)
    check_results(csv, plot, shapes)
    variants = {scene: settings or []} | {text: [*(settings or []), text] for text in against or []}
    scenes = {label: load_scene(scene, overrides) for label, overrides in variants.items()}
    bodies = {label: loaded.make().assemble() for label, loaded in scenes.items()}
    backend = scenes[scene].solver.make().backend
    found: dict[str, Spectrum] = {}
    with progress(console, "modes", len(bodies)) as show:
        for label, body in bodies.items():
            show(len(found), label)
            _say_clamped(console, label, count, body.system.pattern.unknowns)
            found[label] = spectrum(body.system, _about(body, initial), count, backend)
        show(len(found), "")
    rows = [row for label, one in found.items() for row in _rows(label, one)]
    write_csv(csv, COLUMNS, rows)
    first = scenes[scene]
    title = f"{first.title or scene}: modes about the {'initial state' if initial else 'rest shape'}"
    plot_spectra({label: (one.modes.values, one.noise) for label, one in found.items()}, plot, title)
    files = {"table": csv, "plot": plot}
    if draw:
        files["shapes"] = shapes
        _draw(found[scene], bodies[scene], draw, _about(bodies[scene], initial), shapes, title, first.world.up)
    _show(console, title, found)
    show_files(console, files)
    if as_json:
        print_json({**{kind: str(file) for kind, file in files.items()}, "modes": rows})


def _about(body: Model, initial: bool) -> Array:
    from supple.analysis.convergence import placed

    return placed(body.system, body.state).x if initial else body.mesh.vertices


def _say_clamped(console: Console, label: str, count: int, unknowns: int) -> None:
    from supple.errors import SuppleError

    if not unknowns:
        raise SuppleError(f"{label}: every vertex is prescribed, so nothing can vibrate; release some vertices")
    if count > unknowns:
        console.print(f"{label}: {count} modes requested, all {unknowns} existing ones computed", markup=False)


def _rows(label: str, one: Spectrum) -> list[dict[str, Any]]:
    pairs = zip(one.modes.values.tolist(), one.frequencies.tolist(), strict=True)
    return [{"body": label, "mode": k, "eigenvalue": v, "frequency": f} for k, (v, f) in enumerate(pairs, 1)]


def _draw(one: Spectrum, body: Model, draw: int, x: Array, file: Path, title: str, up: str) -> None:
    """The lowest modes with stiffness; if a body has none, its lowest modes."""
    import numpy as np

    from supple.render.plots.modes import plot_mode_shapes

    stiff = np.flatnonzero(~one.is_zero)
    chosen = (stiff if len(stiff) else np.arange(one.modes.count))[:draw]
    names = [f"mode {k + 1}: {_frequency(one, k)}" for k in chosen]
    plot_mode_shapes(body.mesh, np.asarray(x), one.modes.vectors[chosen], names, file, title, up)


def _frequency(one: Spectrum, k: int) -> str:
    return "unstable" if one.is_unstable[k] else f"{one.frequencies[k]:.4g} Hz"


def _show(console: Console, title: str, found: dict[str, Spectrum]) -> None:
    from supple.cli.analyse.output import show_table

    rows = []
    for label, one in found.items():
        lowest = [k for k in range(one.modes.count) if not one.is_zero[k]][:LISTED]
        rows += [[label, str(k + 1), f"{one.modes.values[k]:.6g}", _frequency(one, k)] for k in lowest]
    show_table(console, title, ("body", "mode", "lambda [1/s^2]", "frequency"), rows)
    for label, one in found.items():
        console.print(
            f"{label}: {one.modes.count} modes, {one.is_zero.sum()} of them without stiffness, "
            f"{one.is_unstable.sum()} unstable",
            markup=False,
        )
