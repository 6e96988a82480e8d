"""Colours of exported bodies, as linear red, green and blue."""

from __future__ import annotations

import numpy as np

from supple.colours import rgb
from supple.export.sequence import Body, Sequence
from supple.recording.playback import Singles


def own_colour(body: Body) -> Singles:
    """(3,) colour of a body or an obstacle."""
    return _linear(np.array(rgb(body.colour)))


def largest_energy(sequence: Sequence) -> float:
    """The largest strain energy density [J/m^3] in all frames of an export: the end of the colour scale."""
    return max(float(pose.energy.max(initial=0)) for frame in sequence.frames() for pose in frame.poses)


def energy_colours(energy: Singles, largest: float) -> Singles:
    """(n, 3) colours from dark (none) to bright (the largest)."""
    from matplotlib import colormaps

    return _linear(colormaps["viridis"](np.clip(energy / (largest or 1.0), 0, 1))[:, :3])


def _linear(srgb: np.ndarray) -> Singles:
    curve = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return np.ascontiguousarray(curve, dtype=np.float32)
