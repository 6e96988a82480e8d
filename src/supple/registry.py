"""Named implementations of one concept: a new file with one decorated class is available everywhere.

MATERIALS: Registry[Material] = Registry("material", "supple.materials")

@MATERIALS("stvk")
@dataclass(frozen=True)
class StVK(Material): ...

Every instance of a registered dataclass is checked against its type hints, see `supple.checks`.

Looking up a name does not import the other implementations: the sources are searched for its decorator, and only the
module that contains it is imported.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Generic, Self, TypeVar, cast

from supple.checks import checked
from supple.errors import SuppleError, did_you_mean

T = TypeVar("T")
C = TypeVar("C", bound=type)


class Registry(dict[str, type[T]], Generic[T]):
    """Name -> class, filled by the decorator when the modules of the packages are imported.

    `variable`: name of the registry in the sources, by default the plural of the noun. `error`: exception raised for
    values out of bounds. `per_element`: whether arrays may replace scalars. `of_place`: whether functions of position
    may.
    """

    def __init__(
        self,
        noun: str,
        *packages: str,
        variable: str = "",
        error: type[SuppleError] = SuppleError,
        per_element: bool = False,
        of_place: bool = False,
    ) -> None:
        super().__init__()
        self.noun = noun
        self.packages = packages
        self.variable = variable or f"{noun.upper()}S"
        self.error = error
        self.per_element, self.of_place = per_element, of_place

    def __call__(self, name: str) -> Callable[[C], C]:
        def keep(cls: C) -> C:
            if name in self or self._is_taken(name, cls.__module__):
                raise ValueError(f"two {self.noun}s are called {name!r}")
            cls.name = name  # type: ignore[attr-defined]
            self[name] = cast("type[T]", checked(cls, self.error, self.per_element, self.of_place))
            return cls

        return keep

    def load(self) -> Self:
        """Import every module of the packages, so that all their classes are registered."""
        for name in self.packages:
            package = importlib.import_module(name)
            for module in sorted(m.name for m in pkgutil.walk_packages(package.__path__, f"{name}.")):
                importlib.import_module(module)
        return self

    @cached_property
    def homes(self) -> dict[str, str]:
        """Name -> module of all classes in the packages, read from the sources without importing them."""
        decorator = re.compile(rf'^@{self.variable}\("([^"]+)"\)', re.MULTILINE)
        homes: dict[str, str] = {}
        for package in self.packages:
            spec = importlib.util.find_spec(package)
            for folder in map(Path, (spec and spec.submodule_search_locations) or ()):
                for file in sorted(folder.rglob("*.py")):
                    module = ".".join([package, *file.relative_to(folder).with_suffix("").parts])
                    for name in decorator.findall(file.read_text(encoding="utf-8")):
                        homes[name] = module
        return homes

    def _is_taken(self, name: str, module: str) -> bool:
        """Whether a class of the packages, possibly not imported yet, has the name; needed for classes from outside only."""
        inside = any(module.startswith(f"{package}.") for package in self.packages)
        return not inside and name in self.homes

    def names(self) -> list[str]:
        """Sorted names of all classes, imported or not."""
        return sorted({*self, *self.homes})

    def lookup(self, name: str) -> type[T] | None:
        """The class of that name, or None; imports its module if necessary."""
        if name not in self and name in self.homes:
            importlib.import_module(self.homes[name])
        return self.get(name)

    def __missing__(self, name: str) -> type[T]:
        cls = self.lookup(name)
        if cls is None:
            raise KeyError(name)
        return cls

    def find(self, name: str) -> type[T]:
        """The class of that name, or an error that suggests the nearest one."""
        cls = self.lookup(name)
        if cls is None:
            known = self.names()
            raise SuppleError(f"unknown {self.noun} '{name}'{did_you_mean(name, known)} known: {', '.join(known)}")
        return cls
