"""Options of `supple render`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Folder: TypeAlias = Annotated[Path, typer.Argument(help="Folder of a run, or of a sweep.")]
To: TypeAlias = Annotated[
    Path, typer.Option(metavar="FILE", help="File to write: .mp4, .gif, .png, or numbered pictures: frames.%04d.png.")
]
With: TypeAlias = Annotated[
    list[Path] | None, typer.Option("--with", metavar="FOLDER", help="Another run beside it; repeatable.")
]
Columns: TypeAlias = Annotated[
    str | None, typer.Option(metavar="KEY", help="Sweep key for the columns of the contact sheet.")
]
Rows: TypeAlias = Annotated[
    str | None, typer.Option(metavar="KEY", help="Sweep key for the rows of the contact sheet.")
]
Fps: TypeAlias = Annotated[
    float | None, typer.Option(help="Frames per second of film.", show_default="30, for a GIF 20")
]
Slow: TypeAlias = Annotated[float | None, typer.Option(help="Slow motion: seconds of film per second of motion.")]
Start: TypeAlias = Annotated[float | None, typer.Option(help="Begin at this time [s].")]
Stop: TypeAlias = Annotated[float | None, typer.Option(help="End at this time [s].")]
Time: TypeAlias = Annotated[
    str | None, typer.Option(help="Time shown in a .png [s]; several side by side: 0,0.2,1.", show_default="the end")
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
        "'at=x,y,z to=x,y,z fov=degrees'; or a camera from a file: shot.usda[:/path], shot.glb[:name]."
    ),
]
Turntable: TypeAlias = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS", help="Orbit the camera around the bodies, one revolution in this many seconds of film."
    ),
]
Look: TypeAlias = Annotated[
    str,
    typer.Option(
        help="scientific, clay, jelly, rubber, cloth, energy, or material: each body by its material. auto: material for scenes "
        "that use presets and expect no figures, otherwise scientific."
    ),
]
Captions: TypeAlias = Annotated[
    bool | None,
    typer.Option("--captions/--no-captions", help="Labels, clock and colour bar.", show_default="on if scientific"),
]
Colour: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Colours show energy (strain), speed, or none: one colour per body.", show_default="set by the look"
    ),
]
ColourTop: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Upper end of the colour scale [SI units].", show_default="95th percentile"),
]
Coarse: TypeAlias = Annotated[
    bool,
    typer.Option("--coarse", "--cage", help="Show the simulated meshes instead of embedded or replaced fine surfaces."),
]
Surface: TypeAlias = Annotated[
    bool, typer.Option("--surface", help="Draw point clouds as a surface instead of spheres.")
]
Workers: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Number of drawing processes.", show_default="one per core")
]
Scheduler: TypeAlias = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Address of a running Dask cluster that draws.")
]
Renderer: TypeAlias = Annotated[str, typer.Option(help="auto, vtk, or plain, which needs no OpenGL.")]
Labels: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="TEXT", help="Label instead of title and method; one per run, repeatable."),
]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace the file.")]
