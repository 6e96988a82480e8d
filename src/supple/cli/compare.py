"""`supple compare`: one scene with several integrators, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.scene.tables.scene import Scene

COLUMNS = (
    "integrator",
    "status",
    "steps",
    "energy_end_over_start",
    "relative_residue",
    "newton_iterations",
    "factorisations",
    "wall_seconds",
)
SHORT = {
    "energy_end_over_start": "H/H start",
    "relative_residue": "residue",
    "newton_iterations": "its",
    "factorisations": "factors",
    "wall_seconds": "wall s",
}
"""Headings that fit a terminal of 80 columns."""


def compare(
    scene: Annotated[str, typer.Argument(help="Name of a shipped scene, or a path to a .toml file.")] = "jelly",
    integrators: Annotated[
        str, typer.Option(help="Names, separated by commas; options as backward-euler:budget=true.")
    ] = "avf,backward-euler,bdf2,tr-bdf2,midpoint",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeats.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace earlier runs in the folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Run a scene with several integrators; writes one energy plot and one table."""
    from supple.cli.output import new_console, print_json
    from supple.recording.files import free_path
    from supple.recording.folder import RunFolder
    from supple.recording.history import read_history
    from supple.render.plots.energy import plot_comparison

    console = new_console(as_json)
    scenes = _scenes(scene, integrators, settings or [])
    folder = out if out is not None else free_path(Path("runs"), f"{Path(scene).stem}-compared")
    places = {label: folder / label.replace(" ", "") for label in scenes}
    for place in places.values():  # all is checked before the first one runs
        RunFolder.check(place, overwrite)
    rows = [_one(label, loaded, places[label], steps, overwrite, console) for label, loaded in scenes.items()]
    histories = {label: read_history(RunFolder.open(place).history) for label, place in places.items()}
    plot_comparison(histories, folder / "energy.png", next(iter(scenes.values())).title or scene)
    _write_table(rows, folder / "comparison.csv")
    _show(rows, console)
    console.print(f"energy plot  {folder / 'energy.png'}\ntable        {folder / 'comparison.csv'}", markup=False)
    if as_json:
        print_json({"folder": str(folder), "runs": rows})


def _scenes(scene: str, integrators: str, settings: list[str]) -> dict[str, Scene]:
    """Label -> the scene with that integrator and its options."""
    from supple.cli.analyse.methods import OPTION, split, words
    from supple.scene.text.load import load_scene

    scenes = {}
    for word in words(integrators):
        name, pairs = split(word, OPTION)
        chosen = [f"integrator.name={name}", *(f"integrator.{pair}" for pair in pairs)]
        loaded = load_scene(scene, [*settings, *chosen])
        own = ",".join(pair for pair in pairs if not pair.startswith(("budget", "adaptive")))
        suffix = loaded.integrator.label.removeprefix(name)
        spelled = any(key in word for key in ("budget.", "adaptive."))
        scenes[word if spelled else f"{name}:{own}{suffix}" if own else f"{name}{suffix}"] = loaded
    return scenes


def _one(name: str, scene: Scene, folder: Path, steps: int | None, overwrite: bool, console: Console) -> dict[str, Any]:
    """One run; a method that explodes is a result, not an error."""
    from supple.cli.run import carry_out
    from supple.errors import StepFailed
    from supple.runs.run import start_run
    from supple.runs.summary import summarise

    job = start_run(scene, folder, steps, overwrite)
    try:
        summary = carry_out(job, console)
    except StepFailed as problem:
        console.print(f"{name}: {problem}", markup=False)
        summary = {"status": "failed", "folder": str(folder), **summarise(job.folder)}
    if summary["status"] == "interrupted":
        raise typer.Exit(130)
    start = summary["total_start"]
    return {"integrator": name, **summary, "energy_end_over_start": summary["total_end"] / start if start else None}


def _write_table(rows: list[dict[str, Any]], path: Path) -> None:
    import csv

    from supple.recording.files import trouble

    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise trouble(path, "write", error) from error


def _show(rows: list[dict[str, Any]], console: Console) -> None:
    from rich.table import Table

    table = Table(
        title="H: total energy; residue: what the numerics made or lost of it", box=None, padding=(0, 2, 0, 0)
    )
    for column in COLUMNS:
        left = column in {"integrator", "status"}
        table.add_column(SHORT.get(column, column), justify="left" if left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(f"{v:.3g}" if isinstance(v, float) else str(v) for v in (row[c] for c in COLUMNS)))
    console.print(table)
