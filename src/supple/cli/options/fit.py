"""Options of `supple gradient` and `supple fit`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Scene: TypeAlias = Annotated[str, typer.Argument(help="Name of a shipped scene, or a path to its .toml file.")]
Of: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="QUANTITY",
        help="COLUMN@TIME or GROUP.x@TIME (.y, .z, .vx, .vy, .vz), such as elastic@0.5 or right.y@1.0; "
        "without a time, at the end.",
    ),
]
By: TypeAlias = Annotated[
    list[str], typer.Option(metavar="KEY,KEY", help="Numbers of the scene, such as body[0].material.young; repeats.")
]
Check: TypeAlias = Annotated[bool, typer.Option("--check", help="Compare with central differences of whole runs.")]
Wanted: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--unknown", metavar="KEY[:log][:each][:LOW,HIGH]", help="A number of the scene that is looked for; repeats."
    ),
]
Followed: TypeAlias = Annotated[
    str | None,
    typer.Option("--follow", metavar="GROUP", help="The mean of this group follows the target; all: every vertex."),
]
Lost: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--loss",
        metavar="EXPR",
        help="What is made small: follow(GROUP, target), hit(GROUP, (x, y, z), at=TIME), pose(target), "
        "energy_at(COLUMN, VALUE, at=TIME), highest(GROUP, HEIGHT), roughness(KEY); sums, with numbers before them.",
    ),
]
Aim: TypeAlias = Annotated[
    str | None, typer.Option("--target", metavar="FILE|RUN", help="A .csv (t,x,y,z), an .npz (t, x), or a run folder.")
]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")]
Settings: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeats.")
]
Keep: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Keep a checkpoint at every N-th step only, not all states: less memory.")
]
MaxSteps: TypeAlias = Annotated[int, typer.Option(min=1, help="Steps of the search over all of the time.")]
Filmed: TypeAlias = Annotated[
    bool, typer.Option("--film", help="A film of the fit too, beside the target if that is a run.")
]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace the fit that is in the folder.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")]
