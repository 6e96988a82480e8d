"""Frozen dataclasses turned into pydantic models, so one decorated class suffices for a scene.

Each class of a registry becomes a table that forbids unknown keys and takes numbers strictly. A registry becomes a
choice of those tables. One key, `name` or `shape`, holds the registered name and selects the table.

A field of type `Method` holds another integrator: its table, or its bare name. Methods with such a field cannot be nested in
another one. A field of type `Rule` holds a time-step rule, and one of type `Transfer` a transfer, in the same way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    create_model,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from supple.adaptive import RULES
from supple.adaptive.rule import Rule
from supple.errors import SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.method import Method
from supple.points import TRANSFERS
from supple.points.transfer import Transfer
from supple.registry import Registry
from supple.scene.text.choice import Choice
from supple.scene.text.field_docs import field_docs, summary
from supple.scene.text.hints import strict_numbers, written_as
from supple.values import FREE_KEYS, PYTHON_ONLY, written_name


class Table(BaseModel):
    """A table of a scene file: no unknown keys, immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    documented: ClassVar[tuple[type[Any], ...]] = ()
    """Classes that define the fields of a generated table; the docstrings of the first one are used."""

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # field docstrings are for the schema only, so they are read here and not when a table is built
        table = handler(schema)
        properties = handler.resolve_ref_schema(table).get("properties", {})
        for source in cls.documented or (cls,):
            for name, words in field_docs(source).items():
                if (key := written_name(name)) in properties:
                    properties[key].setdefault("description", words)
        return table


class Options(Table):
    """The table of one dataclass; `make()` gives the instance."""

    made_from: ClassVar[type[Any]]
    written: ClassVar[dict[str, Callable[[Any], Any]]] = {}
    """Fields whose Python value is made from a text form."""

    def make(self) -> Any:
        """The dataclass with the values of this table."""
        return self.made_from(**self.values())

    def values(self) -> dict[str, Any]:
        """Values of the dataclass's fields, with nested tables converted."""
        names = [f.name for f in dataclasses.fields(self.made_from) if written_name(f.name) in type(self).model_fields]
        return {name: self._value(written_name(name)) for name in names}

    def _value(self, name: str) -> Any:
        value = getattr(self, name)
        if name in self.written and value is not None:
            return self.written[name](value)
        return made(value)

    @model_validator(mode="after")
    def _can_be_made(self) -> Options:
        # a class may check combinations of fields in __post_init__
        try:
            self.make()
        except SuppleError as error:
            raise ValueError(str(error)) from error
        return self


def made(value: Any) -> Any:
    """A value with every nested table converted."""
    if isinstance(value, Options):
        return value.make()
    if isinstance(value, tuple):
        return tuple(made(entry) for entry in value)
    return {key: made(entry) for key, entry in value.items()} if isinstance(value, dict) else value


def dataclass_fields(cls: type[Any], without: tuple[str, ...] = ()) -> dict[str, tuple[Any, FieldInfo]]:
    """Fields of a dataclass in the form that `create_model` takes, in the order of its arguments."""
    hints = get_type_hints(cls, include_extras=True)
    fields: dict[str, tuple[Any, FieldInfo]] = {}
    for f in sorted(dataclasses.fields(cls), key=lambda f: bool(f.kw_only)):
        if not f.init or f.metadata in (PYTHON_ONLY, FREE_KEYS) or f.name in without:
            continue
        if hints[f.name] in (Method, Rule, Transfer):
            held = {Method: METHOD_TABLE, Rule: RULE_TABLE, Transfer: TRANSFER_TABLE}
            fields[f.name] = (held[hints[f.name]], _held_field(f))
            continue
        info = _default(f)
        text = written_as(hints[f.name])
        fields[written_name(f.name)] = (strict_numbers(hints[f.name] if text is None else text.hint | None), info)
    return fields


def _default(f: dataclasses.Field[Any]) -> FieldInfo:
    """The default of a field; an instance of a dataclass becomes a table."""
    info: Any
    if f.default_factory is not dataclasses.MISSING and dataclasses.is_dataclass(f.default_factory):
        info = Field(default={}, validate_default=True)
    elif f.default_factory is not dataclasses.MISSING:
        info = Field(default_factory=f.default_factory)
    else:
        info = Field(default=... if f.default is dataclasses.MISSING else f.default)
    made: FieldInfo = info
    return made


def written_fields(cls: type[Any]) -> dict[str, Callable[[Any], Any]]:
    """Fields of a dataclass whose value is made from a text form."""
    hints = get_type_hints(cls, include_extras=True)
    found = {f.name: written_as(hints[f.name]) for f in dataclasses.fields(cls)}
    return {name: text.make for name, text in found.items() if text is not None}


def table_of(cls: type[Any], base: type[Any] = Options, **own: Any) -> Any:
    """The table of a dataclass; `own`: types of fields with separate tables."""
    fields: dict[str, Any] = dataclass_fields(cls, tuple(own))
    for name, hint in own.items():
        f = next(f for f in dataclasses.fields(cls) if f.name == name)
        fields[name] = (hint, _default(f))
    ordered = {f.name: fields[f.name] for f in dataclasses.fields(cls) if f.name in fields}
    model = create_model(f"{cls.__name__}Table", __base__=base, __doc__=cls.__doc__, **ordered)
    model.made_from, model.documented = cls, (cls,)
    return model


def options_model(cls: type[Any], key: str = "", tag: str = "") -> type[Options]:
    """The table of one dataclass; with a `key`, that key must hold `tag`.

    The same arguments give the same model, so a table used in several places appears once in the JSON schema.
    """
    return _model((cls, key, tag))


@cache
def _model(source: tuple[type[Any], str, str]) -> type[Options]:
    cls, key, tag = source
    fields: dict[str, Any] = {key: (Literal[tag], Field(description=summary(cls)))} if key else {}
    fields |= dataclass_fields(cls)
    model = create_model(cls.__name__, __base__=_base(cls), __doc__=cls.__doc__, **fields)
    model.made_from, model.written, model.documented = cls, written_fields(cls), (cls,)
    return model


def _base(cls: type[Any]) -> type[Options]:
    from supple.scene.tables.free_keys import FreeOptions, free_field  # which needs the options of this file

    return FreeOptions if free_field(cls) else Options


def table_choice(key: str, *registries: Registry[Any]) -> Any:
    """One of the tables of all classes of some registries, discriminated by the value of `key`."""
    return Annotated[Any, Choice(key, registries, lambda name, cls: options_model(cls, key, name))]


def holds_method(cls: type[Any]) -> bool:
    """Whether a class wraps another integrator."""
    return Method in get_type_hints(cls).values()


def _named_table(name: str, cls: type[Any]) -> type[Options]:
    return options_model(cls, "name", name)


METHOD_TABLE = Annotated[
    Any, Choice("name", (INTEGRATORS,), _named_table, lambda cls: not holds_method(cls), bare=True)
]
"""An integrator inside another one: its table, or its bare name for one with default options."""
RULE_TABLE = Annotated[Any, Choice("name", (RULES,), _named_table, bare=True)]
"""A time-step rule: its table, or its bare name."""
TRANSFER_TABLE = Annotated[Any, Choice("name", (TRANSFERS,), _named_table, bare=True)]
"""A material-point transfer: its table, or its bare name."""


def _held_field(f: dataclasses.Field[Any]) -> FieldInfo:
    """The default integrator or rule of a field, as a table."""
    made = f.default if f.default_factory is dataclasses.MISSING else f.default_factory()
    if made is dataclasses.MISSING:
        return Field()
    options = {o.name: getattr(made, o.name) for o in dataclasses.fields(made) if o.init}
    return Field(default={"name": made.name, **options}, validate_default=True)
