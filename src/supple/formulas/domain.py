"""Where a formula is defined: what must be positive, and what must not be zero."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import reduce

from supple.formulas.graph import ZERO, Node, apply, leaves, order


@dataclass(frozen=True)
class Domain:
    """Bounds within which formulas and all their derivatives are finite, but for overflow."""

    positive: tuple[Node, ...]
    """Arguments of log and sqrt, and bases of powers whose exponent is not a whole number."""
    nonzero: tuple[Node, ...]
    """Divisors, and bases of negative whole powers, that are not among `positive`."""


def domain(outputs: Iterable[Node]) -> Domain:
    """The domain of several formulas together; constants are left out, as they fulfil their bounds."""
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
    """What must hold where a formula is defined; None: it is defined everywhere. Divisors among `above` must be positive, since
    zero divides the domain there. With `varying`, what depends on none of these leaves is not asked."""
    bounds = domain([formula])
    asked = [(a, "gt") for a in bounds.positive] + [(a, "gt" if a in above else "ne") for a in bounds.nonzero]
    found = [
        apply(comparison, a, ZERO) for a, comparison in asked if varying is None or not leaves([a]).isdisjoint(varying)
    ]
    return reduce(lambda a, b: apply("and", a, b), found) if found else None
