"""`supple scenes`: list the shipped scenes."""

from __future__ import annotations

from typing import Annotated, Any

import typer


def scenes(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")] = False,
) -> None:
    """List the shipped scenes; run one with `supple run NAME`."""
    import json

    rows = gather()
    if as_json:
        typer.echo(json.dumps(rows))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("name", "integrator", "bodies", "title"):
        table.add_column(title, justify="right" if title == "bodies" else "left", no_wrap=title != "title")
    for row in rows:
        table.add_row(row["name"], row["integrator"], str(row["bodies"]), row["title"])
    Console(markup=False, highlight=False).print(table)


def gather() -> list[dict[str, Any]]:
    """Name, title, integrator and number of bodies of each shipped scene."""
    from supple.scene.text.load import load_scene
    from supple.scene.text.shipped import shipped_scenes

    found = []
    for name in shipped_scenes():
        scene = load_scene(name)
        method = scene.integrator.label
        found.append({"name": name, "title": scene.title, "integrator": method, "bodies": len(scene.body)})
    return found
