"""The gallery as a page of the documentation: the same rows, with small pictures."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from supple.gallery.outcome import Outcome
from supple.gallery.page.rows import number
from supple.gallery.panel import SOURCES, Panel
from supple.gallery.tally import counts
from supple.gallery.tour import Tour
from supple.gallery.verdicts import Verdict
from supple.gallery.work import desk_of
from supple.recording.files import trouble

WIDTH = 720
"""Pixels of the widest picture."""
COLOURS = 96
HEAD = """---
search:
  boost: 0.5
---
<!-- Written by tools/write_gallery.py from a run of `supple gallery`: `make gallery`. -->
# Gallery

Claims and figures of five sources, compared with our measurements. Each panel is a small program whose bounds decide its
verdict. `supple gallery ID` runs one panel, and `supple gallery` runs all of them on small bodies. `--full` uses the sizes of
the sources. Corrections of printed formulas are listed in the [errata](../theory/errata.md).
"""


def document(tour: Tour) -> str:
    """The page as Markdown; pictures are in `images` beside it."""
    shown = [panel for panel in tour.panels if panel.name in tour.outcomes]
    found = counts(tour)
    parts = [HEAD, f"{len(shown)} panels: " + ", ".join(f"{found[v]} {v.value}" for v in Verdict if found[v]) + ".\n"]
    for letter, some in groupby(shown, key=lambda panel: panel.name[0]):
        parts.append(f"## {letter}: {SOURCES[letter]}\n")
        parts += [_panel(panel, tour.outcomes[panel.name]) for panel in some]
    return "\n".join(parts)


def write_pictures(tour: Tour, folder: Path) -> None:
    """Small copies of all pictures; those of an older gallery are removed."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    for name, outcome in tour.outcomes.items():
        for picture in outcome.pictures:
            with Image.open(desk_of(tour.root, name) / picture.still) as image:
                small = image.convert("RGB")
            small.thumbnail((WIDTH, 10 * WIDTH), Image.Resampling.LANCZOS)
            target = folder / f"{name}-{picture.still}"
            try:
                small.quantize(COLOURS).save(target, optimize=True)
            except OSError as error:
                raise trouble(target, "write", error) from error


def _panel(panel: type[Panel], outcome: Outcome) -> str:
    ids = ", ".join((panel.name, *panel.also))
    lines = [f"### {ids}: {panel.title}\n", f"**{outcome.verdict.value}.** {panel.claim}"]
    if panel.because:
        lines.append(f"\n{panel.because}")
    for picture in outcome.pictures:
        lines.append(f"\n![{picture.caption}](images/{panel.name}-{picture.still})\n\n*{picture.caption}*")
    lines.append("\n| measured | figure | bound | printed |\n|---|---|---|---|")
    for f in outcome.figures:
        unit = f" {f.unit}" if f.unit else ""
        cells = f.what, f"{number(f.value)}{unit}", str(f.bound or ""), f.printed
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    command = f"; `{panel.command}`" if panel.command else ""
    lines.append(f"\n{panel.setup}. `supple gallery {panel.name}`{command}\n")
    return "\n".join(lines)
