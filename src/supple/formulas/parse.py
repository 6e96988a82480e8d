"""From text to graph: a small language, parsed with Python's grammar and never evaluated by Python.

Numbers; names; + - * / and ^ or ** for powers; comparisons with and, or, not; the functions of `operations.FUNCTIONS`.
Every node of the syntax tree is compared with that list. Length, size and depth of a text are bounded.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from supple.formulas.graph import Node, apply, leaf, number
from supple.formulas.operations import FUNCTIONS
from supple.formulas.source import DEEPEST, Source
from supple.wording import suggestion

A_NUMBER, A_CONDITION = "a number", "a condition"

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}

Objection = Callable[[Node], str | None]
"""The fault of a node in its context: the rest of a sentence that begins with its text."""


def parse(
    text: str, names: Sequence[str], constants: Mapping[str, float], objection: Objection = lambda node: None
) -> Node:
    """The graph of a text in these variables and constants; a ValueError names the fault and its position."""
    source = Source(text)
    tree = source.tree()
    try:
        return _Reader(source, tuple(names), constants, objection).node(tree)
    except RecursionError:
        raise ValueError(f"{source.quoted} is nested too deeply; at most {DEEPEST} levels are read") from None


def kind(node: Node) -> str:
    """`A_NUMBER` or `A_CONDITION`."""
    return A_CONDITION if node.is_condition else A_NUMBER


@dataclass(frozen=True)
class _Reader:
    """Turns a syntax tree into a graph."""

    source: Source
    names: tuple[str, ...]
    constants: Mapping[str, float]
    objection: Objection

    def node(self, tree: ast.expr) -> Node:
        try:
            node = self._read(tree)
        except ArithmeticError:
            raise self._error(tree, f"'{self.source.segment(tree)}' is too large a number") from None
        if found := self.objection(node):
            raise self._error(tree, f"'{self.source.segment(tree)}' {found}")
        return node

    def _read(self, tree: ast.expr) -> Node:
        match tree:
            case ast.Constant(value=bool()):
                raise self._error(
                    tree, f"true and false cannot be used; write a comparison such as '{self.names[0]} < 0.1'"
                )
            case ast.Constant(value=int() | float() as value):
                return _literal(value)
            case ast.Name(id=name):
                return self._name(tree, name)
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return self._apply(tree, "neg", [self._number(inner)])
            case ast.UnaryOp(op=ast.UAdd(), operand=inner):
                return self._number(inner)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return apply("not", self._condition(inner))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                return self._apply(tree, _BINARY[type(op)], [self._number(left), self._number(right)])
            case ast.BoolOp(op=op, values=values):
                return _joined("and" if isinstance(op, ast.And) else "or", [self._condition(v) for v in values])
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(o) in _COMPARED for o in ops):
                sides = [self._number(side) for side in (left, *others)]
                pairs = zip(ops, sides[:-1], sides[1:], strict=True)
                return _joined("and", [apply(_COMPARED[type(op)], a, b) for op, a, b in pairs])
            case ast.Call():
                return self._call(tree)
        raise self._error(
            tree,
            f"'{self.source.segment(tree)}' is not allowed; an expression has numbers, "
            f"{', '.join((*self.names, *self.constants))}, + - * / ^, comparisons with and, or, not, "
            f"and the functions {', '.join(FUNCTIONS)}",
        )

    def _name(self, tree: ast.expr, name: str) -> Node:
        if name in self.constants:
            return number(self.constants[name])
        if name not in self.names:
            raise self._error(tree, f"unknown name '{name}'{suggestion(name, (*self.names, *self.constants))}")
        return leaf(name)

    def _call(self, tree: ast.Call) -> Node:
        name = self.source.segment(tree.func)
        if not isinstance(tree.func, ast.Name) or name not in FUNCTIONS:
            raise self._error(tree, f"unknown function '{name}'{suggestion(name, FUNCTIONS)}")
        if tree.keywords or any(isinstance(a, ast.Starred) for a in tree.args):
            raise self._error(tree, f"{name}() takes plain arguments only, such as {name}({self.names[0]})")
        least = {"where": 3, "min": 2, "max": 2}.get(name, 1)
        more = name in ("min", "max")
        if len(tree.args) < least or (len(tree.args) > least and not more):
            count = f"{least}{' or more' if more else ''}"
            raise self._error(tree, f"{name}() takes {count} arguments, found {len(tree.args)}")
        if name == "where":
            return apply(name, self._condition(tree.args[0]), *map(self._number, tree.args[1:]))
        arguments = [self._number(a) for a in tree.args]
        return _joined(name, arguments) if more else self._apply(tree, name, arguments)

    def _number(self, tree: ast.expr) -> Node:
        return self._of_kind(A_NUMBER, tree)

    def _condition(self, tree: ast.expr) -> Node:
        return self._of_kind(A_CONDITION, tree)

    def _of_kind(self, wanted: str, tree: ast.expr) -> Node:
        node = self.node(tree)
        if (found := kind(node)) != wanted:
            segment = self.source.segment(tree)
            raise self._error(tree, f"'{segment}' is {found}, but {wanted} is needed in that place")
        return node

    def _apply(self, tree: ast.expr, operation: str, arguments: Sequence[Node]) -> Node:
        try:
            return apply(operation, *arguments)
        except ValueError as error:  # a constant that cannot be folded
            raise self._error(tree, f"'{self.source.segment(tree)}' {error}") from None

    def _error(self, tree: ast.expr, sentence: str) -> ValueError:
        return ValueError(f"{sentence} (column {self.source.column(tree)})")


def _literal(value: float) -> Node:
    if not math.isfinite(float(value)):  # 1e999; 400 digits raise the OverflowError by themselves
        raise OverflowError
    return number(value)


def _joined(operation: str, nodes: Sequence[Node]) -> Node:
    return reduce(lambda a, b: apply(operation, a, b), nodes)
