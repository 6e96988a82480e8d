"""Base class and registry of the kinds of constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from supple.constraints.holonomic import Holonomic
from supple.model.placed import Placed
from supple.registry import Registry
from supple.types import Array


class Constraint:
    """Base of the kinds; subclasses are frozen dataclasses, registered in CONSTRAINTS."""

    name: ClassVar[str]
    vertices: str
    """`body`, or `body.group`."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        """The equations at the initial positions x (n, 3) of all bodies; `path`: location in the world, for messages."""
        raise TypeError(f"{type(self).__name__} does not define its equations")


CONSTRAINTS: Registry[Constraint] = Registry("constraint", "supple.model.constraints")
