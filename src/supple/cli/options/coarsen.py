"""Options of `supple coarsen`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Fine: TypeAlias = Annotated[str, typer.Argument(help="Name or .toml file of a scene, or a mesh file of tets.")]
Onto: TypeAlias = Annotated[Path | None, typer.Option(metavar="MESH", help="Coarse mesh of tets, around the body.")]
Cells: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NX,NY,NZ", help="A grid around the body, six tets a cell.")
]
Ratio: TypeAlias = Annotated[float | None, typer.Option(help="Such a grid with so many fine tets for each coarse one.")]
EdgeLength: TypeAlias = Annotated[
    float | None, typer.Option(help="Tets of about this edge [m] in the shape of the body; needs supple[mesh].")
]
Method: TypeAlias = Annotated[
    Literal["average", "nodal"],
    typer.Option(help="average: for layers, fibres and grains; nodal: for single cracks and slices."),
]
Pin: TypeAlias = Annotated[
    str | None, typer.Option(metavar="GROUP", help="Vertices that will be held in what is to come.")
]
Body: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME", help="Which body of the scene; the first if absent.")
]
Young: TypeAlias = Annotated[float | None, typer.Option(help="Young's modulus of a mesh file [Pa].")]
Poisson: TypeAlias = Annotated[float, typer.Option(help="Poisson's ratio of a mesh file.")]
Density: TypeAlias = Annotated[float, typer.Option(help="Density of a mesh file [kg/m^3].")]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="File for the coarse body; default: NAME.npz.")]
Validate: TypeAlias = Annotated[
    bool, typer.Option("--validate", help="Compare with the fine body and with naive means; draws a picture.")
]
Steps: TypeAlias = Annotated[int, typer.Option(min=3, help="Steps of the runs that --validate compares.")]
DrawHarmonics: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--draw-harmonics", help="Draw the six harmonic displacements, beside those of a body of one material."
    ),
]
