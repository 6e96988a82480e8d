"""Options of `supple render`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Folder: TypeAlias = Annotated[Path, typer.Argument(help="Folder of a run, or of a sweep.")]
To: TypeAlias = Annotated[
    Path, typer.Option(metavar="FILE", help="File to write: .mp4, .gif, .png, or many: frames.%04d.png.")
]
With: TypeAlias = Annotated[
    list[Path] | None, typer.Option("--with", metavar="FOLDER", help="Another run beside it; repeats.")
]
Columns: TypeAlias = Annotated[
    str | None, typer.Option(metavar="KEY", help="Key of a sweep whose values are the columns of its sheet.")
]
Rows: TypeAlias = Annotated[str | None, typer.Option(metavar="KEY", help="Likewise for rows.")]
Fps: TypeAlias = Annotated[
    float | None, typer.Option(help="Pictures for each second of the film.", show_default="30, of a GIF 20")
]
Slow: TypeAlias = Annotated[
    float | None, typer.Option(help="Slow motion: seconds of the film for each second of motion.")
]
Start: TypeAlias = Annotated[float | None, typer.Option(help="Begin at this time [s].")]
Stop: TypeAlias = Annotated[float | None, typer.Option(help="End at this time [s].")]
Time: TypeAlias = Annotated[
    str | None, typer.Option(help="Time of a .png [s]; several in a row: 0,0.2,1.", show_default="the end")
]
Size: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="WxH", help="Pixels of a picture, or of each cell of a sheet.", show_default="960x540, cells 240x180"
    ),
]
Camera: TypeAlias = Annotated[
    str,
    typer.Option(
        help="front, side, top, iso; azimuth,elevation[,zoom]; orbit:azimuth,elevation[,distance factor]; "
        "'at=x,y,z to=x,y,z fov=degrees'; or a camera of a file: shot.usda[:/path], shot.glb[:name]."
    ),
]
Turntable: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Camera around the bodies, once in so many seconds of the film."),
]
Look: TypeAlias = Annotated[
    str,
    typer.Option(
        help="scientific, clay, jelly, rubber, cloth, energy, or material: each body by its own. auto: material for scenes of "
        "words that expect no figures, else scientific."
    ),
]
Captions: TypeAlias = Annotated[
    bool | None,
    typer.Option("--captions/--no-captions", help="Labels, clock and colour bar.", show_default="on if scientific"),
]
Colour: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Colours show energy (strain), speed, or none: each body has its own.", show_default="that of the look"
    ),
]
ColourTop: TypeAlias = Annotated[
    float | None,
    typer.Option(help="End of the colour scale [SI units].", show_default="95 % of all values are below"),
]
Coarse: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--coarse", "--cage", help="Bodies as they were simulated, not the fine surfaces that they carry or stand for."
    ),
]
Surface: TypeAlias = Annotated[
    bool, typer.Option("--surface", help="Clouds of points by the surface around them, not as balls.")
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Processes that draw.", show_default="one for each processor")
]
Scheduler: TypeAlias = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Of a running Dask cluster, whose workers draw.")
]
Renderer: TypeAlias = Annotated[str, typer.Option(help="auto, vtk, or plain, which works without GL.")]
Labels: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="TEXT", help="Instead of title and method; one for each run, repeats."),
]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace the file.")]
