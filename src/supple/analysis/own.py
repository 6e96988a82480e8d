"""User-defined studies, run by `supple analyse own NAME SCENE`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from supple.integrators.method import Method
from supple.model.model import Model
from supple.registry import Registry

Row = Mapping[str, float | str]


class Analysis:
    """Base class of user-defined studies; subclasses are frozen dataclasses of their options, registered in ANALYSES."""

    name: ClassVar[str]

    def rows(self, model: Model, method: Method, h: float, steps: int) -> Iterable[Row]:
        """The table of the study, row by row; all rows have the same columns."""
        raise TypeError(f"{type(self).__name__} does not implement `rows`")


ANALYSES: Registry[Analysis] = Registry("analysis")
