"""`supple presets`: material presets that a scene can name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from supple.model.presets.published import Published

TITLES = ("word", "law", "young [Pa]", "poisson", "kg/m^3", "thickness [m]", "loss", "source")
LABELS = {"what": "material", "young_weft": "young, weft"}
"""Labels of values whose key would not be understood."""


def presets(
    words: Annotated[
        list[str] | None, typer.Argument(help="Presets to show in full; default: a short list of all.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document instead of a table.")] = False,
) -> None:
    """List material presets with values and sources; use them in scenes as material = "rubber"."""
    import json

    from supple.cli.output import say

    rows = chosen(words or [])
    if as_json:
        typer.echo(json.dumps([row.figures() for row in rows]))
    elif words:
        say("\n\n".join(map(described, rows)))
    else:
        say("\n".join(_lined_up(rows)))


def chosen(words: list[str]) -> list[Published]:
    """The rows of some presets, or of all."""
    from supple.errors import SuppleError
    from supple.model.presets.preset import known_word
    from supple.model.presets.published import published

    try:
        return [published()[known_word(word)] for word in words] or list(published().values())
    except ValueError as error:
        raise SuppleError(str(error)) from None


def described(row: Published) -> str:
    """All data of a preset, one line each."""
    shown = {key: value for key, value in row.figures().items() if value is not None and key != "word"}
    units = {
        "young": "Pa",
        "young_weft": "Pa",
        "density": "kg/m^3",
        "thickness": "m",
        "rigidity": "N m",
        "retardation": "s",
    }
    lines = [
        f"  {LABELS.get(key, key):<12}{_figure(value)} {units.get(key, '')}".rstrip() for key, value in shown.items()
    ]
    return "\n".join([row.word, *lines])


def _lined_up(rows: list[Published]) -> list[str]:
    """One line per row; the sources at the end may be longer than the terminal is wide."""
    cells = [TITLES, *map(_cells, rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(TITLES))]
    lines = []
    for row in cells:
        left = [f"{cell:<{width}}" for cell, width in zip(row[:2], widths, strict=False)]
        right = [f"{cell:>{width}}" for cell, width in zip(row[2:-1], widths[2:], strict=False)]
        lines.append("  ".join([*left, *right, row[-1]]))
    return lines


def _cells(row: Published) -> tuple[str, ...]:
    f = row.figures()
    young = _figure(f["young"]) + ("" if f["young_weft"] is None else f" / {_figure(f['young_weft'])}")
    rest = (f["poisson"], f["density"], f["thickness"], f["loss"])
    return (f["word"], f["law"], young, *map(_figure, rest), f["source"])


def _figure(value: Any) -> str:
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.4g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")
