"""All corrections, by source."""

from __future__ import annotations

from supple.gallery.errata.avf import AVF
from supple.gallery.errata.budget import BUDGET
from supple.gallery.errata.erratum import Source
from supple.gallery.errata.integrals import INTEGRALS
from supple.gallery.errata.perspective import PERSPECTIVE
from supple.gallery.errata.slides import SLIDES
from supple.gallery.errata.thesis import THESIS

SOURCES = (
    Source(
        "R",
        "Rojas, Liu and Kavan: Average vector field integration for St. Venant-Kirchhoff deformable models",
        AVF,
    ),
    Source(
        "A",
        "Ascher, Larionov, Sheen and Pai: Simulating deformable objects for computer animation: a numerical perspective",
        PERSPECTIVE,
    ),
    Source("S", "Su, Sheth and Fedkiw: Energy conservation for the simulation of deformable bodies", BUDGET),
    Source(
        "K",
        "Kharevych: Geometric interpretation of physical systems for improved elasticity simulations (thesis)",
        (*THESIS, *INTEGRALS),
    ),
    Source("L", "Lecture slides on the animation of deformable bodies", SLIDES),
)
