"""Hanging cloth: which part of its wrinkles moves, and which part stays."""

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
"""Half waves over the cloth from which on folds count as wrinkles."""
LAST = 10
"""Frames at the end that are averaged."""


@PANELS("R6")
class Wrinkles(Panel):
    title = "Wrinkles calm down without being smoothed away"
    claim = (
        "A little Rayleigh damping (0.01 s) calms the wrinkles of a hanging cloth, which undamped keep shaking, and "
        "leaves them in its shape; backward Euler smooths them."
    )
    setup = (
        "hanging-cloth scene at 30 x 30 vertices (in full 80 x 80: 6,400 vertices), stretch 20, bend 10, mass 1 kg, 90 "
        "steps of 1/30 s"
    )
    command = "supple run hanging-cloth --set time.duration=3"
    expects = Verdict.CORRECTED
    because = (
        "Rayleigh damping behaves as claimed. Backward Euler leaves wrinkles in the shape as well; in addition, it damps "
        "the motion of the cloth as a whole."
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

        desk.plot("spectra", draw, "Spectra of the folds and of their motion after 3 s; wrinkles are right of the dashed line. "
                  "Damping takes their motion, not their shape.", size=(9.6, 3.4), wide=True)  # fmt: skip
        desk.strip("folds", runs, (1.0, 2.0, 3.0), "The cloth by the three methods.", size=(240, 220), camera="15,10")
        folds, shaking = _wrinkles(shape), _wrinkles(motion)
        yield Figure("wrinkles in the shape, damped over undamped", folds[1] / folds[0], at_least(0.4))
        yield Figure("motion of wrinkles, damped over undamped", shaking[1] / shaking[0], at_most(0.2))
        yield Figure("wrinkles in the shape, backward Euler over undamped", folds[2] / folds[0])
        yield Figure("motion of wrinkles, backward Euler over undamped", shaking[2] / shaking[0])
        whole = {name: float(spectrum.sum()) for name, spectrum in motion.items()}
        yield Figure(
            "all motion, backward Euler over Rayleigh", whole["backward Euler"] / whole["AVF, Rayleigh"], at_most(1.0)
        )


def _wrinkles(found: dict[str, Array]) -> list[float]:
    """Of each run, the part of the spectrum that is wrinkles."""
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
