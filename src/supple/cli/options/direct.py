"""Options of `supple run` in the words of a director: each sets a key of `[direction]`, or the speed of the film."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

PANEL = "Direction"


def _factor(text: str) -> Any:
    return typer.Option(metavar="FACTOR", help=text, rich_help_panel=PANEL)


Stiffer: TypeAlias = Annotated[float | None, _factor("Factor on all stiffnesses.")]
Softer: TypeAlias = Annotated[float | None, _factor("Divides all stiffnesses.")]
Floppier: TypeAlias = Annotated[float | None, _factor("Divides the resistance to bending.")]
Heavier: TypeAlias = Annotated[float | None, _factor("Factor on masses.")]
Livelier: TypeAlias = Annotated[float | None, _factor("Divides the damping.")]
StopsSooner: TypeAlias = Annotated[float | None, _factor("Factor on the damping.")]
Bouncier: TypeAlias = Annotated[float | None, _factor("Divides the energy that bounces lose; 1 or more.")]
Settle: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Damping with which bodies come to rest in this time.", rich_help_panel=PANEL),
]
Speed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SPEED",
        help='Motion per second of the film: 0.25, or over film time "1 - 0.9*exp(-(t-1)^2)".',
        rich_help_panel=PANEL,
    ),
]


def as_settings(words: dict[str, float | None], speed: str | None) -> list[str]:
    """The same as values of `--set`."""
    given = [f"direction.{key}={value!r}" for key, value in words.items() if value is not None]
    return given if speed is None else [*given, f"time.speed={speed}"]
