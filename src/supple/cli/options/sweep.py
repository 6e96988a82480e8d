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
    typer.Option(metavar="KEY=VALUES", help="V1,V2,... or START:STOP:COUNT[:log]; repeatable."),
]
Paired: TypeAlias = Annotated[
    bool, typer.Option("--together", help="Pair values by position, instead of all combinations.")
]
Sample: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Sample this many points from the ranges.")]
Sampling: TypeAlias = Annotated[
    str | None, typer.Option(help="Sampling method: latin, sobol, or saltelli for sensitivities.", show_default="latin")
]
Seed: TypeAlias = Annotated[int | None, typer.Option(min=0, help="Seed of the samples.", show_default="0")]
Measured: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]EXPRESSION",
        help="Measures of each run: COLUMN@PLACE, GROUP.y@PLACE and arithmetic of these, such as sag=right.y@min or "
        "loss=1-total@end/total@start. PLACE: start, end, max, min, mean, sum, drift, time-of-max. Repeatable.",
    ),
]
Settings: TypeAlias = Annotated[
    list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
]
Steps: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")]
Workers: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Processes; default: cores divided by --threads.")]
Threads: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Threads per run.", show_default="1")]
Scheduler: TypeAlias = Annotated[str | None, typer.Option(metavar="ADDRESS", help="Address of a running Dask cluster.")]
Collecting: TypeAlias = Annotated[
    bool, typer.Option("--collect", help="Transfer the runs from workers that share no folder with this machine.")
]
Out: TypeAlias = Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")]
Overwrite: TypeAlias = Annotated[bool, typer.Option("--overwrite", help="Replace an existing sweep in the folder.")]
Resume: TypeAlias = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Continue the sweep in FOLDER.")]
Again: TypeAlias = Annotated[bool, typer.Option("--retry-failed", help="Repeat failed runs.")]
DryRun: TypeAlias = Annotated[bool, typer.Option("--dry-run", help="List the runs and exit.")]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", help="Confirm a sweep of more than 10,000 runs.")]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")]
