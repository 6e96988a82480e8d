"""`material = { name = "sand", young = "1e5*(1 + Z)" }`: materials that flow, with constants that may depend on position."""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Literal, get_type_hints

from pydantic import Field, create_model

from supple.scene.tables.formula import constant, is_number, of_place
from supple.scene.text.field_docs import summary
from supple.scene.text.registry_models import Options, dataclass_fields


class FlowOptions(Options):
    """The table of a material that flows."""

    varying: ClassVar[tuple[str, ...]]
    """Constants that may depend on position."""

    def _value(self, name: str) -> Any:
        return constant(getattr(self, name)) if name in self.varying else super()._value(name)


@cache
def flow_model(name: str, cls: type[Any]) -> type[FlowOptions]:
    """The table of one flowing material; files with values per particle are not supported."""
    hints = get_type_hints(cls, include_extras=True)
    fields: dict[str, Any] = {"name": (Literal[name], Field(description=summary(cls)))}
    for key, (usual, info) in dataclass_fields(cls).items():
        fields[key] = (of_place(hints[key], files=False) if is_number(hints[key]) else usual, info)
    model = create_model(cls.__name__, __base__=FlowOptions, __doc__=cls.__doc__, **fields)
    model.made_from, model.documented = cls, (cls,)
    model.varying = tuple(key for key in fields if key != "name" and is_number(hints[key]))
    return model
