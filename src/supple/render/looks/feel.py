"""How surfaces reflect light: matte or glossy, opaque or clear, with a rim or a sheen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Feel:
    """Parameters of a surface; strengths are fractions of the incident light."""

    name: str
    palette: tuple[str, ...]
    """`#rrggbb` of bodies without a colour in the scene, in order."""
    wrap: float = 0.0
    """How far light reaches around an edge: 0 as on plaster, 1 all around."""
    gloss: float = 0.0
    """Strength of the lamps' reflections at normal incidence."""
    edge: float = 0.0
    """The same at grazing incidence."""
    blur: float = 0.5
    """Softness of the reflections' edges: 0 like glass, 1 a soft spot."""
    sheen: float = 0.0
    """Light from fibres that stand off the surface, at grazing incidence."""
    clear: float = 0.0
    """Fraction of the light that is transmitted."""
    depth: float = 0.25
    """Path length in the body, over the size of the film, at which its colour reaches the palette colour."""


CLAY = Feel(
    "clay", ("#c4b2a0", "#b79f8c", "#d0c4b4", "#a99585"), wrap=0.15, gloss=0.03, edge=0.12, blur=1.0, sheen=0.08
)
JELLY = Feel(
    "jelly", ("#cc1233", "#3f9a1e", "#ea8410", "#6a2fb0", "#1488c0"),
    wrap=0.5, gloss=0.6, edge=0.9, blur=0.1, clear=0.78, depth=0.2,
)  # fmt: skip
RUBBER = Feel(
    "rubber", ("#33373c", "#7c2a26", "#274a63", "#4f5a34"), wrap=0.1, gloss=0.16, edge=0.55, blur=0.6, sheen=0.03
)
CLOTH = Feel(
    "cloth", ("#a8324a", "#2f5d7c", "#c99a3e", "#5d7350"), wrap=0.35, gloss=0.05, edge=0.12, blur=1.0, sheen=0.42
)
FEELS = {feel.name: feel for feel in (CLAY, JELLY, RUBBER, CLOTH)}
