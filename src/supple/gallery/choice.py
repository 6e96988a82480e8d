"""Selection of panels: all, those of a source, or individual ones by identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence

from supple.errors import SuppleError, did_you_mean
from supple.gallery.panel import PANELS, SOURCES, Panel


def choose(words: Sequence[str]) -> list[type[Panel]]:
    """Panels in the order of the sources; all of them without arguments."""
    PANELS.load()
    panels = sorted(PANELS.values(), key=place)
    by_id = {id.lower(): panel for panel in panels for id in (panel.name, *panel.also)}
    if not words:
        return panels
    chosen: set[type[Panel]] = set()
    for word in words:
        if word.upper() in SOURCES:
            chosen.update(panel for panel in panels if panel.name.startswith(word.upper()))
        elif word.lower() in by_id:
            chosen.add(by_id[word.lower()])
        else:
            ids = [id for panel in panels for id in (panel.name, *panel.also)]
            raise SuppleError(
                f"unknown panel '{word}'{did_you_mean(word, [*ids, *SOURCES])} give identifiers or sources "
                f"({', '.join(SOURCES)}); `supple gallery --list` names all panels"
            )
    return [panel for panel in panels if panel in chosen]


def place(panel: type[Panel]) -> tuple[object, ...]:
    """Sort key: by source, numbered figures first, then tables and claims."""
    source, rest = panel.name[0], panel.name[1:]
    parts = [int(part) if part.isdecimal() else 0 for part in re.findall(r"\d+", rest)]
    return list(SOURCES).index(source), rest.startswith("-"), parts if rest[0].isdigit() else [], rest
