"""Named implementations of one noun: a new file with one decorated class is known everywhere.

MATERIALS: Registry[Material] = Registry("material", "supple.materials")

@MATERIALS("stvk")
@dataclass(frozen=True)
class StVK(Material): ...

Every instance of a registered dataclass is checked against its type hints, see `supple.checks`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from typing import Generic, Self, TypeVar, cast

from supple.checks import checked
from supple.errors import SuppleError, did_you_mean

T = TypeVar("T")
C = TypeVar("C", bound=type)


class Registry(dict[str, type[T]], Generic[T]):
    """Name -> class, filled by the decorator when the modules of the packages are imported.

    `error`: what is raised for values out of bounds; `per_element`: whether arrays may stand for numbers.
    """

    def __init__(
        self, noun: str, *packages: str, error: type[SuppleError] = SuppleError, per_element: bool = False
    ) -> None:
        super().__init__()
        self.noun = noun
        self.packages = packages
        self.error = error
        self.per_element = per_element

    def __call__(self, name: str) -> Callable[[C], C]:
        def keep(cls: C) -> C:
            if name in self:
                raise ValueError(f"two {self.noun}s are called {name!r}")
            cls.name = name  # type: ignore[attr-defined]
            self[name] = cast("type[T]", checked(cls, self.error, self.per_element))
            return cls

        return keep

    def load(self) -> Self:
        """Import every module of the packages, so that all their classes are registered."""
        for name in self.packages:
            package = importlib.import_module(name)
            for module in sorted(m.name for m in pkgutil.walk_packages(package.__path__, f"{name}.")):
                importlib.import_module(module)
        return self

    def find(self, name: str) -> type[T]:
        """The class of that name, or an error that suggests the nearest one."""
        if name not in self.load():
            raise SuppleError(
                f"unknown {self.noun} '{name}'{did_you_mean(name, self)} known: {', '.join(sorted(self))}"
            )
        return self[name]
