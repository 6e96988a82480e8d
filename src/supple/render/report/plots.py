"""Panels as HTML: a figure for each, its data in shared columns, and the script that draws them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

import numpy as np

from supple.escaping import embedded
from supple.escaping import markup as escape
from supple.render.report.panels import Curve, Panel, Values
from supple.render.report.static_plot import picture

SCRIPTS = ("axis.js", "paint.js", "plot.js", "draw.js", "start.js")


class Columns:
    """Arrays of the page by name; equal ones are kept once."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def add(self, values: Values) -> str:
        """Name under which an array is stored."""
        kind = "f4" if values.dtype == np.float32 else "f8"
        data = base64.b64encode(np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()).decode()
        return self._names.setdefault(f"{kind}:{data}", f"c{len(self._names)}")

    def markup(self) -> str:
        """All of them, as base64 of little-endian values, preceded by their type."""
        return _json({name: text for text, name in self._names.items()}, ' id="columns"')


def plots(panels: Iterable[Panel], columns: Columns) -> str:
    """Figures in a grid."""
    figures = "\n".join(_figure(panel, columns) for panel in panels)
    return f'<div class="plots">\n{figures}\n</div>' if figures else ""


def resource(name: str, package: str = "supple.render.report") -> str:
    """A file that stands beside the modules of a package."""
    return (files(package) / name).read_text(encoding="utf-8")


def script() -> str:
    """The script that draws the figures, in its own scope."""
    return "<script>\n(() => {\n" + "\n".join(map(resource, SCRIPTS)) + "})();\n</script>"


def _figure(panel: Panel, columns: Columns) -> str:
    note = f"<span>{escape(panel.note)}</span>" if panel.note else ""
    data: dict[str, Any] = {
        "title": panel.title,
        "across": panel.across,
        "acrossUnit": panel.across_unit,
        "up": panel.up,
        "unit": panel.unit,
        "scale": panel.scale,
        "linear": panel.linear,
        "limits": panel.limits,
        "bars": panel.bars,
        "curves": [_curve(curve, columns) for curve in panel.curves],
    }
    alternative = escape(f"{panel.title}: {panel.up} over {panel.across}")
    return (
        f'<figure class="plot" id="plot-{escape(panel.name)}"><figcaption>{escape(panel.title)}{note}</figcaption>\n'
        f'{_json(data)}\n<noscript><img alt="{alternative}" src="{picture(panel)}"></noscript>\n</figure>'
    )


def _curve(curve: Curve, columns: Columns) -> dict[str, Any]:
    return {
        "label": curve.label,
        "colour": curve.stroke.colour,
        "dashes": curve.stroke.dashes,
        "width": curve.width,
        "sign": curve.sign,
        "x": columns.add(curve.x),
        "y": columns.add(curve.y),
    }


def _json(data: Any, attributes: str = "") -> str:
    # a title containing </script> must not end the script
    text = embedded(json.dumps(data, allow_nan=False, separators=(",", ":")))
    return f'<script type="application/json"{attributes}>{text}</script>'
