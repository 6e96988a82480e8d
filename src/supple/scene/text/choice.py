"""One of many tables, chosen by one of its keys when a scene is checked.

Only the named table is built: a union of all tables of a registry would import every implementation and cost
more than a second per process. The union is built for the JSON schema.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, BeforeValidator, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, SchemaValidator, core_schema


class Names(Protocol):
    """Source of names for a choice: a registry or a similar object."""

    def names(self) -> list[str]: ...

    def lookup(self, name: str) -> type[Any] | None: ...


@dataclass(frozen=True, eq=False)  # marks of type hints are hashed
class Choice:
    """Allowed tables of a field of type `Annotated[Any, Choice(...)]`; errors are those of a union discriminated by `key`."""

    key: str
    registries: tuple[Names, ...]
    table: Callable[[str, type[Any]], type[BaseModel]]
    """The table of a registered class, given its name."""
    fits: Callable[[type[Any]], bool] | None = None
    """Allowed classes; default: all."""
    bare: bool = False
    """Whether a bare name denotes a table with default options."""
    bare_names: Callable[[], list[str]] | None = None
    """Names allowed as bare names, for the JSON schema; default: all."""

    def model(self, name: str) -> type[BaseModel] | None:
        """The table of a name, or None."""
        for registry in self.registries:
            cls = registry.lookup(name)
            if cls is not None:
                return self.table(name, cls) if self.fits is None or self.fits(cls) else None
        return None

    def names(self) -> list[str]:
        """All names, for messages."""
        known = [name for registry in self.registries for name in registry.names()]
        return known if self.fits is None else [name for name in known if self.model(name) is not None]

    def read(self, value: Any) -> Any:
        """The table that the value describes."""
        if self.bare:
            value = self._written_out(value)
        if not isinstance(value, dict | BaseModel):
            raise PydanticKnownError("model_attributes_type")
        tag = value.get(self.key) if isinstance(value, dict) else getattr(value, self.key, None)
        if tag is None:
            raise PydanticKnownError("union_tag_not_found", {"discriminator": f"'{self.key}'"})
        model = self.model(tag) if isinstance(tag, str) else None
        if model is None:
            known = ", ".join(f"'{name}'" for name in self.names())
            context = {"discriminator": f"'{self.key}'", "tag": str(tag), "expected_tags": known}
            raise PydanticKnownError("union_tag_invalid", context)
        return _tagged(model, self.key, str(tag)).validate_python(value)

    def _written_out(self, value: Any) -> Any:
        return {self.key: value} if isinstance(value, str) else value

    def _union(self) -> Any:
        """The union type of all tables."""
        names = self.names()
        models = list(dict.fromkeys(model for model in map(self.model, names) if model is not None))
        tables: Any = models[0]
        if len(models) > 1:
            tables = Annotated[reduce(or_, models), Field(discriminator=self.key)]
        if not self.bare:
            return tables
        alone = names if self.bare_names is None else self.bare_names()
        written: Any = Literal[tuple(alone)] | tables
        return Annotated[tables, BeforeValidator(self._written_out, json_schema_input_type=written)]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # as an entry of a list, since pydantic writes the only table of a type in place and not by reference
        tables: Any = list[self._union()]  # type: ignore[misc]
        items: JsonSchemaValue = handler(TypeAdapter(tables).core_schema)["items"]
        return items


@cache
def _tagged(model: type[BaseModel], key: str, tag: str) -> SchemaValidator:
    """Checks one table and puts its tag into the location of errors, as a union does."""
    return SchemaValidator(core_schema.tagged_union_schema({tag: model.__pydantic_core_schema__}, key))
