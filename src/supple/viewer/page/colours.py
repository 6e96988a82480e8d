"""Colours of vertices and bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from supple.colours import rgb
from supple.render.style import integrator_stroke

Bytes = npt.NDArray[np.uint8]

# from dark blue over green to yellow, of evenly increasing brightness, readable with colour blindness and in print
_STOPS = np.array([[59, 28, 98], [49, 87, 146], [29, 136, 141], [78, 190, 107], [253, 228, 60]], dtype=np.float64)


def ramp(values: npt.NDArray[Any], top: float) -> Bytes:
    """(k, 3) colours of values from 0 to `top`; values beyond have the colour of the end."""
    place = np.clip(np.nan_to_num(values / top), 0.0, 1.0) if top > 0 else np.zeros(len(values))
    at = np.linspace(0.0, 1.0, len(_STOPS))
    return np.stack([np.interp(place, at, channel) for channel in _STOPS.T], axis=1).astype(np.uint8)


def ramp_css() -> str:
    """The same from left to right, for a legend."""
    return f"linear-gradient(to right, {', '.join(f'rgb({r:.0f},{g:.0f},{b:.0f})' for r, g, b in _STOPS)})"


def method_colour(integrator: str, lightened: float = 0.2) -> tuple[int, int, int]:
    """The method's colour in all plots, mixed with white."""
    r, g, b = byte_colour(integrator_stroke(integrator).colour)
    return (_lighter(r, lightened), _lighter(g, lightened), _lighter(b, lightened))


def byte_colour(code: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`, from 0 to 255."""
    r, g, b = (round(255 * channel) for channel in rgb(code))
    return r, g, b


def _lighter(channel: int, share: float) -> int:
    return round(channel + (255 - channel) * share)
