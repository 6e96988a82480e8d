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
    list[str],
    typer.Option(metavar="KEY,KEY", help="Parameters of the scene, such as body[0].material.young; repeatable."),
]
Check: TypeAlias = Annotated[bool, typer.Option("--check", help="Compare with central differences of entire runs.")]
Wanted: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--unknown", metavar="KEY[:log][:each][:LOW,HIGH]", help="An unknown parameter of the scene; repeatable."
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
        help="Objective to minimise: follow(GROUP, target), hit(GROUP, (x, y, z), at=TIME), pose(target), "
        "energy_at(COLUMN, VALUE, at=TIME), highest(GROUP, HEIGHT), roughness(KEY); sums of these, with weights.",
    ),
]
Aim: TypeAlias = Annotated[
    str | None, typer.Option("--target", metavar="FILE|RUN", help="A .csv (t,x,y,z), an .npz (t, x), or a run folder.")
]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")]
Settings: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
]
Keep: TypeAlias = Annotated[
    int | None, typer.Option(min=1, help="Keep a checkpoint every N steps instead of all states, to save memory.")
]
MaxSteps: TypeAlias = Annotated[
    int, typer.Option(min=1, help="Largest number of optimisation steps over the full duration.")
]
Filmed: TypeAlias = Annotated[
    bool, typer.Option("--film", help="Also render a film of the fit, beside the target if that is a run.")
]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace an existing fit in the folder.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")]
