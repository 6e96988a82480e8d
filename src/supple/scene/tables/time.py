"""Duration and recording of a run: `[time]` and `[record]`."""

from __future__ import annotations

import re
from typing import Annotated, Any

from annotated_types import Ge, Gt
from pydantic import AfterValidator, AllowInfNan, BeforeValidator, Strict, WithJsonSchema, model_validator

from supple.formulas.curves import Curve, PositiveChanging, as_curve
from supple.scene.text.hints import strict_numbers
from supple.scene.text.registry_models import Table
from supple.values import carried_number, whole_number

Number = Annotated[float, Strict(), AllowInfNan(False), AfterValidator(carried_number)]
Positive = Annotated[float, Strict(), AllowInfNan(False), Gt(0), AfterValidator(carried_number)]
Speed: Any = strict_numbers(PositiveChanging)
MOST_STEPS = 1e13
"""Largest number of steps whose times a double resolves, with some digits to spare."""
_FRACTION = re.compile(r"\s*([-+]?\d+(?:\.\d*)?)\s*/\s*(\d+(?:\.\d*)?)\s*")


def _seconds(value: Any) -> Any:
    """A fraction such as "1/30" as a number; everything else is passed on unchanged."""
    if not isinstance(value, str):
        return value
    match = _FRACTION.fullmatch(value)
    if not match or float(match[2]) == 0:
        raise ValueError(f"input should be a number of seconds or a fraction such as \"1/30\", found '{value}'")
    return float(match[1]) / float(match[2])


def _positive_seconds(value: float) -> float:
    if value <= 0:
        raise ValueError(f"input should be greater than 0 seconds, found {value:g}")
    return value


Seconds = Annotated[
    Number,
    AfterValidator(_positive_seconds),
    BeforeValidator(_seconds),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0},
                {"type": "string", "pattern": r"^\s*\d+(\.\d*)?\s*/\s*\d+(\.\d*)?\s*$", "examples": ["1/30"]},
            ]
        }
    ),
]
"""A time span above 0; the only number that may be written as a string, a fraction such as "1/30"."""


class Time(Table):
    """Duration and time step of the run."""

    step: Seconds
    """Step h [s]: a number above 0, or a fraction such as "1/30"."""
    duration: Seconds = 1.0
    """Simulated time [s], rounded to whole steps; with `speed` the film lasts longer or shorter."""
    speed: Speed | None = None
    """Simulated seconds per second of film: 0.25 is slow motion, four times slower. A number above 0, an expression of the film
    time t, or keys over it [-]. The motion itself does not change."""

    @model_validator(mode="after")
    def _times_differ(self) -> Time:
        steps = self.duration / self.step
        if steps > MOST_STEPS:
            raise ValueError(
                f"{self.duration:g} s in steps of {self.step:g} s are {steps:.2g} steps; beyond {MOST_STEPS:g} a double cannot "
                "resolve their times: give a longer step"
            )
        return self

    @property
    def film_speed(self) -> float | Curve | None:
        """The speed as a number or a curve; None for films in real time."""
        made: float | Curve | None = as_curve(self.speed)
        return made

    @property
    def steps(self) -> int:
        """Number of steps of size h that cover the duration, at least one."""
        return max(1, round(self.duration / self.step))


class Record(Table):
    """Content of the animation file; history.csv always has every step."""

    every: Annotated[int, Strict(), Ge(1), AfterValidator(whole_number)] | None = None
    """Record every n-th step; default: every step, unless fps is given."""
    fps: Positive | None = None
    """Frames per second of simulated time, instead of `every`."""
    deformation: bool = False
    """Also record deformation gradients of material points: 36 bytes per particle and frame."""
    checkpoint_seconds: Positive = 5.0
    """Wall time between two checkpoints [s]."""

    @model_validator(mode="before")
    @classmethod
    def _every_step(cls, data: Any) -> Any:
        return {**data, "every": 1} if isinstance(data, dict) and not {"every", "fps"} & data.keys() else data

    @model_validator(mode="after")
    def _one_rule(self) -> Record:
        if self.every is not None and self.fps is not None:
            raise ValueError(f"give either every or fps, found every {self.every} and fps {self.fps:g}")
        return self
