"""Damping that a scene asks for: `[[damping]]`, one table for each registered kind, and which bodies it acts on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import numpy as np
from annotated_types import Len
from pydantic import BeforeValidator, ConfigDict, Field, create_model

from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.dynamics.impulse import Impulse
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.formulas.expressions import PRESENT, Expression
from supple.scene.tables.fields import PresentComponents
from supple.scene.text.registry_models import Options, dataclass_fields, summary, tagged_union
from supple.types import Array, Ints

WIND = "wind"
"""Field of a kind of damping that takes a velocity field; in a scene it is written as three expressions."""


def _one_or_more(names: Any) -> Any:
    return [names] if isinstance(names, str) else names


Names = Annotated[
    tuple[str, ...], Len(1), BeforeValidator(_one_or_more, json_schema_input_type=str | Annotated[list[str], Len(1)])
]
"""One name, or a list of names."""


@dataclass(frozen=True)
class WindField:
    """A velocity field w(x, t) from three numbers or expressions in x, y, z and t."""

    components: tuple[float | Expression, ...]

    def __call__(self, x: Array, t: float) -> Array:
        """(n, 3) velocities [m/s] at the places x (n, 3) and the time t [s]."""
        columns = [c.values(x, t) if isinstance(c, Expression) else np.full(len(x), c) for c in self.components]
        return np.stack(columns, axis=1)


class DampingOptions(Options):
    """One kind of damping with its options, and the bodies that it acts on."""

    model_config = ConfigDict(use_attribute_docstrings=False)

    if TYPE_CHECKING:
        name: str
        bodies: tuple[str, ...] | None

    def make(self) -> Damping:
        values = {key: getattr(self, key) for key in dataclass_fields(self.made_from)}
        if values.get(WIND) is not None:
            values[WIND] = WindField(tuple(Expression(c, PRESENT) if isinstance(c, str) else c for c in values[WIND]))
        made: Damping = self.made_from(**values)
        return made

    def acts_on(self, body: str) -> bool:
        return self.bodies is None or body in self.bodies


def damping_model(name: str, cls: type[Any]) -> type[DampingOptions]:
    """The table of one kind of damping."""
    fields: dict[str, Any] = {"name": (Literal[name], Field(description=summary(cls))), **dataclass_fields(cls)}
    if WIND in fields:
        words = "Velocity of the air [m/s]: three numbers, or expressions in x, y, z [m] and t [s]; at rest if absent."
        fields[WIND] = (PresentComponents | None, Field(default=None, description=words))
    words = "Names of the bodies that it acts on; all if absent."
    fields["bodies"] = (Names | None, Field(default=None, description=words))
    model = create_model(cls.__name__, __base__=DampingOptions, __doc__=cls.__doc__, **fields)
    model.made_from = cls
    return model


if TYPE_CHECKING:
    DampingTable: TypeAlias = DampingOptions
else:
    DampingTable = tagged_union([damping_model(name, cls) for name, cls in sorted(DAMPINGS.load().items())], "name")


@dataclass(frozen=True)
class Share:
    """What one body has in a system."""

    name: str
    vertices: int
    """How many; bodies follow each other in the order of the vertices."""
    elastic: tuple[EnergyTerm, ...]
    triangles: Ints
    """(f, 3) corners of its surface, as vertices of the system."""


def name_problems(tables: Sequence[DampingOptions], known: Sequence[str]) -> Iterator[str]:
    """Bodies that are named but not there."""
    for k, table in enumerate(tables):
        for name in table.bodies or ():
            if name not in known:
                yield f"damping[{k}].bodies: unknown body '{name}'{did_you_mean(name, known)} known: {', '.join(known)}"


def dampers(tables: Sequence[DampingOptions], bodies: Sequence[Share], mass: Array) -> Dampers:
    """All that damps a system of these bodies and masses (n,) [kg]; all problems are reported at once."""
    dissipation: list[EnergyTerm] = []
    impulses: list[Impulse] = []
    problems: list[str] = []
    counts = [body.vertices for body in bodies]
    for k, table in enumerate(tables):
        chosen = [table.acts_on(body.name) for body in bodies]
        elastic = tuple(term for body, on in zip(bodies, chosen, strict=True) if on for term in body.elastic)
        try:
            damped = np.zeros_like(mass)  # what follows the bodies are obstacles
            damped[: sum(counts)] = np.where(np.repeat(chosen, counts), mass[: sum(counts)], 0.0)
            triangles = [body.triangles for body, on in zip(bodies, chosen, strict=True) if on]
            made = table.make().on(Damped(damped, elastic, np.concatenate([np.empty((0, 3), np.int32), *triangles])))
        except SuppleError as error:
            problems.append(f"damping[{k}]: {error}")
            continue
        dissipation += made.dissipation
        impulses += made.impulses
    if problems:
        raise SceneError(problems)
    return Dampers(tuple(dissipation), tuple(impulses))
