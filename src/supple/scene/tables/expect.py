"""Expected results of a scene: `[expect.NAME]`, figures that are checked when a run is finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from supple.errors import SuppleError
from supple.values import Count, NotNegative, Positive, exactly_one

Column = Literal[
    "time", "h", "kinetic", "elastic", "gravity", "other", "potential", "total", "dissipated", "external_work", "residual",
    "px", "py", "pz", "lx", "ly", "lz", "newton_iterations", "factorisations", "line_search_steps", "rejected_steps",
    "gradient_norm",
    "constraint_error", "constraint_force", "inverted_elements", "crushed_elements",
    "transfer", "force", "collided", "plastic", "hardening", "restored", "springs",
]  # fmt: skip

PLACES = {"end": "at the end", "max": "at its maximum", "min": "at its minimum"}
"""Descriptions of where a column is evaluated."""


@dataclass(frozen=True)
class Swing:
    """Remaining swing of a vertex group: its range of motion in the last `window` seconds over that in the first.

    The range is the largest minus the smallest mean coordinate of the group along `axis`, over the frames in the window. A run
    shorter than two windows has no swing.
    """

    group: str
    """Name of a vertex group."""
    axis: Literal["x", "y", "z"] = "y"
    """Axis of the coordinate."""
    body: str | None = None
    """Name of the body; default: the first."""
    window: Positive = 1.0
    """Length of each of the two windows [s]."""


@dataclass(frozen=True)
class Check:
    """One figure of a run and its allowed values.

        [expect.energy-is-kept]           # max over the run of |total - total0| / |total0| is at most 1e-11
        column = "total"
        at = "drift"
        below = 1e-11

        [expect.energy-at-step-10]        # total / total0 after ten steps is 0.0291 to three digits
        column = "total"
        over_start = true
        at_step = 10
        value = 0.0291
        relative = 1e-3

        [expect.still-swinging]
        swing = { group = "tip" }
        above = 0.98
        below = 1.02

    The figure is a `column` of history.csv, a `swing`, or the widest gap of a `seam` at the end. The column `potential` is
    the sum of elastic, gravity and other energy. A column is read at one point (`at_step` or `at`, by default the end), and
    divided by its value in row 0 with `over_start`. `at = "drift"` is the largest |c - c0| over all rows, divided by
    |c0| unless c0 is zero. It must be close to `value` (within `relative` times |value|, or within `absolute`), or between
    `above` and `below`, both inclusive, either of which may be absent.
    """

    column: Column | None = None
    """Column of history.csv, or `potential`: elastic, gravitational and other energy together."""
    work: str | None = None
    """Name of a time-dependent parameter whose work is the figure, instead of a `column` [J]."""
    swing: Swing | None = None
    """Remaining swing of a vertex group, instead of a `column`."""
    seam: Count | None = None
    """Index of a seam, from 0; the figure is its widest gap at the end [m]."""
    at_step: Count | None = None
    """Row whose `step` is this; 0 is the initial state."""
    at: Literal["end", "max", "min", "drift"] | None = None
    """Value at the end, largest or smallest value, or `drift`: the largest change since row 0, relative unless row 0 is zero;
    `end` if absent."""
    over_start: bool = False
    """Divide by the value in row 0; a drift is already relative."""
    value: float | None = None
    """Expected value, with `relative` or `absolute`."""
    relative: NotNegative | None = None
    """Tolerance relative to |value| [-]."""
    absolute: NotNegative | None = None
    """Tolerance in the unit of the figure."""
    above: float | None = None
    """Smallest permitted value."""
    below: float | None = None
    """Largest permitted value."""

    def __post_init__(self) -> None:
        kinds = {"column": self.column, "work": self.work, "swing": self.swing, "seam": self.seam}
        exactly_one(kinds, "a check")
        if self.at is not None and self.at_step is not None:
            raise SuppleError("give either at or at_step, found both")
        if self.column is None and self.work is None and (self.at or self.at_step is not None or self.over_start):
            kind = "a swing" if self.swing else "a seam"
            raise SuppleError(f"at, at_step and over_start belong to a column, found with {kind}")
        bounds = self.above is not None or self.below is not None
        if (self.value is None) == (not bounds):
            raise SuppleError("give either value with a tolerance, or above and below")
        if self.value is not None:
            exactly_one({"relative": self.relative, "absolute": self.absolute}, "a value")
        elif self.relative is not None or self.absolute is not None:
            raise SuppleError("relative and absolute belong to a value; above and below are exact")

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest and largest accepted value."""
        if self.value is None:
            low = float("-inf") if self.above is None else self.above
            return low, float("inf") if self.below is None else self.below
        margin = self.absolute if self.relative is None else self.relative * abs(self.value)
        return self.value - (margin or 0.0), self.value + (margin or 0.0)

    @property
    def subject(self) -> str:
        """The figure in words: `total at the end over the start`."""
        if self.swing is not None:
            return f"swing of {self.swing.group} along {self.swing.axis}"
        if self.seam is not None:
            return f"widest gap of seam {self.seam} at the end"
        column = self.column or f"work of {self.work}"
        if self.at == "drift":
            return f"drift of {column}"
        place = f"at step {self.at_step}" if self.at_step is not None else PLACES[self.at or "end"]
        return f"{column} {place}{' over the start' if self.over_start else ''}"

    @property
    def needed(self) -> str:
        """Why a run may not have the figure."""
        if self.swing is not None:
            return f"it requires motion at the start and a run of at least {2.0 * self.swing.window:g} s"
        if self.seam is not None:
            return "it requires a seam with that index"
        start = " that does not start at zero" if self.over_start else ""
        step = f" and a step {self.at_step}" if self.at_step is not None else ""
        return (
            f"it requires {'a column' if self.work is None else f'a time-dependent parameter {self.work}'}{start}{step}"
        )

    @property
    def wanted(self) -> str:
        """The bounds in words: `at most 1e-11`."""
        low, high = self.bounds
        if self.value is not None:
            return f"{self.value:.6g} within {high - self.value:.2g}"
        if self.above is None:
            return f"at most {high:.6g}"
        return f"at least {low:.6g}" if self.below is None else f"{low:.6g} to {high:.6g}"

    def passes(self, figure: float) -> bool:
        """Whether the measured figure is within the bounds; nan never is."""
        low, high = self.bounds
        return low <= figure <= high
