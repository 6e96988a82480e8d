"""The page of a gallery: contents by source, a row per panel, and a summary. It works offline."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from supple import __version__
from supple.escaping import markup as escape
from supple.gallery.page.errata import NAME as ERRATA
from supple.gallery.page.errata import errata_page
from supple.gallery.page.rows import css_class, row
from supple.gallery.panel import SOURCES, Panel
from supple.gallery.tally import alarms, counts
from supple.gallery.tour import Tour
from supple.gallery.verdicts import Verdict
from supple.recording.files import replace_bytes
from supple.render.report.markup import paragraph
from supple.render.report.plots import resource

NAME = "index.html"
HERE = "supple.gallery.page"


def write_page(tour: Tour) -> Path:
    """Write the page of finished panels into the folder of the gallery."""
    file = tour.root / NAME
    replace_bytes(file, page(tour).encode())
    replace_bytes(tour.root / ERRATA, errata_page().encode())
    return file


def page(tour: Tour) -> str:
    shown = [panel for panel in tour.panels if panel.name in tour.outcomes]
    css = resource("page.css") + resource("gallery.css", HERE)
    title = "supple: gallery of the sources"
    parts = [
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>',
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>\n{css}</style>\n</head>\n<body>',
        f"<header><h1>The gallery</h1>{paragraph(_words(tour), 'quiet')}{_summary(tour)}{_alarms(tour)}</header>",
        _contents(shown),
        "<main>",
    ]
    for letter, some in groupby(shown, key=lambda panel: panel.name[0]):
        parts.append(f'<section id="{letter}"><h2>{letter}: {escape(SOURCES[letter])}</h2>')
        parts += [row(panel, tour.outcomes[panel.name]) for panel in some]
        parts.append("</section>")
    foot = f'<p>Written by supple {escape(__version__)}. <a href="{ERRATA}">Errata</a> of the printed formulas.</p>'
    script = f"<script>\n{resource('filter.js', HERE)}</script>"
    return "\n".join([*parts, f"</main>\n<footer>{foot}</footer>\n{script}\n</body>\n</html>\n"])


def _words(tour: Tour) -> str:
    size = "the sizes of the sources" if tour.full else "small bodies"
    waiting = len(tour.left)
    more = f" {waiting} panels are not finished; run the same command again to continue." if waiting else ""
    return (
        f"Claims of five sources, compared with measurements of supple, for {size}. "
        f"The bounds of each panel decide its verdict.{more}"
    )


def _summary(tour: Tour) -> str:
    found = counts(tour)
    cards = "".join(
        f'<div class="{css_class(verdict)}"><dt><button type="button" value="{css_class(verdict)}" aria-pressed="false">'
        f"{escape(verdict)}</button></dt><dd>{found[verdict]}</dd></div>"
        for verdict in Verdict
        if found[verdict] or verdict is not Verdict.FAILED
    )
    minutes = sum(outcome.seconds for outcome in tour.outcomes.values()) / 60
    return f'<dl class="cards">{cards}<div><dt>minutes of one core</dt><dd>{minutes:.1f}</dd></div></dl>'


def _alarms(tour: Tour) -> str:
    return "".join(paragraph(text, "warning") for text in alarms(tour))


def _contents(shown: Iterable[type[Panel]]) -> str:
    lists = []
    for letter, some in groupby(shown, key=lambda panel: panel.name[0]):
        links = " ".join(
            f'<a href="#{escape(panel.name)}" title="{escape(panel.title)}">{escape(", ".join((panel.name, *panel.also)))}</a>'
            for panel in some
        )
        lists.append(f'<li><a href="#{letter}">{letter}</a> {links}</li>')
    return f'<nav aria-label="Contents"><ul>{"".join(lists)}</ul></nav>'
