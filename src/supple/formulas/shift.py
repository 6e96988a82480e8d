"""Formulas near a reference: every node as c + d, where the number c is its value there and d vanishes there.

With J = 1 + j and I = 3 + i, `I - 3` becomes i, `log(J)` becomes log1p(j) and `J^2 - 1` becomes j (2 + j): differences of
nearly equal numbers disappear, and small j loses no digits. Rules for a = c + d:
    a a* = c c* + (c d* + d a*),   a/a* = c/c* + (d - (c/c*) d*)/a*,   log a = log c + log1p(d/c),
    exp a = e^c + e^c expm1(d),    sqrt a = sqrt c + d/(sqrt a + sqrt c),    a^p = c^p + c^p expm1(p log1p(d/c))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from supple.formulas.graph import LEAF, ZERO, Node, apply, as_node, number, order

LARGEST_POWER = 8
"""Whole powers up to this one are multiplied out, so that polynomials stay polynomials."""


@dataclass(frozen=True)
class Near:
    """c + d."""

    c: Node
    d: Node

    @property
    def whole(self) -> Node:
        return self.c + self.d


def shift(node: Node, references: Mapping[str, tuple[float, Node]]) -> Node:
    """The same formula in deviations: a leaf with a reference is replaced by its value there plus another node."""
    found: dict[Node, Near] = {}
    for n in order([node]):
        if n.operation == LEAF:
            c, d = references.get(n.value, (0.0, n))
            found[n] = Near(number(c), as_node(d))
        elif n.is_number:
            found[n] = Near(n, ZERO)
        else:
            found[n] = _near_or_whole(n, [found[a] for a in n.arguments])
    return found[node].whole


def _near_or_whole(node: Node, arguments: list[Near]) -> Near:
    try:
        return _near(node, arguments)
    except ValueError:  # not finite at the reference, such as exp(1000 J)
        return _plain(node, arguments)


def _plain(node: Node, arguments: list[Near]) -> Near:
    """Without a value at the reference: 0 + a."""
    return Near(ZERO, apply(node.operation, *[a.whole for a in arguments]))


def _near(node: Node, arguments: list[Near]) -> Near:
    match node.operation, arguments:
        case "neg", (a,):
            return Near(-a.c, -a.d)
        case (("add" | "sub"), (a, b)):
            return Near(apply(node.operation, a.c, b.c), apply(node.operation, a.d, b.d))
        case "mul", (a, b):
            return _product(a, b)
        case "div", (a, b) if b.c is not ZERO:
            q = a.c / b.c
            return Near(q, (a.d - q * b.d) / b.whole)
        case (("log" | "exp" | "sqrt"), (a,)) if a.c.value > 0 or node.operation == "exp":
            return _function(node.operation, a)
        case "pow", (a, Near(c=p, d=d)) if d is ZERO:
            return _power(a, p)
    return _plain(node, arguments)


def _product(a: Near, b: Near) -> Near:
    return Near(a.c * b.c, a.c * b.d + a.d * b.whole)


def _function(name: str, a: Near) -> Near:
    at = apply(name, a.c)
    if name == "log":
        return Near(at, apply("log1p", a.d / a.c))
    if name == "exp":
        return Near(at, at * apply("expm1", a.d))
    return Near(at, a.d / (apply("sqrt", a.whole) + at))


def _power(a: Near, p: Node) -> Near:
    if a.c is ZERO:
        return Near(ZERO, a.d**p)
    if p.value.is_integer() and 0 < p.value <= LARGEST_POWER:
        result = a
        for _ in range(int(p.value) - 1):
            result = _product(result, a)
        return result
    if a.c.value > 0:
        at = a.c**p
        return Near(at, at * apply("expm1", p * apply("log1p", a.d / a.c)))
    return Near(ZERO, a.whole**p)
