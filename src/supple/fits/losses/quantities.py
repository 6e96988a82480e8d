"""Quantities of a run to differentiate, as text: `elastic@0.5`, `tip.y@1.0`, `bar.tip.y@1.0`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.fits.losses.parts import chosen
from supple.fits.losses.prepared import Comparison, Prepared, Setting, check_times
from supple.fits.losses.watched import ENERGIES, MOMENTA, Energy, Mean, Momentum, Watched
from supple.recording.history import COLUMNS

_FORM = re.compile(r"\s*(?P<name>[^@\s]+?)(?:@(?P<time>[^@]*))?\s*")
KNOWN = (*ENERGIES, *MOMENTA)
FORM = "COLUMN@TIME or GROUP.x@TIME (.y, .z, .vx, .vy, .vz), such as elastic@0.5 or tip.y@1.0"
AXES = {"x": ("x", 0), "y": ("x", 1), "z": ("x", 2), "vx": ("v", 0), "vy": ("v", 1), "vz": ("v", 2)}


@dataclass(frozen=True)
class Quantity:
    """A scalar quantity of a run."""

    name: str
    time: float | None
    """Time [s]; None: the end."""

    def __str__(self) -> str:
        return f"{self.name}@{self.time:g}" if self.time is not None else self.name

    def prepared(self, setting: Setting) -> Prepared:
        t = setting.duration if self.time is None else self.time
        times = np.array([t])
        check_times(times, setting, str(self))
        return Comparison(self.watched(setting), times, np.zeros((1, 1)), setting.h, squared=False, name=str(self))

    def watched(self, setting: Setting) -> Watched:
        if self.name in ENERGIES:
            return Energy(self.name)
        if self.name in MOMENTA:
            return Momentum(self.name)
        group, _, axis = self.name.rpartition(".")
        of, k = AXES[axis]
        return Mean(chosen(setting, group), (k,), "x" if of == "x" else "v")


def parse_quantity(text: str) -> Quantity:
    """`NAME@TIME`; without a time, at the end of the run."""
    match = _FORM.fullmatch(text)
    if not match:
        raise SuppleError(f"quantity '{text}': give {FORM}")
    name, time = match["name"], match["time"]
    group, dot, axis = name.rpartition(".")
    if name not in KNOWN and not (dot and group and axis in AXES):
        raise SuppleError(f"quantity '{text}': {_why(name)}")
    if time is None:
        return Quantity(name, None)
    try:
        seconds = float(time)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise SuppleError(f"quantity '{text}': '{time}' is not a time [s]; give {FORM}")
    return Quantity(name, seconds)


def _why(name: str) -> str:
    if name in COLUMNS:
        return f"the column '{name}' is not a function of one state, so it has no derivative; give one of {', '.join(KNOWN)}"
    return f"unknown column '{name}'{did_you_mean(name, KNOWN)} give {FORM}; columns: {', '.join(KNOWN)}"
