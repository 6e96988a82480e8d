"""Springs that conserve energy at one step per frame, and the published root selection that freezes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from supple.gallery.budgets.spring_systems import SYSTEMS, Course, H, K, course, one_spring
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import curves, mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, at_least, at_most
from supple.integrators.springs.conserving_springs import ConservingSprings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

STEPS, MANY = 480, 3000
"""Number of steps of a quick and of a full study."""
FAST = 2.4
"""omega h at which the published root freezes a spring."""


class Springs(Panel):
    """Systems of springs with their ledgers: with a budget per spring, with the published root, and with Hooke's forces."""

    systems: ClassVar[tuple[str, ...]]
    allowed: ClassVar[float]
    """Energy error up to which energy counts as conserved."""
    setup = "masses of 1 kg, springs of 20 N/m, one step per frame (1/24 s), 20 s"
    command = "supple run rotating-spring --set integrator.name=conserving-springs"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = desk.size(STEPS, MANY)
        found = {name: self._courses(name, steps) for name in self.systems}

        def draw(canvas: Canvas) -> None:
            rows = np.atleast_2d(canvas.subplots(len(found), 2, squeeze=False))
            for (left, right), (name, courses) in zip(rows, found.items(), strict=True):
                _draw_energies(left, courses, name)
                _draw_lengths(right, courses)

        desk.plot(
            "springs",
            draw,
            "Energy relative to its initial value, and length of the first spring.",
            size=(8.6, 2.9 * len(found)),
            wide=True,
        )
        for name, courses in found.items():
            ours = courses["conserving springs"]
            yield Figure(f"{name}: largest energy error", ours.off, at_most(self.allowed))
            yield Figure(f"{name}: spring ledgers against the energy", ours.mismatch, at_most(1e-12))
            yield Figure(
                f"{name}: energy error with Hooke's forces in the same scheme",
                courses["Hooke's forces"].off,
                at_least(0.2),
            )

    @staticmethod
    def _courses(name: str, steps: int) -> dict[str, Course]:
        make = SYSTEMS[name]
        return {
            "conserving springs": course(make(), ConservingSprings(), steps),
            "Hooke's forces": course(make(), None, steps),
        }


def _draw_energies(axes: Axes, courses: Mapping[str, Course], title: str) -> None:
    given = {name: (own.time, own.energy) for name, own in courses.items()}
    curves(axes, given, "time [s]", "energy / initial energy", title=title, limits=(0.0, 2.0))
    mark(axes, 1.0, "")


def _draw_lengths(axes: Axes, courses: Mapping[str, Course]) -> None:
    ours = courses["conserving springs"]
    shown = ours.time <= 5.0
    curves(axes, {"length": (ours.time[shown], ours.length[shown])}, "time [s]", "length [m]", labels=False)


@PANELS("S3")
class OneSpring(Springs):
    title = "One spring, free and fixed"
    claim = (
        "A spring force solved from the energy equation conserves the energy of a spring indefinitely "
        "at one step per frame."
    )
    systems = ("one spring, free", "one spring, fixed")
    allowed = 1e-11
    expects = Verdict.CORRECTED
    because = (
        "The printed rule selects the root closer to the analytic velocity. Above omega h = 2.4, this "
        "root freezes the length, and the spring stops permanently. We always select the root of the "
        "implicit midpoint rule."
    )

    def study(self, desk: Desk) -> Iterable[Figure]:
        yield from super().study(desk)
        stiff = FAST**2 / (2.0 * H * H)
        steps = desk.size(STEPS, MANY)
        both = {
            "midpoint root": course(one_spring(False, stiff), ConservingSprings(), steps),
            "published root": course(one_spring(False, stiff), ConservingSprings(root="analytic"), steps),
        }

        def draw(canvas: Canvas) -> None:
            given = {name: (own.time[:73], own.length[:73]) for name, own in both.items()}
            curves(canvas.subplots(), given, "time [s]", "length of the spring [m]")

        desk.plot("roots", draw, f"A stiffer spring ({stiff / K:.0f} times): the published root freezes it.")
        last = {name: float(np.ptp(own.length[-48:])) for name, own in both.items()}
        yield Figure(
            "stiff spring, midpoint root: range of its length in the last 2 s",
            last["midpoint root"],
            at_least(0.9),
            "m",
        )
        yield Figure("the same with the published root", last["published root"], at_most(1e-6), "m")


@PANELS("S4")
class TwoSprings(Springs):
    title = "Two springs, free and fixed"
    claim = "Two coupled springs conserve energy at one step per frame if their forces are solved simultaneously."
    systems = ("two springs, free", "two springs, fixed")
    allowed = 1e-11


@PANELS("S5")
class HangingSpring(Springs):
    title = "A spring under gravity"
    claim = "Energy is also conserved for a spring under gravity. The energy-conserving weight is simply m g."
    systems = ("spring with a weight",)
    allowed = 1e-11


@PANELS("S6")
class RotatingSpring(Springs):
    title = "A rotating spring"
    claim = (
        "The energy of a rotating spring stays bounded if the energy introduced by rotation is booked "
        "and removed in later steps."
    )
    systems = ("rotating spring",)
    allowed = 0.06


@PANELS("S7")
class ThreeSprings(Springs):
    title = "A mass on three fixed springs"
    claim = "Rotating springs attached to one mass conserve energy on average, since each spring has its own ledger."
    systems = ("three fixed springs",)
    allowed = 5e-3


@PANELS("S8")
class TetrahedronOfSprings(Springs):
    title = "A tetrahedron of edge and altitude springs"
    claim = "Springs along the edges and the shortest altitude keep a tetrahedron oscillating at one step per frame."
    systems = ("tetrahedron",)
    allowed = 0.3


@PANELS("S10")
class BendingSprings(Springs):
    title = "Two triangles with a bending spring"
    claim = "The same applies to a bending spring between two triangles."
    systems = ("two triangles",)
    allowed = 0.1


@PANELS("S9")
class ConservingAgainstNormal(Panel):
    title = "Conserving springs against standard springs"
    claim = (
        "At the same step and in the same scheme, standard spring forces blow up, while conserving "
        "springs keep a tetrahedron oscillating."
    )
    setup = "tetrahedron of ten springs, 1 kg per corner, steps of 1/24 s, 20 s"
    command = "supple run spring-tet"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = desk.size(STEPS, MANY)
        found = {
            "conserving": course(SYSTEMS["tetrahedron"](), ConservingSprings(), steps),
            "conserving, no ledger": course(SYSTEMS["tetrahedron"](), ConservingSprings(balance=False), steps),
            "standard forces": course(SYSTEMS["tetrahedron"](), None, steps),
        }

        def draw(canvas: Canvas) -> None:
            _draw_energies(canvas.subplots(), found, "")

        desk.plot("energies", draw, "Energy relative to its initial value; curves end at blow-up.")
        normal = found["standard forces"]
        yield Figure("largest energy error, conserving", found["conserving"].off, at_most(0.3))
        yield Figure(
            "final energy relative to its initial value, conserving",
            float(found["conserving"].energy[-1]),
            at_least(0.8),
        )
        yield Figure("time to blow-up with standard forces", float(normal.time[-1]), at_most(10.0), "s")
