"""Appearance of material presets."""

from __future__ import annotations

from supple.render.looks.feel import CLAY, CLOTH, JELLY, RUBBER, Feel

WORDS: dict[str, tuple[Feel, str | None]] = {
    "rubber": (RUBBER, None),
    "soft-rubber": (RUBBER, "#a33a2c"),
    "silicone": (RUBBER, "#c98f78"),
    "balloon": (RUBBER, "#b5232f"),
    "jelly": (JELLY, None),
    "steak": (CLAY, "#8e3f38"),
    "muscle": (CLAY, "#9c4b43"),
    "liver": (RUBBER, "#6e2f2b"),
    "fat": (CLAY, "#e6d3a3"),
    "brain": (CLAY, "#d3a79d"),
    "foam": (CLAY, "#e2d9b8"),
    "memory-foam": (CLAY, "#d9dcc9"),
    "sponge": (CLAY, "#d9b64a"),
    "cork": (CLAY, "#b88a5a"),
    "bread": (CLAY, "#cf9f5f"),
    "silk": (CLOTH, None),
    "cotton": (CLOTH, "#d8d2c4"),
    "denim": (CLOTH, "#34547c"),
    "wool": (CLOTH, "#6d6a64"),
    "wool-knit": (CLOTH, "#8c5a48"),
    "nylon": (CLOTH, "#2f7d74"),
    "leather": (RUBBER, "#6b4226"),
    "paper": (CLAY, "#ece7da"),
    "skin": (CLAY, "#d9a88c"),
    "plastic-film": (RUBBER, "#9fb6bf"),
    "aluminium-foil": (RUBBER, "#b9bcc0"),
    "steel-sheet": (RUBBER, "#7f868d"),
}
"""Feel and colour of presets; without a colour, that of the feel's palette. Presets that are not listed look like clay."""


def feel_of(word: str) -> tuple[Feel, str | None]:
    """Feel and colour of this preset."""
    return WORDS.get(word, (CLAY, None))
