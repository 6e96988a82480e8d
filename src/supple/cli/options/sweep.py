"""Options of `supple sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Scene: TypeAlias = Annotated[
    str | None, typer.Argument(help="Name of a shipped scene, a path to its .toml file, or to a sweep.toml.")
]
Vary: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUES", help="V1,V2,... or START:STOP:COUNT[:log]; repeats."),
]
Paired: TypeAlias = Annotated[bool, typer.Option("--together", help="Pair values by their place, not each with each.")]
Sample: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Draw so many points from the ranges.")]
Sampling: TypeAlias = Annotated[
    str | None, typer.Option(help="How: latin, sobol, or saltelli for sensitivities.", show_default="latin")
]
Seed: TypeAlias = Annotated[int | None, typer.Option(min=0, help="Of the samples.", show_default="0")]
Measured: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]EXPRESSION",
        help="Figures of each run: COLUMN@PLACE, GROUP.y@PLACE and arithmetic of these, such as sag=right.y@min or "
        "loss=1-total@end/total@start. PLACE: start, end, max, min, mean, sum, drift, time-of-max. Repeats.",
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeats.")
]
Steps: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")]
Workers: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Processes; default: cores over --threads.")]
Threads: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Threads of each run.", show_default="1")]
Scheduler: TypeAlias = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Of a running Dask cluster.")]
Collecting: TypeAlias = Annotated[
    bool, typer.Option("--collect", help="Workers share no folder with this machine: bring their runs here.")
]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace the sweep that is in the folder.")]
Resume: TypeAlias = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Go on with the sweep in FOLDER.")]
Again: TypeAlias = Annotated[bool, typer.Option("--retry-failed", help="Start failed runs again.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="List the runs and leave.")]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="More than 10,000 runs are meant.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")]
