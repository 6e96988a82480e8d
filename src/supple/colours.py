"""Colours of bodies and obstacles: named colours for scenes, and the defaults."""

from __future__ import annotations

import re

from supple.errors import SuppleError, did_you_mean

NAMES = {
    "black": "#1f1f1f",
    "white": "#fafafa",
    "grey": "#8c8c8c",
    "silver": "#c4c4c4",
    "red": "#d62f2f",
    "crimson": "#a8202f",
    "orange": "#e8852b",
    "amber": "#e6b13a",
    "yellow": "#f0dc4e",
    "olive": "#8a8f2e",
    "lime": "#9acb3c",
    "green": "#3d9a50",
    "teal": "#2a9d8f",
    "cyan": "#4cc3d9",
    "sky": "#6cb8ea",
    "blue": "#2f6fc4",
    "navy": "#25406e",
    "purple": "#7d4fb3",
    "magenta": "#c2509b",
    "pink": "#eb98b5",
    "brown": "#8a5a3b",
    "tan": "#cfae83",
    "skin": "#e5b79a",
}
"""Colour names and their codes."""

# distinguishable with the common kinds of colour blindness
BODIES = ("#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#4a78c0", "#d55e00", "#e3d33f", "#8a6fbf")
"""Default colours of bodies in their order, repeated cyclically."""
OBSTACLE = "#b5aca0"
"""Default colour of obstacles: more subdued than any body."""
GROUND = "#e2ded6"
"""Default colour of half-spaces that serve as ground."""

_CODE = re.compile(r"#[0-9a-f]{6}")


def colour_code(text: str) -> str:
    """`#rrggbb` in lower case, from a code or from one of NAMES."""
    word = text.strip().lower()
    if _CODE.fullmatch(word):
        return word
    if word not in NAMES:
        raise SuppleError(
            f"unknown colour '{text}'{did_you_mean(word, NAMES)} give #rrggbb (such as #e69f00), or a name: "
            f"{', '.join(NAMES)}"
        )
    return NAMES[word]


def body_colour(number: int) -> str:
    """The default colour of body `number`, counted from 0."""
    return BODIES[number % len(BODIES)]


def rgb(code: str) -> tuple[float, float, float]:
    """Red, green and blue of `#rrggbb`, from 0 to 1, as screens show them (sRGB)."""
    red, green, blue = (int(code[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue
