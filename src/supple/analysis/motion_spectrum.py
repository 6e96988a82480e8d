"""The power spectrum of a recorded motion: its distribution over frequencies.

With velocities v_i(t_k) of n vertices at T times dt apart, each minus its mean over time, and a Hann window w:

    P(f_j) = (2 dt / sum_k w_k^2) (1/n) sum_i |sum_k w_k v_i(t_k) exp(-2 pi i j k / T)|^2,   f_j = j / (T dt)  [m^2/s]

so the integral of P over f is the mean square velocity. Frequencies end at 1/(2 dt): faster motion
is aliased below it. A rotating body shows a line at its rotation rate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError
from supple.recording.film import Film
from supple.types import Array

FEWEST = 16
"""Smallest number of frames for a spectrum."""
COLUMNS = 4096
"""Number of coordinates transformed at a time, to limit the memory of their complex copies."""


@dataclass(frozen=True)
class MotionSpectrum:
    """Power of the motion of a mean vertex."""

    frequencies: Array
    """(k,) evenly spaced from 0 [Hz]."""
    power: Array
    """(k,) [m^2/s]: (m/s)^2 per Hz."""

    @property
    def highest(self) -> float:
        """Half the rate of the frames [Hz]."""
        return float(self.frequencies[-1])

    def above(self, frequency: float) -> float:
        """Mean square velocity at and above a frequency [m^2/s^2]."""
        return float(self.power[self.frequencies >= frequency].sum() * self.frequencies[1])


def motion_spectrum(v: npt.NDArray[np.floating], dt: float) -> MotionSpectrum:
    """The spectrum of velocities (T, n, 3) [m/s] at times dt [s] apart."""
    count, n = v.shape[:2]
    window = np.hanning(count + 1)[:-1, None]  # periodic: the value after the last is the first
    coordinates = v.reshape(count, -1)
    total = np.zeros(count // 2 + 1)
    for first in range(0, coordinates.shape[1], COLUMNS):
        some = coordinates[:, first : first + COLUMNS].astype(np.float64)
        waves = np.fft.rfft(window * (some - some.mean(axis=0)), axis=0)
        total += (waves.real**2 + waves.imag**2).sum(axis=1)
    power = 2.0 * dt / float((window**2).sum()) * total / n
    power[0] /= 2.0  # the others represent f and -f
    if count % 2 == 0:
        power[-1] /= 2.0
    return MotionSpectrum(np.arange(len(power)) / (count * dt), power)


def film_spectrum(film: Film) -> MotionSpectrum:
    """The spectrum of a recorded run; unevenly spaced frames are resampled first."""
    count = len(film)
    if count < FEWEST:
        raise RecordError(
            f"{film.path}: has {count} frames; a spectrum requires at least {FEWEST}: run longer, or record every step"
        )
    if film.clock.speed != 1.0:
        raise RecordError(
            f"{film.path}: is not in real time, which changes frequencies; run the scene without time.speed"
        )
    times = np.linspace(film.times[0], film.times[-1], count)
    v = np.stack([film.at(float(t)).v for t in times])
    return motion_spectrum(v, float(times[1] - times[0]))
