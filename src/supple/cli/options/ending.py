"""Options of `supple run` for the start of a run, its end conditions and its report."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Separate: TypeAlias = Annotated[
    bool, typer.Option("--separate", help="Separate bodies that initially overlap each other or an obstacle.")
]
WithReport: TypeAlias = Annotated[
    bool, typer.Option("--report", help="Write a page about the run, report.html, into its folder.")
]
Strict: TypeAlias = Annotated[
    bool, typer.Option("--strict", help="End the run at a step that is doubtful or violates a guarantee of the method.")
]
TimeLimit: TypeAlias = Annotated[
    str | None, typer.Option(metavar="TIME", help="Stop cleanly after this wall time: 90s, 10m, 2h; exit code 3.")
]
MemoryLimit: TypeAlias = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Stop when more memory would be needed: 500MiB, 4GiB; exit code 3.")
]
Check: TypeAlias = Annotated[
    bool, typer.Option("--check", help="Exit with code 1 if the run violates an [expect] table of the scene.")
]
