"""Options of `supple mesh`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

File: TypeAlias = Annotated[
    Path,
    typer.Argument(
        help="Mesh file: msh, vtk, vtu, mesh, obj, ply, off or stl; motion file: abc, usd, glb ...; or the name of a shape."
    ),
]
Object: TypeAlias = Annotated[
    str | None,
    typer.Option("--object", metavar="NAME", help="Object of a motion file; its first frame is used."),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="An option of the shape, such as size=large; repeatable."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the report as one JSON document.")]
Repair: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--repair",
        help="Merge coincident vertices, remove degenerate and duplicate faces, orient faces outwards, close small holes.",
    ),
]
HoleSize: TypeAlias = Annotated[
    float | None, typer.Option(help="Largest hole that --repair closes, as a fraction of the diagonal; default: 0.2.")
]
Tetrahedralise: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="OUT", help="Fill the closed surface with tets and write them to OUT.")
]
EdgeLength: TypeAlias = Annotated[
    float | None, typer.Option(help="Largest edge of the tets [m]; default: a twentieth of the diagonal.")
]
ENVELOPE = 1e-3
"""Default of the largest distance."""
Envelope: TypeAlias = Annotated[
    float, typer.Option(help="Largest distance between tets and surface, as a fraction of the diagonal.")
]
Group: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=KIND:...",
        help="Name vertices: NAME=box:x0,y0,z0,x1,y1,z1, NAME=sphere:x,y,z,r, NAME=plane:x,y,z,nx,ny,nz, "
        "NAME=nearest:x,y,z[:count], NAME=vertices:3,17 or NAME=expression:X < 0.1; repeatable.",
    ),
]
Cage: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--cage", help="Make a cage of tets around any surface: open, disconnected, self-intersecting or flat."
    ),
]
Cells: TypeAlias = Annotated[int | None, typer.Option(help="Cells of the cage along the longest side; default: 12.")]
CellSize: TypeAlias = Annotated[float | None, typer.Option("--size", help="Length of a cell of the cage [m].")]
Inside: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Interior cells of the cage, beyond those that touch the surface: enclosed (default), winding or hollow."
    ),
]
Smooth: TypeAlias = Annotated[bool, typer.Option("--smooth", help="Move the boundary of the cage towards the surface.")]
KeepApart: TypeAlias = Annotated[
    bool, typer.Option("--keep-apart", help="A separate cage for each disconnected part of the surface.")
]
Write: TypeAlias = Annotated[
    Path | None, typer.Option("--write", "-o", metavar="OUT", help="Write the mesh to OUT, in any format.")
]
Picture: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw the mesh, its groups and its open edges to FILE (png, svg)."),
]
Up: TypeAlias = Annotated[str, typer.Option(help="Vertical axis of the picture: x, y or z.")]
DropUnreferenced: TypeAlias = Annotated[bool, typer.Option(help="Remove vertices that no element uses.")]
