"""Charts of the pages for developers: the times of `make test`, and the plug points along the data flow. See draw_flows.py."""

from __future__ import annotations

from draw_layers import box, svg, text

BLUE, GREEN, YELLOW, RED, GREY = "#dbe7f6", "#d9efe2", "#fbe9c8", "#f7d9d3", "#e8e8e8"
TIMES = (
    ("install", 0.0, 40.0, (0, 1), GREY),
    ("lint, types, imports", 40.0, 138.0, (0,), BLUE),
    ("kernels", 40.0, 138.0, (1,), YELLOW),
    ("tests of the first process", 138.0, 414.0, (0,), GREEN),
    ("tests of the second process", 138.0, 414.0, (1,), GREEN),
)
"""Parts of `make test` in a fresh clone: name, start and end [s], cores, colour. The figures of docs/develop/testing.md."""
PLUGS = (
    ("scene file", ("scene table",)),
    ("World", ("mesh shape", "obstacle shape", "material", "membrane law", "structure")),
    ("System", ("energy of the world", "energy term", "field", "damping", "constraint")),
    ("steps", ("integrator", "tableau", "coupled stages", "wrapper", "transfer of points")),
    ("results", ("exporter", "analysis", "panel of the gallery")),
)
"""Stations of the data, each with the kinds of classes that a plugin may add there."""


def times_of_the_tests() -> str:
    """Bars of both cores over minutes."""
    left, wide, high, top = 76.0, 720.0, 44.0, 40.0
    scale = wide / (7.2 * 60)
    parts = [text(left / 2, top + (k + 0.5) * (high + 8), f"core {k + 1}") for k in range(2)]
    for name, start, end, cores, colour in TIMES:
        y, height = top + cores[0] * (high + 8), len(cores) * (high + 8) - 8
        parts.append(box(left + start * scale, y, (end - start) * scale - 3, height, colour))
        parts.append(text(left + (start + end) / 2 * scale - 1, y + height / 2 + 4.5, name))
    bottom = top + 2 * (high + 8)
    parts.append(f'<path d="M{left:g} {bottom:g}h{wide:g}" stroke="#222"/>')
    for minute in range(8):
        x = left + 60 * minute * scale
        parts.append(f'<path d="M{x:g} {bottom:g}v5" stroke="#222"/>')
        parts.append(text(x, bottom + 20, str(minute), 'font-size="12"'))
    parts.append(text(left + wide / 2, bottom + 38, "minutes", 'font-size="12"'))
    parts.append(text(left + wide / 2, 22, "make test in a fresh clone, two cores", 'font-weight="bold"'))
    return svg(left + wide + 16, bottom + 50, parts, "Times of make test in a fresh clone")


def plug_points() -> str:
    """The data flow as a row of boxes, below each the kinds of plugins."""
    wide, high, gap, row = 140.0, 42.0, 30.0, 34.0
    parts = []
    for k, (station, kinds) in enumerate(PLUGS):
        x, middle = 12 + k * (wide + gap), 12 + k * (wide + gap) + wide / 2
        parts += [box(x, 12, wide, high, BLUE), text(middle, 12 + high / 2 + 4.5, station, 'font-weight="bold"')]
        if k + 1 < len(PLUGS):
            arrow = f"M{x + wide + 4:g} {12 + high / 2:g}h{gap - 8:g}m-7 -5l7 5l-7 5"
            parts.append(f'<path d="{arrow}" fill="none" stroke="#222"/>')
        first = 12 + high + 34
        up = f"M{middle:g} {first - 4:g}V{12 + high + 4:g}m-5 7l5 -7l5 7"
        parts.append(f'<path d="{up}" fill="none" stroke="#222"/>')
        for i, kind in enumerate(kinds):
            y = first + i * row
            parts += [box(x, y, wide, row - 6, YELLOW), text(middle, y + 18.5, kind)]
    rows = max(len(kinds) for _, kinds in PLUGS)
    width = 24 + len(PLUGS) * wide + (len(PLUGS) - 1) * gap
    return svg(width, 12 + high + 34 + rows * row + 6, parts, "Plug points along the data flow")
