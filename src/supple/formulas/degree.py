"""The degree of a formula as a polynomial, for given degrees of its leaves.

An upper bound: cancellation is not detected.
"""

from __future__ import annotations

from collections.abc import Mapping

from supple.formulas.graph import LEAF, Node, order

HIGHEST = 48
"""Twice the largest number of points that adaptive quadrature takes by default."""


def degree(node: Node, weights: Mapping[str, int | None]) -> int | None:
    """The degree, with leaves counted by their weights: 0 for unlisted ones, None for leaves that exclude a polynomial.

    None: not a polynomial, or one of a degree beyond HIGHEST, for which an exact quadrature rule would be endless.
    """
    found: dict[Node, int | None] = {}
    for n in order([node]):
        if n.operation == LEAF:
            found[n] = weights.get(n.value, 0)
        else:
            here = _degree(n, [found[a] for a in n.arguments])
            found[n] = None if here is None or here > HIGHEST else here
    return found[node]


def _degree(node: Node, degrees: list[int | None]) -> int | None:
    known = [d for d in degrees if d is not None]
    if len(known) < len(degrees):
        return None
    match node.operation, known:
        case _, _ if not any(known):  # a function of constants
            return 0
        case (("neg" | "add" | "sub"), _):
            return max(known)
        case "mul", (a, b):
            return a + b
        case "div", (a, 0):
            return a
        case "pow", (a, 0):
            return _power(a, node.arguments[1])
        case "where", (0, a, b):
            return max(a, b)
    return None


def _power(base: int, exponent: Node) -> int | None:
    whole = exponent.is_number and exponent.value >= 0 and exponent.value.is_integer()
    return base * int(exponent.value) if whole else None
