"""`supple compare`: one scene with several integrators, or several scenes, side by side."""

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
    "seconds_per_frame",
)
SHORT = {
    "energy_end_over_start": "H/H start",
    "relative_residue": "residue",
    "newton_iterations": "its",
    "factorisations": "factors",
    "wall_seconds": "wall s",
    "seconds_per_frame": "s/frame",
}
"""Headings of the table on the terminal."""
USUAL = "avf,backward-euler,bdf2,tr-bdf2,midpoint"
FRAMES = 60
"""Frames per second of motion for the time that one takes."""
TITLE = "H: total energy; residue: what the numerics made or lost of it; s/frame: wall time for 1/60 s of motion"


def compare(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENE...", help="Names of shipped scenes, or paths to .toml files.", show_default="jelly"
        ),
    ] = None,
    integrators: Annotated[
        str | None,
        typer.Option(
            help="Names, separated by commas; options as backward-euler:budget=true, mpm:transfer=flip. Default: "
            f"{USUAL}; every transfer for material points; with several scenes that of each scene."
        ),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeats.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace earlier runs in the folder.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Run a scene with several integrators, or several scenes; writes one energy plot and one table."""
    from supple.cli.output import new_console, print_json
    from supple.recording.files import free_path
    from supple.recording.folder import RunFolder
    from supple.recording.history import read_history
    from supple.render.plots.energy import plot_comparison

    console = new_console(as_json)
    names = scenes or ["jelly"]
    runs = _runs(names, integrators, settings or [])
    folder = out if out is not None else free_path(Path("runs"), f"{_stem(names)}-compared")
    places = {label: folder / label.replace(" ", "") for label in runs}
    for place in places.values():  # all is checked before the first one runs
        RunFolder.check(place, overwrite)
    rows = [_one(label, loaded, places[label], steps, overwrite, console) for label, loaded in runs.items()]
    histories = {label: read_history(RunFolder.open(place).history) for label, place in places.items()}
    title = next(iter(runs.values())).title if len(names) == 1 else None
    plot_comparison(histories, folder / "energy.png", title or _stem(names), shared=len(names) == 1)
    _write_table(rows, folder / "comparison.csv")
    _show(rows, console)
    console.print(f"energy plot  {folder / 'energy.png'}\ntable        {folder / 'comparison.csv'}", markup=False)
    if as_json:
        print_json({"folder": str(folder), "runs": rows})


def _stem(names: list[str]) -> str:
    """What several scenes are called together: the words that their names begin with, or all of them."""
    stems = [Path(name).stem for name in names]
    if len(stems) == 1:
        return stems[0]
    shared = []
    for words in zip(*(stem.split("-") for stem in stems), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return "-".join(shared or stems)


def _runs(names: list[str], integrators: str | None, settings: list[str]) -> dict[str, Scene]:
    """Label -> scene, of all that is compared."""
    from supple.errors import SuppleError
    from supple.scene.text.load import load_scene

    if len(names) == 1:
        return _variants(names[0], integrators, settings)
    if twice := {Path(name).stem for name in names if [Path(n).stem for n in names].count(Path(name).stem) > 1}:
        raise SuppleError(f"compare: found '{min(twice)}' several times; give scenes with different names")
    if integrators is None:
        return {Path(name).stem: load_scene(name, settings) for name in names}
    return {
        f"{Path(name).stem} {label}": scene
        for name in names
        for label, scene in _variants(name, integrators, settings).items()
    }


def _usual(scene: Scene) -> str:
    """What is compared if nothing is said."""
    from supple.integrators import INTEGRATORS
    from supple.points import TRANSFERS

    cls = INTEGRATORS.lookup(scene.integrator.name)
    if cls is not None and cls.moves_points:
        return ",".join(f"{scene.integrator.name}:transfer={name}" for name in TRANSFERS.names())
    return USUAL


def _variants(scene: str, integrators: str | None, settings: list[str]) -> dict[str, Scene]:
    """Label -> the scene with that integrator and its options."""
    from supple.cli.analyse.methods import OPTION, split, words
    from supple.scene.text.load import load_scene

    if integrators is None:
        integrators = _usual(load_scene(scene, settings))
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
    from supple.runs.summary import summarise, wall_per_frame

    job = start_run(scene, folder, steps, overwrite)
    try:
        summary = carry_out(job, console)
    except StepFailed as problem:
        console.print(f"{name}: {problem}", markup=False)
        summary = {"status": "failed", "folder": str(folder), **summarise(job.folder)}
    if summary["status"] == "interrupted":
        raise typer.Exit(130)
    start = summary["total_start"]
    ratio = summary["total_end"] / start if start else None
    return {
        "integrator": name, **summary, "energy_end_over_start": ratio, "seconds_per_frame": wall_per_frame(job.folder, FRAMES),
    }  # fmt: skip


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
    from supple.cli.analyse.output import show_table

    def text(value: Any) -> str:
        return "-" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)

    heads = [SHORT.get(column, column) for column in COLUMNS]
    show_table(console, TITLE, heads, [[text(row[column]) for column in COLUMNS] for row in rows])
