"""Options of `supple coarsen`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Fine: TypeAlias = Annotated[str, typer.Argument(help="Name or .toml file of a scene, or a mesh file of tets.")]
Onto: TypeAlias = Annotated[Path | None, typer.Option(metavar="MESH", help="Coarse tet mesh around the body.")]
Cells: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NX,NY,NZ", help="A grid around the body, with six tets per cell.")
]
Ratio: TypeAlias = Annotated[float | None, typer.Option(help="A grid with this many fine tets per coarse tet.")]
EdgeLength: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Tets of about this edge length [m] in the shape of the body; requires supple[mesh]."),
]
Method: TypeAlias = Annotated[
    Literal["average", "nodal"],
    typer.Option(help="average: for layers, fibres and grains; nodal: for single cracks and slices."),
]
Pin: TypeAlias = Annotated[
    str | None, typer.Option(metavar="GROUP", help="Vertices that will be fixed in the simulation.")
]
Body: TypeAlias = Annotated[str | None, typer.Option(metavar="NAME", help="Body of the scene; default: the first.")]
POISSON, DENSITY = 0.3, 1000.0
"""Defaults for mesh files."""
Young: TypeAlias = Annotated[float | None, typer.Option(help="Young's modulus of a mesh file [Pa].")]
Poisson: TypeAlias = Annotated[
    float | None, typer.Option(help="Poisson's ratio of a mesh file.", show_default=f"{POISSON:g}")
]
Density: TypeAlias = Annotated[
    float | None, typer.Option(help="Density of a mesh file [kg/m^3].", show_default=f"{DENSITY:g}")
]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="File for the coarse body; default: NAME.npz.")]
Validate: TypeAlias = Annotated[
    bool, typer.Option("--validate", help="Compare with the fine body and with naive averaging; draws a picture.")
]
Steps: TypeAlias = Annotated[
    int, typer.Option(min=3, max=1_000_000, help="Number of steps of the runs that --validate compares.")
]
DrawHarmonics: TypeAlias = Annotated[
    bool,
    typer.Option("--draw-harmonics", help="Draw the six harmonic displacements beside those of a homogeneous body."),
]
