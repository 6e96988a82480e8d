"""Formulas near a reference: every node as c + d, where the number c is its value there and d vanishes there.

With J = 1 + j and I = 3 + i, `I - 3` becomes i, `log(J)` becomes log1p(j) and `J^2 - 1` becomes j (2 + j): differences of
nearly equal numbers disappear, and small j loses no digits. Rules for a = c + d:
    a a* = c c* + (c d* + d a*),   a/a* = c/c* + (d - (c/c*) d*)/a*,   log a = log c + log1p(d/c),
    max(a, a*) = c + max(d, d* - (c - c*)) for c >= c*, and min accordingly,
    exp a = e^c + e^c expm1(d),    sqrt a = sqrt c + d/(sqrt a + sqrt c),    a^p = c^p + c^p expm1(p log1p(d/c))
They hold for nodes with a known value at the reference; a parameter has none, and nodes that depend on it stay
unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce

from supple.formulas.graph import LEAF, ONE, ZERO, Node, apply, number, order

LARGEST_POWER = 8
"""Integer powers up to this one are expanded, so polynomials remain polynomials."""


@dataclass(frozen=True)
class Near:
    """c + d."""

    c: Node
    d: Node
    known: bool
    """Whether d vanishes at the reference."""

    @property
    def whole(self) -> Node:
        return self.c + self.d

    @property
    def vanishes(self) -> bool:
        return self.known and self.c is ZERO

    @property
    def positive(self) -> bool:
        return self.known and self.c.value > 0


def shift(node: Node, references: Mapping[str, tuple[float, Node]]) -> Node:
    """The same formula in deviations: a leaf with a reference is replaced by its value there plus another node."""
    found: dict[Node, Near] = {}
    for n in order([node]):
        if n.operation == LEAF and n.value in references:
            c, d = references[n.value]
            found[n] = Near(number(c), d, known=True)
        elif n.is_number:
            found[n] = Near(n, ZERO, known=True)
        else:
            found[n] = _near_or_whole(n, [found[a] for a in n.arguments])
    return found[node].whole


def _near_or_whole(node: Node, arguments: list[Near]) -> Near:
    try:
        return _near(node, arguments) or _unknown(node, arguments)
    except ValueError:  # not finite at the reference, such as exp(1000 J)
        return _unknown(node, arguments)


def _unknown(node: Node, arguments: list[Near]) -> Near:
    whole = apply(node.operation, *[a.whole for a in arguments]) if arguments else node
    return Near(ZERO, whole, known=False)


def _near(node: Node, arguments: list[Near]) -> Near | None:
    """By the rule of the operation, if it has one for such arguments."""
    match node.operation, arguments:
        case "neg", (a,):
            return Near(-a.c, -a.d, a.known)
        case (("add" | "sub"), (a, b)):
            return Near(apply(node.operation, a.c, b.c), apply(node.operation, a.d, b.d), a.known and b.known)
        case "mul", (a, b):
            return _product(a, b)
        case "div", (a, b):
            return _quotient(a, b)
        case "pow", (a, b):
            return _power(a, b)
        case (("max" | "min"), (a, b)) if a.known and b.known:
            return _extreme(node.operation, a, b)
        case "exp", (a,) if a.known:
            at = apply("exp", a.c)
            return Near(at, at * apply("expm1", a.d), known=True)
        case "log", (a,) if a.positive:
            return Near(apply("log", a.c), apply("log1p", a.d / a.c), known=True)
        case "sqrt", (a,) if a.positive:
            at = apply("sqrt", a.c)
            return Near(at, a.d / (apply("sqrt", a.whole) + at), known=True)
    return None


def _extreme(operation: str, a: Near, b: Near) -> Near:
    """The larger or smaller of two, as the deviation from the one selected at the reference."""
    c = apply(operation, a.c, b.c)
    return Near(c, apply(operation, a.d - (c - a.c), b.d - (c - b.c)), known=True)


def _known_product(a: Near, b: Near) -> Near:
    return Near(a.c * b.c, a.c * b.d + a.d * b.whole, known=True)


def _product(a: Near, b: Near) -> Near | None:
    if a.known and b.known:
        return _known_product(a, b)
    return Near(ZERO, a.whole * b.whole, known=True) if a.vanishes or b.vanishes else None


def _quotient(a: Near, b: Near) -> Near | None:
    if a.known and b.known and b.c is not ZERO:
        q = a.c / b.c
        return Near(q, (a.d - q * b.d) / b.whole, known=True)
    return Near(ZERO, a.d / b.whole, known=True) if a.vanishes and not b.vanishes else None


def _power(a: Near, b: Near) -> Near | None:
    p = b.c.value if b.d is ZERO else math.nan
    if a.vanishes and p > 0:
        return Near(ZERO, a.d**b.c, known=True)
    if a.known and p in range(1, LARGEST_POWER + 1):
        return reduce(_known_product, [a] * int(p))
    if a.positive and (b.d is ZERO or a.c is ONE):
        at = ONE if a.c is ONE else a.c**b.c
        return Near(at, at * apply("expm1", b.whole * apply("log1p", a.d / a.c)), known=True)
    return None
