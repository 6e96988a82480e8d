"""Arithmetic in scene files: `"0.1 * sin(pi * X)"`, `"X < 0.1 and Y > 0"`, over all vertices at once.

A small language of its own, not Python: numbers; the rest coordinates X, Y, Z and the distance r from the origin, in
metres, or for what changes with time the present place x, y, z and the time t; pi and e; + - * / and ^ or ** for powers;
comparisons with and, or, not; a few functions. The text is parsed once, every node is compared with a list of what is
allowed, and nothing is ever handed to an interpreter.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import SceneError
from supple.types import Array
from supple.wording import suggestion

REST = ("X", "Y", "Z", "r")
"""Variables of what is fixed: rest coordinates."""
PRESENT = ("x", "y", "z", "t")
"""Variables of what changes with time: where a vertex is, and when."""
CONSTANTS = {"pi": np.float64(math.pi), "e": np.float64(math.e)}
LONGEST = 1000

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "min": lambda *values: reduce(np.minimum, values),
    "max": lambda *values: reduce(np.maximum, values),
    "where": np.where,
}
NUMBER, CONDITION = "a number", "a condition"


@dataclass(frozen=True)
class Expression:
    """A checked expression; a ValueError at construction says what is wrong with the text."""

    text: str
    variables: tuple[str, ...] = REST
    """`REST` or `PRESENT`."""
    tree: ast.expr = field(init=False, repr=False, compare=False)
    kind: str = field(init=False, repr=False, compare=False)
    """`NUMBER` or `CONDITION`."""

    def __post_init__(self) -> None:
        tree = _parse(self.text)
        object.__setattr__(self, "tree", tree)
        object.__setattr__(self, "kind", _Checker((*self.variables, *CONSTANTS)).kind(tree))

    def values(self, points: Array, t: float = 0.0) -> Array:
        """The number at each of the points (n, 3), and at a time [s]."""
        self.demand(NUMBER)
        result = np.asarray(self._evaluate(points, t), dtype=np.float64)
        bad = np.flatnonzero(~np.isfinite(result))
        if bad.size:
            where = ", ".join(f"{c:g}" for c in points[bad[0]])
            raise SceneError(
                f"expression '{self.text}' is {result[bad[0]]} at {bad.size} of {len(points)} vertices, "
                f"first at ({where}); it must be finite everywhere"
            )
        return result

    def holds(self, points: Array) -> npt.NDArray[np.bool_]:
        """Whether the condition holds at each of the points (n, 3)."""
        self.demand(CONDITION)
        return np.asarray(self._evaluate(points, 0.0), dtype=np.bool_)

    def demand(self, kind: str) -> None:
        """Refuse a condition where a number is meant, and the reverse."""
        if self.kind != kind:
            example = f"{self.variables[0]} < 0.1" if kind == CONDITION else f"2 * {self.variables[0]}"
            raise ValueError(f"'{self.text}' is {self.kind}; {kind} is needed here, such as '{example}'")

    def _evaluate(self, points: Array, t: float) -> Any:
        points = np.asarray(points, dtype=np.float64)
        last = np.linalg.norm(points, axis=1) if self.variables == REST else np.float64(t)
        names = dict(zip(self.variables, (*points.T, last), strict=True)) | CONSTANTS
        with np.errstate(all="ignore"):
            return np.broadcast_to(_value(self.tree, names), len(points)).copy()


def _parse(text: str) -> ast.expr:
    if not text.strip():
        raise ValueError("the expression is empty")
    if len(text) > LONGEST:
        raise ValueError(f"the expression has {len(text)} characters; at most {LONGEST} are read")
    try:
        # ^ binds like ** here; Python's own ^ would bind weaker than +
        return ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"'{text}' is not an expression ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, SyntaxError) else "it cannot be parsed"


@dataclass(frozen=True)
class _Checker:
    """Lets a node and all below it pass, or raises a ValueError."""

    names: tuple[str, ...]

    def kind(self, node: ast.expr) -> str:
        """Tell whether it is a number or a condition."""
        match node:
            case ast.Constant(value=bool()):
                raise ValueError(f"true and false cannot be used; write a comparison such as '{self.names[0]} < 0.1'")
            case ast.Constant(value=int() | float()):
                return NUMBER
            case ast.Name(id=name):
                if name not in self.names:
                    raise ValueError(f"unknown name '{name}'{suggestion(name, self.names)}")
                return NUMBER
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
                return self._check(NUMBER, [inner], NUMBER)
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return self._check(CONDITION, [inner], CONDITION)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self._check(NUMBER, [left, right], NUMBER)
            case ast.BoolOp(values=values):
                return self._check(CONDITION, values, CONDITION)
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(o) in _COMPARISONS for o in ops):
                return self._check(NUMBER, [left, *others], CONDITION)
            case ast.Call():
                return self._call(node)
        raise ValueError(
            f"'{ast.unparse(node)}' is not allowed; an expression has numbers, {', '.join(self.names)}, + - * / ^, "
            f"comparisons with and, or, not, and the functions {', '.join(_FUNCTIONS)}"
        )

    def _call(self, node: ast.Call) -> str:
        name = ast.unparse(node.func)
        if not isinstance(node.func, ast.Name) or name not in _FUNCTIONS:
            raise ValueError(f"unknown function '{name}'{suggestion(name, _FUNCTIONS)}")
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            raise ValueError(f"{name}() takes plain arguments only, such as {name}({self.names[0]})")
        count, least, most = len(node.args), 1, 1
        if name == "where":
            least = most = 3
        elif name in ("min", "max"):
            least, most = 2, LONGEST
        if not least <= count <= most:
            raise ValueError(f"{name}() takes {least}{'' if least == most else ' or more'} arguments, found {count}")
        if name == "where":
            self._check(CONDITION, node.args[:1], NUMBER)
            return self._check(NUMBER, node.args[1:], NUMBER)
        return self._check(NUMBER, node.args, NUMBER)

    def _check(self, wanted: str, nodes: Sequence[ast.expr], result: str) -> str:
        """All nodes must be of the wanted kind; then the whole is of kind `result`."""
        for node in nodes:
            if (found := self.kind(node)) != wanted:
                raise ValueError(f"'{ast.unparse(node)}' is {found}, but {wanted} is needed in that place")
        return result


def _value(node: ast.expr, names: dict[str, Any]) -> Any:
    """Evaluate a node that has passed."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return np.float64(number)
        case ast.Name(id=name):
            return names[name]
        case ast.UnaryOp(op=op, operand=inner):
            value = _value(inner, names)
            return np.logical_not(value) if isinstance(op, ast.Not) else -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](_value(left, names), _value(right, names))
        case ast.BoolOp(op=op, values=values):
            join = np.logical_and if isinstance(op, ast.And) else np.logical_or
            return reduce(join, [_value(v, names) for v in values])
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [_value(v, names) for v in (left, *others)]
            pairs = zip(ops, sides[:-1], sides[1:], strict=True)
            return reduce(np.logical_and, [_COMPARISONS[type(op)](a, b) for op, a, b in pairs])
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*[_value(a, names) for a in arguments])
    raise ValueError(f"'{ast.unparse(node)}' cannot be evaluated")
