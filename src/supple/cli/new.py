"""`supple new`: write a first scene, with or without a model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def new(
    file: Annotated[Path, typer.Argument(help="The scene file to write, ending in .toml.")],
    model: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="MODEL",
            help="Mesh file of the body; a closed surface is filled with tets. Or a USD stage with bodies.",
        ),
    ] = None,
    kind: Annotated[
        Literal["soft", "cloth", "flag", "rope"] | None,
        typer.Option(help="Kind of the body.", show_default="soft, or as fits the model"),
    ] = None,
    material: Annotated[
        str | None,
        typer.Option(metavar="WORD", help="Material of the body, such as jelly or silk; `supple presets` lists them."),
    ] = None,
    scale: Annotated[float, typer.Option(help="Factor from the model's unit to metres: 0.001 for millimetres.")] = 1.0,
    up: Annotated[Literal["x", "y", "z"], typer.Option(help="Axis of the model that points up.")] = "y",
    check: Annotated[bool, typer.Option(help="Run a few steps of the scene.")] = True,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace existing files.")] = False,
) -> None:
    """Write a short, commented scene that runs and looks right."""
    from supple.cli.output import new_console
    from supple.errors import SuppleError
    from supple.recording.files import replace_bytes
    from supple.runs.templates.new_scene import new_scene

    console = new_console(as_json=False)
    _refuse(file, model, scale, overwrite)
    text, notes = new_scene(file, model, kind, scale, up, overwrite, material)
    replace_bytes(file, (_marks(text, file) + text).encode())
    for note in notes:
        console.print(note, markup=False)
    if check:
        from supple.runs.templates.check import check_scene

        try:
            for line in check_scene(file):
                console.print(line, markup=False)
        except SuppleError as problem:
            raise SuppleError(f"{file} was written but does not run yet: {problem}") from problem
    console.print(f"written: {file}; next: supple run {file}", markup=False)


def _marks(text: str, file: Path) -> str:
    """Comments that allow the scene to read the given model from another folder."""
    import tomllib

    from supple.ownership import marks
    from supple.scene.text.named_files import outside

    folder = file.resolve().parent
    return marks(path for path in outside(tomllib.loads(text), folder) if not path.is_relative_to(folder))


def _refuse(file: Path, model: Path | None, scale: float, overwrite: bool) -> None:
    from supple.errors import SuppleError

    if file.suffix != ".toml":
        raise SuppleError(f"{file}: the name of a scene file ends in .toml; give {file.name}.toml")
    if not file.parent.is_dir():
        raise SuppleError(f"{file}: the folder {file.parent} does not exist; create it first")
    if file.exists() and not overwrite:
        raise SuppleError(f"{file}: the file already exists; replace it with --overwrite, or choose another name")
    if not 0.0 < scale < float("inf"):
        raise SuppleError(f"--scale {scale:g}: must be a number above 0, such as 0.001 for millimetres")
    if model is None and scale != 1.0:
        raise SuppleError("--scale: requires a model; give --from MODEL, or change the sizes in the scene")
