"""Draws docs/images/layers.svg and docs/images/data-flow.svg: the layers of the package, as pyproject.toml has them, and
the way of the data through a run. Run by `make docs`.

python tools/draw_layers.py
"""

from __future__ import annotations

import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
BANDS = {
    "cli": ("commands and pages", "#dbe7f6"),
    "sweeps": ("runs and scenes", "#d9efe2"),
    "analysis": ("results", "#fbe9c8"),
    "sensitivity": ("time stepping", "#f7d9d3"),
    "integrators": ("physics", "#e6dcf3"),
    "clips": ("meshes and mathematics", "#d7edef"),
    "registry": ("shared by all", "#e8e8e8"),
}
"""First layer of each band, its name and colour."""
FLOW = (
    ("scene file, USD stage,\nPython, live page", "scene · viewer"),
    ("World", "model"),
    ("System + State", "assemble"),
    ("Stage", "integrator"),
    ("Solution", "solver"),
    ("Frame", "loop"),
    ("run folder", "recorder"),
    ("plots, exports,\nfilms, viewer", "render · export"),
)
"""Products of the parts of the program, each with its part."""
STYLE = "font-family:sans-serif;font-size:13px"


def layers() -> list[list[str]]:
    """Names of the packages, from the highest layer to the lowest."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (contract,) = [c for c in contracts if c["type"] == "layers"]
    return [[name.strip().removeprefix("supple.") for name in layer.split("|")] for layer in contract["layers"]]


def text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="#222" {more}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" fill="{colour}" stroke="#555"/>'


def svg(width: float, height: float, parts: list[str], title: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" style="{STYLE}">'
    )
    paper = f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""])


def map_of_layers() -> str:
    """One row per layer; packages of a layer stand side by side."""
    width, row, left = 560.0, 28.0, 170.0
    parts, colour, y = [], "#fff", 12.0
    for names in layers():
        band = next((BANDS[name] for name in names if name in BANDS), None)
        if band:
            y += 8
            colour = band[1]
            parts.append(text(80, y + 17, band[0], 'font-weight="bold"'))
        each = width / len(names)
        for k, name in enumerate(names):
            parts += [
                box(left + k * each, y, each - 4, row - 4, colour),
                text(left + (k + 0.5) * each - 2, y + 16, name),
            ]
        y += row
    arrow = left + width + 14
    parts.append(f'<path d="M{arrow:g} 20V{y - 8:g}m-5 -8l5 8l5 -8" fill="none" stroke="#222"/>')
    parts.append(text(arrow + 12, y / 2, "imports", f'transform="rotate(90 {arrow + 12:g} {y / 2:g})"'))
    return svg(left + width + 44, y + 8, parts, "Layers of supple: imports go downwards only")


def walk_of_data() -> str:
    """Two rows of boxes, joined by arrows with the name of the part that makes the next one."""
    wide, high, gap, down = 150.0, 48.0, 56.0, 110.0
    parts = []
    half = len(FLOW) // 2
    for k, (thing, maker) in enumerate(FLOW):
        column, line = k % half, k // half
        x, y = 12 + column * (wide + gap), 28 + line * down
        parts.append(box(x, y, wide, high, list(BANDS.values())[min(k, 6)][1]))
        lines = thing.split("\n")
        parts += [text(x + wide / 2, y + 29 + 16 * (i - (len(lines) - 1) / 2), w) for i, w in enumerate(lines)]
        parts.append(text(x + wide / 2, y - 7, maker, 'font-style="italic" font-size="12"'))
        if column < half - 1:
            parts.append(
                f'<path d="M{x + wide + 4:g} {y + 24:g}h{gap - 8:g}m-7 -5l7 5l-7 5" fill="none" stroke="#222"/>'
            )
    turn = 12 + (half - 1) * (wide + gap) + wide / 2
    parts.append(f'<path d="M{turn:g} 80V92H87V114m-5 -7l5 7l5 -7" fill="none" stroke="#222"/>')
    return svg(
        2 * 12 + half * wide + (half - 1) * gap, 28 + down + high + 14, parts, "The way of the data through a run"
    )


PICTURES = {"layers.svg": map_of_layers, "data-flow.svg": walk_of_data}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
