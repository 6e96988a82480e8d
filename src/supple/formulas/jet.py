"""Values of an expression together with its first and second derivatives by x, y, z: what a surface g(x, y, z) = 0 needs.

A jet carries value a, gradient a' and Hessian a'' over all points at once:
    (a b)'' = a b'' + b a'' + a' b'^T + b' a'^T,   f(a)'' = f' a'' + f'' a' a'^T
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.formulas.expressions import CONSTANTS, NUMBER, PRESENT, Expression
from supple.types import Array

_DERIVATIVES: dict[str, Callable[[Array], tuple[Array, Array, Array]]] = {
    "sin": lambda a: (np.sin(a), np.cos(a), -np.sin(a)),
    "cos": lambda a: (np.cos(a), -np.sin(a), -np.cos(a)),
    "tan": lambda a: (np.tan(a), 1.0 + np.tan(a) ** 2, 2.0 * np.tan(a) * (1.0 + np.tan(a) ** 2)),
    "tanh": lambda a: (np.tanh(a), 1.0 - np.tanh(a) ** 2, -2.0 * np.tanh(a) * (1.0 - np.tanh(a) ** 2)),
    "exp": lambda a: (np.exp(a), np.exp(a), np.exp(a)),
    "log": lambda a: (np.log(a), 1.0 / a, -1.0 / a**2),
    "sqrt": lambda a: (np.sqrt(a), 0.5 / np.sqrt(a), -0.25 / (a * np.sqrt(a))),
}


@dataclass(frozen=True)
class Jet:
    """Value (p,), gradient (p, 3) and Hessian (p, 3, 3) at p points."""

    value: Array
    gradient: Array
    hessian: Array

    def __add__(self, other: Jet) -> Jet:
        return Jet(self.value + other.value, self.gradient + other.gradient, self.hessian + other.hessian)

    def __neg__(self) -> Jet:
        return Jet(-self.value, -self.gradient, -self.hessian)

    def __mul__(self, other: Jet) -> Jet:
        a, b = self.value[:, None], other.value[:, None]
        cross = self.gradient[:, :, None] * other.gradient[:, None, :]
        hessian = a[:, None] * other.hessian + b[:, None] * self.hessian + cross + cross.transpose(0, 2, 1)
        return Jet(self.value * other.value, a * other.gradient + b * self.gradient, hessian)

    def through(self, f: Array, slope: Array, bend: Array) -> Jet:
        """f(self), given f, f' and f'' at the values."""
        outer = self.gradient[:, :, None] * self.gradient[:, None, :]
        hessian = slope[:, None, None] * self.hessian + bend[:, None, None] * outer
        return Jet(f, slope[:, None] * self.gradient, hessian)

    def power(self, p: float) -> Jet:
        """self^p for a number p."""
        a = self.value
        bend = p * (p - 1.0) * a ** (p - 2.0) if p not in (0.0, 1.0) else np.zeros_like(a)
        return self.through(a**p, p * a ** (p - 1.0) if p else np.zeros_like(a), bend)


@dataclass(frozen=True)
class Implicit:
    """The surface on which a smooth expression in x, y, z is zero; a ValueError says what it must not have."""

    text: str

    def __post_init__(self) -> None:
        Expression(self.text, PRESENT).demand(NUMBER)
        with np.errstate(all="ignore"):
            self._jet(np.ones((1, 3)))

    def values(self, points: Array) -> Array:
        return self._jet(points).value

    def gradients(self, points: Array) -> Array:
        return self._jet(points).gradient

    def hessians(self, points: Array) -> Array:
        return self._jet(points).hessian

    def _jet(self, points: Array) -> Jet:
        return _jet(self._tree, points)

    @cached_property
    def _tree(self) -> ast.expr:
        return Expression(self.text, PRESENT).tree


def _jet(node: ast.expr, points: Array) -> Jet:
    """Evaluate a node that the expression has allowed."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return _constant(number, points)
        case ast.Name(id=name) if name in CONSTANTS:
            return _constant(float(CONSTANTS[name]), points)
        case ast.Name(id=name) if name in ("x", "y", "z"):
            axis = "xyz".index(name)
            unit = np.broadcast_to(np.eye(3)[axis], points.shape)
            return Jet(points[:, axis], unit, np.zeros((len(points), 3, 3)))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_jet(inner, points)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _jet(inner, points)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_jet(left, points), _jet(right, points))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _jet(left, points), _jet(right, points)
            if isinstance(op, ast.Div):
                return a * b.power(-1.0)
            return a * b if isinstance(op, ast.Mult) else a + (-b if isinstance(op, ast.Sub) else b)
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _DERIVATIVES:
            a = _jet(inner, points)
            return a.through(*_DERIVATIVES[name](a.value))
    raise ValueError(
        f"'{ast.unparse(node)}' cannot stand in the equation of a surface, which needs smooth functions of x, y, z: "
        f"+ - * / ^, {', '.join(_DERIVATIVES)}"
    )


def _constant(number: float, points: Array) -> Jet:
    return Jet(np.full(len(points), float(number)), np.zeros(points.shape), np.zeros((len(points), 3, 3)))


def _power(a: Jet, b: Jet) -> Jet:
    """a^b: a power with a fixed exponent also of negative numbers, else exp(b log a)."""
    if not b.gradient.any() and not b.hessian.any():
        return a.power(float(b.value[0])) if len(b.value) else a
    product = b * a.through(*_DERIVATIVES["log"](a.value))
    return product.through(*_DERIVATIVES["exp"](product.value))
