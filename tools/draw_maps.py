"""Draws the maps of the reference: all commands by task, and all tables of a scene by subject. Run by `make docs`.

python tools/draw_maps.py
"""

from __future__ import annotations

from draw_charts import BLUE, GREEN, GREY, RED, YELLOW
from draw_layers import IMAGES, box, svg, text
from write_cli import commands

from supple.scene.tables.scene import Scene

TASKS = {
    "describe": (GREY, ("new", "scenes", "presets", "mesh", "coarsen", "schema")),
    "simulate": (BLUE, ("run", "compare", "sweep", "live")),
    "look at results": (GREEN, ("view", "render", "loop", "report", "export")),
    "fit and study": (YELLOW, ("fit", "gradient", "analyse", "gallery")),
    "maintain": (RED, ("info", "warm")),
}
"""Colour and commands of each task."""
SUBJECTS = {
    "bodies": (BLUE, ("[[body]]", "body.mesh", "body.material", "body.regions", "body.motion")),
    "forces, obstacles": (GREY, ("[world]", "[[obstacle]]", "[[field]]", "[[damping]]", "[[energy]]")),
    "between bodies": (GREEN, ("[contact]", "[[attachment]]", "[[seam]]", "[[constraint]]")),
    "time stepping": (YELLOW, ("[time]", "[integrator]", "[solver]", "[direction]")),
    "results, limits": (RED, ("[record]", "[expect.NAME]", "[limits]", "plugins")),
}
"""Colour and tables of each subject."""
WIDE, HIGH, ROW = 148.0, 28.0, 34.0


def columns(groups: dict[str, tuple[str, tuple[str, ...]]], title: str, arrows: int) -> str:
    """A column of boxes for each group; arrows join the first columns."""
    parts, gap = [], 22.0
    for k, (name, (colour, words)) in enumerate(groups.items()):
        x = 12 + k * (WIDE + gap)
        parts.append(text(x + WIDE / 2, 26, name, 'font-weight="bold"'))
        if k < arrows:
            parts.append(f'<path d="M{x + WIDE + 2:g} 22h{gap - 4:g}m-6 -4l6 4l-6 4" fill="none" stroke="#222"/>')
        for row, word in enumerate(words):
            y = 42 + row * ROW
            parts += [box(x, y, WIDE, HIGH, colour), text(x + WIDE / 2, y + 18.5, word)]
    rows = max(len(words) for _, words in groups.values())
    return svg(24 + len(groups) * WIDE + (len(groups) - 1) * gap, 48 + rows * ROW, parts, title)


def map_of_commands() -> str:
    """Every command of `supple` once."""
    known = {name.partition(" ")[0] for name, _ in commands()}
    drawn = [name for _, names in TASKS.values() for name in names]
    assert sorted(drawn) == sorted(known), known.symmetric_difference(drawn)
    return columns(TASKS, "Commands of supple by task", 2)


def map_of_tables() -> str:
    """Every table of a scene once."""
    drawn = {word.strip("[]").removesuffix(".NAME") for _, words in SUBJECTS.values() for word in words}
    known = set(Scene.model_fields) - {"title", "description"}
    assert known <= drawn, known - drawn
    return columns(SUBJECTS, "Tables of a scene by subject", 0)


PICTURES = {"commands.svg": map_of_commands, "scene-tables.svg": map_of_tables}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
