"""Position-dependent numbers: text in the rest coordinates, with one value per element of a mesh.

    Field("1e5*(1 + 4*Z)")

X, Y, Z are the rest coordinates, r is the distance from the origin [m], t is the time [s]. An element does not move while it
is at rest, so x, y, z mean the same here. Sums, products and quotients with numbers are fields again, with their own
text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
from annotated_types import Len

from supple.errors import FormulaError, SuppleError, WrongOption
from supple.formulas.curves import Curve
from supple.formulas.expressions import CONSTANTS
from supple.formulas.graph import Node, apply, leaves, number
from supple.formulas.parse import A_NUMBER, kind, parse
from supple.formulas.source import cut
from supple.formulas.walk import evaluate
from supple.types import Array
from supple.values import Deferred, Read
from supple.wording import shown

UNPLACED = "it depends on position; evaluate the material at the centres of tets first, with at(points)"
PLACE = ("X", "Y", "Z", "r", "x", "y", "z")
TIME = "t"
_OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


@dataclass(frozen=True)
class Field(Deferred):
    """A checked text; a FormulaError at construction names the fault."""

    text: str
    """In Python also a `Curve`."""
    curve: Curve | None = None
    """The source of the text, if it is a curve given by keys."""
    graph: Node = field(init=False, repr=False, compare=False)
    """Parsed expression."""

    __array_ufunc__ = None
    """Arrays defer arithmetic to this class."""

    def __post_init__(self) -> None:
        try:
            self._read()
        except ValueError as error:
            raise FormulaError(str(error)) from None

    def _read(self) -> None:
        if isinstance(self.text, Curve):
            object.__setattr__(self, "curve", self.text if self.text.keys else None)
            object.__setattr__(self, "text", self.text.expression)
        if not isinstance(self.text, str):
            raise ValueError(f'input should be an expression such as "1e5*(1 + 4*Z)", found {shown(self.text)}')
        graph = parse(self.text, (*PLACE, TIME), CONSTANTS)
        if kind(graph) != A_NUMBER:
            raise ValueError(f"'{self.text}' is {kind(graph)}; a number is needed here, such as '1e5*(1 + 4*Z)'")
        object.__setattr__(self, "graph", graph)

    @property
    def changes(self) -> bool:
        return TIME in leaves([self.graph])

    def at(self, points: Array, t: float = 0.0) -> Array:
        """(m,) values at points (m, 3) and a time [s], all of them finite."""
        x, y, z = points.T
        places = dict(zip(PLACE, (x, y, z, np.linalg.norm(points, axis=1), x, y, z), strict=True))
        found = evaluate([self.graph], places | {TIME: np.full(len(points), t)}, len(points))[0]
        bad = np.flatnonzero(~np.isfinite(found))
        if bad.size:
            where = ", ".join(f"{c:g}" for c in points[bad[0]])
            raise SuppleError(
                f"'{self.text}' is {found[bad[0]]} in {bad.size} of {len(points)} elements, first at ({where}); "
                "it must be finite everywhere"
            )
        return found

    def __neg__(self) -> Field:
        return _joined(0.0, "-", self)

    def __add__(self, other: Any) -> Field:
        return _joined(self, "+", other)

    def __radd__(self, other: Any) -> Field:
        return _joined(other, "+", self)

    def __sub__(self, other: Any) -> Field:
        return _joined(self, "-", other)

    def __rsub__(self, other: Any) -> Field:
        return _joined(other, "-", self)

    def __mul__(self, other: Any) -> Field:
        return _joined(self, "*", other)

    def __rmul__(self, other: Any) -> Field:
        return _joined(other, "*", self)

    def __truediv__(self, other: Any) -> Field:
        return _joined(self, "/", other)

    def __rtruediv__(self, other: Any) -> Field:
        return _joined(other, "/", self)


def _joined(a: Any, operation: str, b: Any) -> Any:
    if not (_is_operand(a) and _is_operand(b)):
        return NotImplemented
    sides = [side.text if isinstance(side, Field) else repr(float(side)) for side in (a, b)]
    made = object.__new__(Field)  # the text is not read again, so that it may exceed the limits of texts
    object.__setattr__(made, "text", f"({sides[0]}){operation}({sides[1]})")
    object.__setattr__(made, "curve", None)
    try:
        graph = apply(_OPERATIONS[operation], *(s.graph if isinstance(s, Field) else number(float(s)) for s in (a, b)))
    except ValueError as error:
        raise FormulaError(f"'{cut(made.text)}' {error}") from None
    object.__setattr__(made, "graph", graph)
    return made


def _is_operand(value: Any) -> bool:
    return isinstance(value, Field) or (isinstance(value, int | float | np.number) and not isinstance(value, bool))


def of_curve(curve: Curve) -> Field:
    """A time-dependent number, uniform in space."""
    return Field(curve.expression, curve if curve.keys else None)


def varies(value: Any) -> bool:
    """Whether a value depends on position, or is a vector with a text among its components."""
    return isinstance(value, Deferred) or (isinstance(value, tuple) and any(isinstance(c, str) for c in value))


def changes(value: Any) -> bool:
    """Whether a constant, or a component of a vector, changes with time."""
    if isinstance(value, tuple):
        return any(Field(c).changes for c in value if isinstance(c, str))
    return isinstance(value, Deferred) and value.changes


def value_at(value: Any, points: Array, t: float = 0.0) -> Any:
    """The same with values in place of fields: (m,), or (m, 3) for a vector."""
    if isinstance(value, Deferred):
        return value.at(points, t)
    if not varies(value):
        return value
    columns = [Field(c).at(points, t) if isinstance(c, str) else np.full(len(points), float(c)) for c in value]
    return np.stack(columns, axis=1)


def option_at(label: str, key: str, value: Any, points: Array, t: float = 0.0) -> Any:
    """`value_at` for an option; an error names its key."""
    try:
        return value_at(value, points, t)
    except WrongOption:
        raise
    except SuppleError as error:
        raise WrongOption(label, key, str(error)) from None


def _component(value: Any) -> Any:
    if isinstance(value, str):
        Field(value)
    elif isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < float("inf"):
        raise ValueError(f'input should be a finite number or an expression such as "0.1*X", found {shown(value)}')
    return value


Component = Annotated[float | str, Read(_component, float | str)]
VectorOfPlace = Annotated[tuple[Component, ...], Len(3, 3)]
"""Three components: numbers, or expressions of position."""
