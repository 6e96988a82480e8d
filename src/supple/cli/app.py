"""All commands of `supple`. Their modules import only typer and the standard library at the top, so help is quick."""

from __future__ import annotations

from functools import cache
from typing import Annotated

import typer

from supple import __version__
from supple.cli.analyse.app import analyse
from supple.cli.coarsen import coarsen
from supple.cli.compare import compare
from supple.cli.export import export
from supple.cli.gallery import gallery
from supple.cli.info import info
from supple.cli.live import live
from supple.cli.mesh import mesh
from supple.cli.new import new
from supple.cli.pictures.loop import loop
from supple.cli.pictures.render import render
from supple.cli.presets import presets
from supple.cli.report import report
from supple.cli.run import run
from supple.cli.scenes import scenes
from supple.cli.schema import schema
from supple.cli.sensitivity.fit import fit
from supple.cli.sensitivity.gradient import gradient
from supple.cli.sweep import sweep
from supple.cli.view import view
from supple.cli.warm import warm

# in the order of the help page
COMMANDS = (
    new,
    run,
    compare,
    sweep,
    fit,
    gradient,
    gallery,
    live,
    view,
    export,
    render,
    loop,
    report,
    mesh,
    coarsen,
    scenes,
    presets,
    schema,
    warm,
    info,
)

app = typer.Typer(
    name="supple",
    no_args_is_help=True,
    add_completion=False,
    # help and usage errors as plain text: no markup to trip over, and rich is not loaded for them
    rich_markup_mode=None,
    # an unexpected error keeps its ordinary traceback
    pretty_exceptions_enable=False,
)
for command in COMMANDS:
    app.command()(command)
app.add_typer(analyse)


def show_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        typer.echo(f"supple {__version__}")
        raise typer.Exit


@app.callback()
def supple(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=show_version, is_eager=True)
    ] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Python file that registers methods, materials, energies or studies; works with every command, before or "
            "after its name; repeatable.",
        ),
    ] = None,
    allow_paths: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FOLDER",
            help="Additional folder that a scene, a run or a stage may read files from; works with every command, before or "
            "after its name; repeatable.",
        ),
    ] = None,
) -> None:
    """Simulate deformable bodies with integrators that conserve energy: springs, cloth and tetrahedral solids."""


@cache
def built() -> typer.main.TyperGroup:
    """The commands with their options, built once: typer reads the signatures of all of them."""
    return typer.main.get_group(app)
