"""Checks the parameters of a shape against the bounds in its type hints.

A scene file is checked against the same hints by pydantic; this is for shapes made in Python.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from annotated_types import Ge, Gt, Le, Lt

from supple.errors import MeshError


def check_parameters(shape: Any) -> None:
    """Raise a `MeshError` that names every field of a shape that its type hint does not allow."""
    cls = type(shape)
    hints = get_type_hints(cls, include_extras=True)
    problems: list[str] = []
    for field in cls.__dataclass_fields__:
        problems += _problems(f"{cls.name}.{field}", getattr(shape, field), hints[field])
    if problems:
        raise MeshError("\n".join(problems))


def _problems(where: str, value: Any, hint: Any) -> list[str]:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found = _problems(where, value, args[0])
        return found or [f"{where}: found {value}; {rule}" for bound in args[1:] if (rule := _broken(value, bound))]
    if origin is Literal:
        return [] if value in args else [f"{where}: found {value!r}; choose from {', '.join(map(repr, args))}"]
    if origin is tuple:
        return _tuple_problems(where, value, args)
    if hint is int and (isinstance(value, bool) or not hasattr(value, "__index__")):
        return [f"{where}: found {value!r}; give a whole number"]
    if hint is float and not _is_number(value):
        return [f"{where}: found {value!r}; give a finite number"]
    return []


def _tuple_problems(where: str, value: Any, args: tuple[Any, ...]) -> list[str]:
    try:
        entries = list(value)
    except TypeError:
        entries = []
    if len(entries) != len(args):
        return [f"{where}: found {value!r}; give {len(args)} numbers"]
    return [p for i, (v, a) in enumerate(zip(entries, args, strict=True)) for p in _problems(f"{where}[{i}]", v, a)]


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, (bool, str)) and math.isfinite(value)
    except TypeError:
        return False


def _broken(value: Any, bound: Any) -> str:
    """The rule that a value breaks, or nothing."""
    if isinstance(bound, Gt) and not value > bound.gt:
        return f"must be above {bound.gt}"
    if isinstance(bound, Ge) and not value >= bound.ge:
        return f"must be {bound.ge} or more"
    if isinstance(bound, Lt) and not value < bound.lt:
        return f"must be below {bound.lt}"
    if isinstance(bound, Le) and not value <= bound.le:
        return f"must be {bound.le} or less"
    return ""
