"""Hanging cloth: static shape and motion of its wrinkles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

CLOTH = "hanging-cloth"
FINE = 8
"""Number of half waves over the cloth from which folds count as wrinkles."""
LAST = 10
"""Number of final frames in the average."""


@PANELS("R6")
class Wrinkles(Panel):
    title = "Damping the motion of wrinkles but not their shape"
    claim = (
        "Undamped wrinkles of a hanging cloth keep vibrating. Slight Rayleigh damping (0.01 s) stops "
        "the vibration but retains the wrinkles. Backward Euler smooths them out."
    )
    setup = (
        "hanging-cloth scene at 30 x 30 vertices (full: 80 x 80, 6,400 vertices), stretch 20, bend 10, "
        "mass 1 kg, 90 steps of 1/30 s"
    )
    command = "supple run hanging-cloth --set time.duration=3"
    expects = Verdict.CORRECTED
    because = (
        "Rayleigh damping behaves as claimed. Backward Euler also retains wrinkles in the shape. In "
        "addition, it damps the global motion of the cloth."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        n = desk.size(29, 79)
        settings = [f"body.0.mesh.cells=[{n},{n}]", "time.duration=3"]
        damping = "damping=[{name='rayleigh',stiffness=0.01}]"
        runs = {
            "undamped AVF": desk.run("avf", CLOTH, settings=settings),
            "AVF, Rayleigh": desk.run("damped", CLOTH, settings=[*settings, damping]),
            "backward Euler": desk.run("euler", CLOTH, settings=[*settings, "integrator={name='backward-euler'}"]),
        }
        shape = {name: _spectrum(np.asarray(run.positions, dtype=float), n, flat=True) for name, run in runs.items()}
        motion = {name: _spectrum(np.asarray(run.velocities, dtype=float), n) for name, run in runs.items()}

        def draw(canvas: Canvas) -> None:
            waves = np.arange(1.0, n)
            for axes, found, y, title in zip(canvas.subplots(1, 2), (shape, motion), ("[m$^2$]", "[m$^2$/s$^2$]"),
                                             ("shape", "motion"), strict=True):  # fmt: skip
                curves(axes, {name: (waves, s) for name, s in found.items()}, "half waves over the cloth", f"spectrum {y}",
                       title=title, log="xy", labels=title == "motion")  # fmt: skip
                axes.axvline(FINE, color="#888888", linewidth=0.9, linestyle=(0, (4, 3)))

        desk.plot("spectra", draw, ("Spectra of the folds and of their motion after 3 s; wrinkles lie to the right of the dashed "
"line. Damping removes their motion, not their shape."), size=(9.6, 3.4), wide=True)  # fmt: skip
        desk.strip("folds", runs, (1.0, 2.0, 3.0), "The cloth with the three methods.", size=(240, 220), camera="15,10")
        folds, shaking = _wrinkles(shape), _wrinkles(motion)
        yield Figure("wrinkles in the shape, damped relative to undamped", folds[1] / folds[0], at_least(0.4))
        yield Figure("wrinkle motion, damped relative to undamped", shaking[1] / shaking[0], at_most(0.2))
        yield Figure("wrinkles in the shape, backward Euler relative to undamped", folds[2] / folds[0])
        yield Figure("wrinkle motion, backward Euler relative to undamped", shaking[2] / shaking[0])
        whole = {name: float(spectrum.sum()) for name, spectrum in motion.items()}
        yield Figure(
            "total motion, backward Euler relative to Rayleigh",
            whole["backward Euler"] / whole["AVF, Rayleigh"],
            at_most(1.0),
        )


def _wrinkles(found: dict[str, Array]) -> list[float]:
    """Part of the spectrum of each run that counts as wrinkles."""
    return [float(spectrum[FINE - 1 :].sum()) for spectrum in found.values()]


def _spectrum(fields: Array, n: int, flat: bool = False) -> Array:
    """Energy of cosine waves on the grid by their number of half waves, 1 to n - 1, a mean over the last frames.

    `flat`: of the depth z alone.
    """
    from scipy.fft import dctn

    last = fields[-LAST:].reshape(LAST, n + 1, n + 1, 3)
    waves = dctn(last[..., 2:] if flat else last, axes=(1, 2), norm="ortho")
    i, j = np.indices((n + 1, n + 1))
    number = np.rint(np.hypot(i, j)).astype(int)
    power = (waves**2).sum(axis=-1).mean(axis=0)
    return np.asarray(np.bincount(number.ravel(), power.ravel())[1:n], dtype=float)
