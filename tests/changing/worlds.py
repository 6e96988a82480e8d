"""Small worlds in which one number changes with time."""

from collections.abc import Callable
from typing import Any

import supple as sp

LIVELY = (0.4, 0.2, 0.1)


def bar(material: Any = None, **options: Any) -> sp.Body:
    law = sp.StableNeoHookean.from_young(4e4, 0.3) if material is None else material
    shape = sp.Bar(cells=(4, 1, 1), size=(0.4, 0.1, 0.1))
    return sp.Body(shape, law, **{"name": "bar", "density": 500.0, "pin": "left", **options})


def soft_pins(stiffness: Any, **options: Any) -> list[Any]:
    return [sp.SoftPin("bar.left", stiffness, **options)]


def rope() -> sp.Body:
    law = sp.HookeSpring(stretch=100.0)
    return sp.Body(sp.Rope(), law, name="rope", density=0.1, pin="start", muscles=[sp.Muscle("0.3*sin(5*t)")])


def balloon() -> sp.Body:
    skin = sp.StVKMembrane(young=1e5, poisson=0.3)
    return sp.Body(
        sp.Sphere(subdivisions=1), skin, name="bar", thickness=1e-3, density=1000.0, pressure=sp.Pressure("100*t"),
        initial=sp.Initial(velocity=LIVELY),
    )  # fmt: skip


KEYED = sp.Curve(keys=((0.0, 50.0), (0.2, 400.0), (0.4, 0.0)), interpolation="smooth")
RAISED = sp.Moves(translate=sp.Translation((0.0, 0.5, 0.0)))

WORLDS: dict[str, tuple[str, Callable[[], sp.World]]] = {
    "gravity": ("gravity", lambda: sp.World([bar()], gravity="9.81*(1 + sin(6*t))")),
    "gravity-vector": ("gravity", lambda: sp.World([bar()], gravity=(0.0, "-9.81*cos(3*t)", "t"))),
    "material": ("bar.material", lambda: sp.World([bar(sp.StVK.from_young(sp.Field("4e4*(1 + 0.5*sin(9*t))"), 0.3))])),
    "keyed-material": (
        "bar.material",
        lambda: sp.World([bar(sp.StableNeoHookean.from_young(sp.Field(sp.Curve(keys=((0, 4e4), (0.5, 9e4)))), 0.3))]),
    ),
    "formula": (
        "bar.material",
        lambda: sp.World([bar(sp.material("own", "mu/2*(I1 - 3 - 2*log(J)) + mu*log(J)^2", mu="1e4*(1 + t)"))]),
    ),
    "stiffness": ("bar.stiffness", lambda: sp.World([bar(stiffness="1 + 0.5*sin(9*t)")])),
    "muscle": (
        "bar.contraction",
        lambda: sp.World([bar(muscles=[sp.Muscle("0.3*sin(7*t)", along=(1, 0, 0), strength=1e4)])]),
    ),
    "muscle-of-springs": ("rope.contraction", lambda: sp.World([rope()])),
    "pressure": ("bar.pressure", lambda: sp.World([balloon()], gravity=0.0)),
    "pin-strength": ("soft-pin.bar.left", lambda: sp.World([bar(pin=())], energies=soft_pins(KEYED))),
    "moving-pins": ("soft-pin.bar.left", lambda: sp.World([bar(pin=())], energies=soft_pins(300.0, motion=RAISED))),
}
"""Name of the column of the work, and the world."""
