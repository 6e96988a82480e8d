"""Quantity shown by the colour of a body, on one scale for a whole film and all runs beside each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.errors import SuppleError, did_you_mean
from supple.recording.film import Film, Moment
from supple.types import Array

COLOURS = ("energy", "speed", "none")
PERCENTILE = 95.0
"""Percentile of all values of a film at the top of the scale. A few corners are always far above the rest."""

# blue over cream to red: distinguishable with the common kinds of colour blindness, and light enough to be shaded
_ANCHORS = ("#4a7fb5", "#7fb2d0", "#c4dfe0", "#f8e7b6", "#f3b36b", "#e0703f", "#a8202f")


@dataclass(frozen=True)
class Colouring:
    """A quantity and the top of its scale, which begins at 0."""

    quantity: str
    """One of COLOURS."""
    top: float = 1.0
    unit: str = ""
    barred: bool = True
    """Whether to draw a colour bar, if the colours show a quantity."""

    @property
    def title(self) -> str:
        """Label below the colour bar."""
        return f"{'strain energy' if self.quantity == 'energy' else 'speed'}  [{self.unit}]"

    @property
    def power(self) -> float:
        """Energies grow with the square of strains; the square root spreads the colours evenly over strains."""
        return 0.5 if self.quantity == "energy" else 1.0

    @property
    def middle(self) -> float:
        """Value at the middle of the scale."""
        return float(self.top * 0.5 ** (1 / self.power))

    @property
    def shown(self) -> bool:
        """Whether colours show a quantity."""
        return self.quantity != "none"

    def values(self, moment: Moment) -> Array:
        """(n,) from 0 to 1."""
        raw = quantity_of(moment, self.quantity)
        return np.clip(np.nan_to_num(raw / self.top, nan=1.0, posinf=1.0), 0.0, 1.0) ** self.power


def check_quantity(word: str) -> str:
    """The keyword, checked against COLOURS."""
    if word not in COLOURS:
        raise SuppleError(f"--colour: unknown '{word}'{did_you_mean(word, COLOURS)} known: {', '.join(COLOURS)}")
    return word


def choose_colouring(
    quantity: str, films: Sequence[Film], moments: Sequence[Sequence[Moment]], top: float | None = None
) -> Colouring:
    """The scale for these moments of each film, unless its `top` is given; obstacles are not included."""
    if quantity == "none":
        return Colouring("none")
    unit = "m/s" if quantity == "speed" else _energy_unit(films)
    if top is not None:
        return Colouring(quantity, top, unit)
    values = np.concatenate([
        quantity_of(moment, quantity)[slice(*part.span)]
        for film, some in zip(films, moments, strict=True)
        for moment in some
        for part in film.parts
        if not part.obstacle
    ])  # fmt: skip
    values = values[np.isfinite(values)]
    # bodies that never strain (a ball thrown rigidly) keep a scale of 1 rather than one of round-off errors
    most = float(np.percentile(values, PERCENTILE)) if len(values) else 0.0
    return Colouring(quantity, most or float(values.max(initial=0.0)) or 1.0, unit)


def quantity_of(moment: Moment, quantity: str) -> Array:
    """(n,) values at all vertices, in SI units."""
    if quantity == "energy":
        return np.asarray(moment.energy, dtype=float)
    if quantity == "speed":
        return np.linalg.norm(np.asarray(moment.v, dtype=float), axis=1)
    return np.zeros(len(moment.x))


def table() -> npt.NDArray[np.float64]:
    """(256, 3) colours from 0 to 1."""
    from matplotlib.colors import to_rgb

    anchors = np.array([to_rgb(anchor) for anchor in _ANCHORS])
    at = np.linspace(0, len(anchors) - 1, 256)
    return np.stack([np.interp(at, np.arange(len(anchors)), anchors[:, c]) for c in range(3)], axis=1)


def _energy_unit(films: Iterable[Film]) -> str:
    """Unit: densities are per volume in solids, per area in sheets and per length in ropes."""
    units = set()
    for film in films:
        bodies = [part for part in film.parts if not part.obstacle]
        faces = sum(len(part.faces) for part in bodies)
        solid = len(film.tets) or film.fine or any(part.cloud for part in bodies)
        units |= {"J/m³"} if solid else {"J/m²"} if faces else {"J/m"}
    return " or ".join(sorted(units, reverse=True))
