"""Options of `supple mesh`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

File: TypeAlias = Annotated[
    Path,
    typer.Argument(
        help="mesh file: msh, vtk, vtu, mesh, obj, ply, off or stl; one with motion: abc, usd, glb ...; or the name of a shape"
    ),
]
Object: TypeAlias = Annotated[
    str | None,
    typer.Option("--object", metavar="NAME", help="which object of a file with motion; its first frame is shown"),
]
Settings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="an option of the shape, such as size=large; may be given several times"
    ),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="print the report as one JSON document")]
Repair: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--repair",
        help="merge vertices in one place, remove faces without area and copies, turn faces outwards, close small holes",
    ),
]
HoleSize: TypeAlias = Annotated[
    float | None, typer.Option(help="largest hole that --repair closes, as a part of the diagonal; default: 0.2")
]
Tetrahedralise: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="OUT", help="fill the closed surface with tets and write them to OUT")
]
EdgeLength: TypeAlias = Annotated[
    float | None, typer.Option(help="largest edge of the tets [m]; default: a twentieth of the diagonal")
]
Envelope: TypeAlias = Annotated[
    float, typer.Option(help="how far the tets may keep from the surface, as a fraction of the diagonal")
]
Group: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=KIND:...",
        help="name vertices: NAME=box:x0,y0,z0,x1,y1,z1, NAME=sphere:x,y,z,r, NAME=plane:x,y,z,nx,ny,nz, "
        "NAME=nearest:x,y,z[:count], NAME=vertices:3,17 or NAME=expression:X < 0.1; may be given several times",
    ),
]
Cage: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--cage", help="make a cage of tets around a surface of any kind: open, in parts, crossing itself, flat"
    ),
]
Cells: TypeAlias = Annotated[int | None, typer.Option(help="cells of the cage along its longest side; default: 12")]
CellSize: TypeAlias = Annotated[float | None, typer.Option("--size", help="length of a cell of the cage [m]")]
Inside: TypeAlias = Annotated[
    str | None,
    typer.Option(help="cells of the cage beside those the surface touches: enclosed (default), winding or hollow"),
]
Smooth: TypeAlias = Annotated[bool, typer.Option("--smooth", help="move the boundary of the cage towards the surface")]
KeepApart: TypeAlias = Annotated[
    bool, typer.Option("--keep-apart", help="a cage of its own for each part of the surface that touches no other")
]
Write: TypeAlias = Annotated[
    Path | None, typer.Option("--write", "-o", metavar="OUT", help="write the mesh to OUT, in any format")
]
Picture: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="draw the mesh, its groups and its open edges to FILE (png, svg)"),
]
Up: TypeAlias = Annotated[str, typer.Option(help="axis that points up in the picture: x, y or z")]
DropUnreferenced: TypeAlias = Annotated[bool, typer.Option(help="remove vertices that no element uses")]
