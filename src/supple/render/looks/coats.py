"""Material appearance of each body and obstacle in a shaded look."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from supple.colours import OBSTACLE
from supple.errors import SuppleError
from supple.model.presets.published import published
from supple.recording.film import Film
from supple.recording.scenery import sound_tables
from supple.render.looks.feel import CLAY, Feel
from supple.render.looks.look import AUTO, LOOKS, MATERIAL, SCIENTIFIC, Look, check_look
from supple.render.looks.words import feel_of

PROP = "#cfc9c0"
"""Colour of obstacles without one in the scene."""


@dataclass(frozen=True)
class Coat:
    """A feel and a colour, `#rrggbb`."""

    feel: Feel
    colour: str


def coats_of(film: Film, look: Look) -> dict[str, Coat]:
    """Coats by part name. Bodies keep the colours of the scene; clay is always grey."""
    tables = scene_tables(film.path.parent)
    described = {str(body.get("name", f"body{k}")): body for k, body in enumerate(tables.get("body", ()))}
    used: dict[str, int] = {}
    coats = {}
    for part in film.parts:
        if part.obstacle:
            coats[part.name] = Coat(CLAY, PROP if part.colour == OBSTACLE else part.colour)
            continue
        body = described.get(part.name, {})
        feel, own = feel_of(word_of(body)) if look.feel is None else (look.feel, None)
        number = used[feel.name] = used.get(feel.name, -1) + 1
        colour = own or feel.palette[number % len(feel.palette)]
        if "colour" in body and look.feel is not CLAY:
            colour = part.colour
        coats[part.name] = Coat(feel, colour)
    return coats


def choose_look(word: str, folders: list[Path]) -> Look:
    """The look of that name. `auto` is the look by materials if every scene has a body made of a preset and expects no
    figures of its run, otherwise the scientific one."""
    if check_look(word) != AUTO:
        return LOOKS[word]
    for folder in folders:
        tables = scene_tables(folder)
        if "expect" in tables or not any(word_of(body) for body in tables.get("body", ())):
            return SCIENTIFIC
    return MATERIAL


def scene_tables(folder: Path) -> Mapping[str, Any]:
    """The scene of the run in a folder; empty if none can be read."""
    file = folder / "scene.toml"
    if not file.is_file():  # reading a pipe would never end
        return {}
    try:
        return sound_tables(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def word_of(body: Mapping[str, Any]) -> str:
    """The material preset of a body, or an empty string."""
    material = body.get("material")
    name = material.get("name") if isinstance(material, Mapping) else material
    try:
        return name if isinstance(name, str) and name in published() else ""
    except SuppleError:
        return ""
