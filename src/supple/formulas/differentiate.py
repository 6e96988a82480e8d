"""Derivatives of a formula with respect to its leaves: one rule per operation, applied in the order of evaluation.

Rules are written with the node f itself where possible (exp' = exp), because f is evaluated anyway. At the kinks of abs,
min, max and where, the derivative is one-sided.
"""

from __future__ import annotations

from collections.abc import Callable

from supple.formulas.graph import ONE, ZERO, Node, apply, order

SLOPES: dict[str, Callable[[Node, Node], Node]] = {
    "sin": lambda f, a: apply("cos", a),
    "cos": lambda f, a: -apply("sin", a),
    "tan": lambda f, a: 1.0 + f * f,
    "tanh": lambda f, a: 1.0 - f * f,
    "exp": lambda f, a: f,
    "expm1": lambda f, a: 1.0 + f,
}
"""Functions f(a) of one argument: df/da."""
DIVISORS: dict[str, Callable[[Node, Node], Node]] = {
    "log": lambda f, a: a,
    "log1p": lambda f, a: 1.0 + a,
    "sqrt": lambda f, a: 2.0 * f,
}
"""Functions f(a) with df/da = 1/divisor: dividing da directly saves a rounding."""
SMOOTH = ("sin", "cos", "tan", "tanh", "exp", "log", "sqrt")
"""Functions of the language that can be differentiated everywhere in their domain."""


class Derivatives:
    """Derivatives of nodes with respect to leaves; each pair of a node and a leaf is differentiated once."""

    def __init__(self) -> None:
        self._found: dict[tuple[Node, Node], Node] = {}

    def of(self, node: Node, leaf: Node) -> Node:
        """The derivative of the node with respect to the leaf; a ValueError where a constant in it is not finite, as for 0^x."""
        for n in order([node]):
            if (n, leaf) not in self._found:
                self._found[n, leaf] = ONE if n is leaf else self._derivative(n, leaf)
        return self._found[node, leaf]

    def _derivative(self, node: Node, leaf: Node) -> Node:
        try:
            return _derivative(node, [self._found[a, leaf] for a in node.arguments])
        except ValueError as error:
            raise ValueError(f"the derivative by {leaf.value} has a part that {error}") from None


def derivative(node: Node, leaf: Node) -> Node:
    """The derivative of one node with respect to one leaf; `Derivatives` shares the work of several."""
    return Derivatives().of(node, leaf)


def _derivative(f: Node, slopes: list[Node]) -> Node:
    """The derivative of f, given those of its arguments."""
    if f.is_condition or all(slope is ZERO for slope in slopes):
        return ZERO
    if f.operation in SLOPES:
        return SLOPES[f.operation](f, f.arguments[0]) * slopes[0]
    if f.operation in DIVISORS:
        return slopes[0] / DIVISORS[f.operation](f, f.arguments[0])
    return RULES[f.operation](f, *f.arguments, *slopes)


def _pow(f: Node, a: Node, b: Node, da: Node, db: Node) -> Node:
    """(a^b)' = b a^(b-1) a' + a^b log(a) b'; the second term only for exponents that vary: it needs a > 0."""
    by_base = b * a ** (b - 1.0) * da
    return by_base if db is ZERO else by_base + f * apply("log", a) * db


RULES: dict[str, Callable[..., Node]] = {
    "neg": lambda f, a, da: -da,
    "add": lambda f, a, b, da, db: da + db,
    "sub": lambda f, a, b, da, db: da - db,
    "mul": lambda f, a, b, da, db: da * b + a * db,
    "div": lambda f, a, b, da, db: (da - f * db) / b,
    "pow": _pow,
    "abs": lambda f, a, da: apply("where", apply("lt", a, ZERO), -da, da),
    "min": lambda f, a, b, da, db: apply("where", apply("le", a, b), da, db),
    "max": lambda f, a, b, da, db: apply("where", apply("ge", a, b), da, db),
    "where": lambda f, c, a, b, dc, da, db: apply("where", c, da, db),
}
"""Rules for f(a, b): arguments, then their derivatives."""
