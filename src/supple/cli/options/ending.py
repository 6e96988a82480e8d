"""Options of `supple run` on how a run begins, when it ends, and what is made of it."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Separate: TypeAlias = Annotated[
    bool, typer.Option("--separate", help="Move bodies apart that start in each other or in an obstacle.")
]
WithReport: TypeAlias = Annotated[
    bool, typer.Option("--report", help="Write a page about the run, report.html, into its folder.")
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="End the run at a step that is not what the method promises, or doubtful.")
]
TimeLimit: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="Stop in order after such a time: 90s, 10m, 2h; exits with 3.")
]
MemoryLimit: TypeAlias = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Stop where more memory is needed: 500MiB, 4GiB; exits with 3.")
]
Check: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Exit with 1 if the run is not what the scene's [expect] tables say.")
]
