"""What a body is made of: `body.material`, one table for each registered solid and membrane, for springs, shells and rods."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, Field, create_model, model_validator
from pydantic.fields import FieldInfo

from supple.errors import SuppleError
from supple.materials import MATERIALS, MEMBRANES
from supple.materials.material import Modulus
from supple.scene.tables.coarse import CoarseMaterial
from supple.scene.tables.corotational import CorotationalMaterial
from supple.scene.tables.fields import NotNegative, Poisson, Positive
from supple.scene.tables.thin_materials import RodMaterial, ShellMaterial
from supple.scene.text.registry_models import Options, Table, dataclass_fields, summary, tagged_union

ELASTIC = ("young", "poisson")


class SolidMaterial(Table):
    """A solid by Young's modulus and Poisson's ratio, or by the parameters of its own class."""

    model_config = ConfigDict(use_attribute_docstrings=False)  # as for Options
    made_from: ClassVar[type[Any]]
    own: ClassVar[tuple[str, ...]]
    """Parameters of the class itself."""
    required: ClassVar[tuple[str, ...]]
    """Those of them that have no default."""

    if TYPE_CHECKING:
        name: str
        young: float | None
        poisson: float | None

    def make(self, young: Modulus | None = None, poisson: Modulus | None = None) -> Any:
        """The material with the values of this table, or with other moduli, such as one for each element."""
        young, poisson = self.young if young is None else young, self.poisson if poisson is None else poisson
        values = {**{key: getattr(self, key) for key in self.own}, "young": young, "poisson": poisson}
        given = {key: values[key] for key in self.own if values[key] is not None}
        if young is None or "young" in self.own:
            return self.made_from(**given)
        return dataclasses.replace(self.made_from.from_young(young, poisson), **given)

    @model_validator(mode="after")
    def _complete(self) -> SolidMaterial:
        direct = [key for key in self.required if getattr(self, key) is not None]
        elastic = [key for key in ELASTIC if key not in self.own and getattr(self, key) is not None]
        ways = [list(ELASTIC), list(self.required)] if self.required else [list(ELASTIC)]
        if elastic and direct:
            raise ValueError(f"give either {_either(ways)}, found {', '.join(elastic + direct)}")
        wanted = ways[-1] if direct else ways[0]
        missing = [key for key in wanted if getattr(self, key) is None]
        if missing and (elastic or self.required):
            raise ValueError(f"missing {', '.join(missing)}; a {self.name} material needs {_either(ways)}")
        try:
            self.make()
        except SuppleError as error:
            raise ValueError(str(error)) from error
        return self


def _either(ways: list[list[str]]) -> str:
    return ", or ".join(" and ".join(way) for way in ways)


def solid_model(name: str, cls: type[Any]) -> type[SolidMaterial]:
    """The table of one material class: its own parameters, all optional, beside young and poisson."""
    own = dataclass_fields(cls)
    required = tuple(key for key, (_, info) in own.items() if info.is_required())
    fields: dict[str, Any] = {
        "name": (Literal[name], Field(description=summary(cls))),
        "young": (Positive | None, Field(default=None, description="Young's modulus [Pa]")),
        "poisson": (Poisson | None, Field(default=None, description="Poisson's ratio [-], above -1 and below 0.5")),
    }
    for key, (hint, info) in own.items():
        fields[key] = (
            (hint | None, FieldInfo(default=None, description=info.description)) if key in required else own[key]
        )
    model = create_model(cls.__name__, __base__=SolidMaterial, __doc__=cls.__doc__, **fields)
    model.made_from, model.own, model.required = cls, tuple(own), required
    return model


class SpringMaterial(Table):
    """Springs along the edges of a mesh, for ropes and cloth; and across its elements."""

    name: Literal["hooke-spring", "stvk-spring"]
    """Energy k/2 (l - l0)^2 with k in N/m, or k/2 (l^2 - l0^2)^2 with k in N/m^3; l is the length, l0 at rest."""
    stretch: Positive | None = None
    """Stiffness k of the edges of the mesh."""
    shear: NotNegative | None = Field(default_factory=lambda given: given.get("stretch"))
    """Stiffness k of the diagonals; that of `stretch` if absent."""
    young: Positive | None = None
    """Young's modulus [Pa] of a sheet or rope with body.thickness, instead of `stretch` and `shear`: each spring gets the
    stiffness with which the net stretches alike on every mesh. Poisson's ratio of such nets is 1/3."""
    bend: NotNegative = 0.0
    """Stiffness k of the springs that span two edges, or join the corners that face each other across one."""
    altitude: NotNegative = 0.0
    """Resistance of the shortest altitude of each tet or triangle [N], its stiffness times its rest length; 0: none.
    With it a mesh of tets can be made of springs. For hooke-spring only."""
    axial: NotNegative = 0.0
    """Resistance of springs between each inner edge and the line of the corners opposite to it [N], their stiffness times
    the length of the edge; they resist bending of cloth, instead of `bend`. For hooke-spring only."""

    @model_validator(mode="after")
    def _one_way(self) -> SpringMaterial:
        direct = [key for key in ("stretch", "shear") if getattr(self, key) is not None]
        if (self.stretch is None) == (self.young is None) or (self.young is not None and direct):
            found = ", ".join([*direct, *(["young"] if self.young is not None else [])]) or "none of them"
            raise ValueError(f"give either stretch (and shear), or young with body.thickness, found {found}")
        if self.young is not None and self.altitude:
            raise ValueError("young: springs of tets take `stretch`, their resistance to altitudes is `altitude`")
        return self

    @model_validator(mode="after")
    def _linear(self) -> SpringMaterial:
        given = [key for key in ("altitude", "axial") if getattr(self, key)]
        if given and self.name != "hooke-spring":
            raise ValueError(f"{' and '.join(given)}: such springs are linear in their length; take hooke-spring")
        return self


class MembraneMaterial(Options):
    """A membrane with its own parameters; body.thickness says how much of it there is."""

    model_config = ConfigDict(use_attribute_docstrings=False)

    if TYPE_CHECKING:
        name: str


def membrane_model(name: str, cls: type[Any]) -> type[MembraneMaterial]:
    """The table of one membrane class."""
    fields: dict[str, Any] = {"name": (Literal[name], Field(description=summary(cls))), **dataclass_fields(cls)}
    model = create_model(cls.__name__, __base__=MembraneMaterial, __doc__=cls.__doc__, **fields)
    model.made_from = cls
    return model


if TYPE_CHECKING:
    MaterialTable: TypeAlias = (
        SolidMaterial
        | CorotationalMaterial
        | CoarseMaterial
        | MembraneMaterial
        | SpringMaterial
        | ShellMaterial
        | RodMaterial
    )
else:
    MaterialTable = tagged_union(
        [
            *(solid_model(name, cls) for name, cls in sorted(MATERIALS.load().items())),
            *(membrane_model(name, cls) for name, cls in sorted(MEMBRANES.load().items())),
            CorotationalMaterial,
            CoarseMaterial,
            SpringMaterial,
            ShellMaterial,
            RodMaterial,
        ],
        "name",
    )
