"""The domain of a formula: expressions that must be positive, and expressions that must not be zero."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce

from supple.formulas.graph import ZERO, Node, apply, leaves, order


@dataclass(frozen=True)
class Domain:
    """Bounds within which formulas and all their derivatives are finite, except for overflow."""

    positive: tuple[Node, ...]
    """Arguments of log and sqrt, and bases of powers with a non-integer exponent."""
    nonzero: tuple[Node, ...]
    """Divisors, and bases of negative integer powers, that are not among `positive`."""


def domain(outputs: Iterable[Node]) -> Domain:
    """The domain of several formulas together; constants are omitted, since they satisfy their bounds."""
    positive: dict[Node, None] = {}
    nonzero: dict[Node, None] = {}
    for node in order(outputs):
        match node.operation, node.arguments:
            case (("log" | "sqrt"), (a,)):
                positive[a] = None
            case "log1p", (a,):
                positive[1.0 + a] = None
            case "div", (_, b):
                nonzero[b] = None
            case "pow", (a, b) if not (b.is_number and b.value.is_integer()):
                positive[a] = None
            case "pow", (a, b) if b.value < 0:
                nonzero[a] = None
    return Domain(
        tuple(a for a in positive if not a.is_number),
        tuple(a for a in nonzero if a not in positive and not a.is_number),
    )


def condition(formula: Node, above: Collection[Node], varying: Collection[str] | None = None) -> Node | None:
    """The condition under which a formula is defined; None: everywhere. Divisors among `above` must be positive, since
    zero splits the domain there. With `varying`, expressions independent of these leaves are not checked."""
    bounds = domain([formula])
    asked = [(a, "gt") for a in bounds.positive] + [(a, "gt" if a in above else "ne") for a in bounds.nonzero]
    found = [
        apply(comparison, a, ZERO) for a, comparison in asked if varying is None or not leaves([a]).isdisjoint(varying)
    ]
    return reduce(lambda a, b: apply("and", a, b), found) if found else None
