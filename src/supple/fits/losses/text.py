"""Losses as text, in the form of `--loss`: follow(tip, "tip.csv") + 0.1*hit(tip, (0.8, 0, 0), at=1.0).

Names of groups, keys and columns need no quotes.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from supple.errors import SuppleError, did_you_mean
from supple.fits.losses.losses import Loss, energy_at, follow, highest, hit, pose, roughness
from supple.fits.losses.targets import Target

KINDS: dict[str, Callable[..., Loss]] = {
    "follow": follow,
    "hit": hit,
    "pose": pose,
    "energy_at": energy_at,
    "highest": highest,
    "roughness": roughness,
}
TARGET = "target"
"""Placeholder for the value of --target."""
FORMS = (
    "follow(GROUP, target), hit(GROUP, (x, y, z), at=TIME), pose(target), energy_at(COLUMN, VALUE, at=TIME), "
    "highest(GROUP, HEIGHT), roughness(KEY), and weighted sums of these"
)


def parse_loss(text: str, target: Target | None = None) -> Loss:
    """The loss that an expression describes; `target` in it is the separately given target."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        raise SuppleError(f"--loss '{text}': cannot be read; give {FORMS}") from None
    try:
        found = _value(tree, target)
    except TypeError as error:  # wrong arguments of a loss
        raise SuppleError(f"--loss '{text}': {error}; give {FORMS}") from None
    if not isinstance(found, Loss):
        raise SuppleError(f"--loss '{text}': is not a loss; give {FORMS}")
    return found


def _value(node: ast.expr, target: Target | None) -> Any:
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _losses(left, target) + _losses(right, target)
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return _losses(left, target) + -1.0 * _losses(right, target)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _value(left, target) * _value(right, target)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, target)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return _called(name, args, keywords, target)
        case ast.Constant(value=bool() | int() | float() | str() as value):
            return value
        case ast.Tuple(elts=entries) | ast.List(elts=entries):
            return tuple(_value(entry, target) for entry in entries)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return ast.unparse(node).replace(" ", "")
    raise SuppleError(f"--loss: cannot read '{ast.unparse(node)}'; give {FORMS}")


def _losses(node: ast.expr, target: Target | None) -> Loss:
    found = _value(node, target)
    if not isinstance(found, Loss):
        raise SuppleError(f"--loss: '{ast.unparse(node)}' is not a loss, and only losses can be added; give {FORMS}")
    return found


def _called(name: str, args: list[ast.expr], keywords: list[ast.keyword], target: Target | None) -> Loss:
    if name not in KINDS:
        raise SuppleError(f"--loss: unknown '{name}'{did_you_mean(name, KINDS)} give {FORMS}")
    given = [_argument(node, target) for node in args]
    named = {str(one.arg): _argument(one.value, target) for one in keywords if one.arg is not None}
    return KINDS[name](*given, **named)


def _argument(node: ast.expr, target: Target | None) -> Any:
    if isinstance(node, ast.Name) and node.id == TARGET:
        if target is None:
            raise SuppleError("--loss: it uses a target, but none is given; give --target FILE or RUN")
        return target
    return _value(node, target)
