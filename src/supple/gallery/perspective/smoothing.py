"""Smoothed contact and friction laws, evaluated by the code of the simulation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from supple.contact.barrier_law import Barrier
from supple.contact.friction_kernels import pulls
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, about, at_least, at_most
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

REACHES = (0.1, 0.2, 0.5, 1.0)
CREEPS = (0.1, 0.3, 1.0)
MASS = 32.0
"""Mass of the block on the slope [kg]."""


@PANELS("A8")
class BarrierLaw(Panel):
    title = "The contact barrier and its range"
    claim = (
        "The barrier vanishes beyond its range, is twice continuously differentiable and convex, and is "
        "infinite at contact."
    )
    setup = "b(d) = -(d - delta)^2 ln(d/delta) for delta from 0.1 to 1, from the law used in simulations"

    def study(self, desk: Desk) -> Iterable[Figure]:
        d = np.geomspace(1e-6, 1.2, 4000)
        laws = {f"delta = {reach:g}": Barrier(1.0, reach) for reach in REACHES}

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            curves(
                left,
                {name: (d, law.value(d)) for name, law in laws.items()},
                "gap d",
                "b(d)",
                title="Energy",
                labels=False,
            )
            given = {name: (d, -law.slope(d)) for name, law in laws.items()}
            curves(right, given, "gap d", "-b'(d)", title="Force", labels=False)
            left.set(ylim=(0.0, 0.6), xlim=(0.0, 1.1))
            right.set(ylim=(0.0, 4.0), xlim=(0.0, 1.1))
            right.legend(fontsize=9)

        desk.plot(
            "barrier",
            draw,
            "The smaller the range delta, the closer to a hard wall at d = 0.",
            size=(8.4, 3.4),
            wide=True,
        )
        near = np.array([reach * (1.0 - 1e-5) for reach in REACHES])
        jump = max(abs(float(law.curvature(at[None])[0])) for law, at in zip(laws.values(), near, strict=True))
        least = min(float(law.curvature(d).min()) for law in laws.values())
        yield Figure("curvature just below the range (0 beyond)", jump, at_most(1e-4))
        yield Figure("smallest curvature (convex if not negative)", least, at_least(0.0))
        yield Figure(
            "energy at d = 1e-6 delta, in delta^2", float(Barrier(1.0, 1.0).value(np.array([1e-6]))[0]), at_least(13.0)
        )
        yield Figure(
            "relative difference between derivatives and finite differences",
            max(_off(law) for law in laws.values()),
            at_most(1e-6),
        )


@PANELS("A9")
class FrictionLaw(Panel):
    title = "Smoothed friction"
    claim = (
        "Coulomb's jump at rest becomes a smooth rise to the full force at a speed eps. The law is then "
        "differentiable, as a solver requires."
    )
    setup = (
        "s(v) = 2 v/eps - v^2/eps^2 below eps, 1 above, eps from 0.1 to 1 m/s, from the simulation "
        "kernel; a block on a slope"
    )
    command = "supple run block-on-slope"

    def study(self, desk: Desk) -> Iterable[Figure]:
        v = np.linspace(0.0, 1.4, 1401)
        found = {f"eps = {creep:g} m/s": (v, _share(v, creep)) for creep in CREEPS}

        def draw(canvas: Canvas) -> None:
            axes = canvas.subplots()
            curves(axes, found, "sliding speed [m/s]", "fraction of the full friction force", labels=False)
            axes.set(ylim=(0.0, 1.15))
            axes.legend(fontsize=9, loc="lower right")
            mark(axes, 1.0, "Coulomb")

        desk.plot("friction", draw, "The smaller eps, the closer to Coulomb's law. Below eps, bodies creep.")
        missed = max(
            float(np.abs(s - np.where(v < e, 2 * v / e - (v / e) ** 2, 1.0)).max())
            for e, (_, s) in zip(CREEPS, found.values(), strict=True)
        )
        slope = max(float(np.diff(_share(np.array([e * (1 - 1e-6), e]), e))[0] / (1e-6 * e)) for e in CREEPS)
        block = desk.run("slope", "block-on-slope").history
        creeping = float(block["px"][-1]) / MASS
        yield Figure("difference from the printed law", missed, at_most(1e-14))
        yield Figure("slope at eps (0 above it)", slope, at_most(1e-4), unit="s/m")
        expected = 1e-3 * (1.0 - np.sqrt(1.0 - np.tan(np.radians(20.0)) / 0.5))
        yield Figure(
            "creep of a block on a slope relative to the law (20 degrees, mu 0.5)",
            creeping / expected,
            about(1.0, 0.02),
        )


def _off(law: Barrier) -> float:
    """Differences between analytic slopes and curvatures and finite differences."""
    d, e = np.linspace(0.05, 0.95, 50) * law.reach, 1e-6 * law.reach
    slope = (law.value(d + e) - law.value(d - e)) / (2 * e)
    bend = (law.slope(d + e) - law.slope(d - e)) / (2 * e)
    return max(_relative(law.slope(d), slope), _relative(law.curvature(d), bend))


def _relative(given: Array, wanted: Array) -> float:
    return float(np.abs(given - wanted).max() / np.abs(wanted).max())


def _share(v: Array, creep: float) -> Array:
    """Friction force relative to its maximum at sliding speeds v, by the simulation kernel."""
    count = len(v)
    velocities = np.zeros((count, 3))
    velocities[:, 0] = v
    corners, weights = np.arange(count, dtype=np.int32)[:, None], np.ones((count, 1))
    normal = np.tile([0.0, 1.0, 0.0], (count, 1))
    one = np.ones(count)
    found = pulls(velocities, corners, weights, normal, one, one, np.zeros((count, 3)), creep)
    return np.asarray(np.linalg.norm(found, axis=1))
