"""`supple export`: write a recorded run in the formats of other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.export.export import Exported, Skin, Watch
    from supple.export.format import Format
    from supple.export.physics.physics import Physics
    from supple.recording.folder import RunFolder


def export(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    to: Annotated[str, typer.Option(metavar="FORMAT", help="usd, abc, pc2, mdd, glb, vtkhdf, pvd, obj or npz.")],
    out: Annotated[Path | None, typer.Option(help="File (for obj: folder) to write; default: in FOLDER.")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames per second; default: the recorded frames.")] = None,
    start: Annotated[float | None, typer.Option(help="Begin at this time of the run [s].")] = None,
    stop: Annotated[float | None, typer.Option(help="End at this time of the run [s].")] = None,
    body: Annotated[str | None, typer.Option(metavar="NAME", help="Only this body or obstacle.")] = None,
    no_obstacles: Annotated[bool, typer.Option("--no-obstacles", help="Bodies only, without obstacles.")] = False,
    skin: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Fine surface (obj, ply, stl) embedded in the solid.")
    ] = None,
    skin_scale: Annotated[float, typer.Option(help="Metres per unit of the skin file.")] = 1.0,
    coarse: Annotated[
        bool,
        typer.Option(
            "--coarse",
            "--cage",
            help="Write the simulated meshes instead of embedded or replaced fine surfaces.",
        ),
    ] = False,
    scale: Annotated[float, typer.Option(help="Length units per metre: 100 writes centimetres.")] = 1.0,
    first_frame: Annotated[int, typer.Option(help="Number of the first frame.")] = 1,
    colour: Annotated[str, typer.Option(help="body: one colour each; energy: by strain energy (usd).")] = "body",
    physics: Annotated[
        bool,
        typer.Option("--physics", help="Include the set-up as deformable bodies that `supple run` can read (usd)."),
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier export.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Write a recorded run for Blender, ParaView and other programs."""
    from supple.cli.output import new_console, print_json
    from supple.errors import SuppleError
    from supple.export.export import Choice, find_format
    from supple.export.export import export as write
    from supple.recording.film import open_film
    from supple.recording.folder import RunFolder

    console = new_console(as_json)
    form = find_format(to)
    if colour not in ("body", "energy"):
        raise SuppleError(f"--colour: unknown choice '{colour}'; known: body, energy")
    if skin is None and skin_scale != 1.0:
        raise SuppleError("--skin-scale: requires --skin FILE; give both")
    run = RunFolder.open(folder)
    worn = None if skin is None else _skin(run, skin, skin_scale)
    if body is not None and no_obstacles:
        raise SuppleError("--no-obstacles: has no effect with --body; omit one of the two")
    by_energy = colour == "energy"
    setup = _physics(run) if physics else None
    choice = Choice(fps, start, stop, body, worn, scale, first_frame, by_energy, not coarse, not no_obstacles, setup)
    with open_film(run, coarse or skin is not None) as film, _bar(console, to) as watch:
        done = write(film, form, out or _default(folder, form), choice, overwrite, watch)
    summary = _said(console, form, done)
    if as_json:
        print_json(summary)


def _said(console: Console, form: Format, done: Exported) -> dict[str, Any]:
    """Print the summary with the notes, and return it."""
    for note in done.notes:
        console.print(note, markup=False)
    summary = _summary(form, done)
    console.print(
        f"{summary['frames']} frames at {summary['fps']:g} fps, {summary['vertices']} vertices, "
        f"{summary['seconds']:.1f} s\n{form.name:<12} {summary['path']}",
        markup=False,
    )
    return summary


def _default(folder: Path, form: Format) -> Path:
    """Default file: in the folder of the run, with its name."""
    name = folder.resolve().name
    return folder / (name if form.suffixes else f"{name}-{form.name}")


def _skin(run: RunFolder, file: Path, scale: float) -> Skin:
    """The skin, and the bodies at rest as the scene of the run describes them."""
    from supple.errors import SuppleError
    from supple.export.export import SMALLEST_UNIT, Skin
    from supple.mesh.formats import read_mesh
    from supple.scene.text.load import load_scene

    if not SMALLEST_UNIT <= scale <= 1.0 / SMALLEST_UNIT:
        raise SuppleError(
            f"--skin-scale: found {scale:g}; give metres from {SMALLEST_UNIT:g} to {1.0 / SMALLEST_UNIT:g}, such as 0.01 for "
            "centimetres"
        )
    mesh = read_mesh(file)
    rest = load_scene(run.scene).make().assemble().mesh.vertices
    return Skin(str(file), mesh.moved(mesh.vertices * scale), rest)


def _physics(run: RunFolder) -> Physics:
    """The set-up of the run, as its scene describes it."""
    from supple.export.physics.physics import Physics
    from supple.model.plain import method_table, plain
    from supple.scene.text.load import load_scene

    setup = load_scene(run.scene).make()
    tables = {"title": setup.title, "integrator": method_table(setup.method), "solver": plain(setup.solver)}
    return Physics(setup.assemble(), {key: table for key, table in tables.items() if table}, setup.h)


@contextmanager
def _bar(console: Console, to: str) -> Iterator[Watch]:
    """A progress bar over the frames."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as bar:

        def watch(frames: Iterable[Any], total: int) -> Iterable[Any]:
            return bar.track(frames, total=total, description=to)

        yield watch


def _summary(form: Format, done: Exported) -> dict[str, Any]:
    return {
        "format": form.name,
        "path": str(done.paths[0]),
        "files": [str(path) for path in done.paths],
        "frames": len(done.sequence),
        "fps": done.sequence.fps,
        "up": done.sequence.up,
        "bodies": [body.name for body in done.sequence.bodies if not body.obstacle],
        "obstacles": [body.name for body in done.sequence.bodies if body.obstacle],
        "vertices": done.sequence.vertices,
        "seconds": done.seconds,
        "notes": list(done.notes),
    }
