"""Options of `supple run` for directing: each sets a key of `[direction]`, or the playback speed."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

PANEL = "Direction"


def _factor(text: str) -> Any:
    return typer.Option(metavar="FACTOR", help=text, rich_help_panel=PANEL)


Stiffer: TypeAlias = Annotated[float | None, _factor("Multiply all stiffnesses by this factor.")]
Softer: TypeAlias = Annotated[float | None, _factor("Divide all stiffnesses by this factor.")]
Floppier: TypeAlias = Annotated[float | None, _factor("Divide the bending stiffness by this factor.")]
Heavier: TypeAlias = Annotated[float | None, _factor("Multiply all masses by this factor.")]
Livelier: TypeAlias = Annotated[float | None, _factor("Divide the damping by this factor.")]
StopsSooner: TypeAlias = Annotated[float | None, _factor("Multiply the damping by this factor.")]
Bouncier: TypeAlias = Annotated[float | None, _factor("Divide the energy lost per bounce by this factor; 1 or more.")]
Settle: TypeAlias = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Add damping that brings bodies to rest in this time.", rich_help_panel=PANEL),
]
Speed: TypeAlias = Annotated[
    str | None,
    typer.Option(
        metavar="SPEED",
        help='Simulated seconds per second of film: 0.25, or over film time "1 - 0.9*exp(-(t-1)^2)".',
        rich_help_panel=PANEL,
    ),
]


def as_settings(words: dict[str, float | None], speed: str | None) -> list[str]:
    """The directing options as values of `--set`."""
    given = [f"direction.{key}={value!r}" for key, value in words.items() if value is not None]
    return given if speed is None else [*given, f"time.speed={speed}"]
