"""`supple presets`: materials that a scene can name by a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from supple.model.presets.published import Published

TITLES = ("word", "law", "young [Pa]", "poisson", "kg/m^3", "thickness [m]", "loss", "source")


def presets(
    words: Annotated[
        list[str] | None, typer.Argument(help="Words to show in full; all of them in short if absent.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")] = False,
) -> None:
    """List materials by everyday words, with published values and their sources: material = "rubber"."""
    import json

    rows = chosen(words or [])
    if as_json:
        typer.echo(json.dumps([row.figures() for row in rows]))
    elif words:
        typer.echo("\n\n".join(map(described, rows)))
    else:
        _show(rows)


def chosen(words: list[str]) -> list[Published]:
    """The rows of some words, or of all."""
    from supple.errors import SuppleError
    from supple.model.presets.preset import known_word
    from supple.model.presets.published import published

    try:
        return [published()[known_word(word)] for word in words] or list(published().values())
    except ValueError as error:
        raise SuppleError(str(error)) from None


def described(row: Published) -> str:
    """All that is known of a word, a line each."""
    shown = {key: value for key, value in row.figures().items() if value is not None and key != "word"}
    units = {
        "young": "Pa",
        "young_weft": "Pa",
        "density": "kg/m^3",
        "thickness": "m",
        "rigidity": "N m",
        "retardation": "s",
    }
    lines = [f"  {key:<12}{_figure(value)} {units.get(key, '')}".rstrip() for key, value in shown.items()]
    return "\n".join([row.word, *lines])


def _show(rows: list[Published]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in TITLES:
        left = title in ("word", "law", "source")
        table.add_column(title, justify="left" if left else "right", no_wrap=title != "source")
    for row in rows:
        f = row.figures()
        weft = "" if f["young_weft"] is None else f" / {_figure(f['young_weft'])}"
        figures = [f["poisson"], f["density"], f["thickness"], f["loss"]]
        table.add_row(f["word"], f["law"], f"{_figure(f['young'])}{weft}", *map(_figure, figures), f["source"])
    Console(markup=False, highlight=False).print(table)


def _figure(value: Any) -> str:
    if value is None:
        return "-"
    return (
        f"{value:.3g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
        if isinstance(value, float)
        else str(value)
    )
