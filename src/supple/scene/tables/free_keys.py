"""Tables with keys of any name: the constants of a formula, in addition to the keys of its class."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AllowInfNan, ConfigDict, Strict

from supple.scene.text.registry_models import Options
from supple.values import FREE_KEYS


class FreeOptions(Options):
    """The table of a dataclass with a field of named values, which are additional keys here."""

    model_config = ConfigDict(extra="allow", frozen=True)
    if not TYPE_CHECKING:  # pydantic's name for the type of additional keys
        __pydantic_extra__: dict[str, Annotated[float, Strict(), AllowInfNan(False)]]

    def values(self) -> dict[str, Any]:
        return {**super().values(), free_field(self.made_from): tuple((self.model_extra or {}).items())}


def free_field(cls: type[Any]) -> str:
    """Name of the field of a dataclass that takes additional keys; empty if it has none."""
    return next((f.name for f in dataclasses.fields(cls) if f.metadata == FREE_KEYS), "")
