"""Types of option values: type hints with bounds, readable by people, by Python and by scene files.

A dataclass declares its options by these hints. `supple.checks` validates each instance against them, so Python
rejects the same values as a scene file, with the same message; `scene.text.registry_models` turns the same hints into
tables.

    Annotated[float, Gt(0)]          a number above zero
    Annotated[str, Check(colour)]    a string that `colour` accepts: it raises ValueError, or returns the value
    Annotated[..., Read(names)]      a value with an alternative form; `names` converts it to the usual form
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from annotated_types import Ge, Gt, Len

from supple.colours import colour_code
from supple.errors import SuppleError
from supple.wording import shown


@dataclass(frozen=True)
class Check:
    """A rule beyond bounds: the function returns the value or raises ValueError with a message."""

    rule: Callable[[Any], Any]


@dataclass(frozen=True)
class Read:
    """Alternative form of a value: the function converts it to the usual form and passes everything else through."""

    form: Callable[[Any], Any]
    written: Any = None
    """Type hint of the accepted input, for the JSON schema of scene files."""


@dataclass(frozen=True)
class Written:
    """Text form in a scene file of a value that only Python can represent."""

    hint: Any
    """Type hint of the text form."""
    make: Callable[[Any], Any]
    """Conversion from the text form to the value."""


class Deferred:
    """A number that depends on position, such as a function of the coordinates.

    It is accepted in place of a number; bounds are checked when an object is created with the values.
    """

    @property
    def changes(self) -> bool:
        """Whether it also depends on time."""
        return False

    def at(self, points: Any, t: float = 0.0) -> Any:
        """Values (m,) at the centres (m, 3) of all elements and at a time [s]."""
        raise TypeError(f"{type(self).__name__} does not define its values")


class Timed:
    """A number that changes with time."""

    def at_time(self, t: float) -> float:
        """The number at a time [s]."""
        raise TypeError(f"{type(self).__name__} does not define its values")

    @property
    def values(self) -> tuple[float, ...]:
        """Values that are checked against bounds on construction."""
        raise TypeError(f"{type(self).__name__} does not define its values")


@dataclass(frozen=True)
class OverTime:
    """The number may change with time. Bounds apply to its values at keys, and to every value in use."""

    read: Callable[[Any], Any]
    """Converts the written form, a string or a table, to a `Timed`; passes everything else through."""
    forms: str
    """Description of the accepted input."""
    zero: bool = False
    """Whether a curve may pass through zero where a constant must be positive."""

    def bounded(self, curve: Timed) -> list[float]:
        """Values of a curve that bounds apply to."""
        return [value for value in curve.values if value or not self.zero]


PYTHON_ONLY = {"python_only": True}
"""Metadata of a dataclass field that has no key in scene files."""
FREE_KEYS = {"free_keys": True}
"""Metadata of a dataclass field of names and numbers, written in a scene file as further keys of the same table."""


SMALLEST, LARGEST = 1e-60, 1e60
"""Magnitudes whose products and powers stay within double precision; no quantity in SI units lies beyond."""
LONGEST_NAME = 100
SIXTY_FOUR_BITS = 2**63


def carried_number(value: float) -> float:
    """The value as given, if squares, cubes and products of such magnitudes stay finite."""
    if value and not SMALLEST <= abs(float(value)) <= LARGEST:
        raise ValueError(f"input should be 0, or from {SMALLEST:g} to {LARGEST:g} in size, found {value:g}")
    return value


def bounded_number(value: float) -> float:
    """The value, if it is not too large. Computed values may be tiny: a fading curve, a difference close to zero."""
    if abs(float(value)) > LARGEST:
        raise ValueError(f"input should be at most {LARGEST:g} in size, found {value:g}")
    return value


def whole_number(value: int) -> int:
    """The value, if it fits into 64 bits."""
    if not -SIXTY_FOUR_BITS <= value < SIXTY_FOUR_BITS:
        raise ValueError("input should be a whole number of at most 64 bits, found a larger one")
    return value


def _name(text: str) -> str:
    if len(text) > LONGEST_NAME:
        raise ValueError(f"a name has at most {LONGEST_NAME} characters, found {len(text)}")
    if not text.isprintable() or text.strip() != text or text in (".", "..") or "/" in text or "\\" in text:
        raise ValueError(
            f"a name has printable characters, no slash, no leading or trailing space, found {text!a}; it becomes the name of "
            "files and of data in them"
        )
    return text


def written_name(field: str) -> str:
    """The scene-file key of a field; a field named like a Python keyword has a trailing underscore: `from_`."""
    return field.removesuffix("_")


def _direction(vector: Any) -> Any:
    if not any(vector):
        raise ValueError("a direction must not be zero, found [0, 0, 0]")
    return vector


def _colour(text: str) -> str:
    try:
        colour_code(text)
    except SuppleError as error:
        raise ValueError(str(error)) from None
    return text


def poisson_ratio(value: float) -> float:
    """The value, if it is a Poisson's ratio of a stable material."""
    if not -1 < value < 0.5:
        raise ValueError(
            f"input should be above -1 and below 0.5, found {value:g}; "
            "0.5 would be incompressible, with an infinite bulk modulus: take 0.49 or less"
        )
    return value


def _one_or_more(names: Any) -> Any:
    if isinstance(names, Mapping) or not isinstance(names, Iterable):
        raise ValueError(f"input should be a name or a list of names, found {shown(names)}")
    return [names] if isinstance(names, str) else names


Number: TypeAlias = float
Positive = Annotated[float, Gt(0)]
NotNegative = Annotated[float, Ge(0)]
Count = Annotated[int, Ge(0)]
Vector = Annotated[tuple[float, ...], Len(3, 3)]
Direction = Annotated[Vector, Check(_direction)]
Colour = Annotated[str, Check(_colour)]
"""A colour name from colours.py, or `#rrggbb`."""
Poisson = Annotated[float, Check(poisson_ratio)]
Names = Annotated[tuple[str, ...], Len(1), Read(_one_or_more, str | Annotated[list[str], Len(1)])]
"""One name, or a list of names."""


def checked_name(name: Any, where: str) -> str:
    """The name of a group, validated in Python too."""
    if not isinstance(name, str):
        raise SuppleError(f"{where}: a name is a text, found {name!r}")
    try:
        return _name(name)
    except ValueError as error:
        raise SuppleError(f"{where}: {error}") from None


Name = Annotated[str, Check(_name)]
"""Name of a body, an obstacle or a group."""
Groups = Annotated[tuple[str, ...], Read(_one_or_more, str | list[str])]
"""Names of vertex groups: none, one name, or a list."""


def exactly_one(values: dict[str, Any], what: str) -> None:
    """Raise an error unless exactly one of the options is given."""
    given = [key for key, value in values.items() if value is not None]
    if len(given) != 1:
        found = ", ".join(given) if given else "none of them"
        raise SuppleError(f"{what} needs exactly one of {', '.join(values)}, found {found}")
