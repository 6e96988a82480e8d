"""`supple schema`: the scene file as JSON schema, for editors that complete and check TOML."""

from __future__ import annotations

import typer


def schema() -> None:
    """Print the JSON schema of a scene file."""
    import json

    from supple.scene.tables.scene import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))
