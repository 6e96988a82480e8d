"""Formulas as graphs: a node is a number, a leaf (a variable, by name) or an operation on other nodes.

Nodes are interned: equal subexpressions are one object, so `is` compares formulas and each is evaluated once. Building a
node folds constants and applies the identities that change no result: 0 + a, 1 a, 0 a, a^1, -(-a), a + (-b) and others.
Terms are never reordered, because that would round differently. (0 a is 0 even where a is not finite.)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from supple.formulas.operations import CONDITIONS, OPERATIONS

NUMBER, LEAF = "number", "leaf"


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Node:
    """One node; made by `number`, `leaf`, `apply` and the operators, never directly."""

    operation: str
    arguments: tuple[Node, ...]
    value: Any
    """The number, or the name of the leaf."""

    @property
    def is_number(self) -> bool:
        return self.operation == NUMBER

    @property
    def is_condition(self) -> bool:
        return self.operation in CONDITIONS

    def __add__(self, other: Node | float) -> Node:
        return apply("add", self, as_node(other))

    def __radd__(self, other: float) -> Node:
        return apply("add", as_node(other), self)

    def __sub__(self, other: Node | float) -> Node:
        return apply("sub", self, as_node(other))

    def __rsub__(self, other: float) -> Node:
        return apply("sub", as_node(other), self)

    def __mul__(self, other: Node | float) -> Node:
        return apply("mul", self, as_node(other))

    def __rmul__(self, other: float) -> Node:
        return apply("mul", as_node(other), self)

    def __truediv__(self, other: Node | float) -> Node:
        return apply("div", self, as_node(other))

    def __rtruediv__(self, other: float) -> Node:
        return apply("div", as_node(other), self)

    def __pow__(self, other: Node | float) -> Node:
        return apply("pow", self, as_node(other))

    def __neg__(self) -> Node:
        return apply("neg", self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _interned, (self.operation, self.arguments, self.value)


_NODES: WeakValueDictionary[tuple[str, tuple[Node, ...], Any], Node] = WeakValueDictionary()


def _interned(operation: str, arguments: tuple[Node, ...], value: Any = None) -> Node:
    found = _NODES.get((operation, arguments, value))
    if found is None and operation in ("add", "mul"):  # a + b and b + a are the same number, bit for bit
        found = _NODES.get((operation, arguments[::-1], value))
    if found is None:
        found = _NODES.setdefault((operation, arguments, value), Node(operation, arguments, value))
    return found


def number(value: float) -> Node:
    return _interned(NUMBER, (), float(value))


def leaf(name: str) -> Node:
    return _interned(LEAF, (), name)


def as_node(value: Node | float) -> Node:
    return value if isinstance(value, Node) else number(value)


ZERO, ONE = number(0.0), number(1.0)


def apply(operation: str, *arguments: Node) -> Node:
    """The operation on the arguments, simplified; a ValueError for a constant that is not finite."""
    if operation == "div" and arguments[1] is ZERO:
        raise ValueError("divides by zero")
    if operation not in CONDITIONS and all(a.is_number for a in arguments):
        return _folded(operation, [a.value for a in arguments])
    return _simpler(operation, arguments) or _interned(operation, arguments)


def _folded(operation: str, values: Sequence[float]) -> Node:
    with np.errstate(all="ignore"):
        result = float(OPERATIONS[operation](*map(np.float64, values)))
    if not math.isfinite(result):
        raise ValueError(f"is {result}, which is not a finite number")
    return number(result)


def _simpler(operation: str, arguments: tuple[Node, ...]) -> Node | None:
    """The operation simplified by an identity, if one applies."""
    if operation == "where":
        return arguments[1] if arguments[1] is arguments[2] else None
    if operation == "neg":
        return _negated(arguments[0])
    if operation in _IDENTITIES:
        return _IDENTITIES[operation](*arguments)
    return None


def _negated(a: Node) -> Node | None:
    if a.operation == "neg":
        return a.arguments[0]
    return a.arguments[1] - a.arguments[0] if a.operation == "sub" else None


def _sum(a: Node, b: Node) -> Node | None:
    if a is ZERO or b is ZERO:
        return b if a is ZERO else a
    if b.operation == "neg":
        return a - b.arguments[0]
    return b - a.arguments[0] if a.operation == "neg" else None


def _difference(a: Node, b: Node) -> Node | None:
    if a is ZERO or b is ZERO:
        return -b if a is ZERO else a
    return a + b.arguments[0] if b.operation == "neg" else None


def _product(a: Node, b: Node) -> Node | None:
    if a is ZERO or b is ZERO:
        return ZERO
    if a is ONE or b is ONE:
        return b if a is ONE else a
    return _signed("mul", a, b)


def _quotient(a: Node, b: Node) -> Node | None:
    if a is ZERO or b is ONE:
        return a
    return _signed("div", a, b)


def _signed(operation: str, a: Node, b: Node) -> Node | None:
    """(-a) b = -(a b), so a product and its negative share the work."""
    if a.operation == "neg":
        return -apply(operation, a.arguments[0], b)
    if b.operation == "neg":
        return -apply(operation, a, b.arguments[0])
    return -b if a.value == -1.0 and operation == "mul" else -a if b.value == -1.0 else None


def _power(a: Node, b: Node) -> Node | None:
    if b is ZERO or a is ONE:
        return ONE
    return a if b is ONE else None


_IDENTITIES = {"add": _sum, "sub": _difference, "mul": _product, "div": _quotient, "pow": _power}


def order(outputs: Iterable[Node]) -> list[Node]:
    """All nodes required by the outputs, each after its arguments and as late as its first use allows."""
    done: dict[Node, None] = {}
    for output in outputs:
        waiting = [output]
        while waiting:
            missing = [a for a in waiting[-1].arguments if a not in done]
            if missing:
                waiting.extend(reversed(missing))
            else:
                done[waiting.pop()] = None
    return list(done)


def leaves(outputs: Iterable[Node]) -> set[str]:
    """Names of the variables that the outputs depend on."""
    return {node.value for node in order(outputs) if node.operation == LEAF}


def substitute(node: Node, replacements: Mapping[str, Node]) -> Node:
    """The formula with other nodes in place of leaves."""
    return substitute_all([node], replacements)[0]


def substitute_all(nodes: Sequence[Node], replacements: Mapping[str, Node]) -> list[Node]:
    """The same for several formulas, whose common parts are processed once."""
    made: dict[Node, Node] = {}
    for n in order(nodes):
        if n.arguments:
            made[n] = apply(n.operation, *[made[a] for a in n.arguments])
        else:
            made[n] = replacements.get(n.value, n) if n.operation == LEAF else n
    return [made[node] for node in nodes]
