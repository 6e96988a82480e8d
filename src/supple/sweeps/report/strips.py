"""Small pictures of each run at the same moments, side by side in one JPEG, and how many a page can hold."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError
from supple.render.pictures import Pictures
from supple.sweeps.report.framing import Framing, Sight
from supple.types import Array

BYTES = 14e6
"""Largest size of all pictures of a page, in base64 [bytes]."""
PIXELS = 150e6
"""Largest number of pixels of a page: a browser takes 4 bytes for each."""
QUALITY = 82
PROBES, PICTURES = 5, 4
"""Number of sample runs for estimating the size."""


@dataclass(frozen=True)
class Grade:
    """Number of moments drawn per run, and their size [pixels]."""

    moments: int
    width: int
    height: int

    @property
    def size(self) -> tuple[int, int]:
        return self.width, self.height

    @property
    def pixels(self) -> int:
        return self.moments * self.width * self.height

    def times(self, span: tuple[float, float]) -> Array:
        """(moments,) from start to end [s]; one alone is the end."""
        return np.linspace(*span, self.moments) if self.moments > 1 else np.array(span[1:])


GRADES = (
    Grade(24, 480, 360), Grade(24, 320, 240), Grade(16, 240, 180), Grade(12, 160, 120), Grade(8, 160, 120),
    Grade(6, 120, 90), Grade(3, 96, 72), Grade(1, 96, 72),
)  # fmt: skip


def choose_grade(framing: Framing, sights: Sequence[Sight]) -> Grade:
    """The best grade that keeps the page small; otherwise the last one."""
    some = [sights[k] for k in np.unique(np.linspace(0, len(sights) - 1, PROBES).astype(int))]
    for grade in GRADES:
        if grade.pixels * len(sights) > PIXELS:
            continue
        times = grade.times(framing.span)[:: -(-grade.moments // PICTURES)]
        one = sum(len(strip(framing, sight, grade, times)) for sight in some) / (len(some) * len(times))
        if one * grade.moments * len(sights) <= BYTES:
            return grade
    return GRADES[-1]


def strip(framing: Framing, sight: Sight, grade: Grade, times: Array) -> str:
    """The run at all times from left to right, as a data URL; empty if it cannot be drawn."""
    try:
        # positions of a diverged run overflow
        with np.errstate(all="ignore"), Pictures(framing.shot(sight.path, grade.size), "plain") as pictures:
            return _address(np.concatenate([pictures.panel(0, float(t)) for t in times], axis=1))
    except SuppleError:
        return ""


def _address(picture: np.ndarray) -> str:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(picture).save(out, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
