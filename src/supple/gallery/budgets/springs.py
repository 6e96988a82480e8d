"""Springs that keep their energy at one step per frame, and the published rule that stops them."""

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
"""Of a quick and of a full study."""
FAST = 2.4
"""omega h at which the published root stops a spring."""


class Springs(Panel):
    """Systems of springs with their ledgers: with the budget of each spring, with the published root, and Hooke's forces."""

    systems: ClassVar[tuple[str, ...]]
    allowed: ClassVar[float]
    """Error of the energy that still counts as kept."""
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
            "Energy relative to the start, and the first spring.",
            size=(8.6, 2.9 * len(found)),
            wide=True,
        )
        for name, courses in found.items():
            ours = courses["conserving springs"]
            yield Figure(f"{name}: largest error of the energy", ours.off, at_most(self.allowed))
            yield Figure(f"{name}: ledgers of all springs against the energy", ours.mismatch, at_most(1e-12))
            yield Figure(f"{name}: Hooke's forces in the same scheme", courses["Hooke's forces"].off, at_least(0.2))

    @staticmethod
    def _courses(name: str, steps: int) -> dict[str, Course]:
        make = SYSTEMS[name]
        return {
            "conserving springs": course(make(), ConservingSprings(), steps),
            "Hooke's forces": course(make(), None, steps),
        }


def _draw_energies(axes: Axes, courses: Mapping[str, Course], title: str) -> None:
    given = {name: (own.time, own.energy) for name, own in courses.items()}
    curves(axes, given, "time [s]", "energy over its start", title=title, limits=(0.0, 2.0))
    mark(axes, 1.0, "")


def _draw_lengths(axes: Axes, courses: Mapping[str, Course]) -> None:
    ours = courses["conserving springs"]
    shown = ours.time <= 5.0
    curves(axes, {"length": (ours.time[shown], ours.length[shown])}, "time [s]", "length [m]", labels=False)


@PANELS("S3")
class OneSpring(Springs):
    title = "One spring, free and held"
    claim = "The force that solves for the energy of a spring keeps it for good, at one step per frame."
    systems = ("one spring, free", "one spring, held")
    allowed = 1e-11
    expects = Verdict.CORRECTED
    because = (
        "Of the two roots the printed rule takes the one nearer to the analytic velocity. Above omega h = 2.4 that root freezes "
        "the length, and the spring stops for good. We always take the root of the implicit midpoint rule."
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

        desk.plot("roots", draw, f"A stiffer spring ({stiff / K:.0f} times): the published root stops it.")
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
    title = "Two springs, free and held"
    claim = "Two coupled springs keep their energy at one step per frame when their forces are solved for together."
    systems = ("two springs, free", "two springs, held")
    allowed = 1e-11


@PANELS("S5")
class HangingSpring(Springs):
    title = "A spring under gravity"
    claim = "Under gravity, too, the energy of a spring stays: the force of the weight that keeps it is m g itself."
    systems = ("spring with a weight",)
    allowed = 1e-11


@PANELS("S6")
class RotatingSpring(Springs):
    title = "A rotating spring"
    claim = "A spring that turns stays bounded when the energy that turning makes is owed and paid back."
    systems = ("rotating spring",)
    allowed = 0.06


@PANELS("S7")
class ThreeSprings(Springs):
    title = "A mass on three held springs"
    claim = "Springs that turn and pull at one mass keep their energy on average: every spring has its own ledger."
    systems = ("three held springs",)
    allowed = 5e-3


@PANELS("S8")
class TetrahedronOfSprings(Springs):
    title = "A tetrahedron of edges and altitudes"
    claim = "Springs along edges and the shortest altitude keep a tetrahedron alive at one step per frame."
    systems = ("tetrahedron",)
    allowed = 0.3


@PANELS("S10")
class BendingSprings(Springs):
    title = "Two triangles with a bending spring"
    claim = "The same holds for bending springs between two triangles."
    systems = ("two triangles",)
    allowed = 0.1


@PANELS("S9")
class ConservingAgainstNormal(Panel):
    title = "Conserving springs against normal ones"
    claim = "At the same step in the same scheme normal spring forces explode where conserving ones keep a tetrahedron swinging."
    setup = "tetrahedron of ten springs, 1 kg per corner, steps of 1/24 s, 20 s"
    command = "supple run spring-tet"

    def study(self, desk: Desk) -> Iterable[Figure]:
        steps = desk.size(STEPS, MANY)
        found = {
            "conserving": course(SYSTEMS["tetrahedron"](), ConservingSprings(), steps),
            "conserving, no ledger": course(SYSTEMS["tetrahedron"](), ConservingSprings(balance=False), steps),
            "normal forces": course(SYSTEMS["tetrahedron"](), None, steps),
        }

        def draw(canvas: Canvas) -> None:
            _draw_energies(canvas.subplots(), found, "")

        desk.plot("energies", draw, "Energy relative to the start; curves end where they explode.")
        normal = found["normal forces"]
        yield Figure("largest error of the energy, conserving", found["conserving"].off, at_most(0.3))
        yield Figure(
            "energy at the end, conserving, over that at the start",
            float(found["conserving"].energy[-1]),
            at_least(0.8),
        )
        yield Figure("time until normal forces explode", float(normal.time[-1]), at_most(10.0), "s")
