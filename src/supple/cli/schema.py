"""`supple schema`: scene files and sweep files as JSON schema, for editors that complete and check TOML."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    of_sweep: Annotated[bool, typer.Option("--sweep", help="Schema of a sweep file.")] = False,
) -> None:
    """Print the JSON schema of a scene file, or of a sweep file."""
    import json

    from supple.scene.tables.scene import json_schema

    if of_sweep:
        from supple.sweeps.sweep_file import SweepFile

        typer.echo(json.dumps(SweepFile.model_json_schema(), indent=2))
    else:
        typer.echo(json.dumps(json_schema(), indent=2))
