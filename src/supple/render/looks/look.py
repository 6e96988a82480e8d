"""The looks of `--look`: light, backdrop, and material appearance of the bodies."""

from __future__ import annotations

from dataclasses import dataclass

from supple.errors import SuppleError, did_you_mean
from supple.render.looks.feel import CLAY, CLOTH, JELLY, RUBBER, Feel

AUTO = "auto"
"""The look that fits the scenes of the runs."""


@dataclass(frozen=True)
class Look:
    """Lighting and appearance of a film."""

    name: str
    feel: Feel | None = None
    """Feel of all bodies; None: by the material of each."""
    colour: str = "none"
    """Quantity that colours show by default."""
    floor: str = "#ffffff"
    """`#rrggbb` of the backdrop where the light falls on it."""
    wall: str = "#ffffff"
    """`#rrggbb` behind the bodies, at the top of the picture."""
    shaded: bool = True
    light: tuple[float, float] = (0.62, 0.62)
    """Distance of the main light to the left of and towards the viewer, over its height."""


SCIENTIFIC = Look("scientific", colour="energy", shaded=False, light=(0.35, 0.45))
MATERIAL = Look("material", floor="#e6e1d8", wall="#b9b6b0")
"""Chosen for scenes whose bodies use presets."""
LOOKS = {
    look.name: look
    for look in (
        SCIENTIFIC,
        Look("clay", CLAY, floor="#dcd6cd", wall="#a9a49d"),
        Look("jelly", JELLY, floor="#f0ece4", wall="#c6cfce"),
        Look("rubber", RUBBER, floor="#c9cbcb", wall="#8b8e90"),
        Look("cloth", CLOTH, floor="#e3ddd3", wall="#b3aca2"),
        Look("energy", CLAY, colour="energy", floor="#eeeeec", wall="#c8ccd0"),
        MATERIAL,
    )
}


def check_look(word: str) -> str:
    """The name of a look or `auto`, checked."""
    if word != AUTO and word not in LOOKS:
        known = (AUTO, *LOOKS)
        raise SuppleError(f"--look: unknown '{word}'{did_you_mean(word, known)} known: {', '.join(known)}")
    return word
