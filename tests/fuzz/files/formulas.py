"""Cases of formulas: texts by a grammar, and damaged ones."""

from __future__ import annotations

from pathlib import Path
from random import Random

from fuzz.files.case import Case

NAMES = ("X", "Y", "Z", "x", "y", "z", "t", "r", "pi", "e", "I1", "J", "nope", "C")
FUNCTIONS = (
    "sin",
    "cos",
    "exp",
    "log",
    "sqrt",
    "abs",
    "min",
    "max",
    "where",
    "tanh",
    "eval",
    "__import__",
    "atan",
    "floor",
)
NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e300",
    "1e-300",
    "1e999",
    "9" * 400,
    "1_0",
    "0x1F",
    "1j",
    "1e",
    "٣",
    "0.0",
    "3.",
)
JUNK = (
    "\0", "π", "é", "(", ")", ",", "^", "**", "\n", "#", ";", "'", '"', "\\", "lambda: 0", "x for x in y", "[1]", "{}",
    ":=", "__class__",
    "f'{x}'", "\ud800", "1 if x else 2", "...", "@", "~x", "x.real", "\u202e", "and", "not", "<", "==", " ", "\t", "//", "%", "&",
)  # fmt: skip


def formula_case(random: Random, folder: Path) -> Case:
    """A text that may or may not be a formula."""
    folder.mkdir(parents=True)
    text = _text(random)
    return Case(repr(text[:120]), lambda: use(text))


def _text(random: Random) -> str:
    chance = random.random()
    if chance < 0.1:
        return random.choice(_long())
    text = _sum(random, random.choice((1, 2, 3, 4, 6)))
    if chance < 0.5:
        for _ in range(random.choice((1, 1, 2, 3))):
            place = random.randrange(len(text) + 1)
            text = text[:place] + random.choice(JUNK) + text[place + random.choice((0, 0, 1, 3)) :]
    return text


def _long() -> list[str]:
    """Deep, wide, steep."""
    return [
        "(" * 5000 + "x" + ")" * 5000, "(" * 90 + "x" + ")" * 90, "-" * 900 + "x", "not " * 200 + "x<1", "x" + "+x" * 400,
        "x" + "*x" * 390, "x" + "^2" * 300, "x^x^x^x^x^x^x^x^x", "9^9^9^9^9", "2^1e300", "sin(" * 95 + "x" + ")" * 95,
        "x**" * 80 + "x", "1/0", "1/(x-x)", "0/0", "log(0)", "sqrt(-1)", "x" * 990, "x" * 100_000,
        " " * 999, "min(" + "x," * 300 + "x)",
        "where(x<1," * 90 + "x" + ",y)" * 90, "1" * 999, "(x+y+z+t)^" * 20 + "2", "x<y" + "<y" * 190,
        "exp(exp(exp(exp(exp(exp(x))))))",
        "+".join(f"sin({k}*x)*cos({k}*y)*exp(z)" for k in range(25)), "(x/y/z)^(x/y/z)^(y/x)^(z/y)", "x < 1 and " * 80 + "y > 2",
        "-(-(-(" * 25 + "x" + ")))" * 25, "abs(" * 60 + "sqrt(x^2+y^2)" + ")" * 60, "1e308*1e308", "1e308^2", "(-8)^(1/3)",
    ]  # fmt: skip


def _sum(random: Random, depth: int) -> str:
    if depth == 0 or random.random() < 0.15:
        return random.choice(NAMES if random.random() < 0.7 else NUMBERS)
    chance = random.random()
    if chance < 0.2:
        name = random.choice(FUNCTIONS)
        count = {"where": 3, "min": 2, "max": 2}.get(name, 1) if random.random() < 0.9 else random.randrange(5)
        parts = [_sum(random, depth - 1) for _ in range(count)]
        if name == "where" and parts and random.random() < 0.9:
            parts[0] = f"{parts[0]} {random.choice(('<', '>', '<=', '==', '!='))} {_sum(random, depth - 1)}"
        return f"{name}({', '.join(parts)})"
    sides = f"{_sum(random, depth - 1)} {random.choice('+-*/^*+')} {_sum(random, depth - 1)}"
    return f"({sides})" if random.random() < 0.6 else sides


def use(text: str) -> str:
    """All that formulas are for: fields, velocities, conditions, surfaces, potentials, curves, materials."""
    import numpy as np

    from supple.errors import SuppleError
    from supple.formulas.curves import Curve
    from supple.formulas.expressions import PRESENT, Expression
    from supple.formulas.implicit import Implicit
    from supple.formulas.places.fields import Field
    from supple.materials.formula_material import material

    x = np.random.default_rng(0).normal(size=(5, 3))
    done = []
    uses = (
        lambda: Field(text).at(x), lambda: Expression(text, PRESENT).values(x, 0.5), lambda: Expression(text).values(x),
        lambda: Implicit(text).all_at(x, 0.5), lambda: Curve(text).at_time(0.5),
        lambda: material("a", text, x=1.0, y=2.0).constants,
    )  # fmt: skip
    for use in uses:
        try:
            use()
            done.append("used")
        except (ValueError, SuppleError) as error:
            if type(error) is not ValueError and not isinstance(error, SuppleError):
                raise
            done.append(str(error)[:50])
    return "|".join(done)
