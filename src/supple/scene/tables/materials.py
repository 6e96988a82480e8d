"""Material of a body: `body.material`, one table for each registered solid, membrane, structure and flow, one for presets."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, TypeAlias, get_type_hints

from pydantic import Field, create_model, model_validator
from pydantic.fields import FieldInfo

from supple.errors import SuppleError
from supple.materials import FORMULAS, MATERIALS, MEMBRANES
from supple.materials.flow import FLOWS
from supple.model.materials.structure import STRUCTURES
from supple.model.presets.preset import Preset
from supple.model.presets.published import published
from supple.registry import Registry
from supple.scene.tables.flow import flow_model
from supple.scene.tables.formula import constant, formula_model, is_number, of_place
from supple.scene.text.choice import Choice
from supple.scene.text.field_docs import summary
from supple.scene.text.registry_models import Options, dataclass_fields, options_model
from supple.values import Poisson, Positive

POISSON = "Poisson's ratio [-], above -1 and below 0.5"
ELASTIC = ("young", "poisson")
REGISTRIES: tuple[Registry[Any], ...] = (MATERIALS, FORMULAS, MEMBRANES, STRUCTURES, FLOWS)
"""Key of all laws."""


class SolidMaterial(Options):
    """A solid by Young's modulus and Poisson's ratio, or by the parameters of its own class."""

    own: ClassVar[tuple[str, ...]]
    """Parameters of the class itself."""
    required: ClassVar[tuple[str, ...]]
    """Parameters without a default."""
    varying: ClassVar[tuple[str, ...]]
    """Parameters that may depend on position."""

    if TYPE_CHECKING:
        name: str
        young: float | None
        poisson: float | None

    def make(self) -> Any:
        given = {key: self._constant(key) for key in self.own if getattr(self, key) is not None}
        if self.young is None or "young" in self.own:
            return self.made_from(**given)
        moduli = self._constant("young"), self._constant("poisson")
        law = self.made_from.from_young(*moduli)
        return dataclasses.replace(law, **given).with_moduli(*moduli) if given else law

    def _constant(self, key: str) -> Any:
        value = getattr(self, key)
        return constant(value) if key in (*self.varying, *ELASTIC) else value

    @model_validator(mode="after")
    def _can_be_made(self) -> SolidMaterial:
        direct = [key for key in self.required if getattr(self, key) is not None]
        elastic = [key for key in ELASTIC if key not in self.own and getattr(self, key) is not None]
        ways = [list(ELASTIC), list(self.required)] if self.required else [list(ELASTIC)]
        if elastic and direct:
            raise ValueError(f"give either {_either(ways)}, found {', '.join(elastic + direct)}")
        wanted = ways[-1] if direct else ways[0]
        missing = [key for key in wanted if getattr(self, key) is None]
        if missing and (elastic or self.required):
            raise ValueError(f"missing {', '.join(missing)}; a {self.name} material requires {_either(ways)}")
        try:
            self.make()
        except SuppleError as error:
            raise ValueError(str(error)) from error
        return self


def _either(ways: list[list[str]]) -> str:
    return ", or ".join(" and ".join(way) for way in ways)


@cache
def solid_model(name: str, cls: type[Any]) -> type[SolidMaterial]:
    """The table of one solid: its own parameters, all optional, beside young and poisson."""
    own = dataclass_fields(cls)
    required = tuple(key for key, (_, info) in own.items() if info.is_required())
    hints = get_type_hints(cls, include_extras=True)
    varying = tuple(key for key in own if is_number(hints[key]))
    fields: dict[str, Any] = {
        "name": (Literal[name], Field(description=summary(cls))),
        "young": (of_place(Positive, files=False) | None, Field(default=None, description="Young's modulus [Pa]")),
        "poisson": (of_place(Poisson, files=False) | None, Field(default=None, description=POISSON)),
    }
    for key, (usual, info) in own.items():
        hint = of_place(hints[key]) if key in varying else usual
        fields[key] = (hint | None, FieldInfo(default=None)) if key in required else (hint, info)
    model = create_model(cls.__name__, __base__=SolidMaterial, __doc__=cls.__doc__, **fields)
    model.made_from, model.own, model.required, model.documented = cls, tuple(own), required, (cls,)
    model.varying = varying
    return model


class Words:
    """Material presets, looked up like the names of registered classes."""

    def names(self) -> list[str]:
        return list(published())

    def lookup(self, name: str) -> type[Preset] | None:
        return Preset if name in published() else None


def is_word(name: str) -> bool:
    """Whether a material of that name is a preset: no class of that name is registered."""
    registered = any(registry.lookup(name) for registry in REGISTRIES)
    return not registered and name in published()


@cache
def preset_model() -> type[Options]:
    """The table of all presets, which share their keys."""
    fields: dict[str, Any] = dataclass_fields(Preset) | {"name": (Literal[tuple(published())], Field())}
    model = create_model("Preset", __base__=Options, __doc__=Preset.__doc__, **fields)
    model.made_from, model.documented = Preset, (Preset,)
    return model


def material_model(name: str, cls: Any) -> type[Options]:
    """The table of one solid, formula, membrane, structure or flow, or of presets."""
    if cls is Preset:
        return preset_model()
    if cls in FLOWS.values():
        return flow_model(name, cls)
    if cls in FORMULAS.values():
        return formula_model(name, cls)
    return solid_model(name, cls) if cls in MATERIALS.values() else options_model(cls, "name", name)


if TYPE_CHECKING:
    MaterialTable: TypeAlias = Any
else:
    _WORDS = Words()
    MaterialTable = Annotated[
        Any,
        Choice("name", (*REGISTRIES, _WORDS), material_model, bare=True, bare_names=_WORDS.names),
    ]
