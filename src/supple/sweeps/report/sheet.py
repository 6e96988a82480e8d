"""The contact sheet as HTML: a picture for each run, which a script moves over time, and its name."""

from __future__ import annotations

from supple.escaping import markup as escape
from supple.render.report.markup import number, paragraph
from supple.sweeps.manifest import State
from supple.sweeps.report.gather import Entry, Gathered
from supple.sweeps.report.strips import GRADES


def sheet(found: Gathered) -> str:
    """All runs, and the legend of their pictures."""
    tiles = "\n".join(map(_tile, found.entries))
    return f'<div id="sheet" class="flow">\n{tiles}\n</div>\n{_meaning(found)}'


def geometry(found: Gathered) -> str:
    """Geometry of the strips for the style sheet: number of pictures, first one shown, and aspect ratio."""
    count = len(found.times)
    return f"--count:{count};--at:{count - 1};--ratio:{found.grade.width}/{found.grade.height}"


def _tile(entry: Entry) -> str:
    row = entry.row
    name = escape(f"run {row.index}: {entry.label}, {row.state.value}")
    picture = f' style="background-image:url({entry.strip})"' if entry.strip else ""
    words = "" if row.state is State.FINISHED and entry.strip else f"<span>{escape(_words(entry))}</span>"
    return (
        f'<figure class="tile" data-run="{row.index}" data-state="{row.state.value}">'
        f'<button type="button" class="shot" aria-label="{name}"{picture}>{words}</button>'
        f'<figcaption><label title="Keep this run"><input type="checkbox" class="keep" aria-label="keep run {row.index}">'
        f"<b>{row.index}</b></label> {escape(entry.label)}</figcaption></figure>"
    )


def _words(entry: Entry) -> str:
    row = entry.row
    if row.error:
        return f"{row.state.value}: {row.error}"
    if row.state is State.FINISHED:
        return "no pictures were recorded"
    return row.state.value if entry.end is None else f"{row.state.value}, recorded up to {entry.end:.3g} s"


def _meaning(found: Gathered) -> str:
    if found.colouring is None:
        return paragraph("No run has recorded a picture yet.", "quiet")
    top = number(found.colouring.top, found.colouring.unit)
    text = (
        f"Colour: strain energy density, from blue (0) to red ({top} and more), on the same scale and from the same viewpoint "
        "in all pictures."
    )
    if found.grade != GRADES[0]:
        text += (
            f" To fit {len(found.entries)} runs on a page, each has {found.grade.moments} pictures of "
            f"{found.grade.width} x {found.grade.height} pixels."
        )
    return paragraph(text, "quiet")
