"""Visits: a scene, and what somebody does to it on the live page, determined by a seed and a number."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from fuzz.mixing import mixture
from fuzz.seeds import STEPS, Seed, seconds, seed, shipped
from supple.viewer.messages import Change, Colour, Colouring, Cut, Hold, Message, Play, RealTime, Record, Release, Reset
from supple.viewer.messages import Step as OneStep
from supple.viewer.settings import Settings, integrator_choices

ACTIONS = 14
LIMITS = {"vertices": 50_000, "elements": 200_000}


@dataclass(frozen=True)
class Span:
    """What the controls of a scene offer, beyond those that all scenes have."""

    materials: tuple[str, ...]
    vertices: int
    size: float
    """Length of the diagonal of the scene [m]."""
    has_poisson: bool
    has_friction: bool


def base(start: int, number: int) -> Seed:
    """The scene of a visit."""
    random = Random(f"page {start}:{number} scene")
    if random.random() < 0.6:
        made = seed(random.choice(shipped()))
    else:
        tables = mixture(random)
        tables["time"]["duration"] = STEPS * seconds(tables["time"]["step"])
        made = Seed("mixed", tables)
    return replace(made, tables={"limits": dict(LIMITS), **copy.deepcopy(made.tables)})


def actions(start: int, number: int, settings: Settings, span: Span) -> Iterator[Message | None]:
    """What the visitor does; None is a moment without any action, in which a playing simulation takes a step."""
    random = Random(f"page {start}:{number} actions")
    yield Record("taken") if random.random() < 0.8 else None
    for _ in range(random.randrange(1, ACTIONS)):
        kind = random.choices(
            ("change", "hold", "release", "play", "step", "wait", "reset", "colour", "clock", "record"),
            (5, 4, 1, 2, 4, 4, 0.7, 0.5, 0.3, 0.4),
        )[0]
        if kind == "change":
            settings = _moved(settings, span, random)
        yield from _said(kind, settings, span, random)
        if random.random() < 0.7:  # else the next one arrives with it
            yield None
    yield OneStep()
    yield None


def _said(kind: str, settings: Settings, span: Span, random: Random) -> Iterator[Message | None]:
    plain: dict[str, Any] = {
        "release": Release(), "play": Play(random.random() < 0.8), "step": OneStep(), "reset": Reset(),
        "wait": None, "clock": RealTime(random.random() < 0.2), "change": Change(settings),
        "colour": Colour(random.choice(list(Colouring))),
        "record": random.choice((Cut(), Record(f"more{random.randrange(10**9)}"))),
    }  # fmt: skip
    if kind != "hold":
        yield plain[kind]
        return
    vertex = random.randrange(span.vertices)
    reach = span.size * random.choice((0.01, 0.1, 1.0, 10.0, 1000.0))
    x, y, z = (random.uniform(-reach, reach) for _ in range(3))
    yield Hold(vertex, (x, y, z))


def _moved(settings: Settings, span: Span, random: Random) -> Settings:
    """One or two controls somewhere else."""
    for _ in range(random.choice((1, 1, 2))):
        name = random.choice(("integrator", "integrator", "material", "step", "stiffness", "poisson", "density",
                              "damping", "friction", "gravity"))  # fmt: skip
        settings = _with(settings, name, span, random)
    return settings


def _with(settings: Settings, name: str, span: Span, random: Random) -> Settings:
    if name == "integrator":
        return replace(settings, integrator=random.choice(integrator_choices()))
    if name == "material":
        return replace(settings, material=random.choice(span.materials)) if span.materials else settings
    if name == "step":
        return replace(settings, step=settings.step * random.choice((0.05, 0.3, 0.5, 2.0, 4.0)))
    if name in ("stiffness", "density"):
        return replace(settings, **{name: 10.0 ** random.choice((-2.0, 2.0, 0.0, random.uniform(-2.0, 2.0)))})
    if name == "poisson":
        return replace(settings, poisson=_slid(random, 0.0, 0.495)) if span.has_poisson else settings
    if name == "friction":
        return replace(settings, friction=_slid(random, 0.0, 1.5)) if span.has_friction else settings
    return replace(settings, **{name: _slid(random, 0.0, 5.0 if name == "damping" else 20.0)})


def _slid(random: Random, low: float, high: float) -> float:
    """A position of a slider; its ends are likely."""
    return random.choice((low, high, random.uniform(low, high)))
