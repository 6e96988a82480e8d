"""The scene file as models: every table, key, default and unit that a scene may have.

Numbers are strict and finite: `true` and `"0.01"` are refused, integers pass. Unknown keys are errors. Units are SI.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Ge, Len
from pydantic import Discriminator, Field, PrivateAttr, Strict, Tag, ValidationInfo, field_validator, model_validator

from supple.scene.tables.attachment import Attachment
from supple.scene.tables.body import Body
from supple.scene.tables.constraint import ConstraintTable
from supple.scene.tables.contact import Contact
from supple.scene.tables.damping import DampingTable
from supple.scene.tables.expect import Check
from supple.scene.tables.fields import Number, Positive, Seconds, Vector
from supple.scene.tables.integrator import IntegratorTable
from supple.scene.tables.obstacle import ObstacleTable
from supple.scene.text.registry_models import Options, Table, options_model
from supple.solvers.options import SolverOptions

DEFAULT_INTEGRATOR = "avf"

if TYPE_CHECKING:
    SolverTable: TypeAlias = Options
    Gravity: TypeAlias = float | tuple[float, ...]
else:
    SolverTable = options_model(SolverOptions)
    Gravity = Annotated[
        Annotated[Number, Tag("number")] | Annotated[Vector, Tag("vector")],
        Discriminator(lambda value: "vector" if isinstance(value, list | tuple) else "number"),
    ]


class World(Table):
    """What is outside the bodies."""

    up: Literal["x", "y", "z"] = "y"
    """Axis that points up; written into every export."""
    gravity: Gravity = 9.81
    """A number pulls down, against `up`; or a vector [m/s^2]."""

    @property
    def acceleration(self) -> tuple[float, float, float]:
        """Gravity as a vector [m/s^2]."""
        if isinstance(self.gravity, tuple):
            gx, gy, gz = self.gravity
        else:
            gx, gy, gz = (-self.gravity if axis == self.up else 0.0 for axis in "xyz")
        return gx, gy, gz


class Time(Table):
    """How long the run is, and in which steps."""

    step: Seconds
    """Step h [s]: a number above 0, or a fraction such as "1/30"."""
    duration: Seconds = 1.0
    """Time simulated [s]."""

    @property
    def steps(self) -> int:
        """Number of steps of size h that cover the duration, at least one."""
        return max(1, round(self.duration / self.step))


class Record(Table):
    """What goes into the animation file; history.csv has every step anyway."""

    every: Annotated[int, Strict(), Ge(1)] | None = None
    """Every n-th step; each one if neither this nor fps is given."""
    fps: Positive | None = None
    """Frames for each second of simulated time, instead of `every`."""
    checkpoint_seconds: Positive = 5.0
    """Wall time between two checkpoints [s]."""

    @model_validator(mode="before")
    @classmethod
    def _every_step(cls, data: Any) -> Any:
        return {**data, "every": 1} if isinstance(data, dict) and not {"every", "fps"} & data.keys() else data

    @model_validator(mode="after")
    def _one_rule(self) -> Record:
        if self.every is not None and self.fps is not None:
            raise ValueError(f"give either every or fps, found every {self.every} and fps {self.fps:g}")
        return self


class Scene(Table):
    """A scene: bodies in a world, and how their motion is computed, recorded and checked."""

    title: str = ""
    description: str = ""
    world: World = World()
    time: Time
    integrator: IntegratorTable = Field(default={"name": DEFAULT_INTEGRATOR}, validate_default=True)
    """The method, by name, with its options, and the energy budget around it."""
    solver: SolverTable = Field(default={}, validate_default=True)
    record: Record = Field(default={}, validate_default=True)
    body: Annotated[tuple[Body, ...], Len(1)]
    """At least one."""
    obstacle: tuple[ObstacleTable, ...] = ()
    """What bodies run into; several may stand in each other."""
    contact: Contact | None = None
    """Contact of bodies with each other and with themselves; with mesh obstacles it is there anyway."""
    damping: tuple[DampingTable, ...] = ()
    """What takes energy from the bodies; several may act on one body."""
    attachment: tuple[Attachment, ...] = ()
    """Springs between bodies."""
    constraint: tuple[ConstraintTable, ...] = ()
    """Rods and surfaces that vertices keep to exactly."""
    expect: dict[str, Check] = Field(default_factory=dict)
    """Named checks that a run of this scene must pass."""

    _source: str = PrivateAttr("")
    _folder: Path = PrivateAttr(Path())

    @property
    def source(self) -> str:
        """Name or path that the scene was loaded from; not part of the scene itself."""
        return self._source

    @property
    def folder(self) -> Path:
        """Folder of the scene file."""
        return self._folder

    def lasting(self, steps: int) -> Scene:
        """The same scene with a duration of so many steps."""
        time = self.time.model_copy(update={"duration": steps * self.time.step})
        return self.model_copy(update={"time": time})

    def located(self, source: str, folder: Path) -> Scene:
        """The same scene, knowing where it came from."""
        copy = self.model_copy()
        copy._source, copy._folder = source, folder
        return copy

    @field_validator("integrator", mode="before")
    @classmethod
    def _default_integrator(cls, table: Any) -> Any:
        return {"name": DEFAULT_INTEGRATOR, **table} if isinstance(table, dict) else table

    @field_validator("body", "obstacle", mode="before")
    @classmethod
    def _number_them(cls, entries: Any, info: ValidationInfo) -> Any:
        if not isinstance(entries, list):
            return entries
        return [{"name": f"{info.field_name}{i}", **e} if isinstance(e, dict) else e for i, e in enumerate(entries)]

    @field_validator("obstacle", mode="before")
    @classmethod
    def _ground_faces_up(cls, entries: Any, info: ValidationInfo) -> Any:
        """A half-space without a normal is the ground, wherever up is."""
        if not isinstance(entries, list) or "world" not in info.data:
            return entries
        up = [float(axis == info.data["world"].up) for axis in "xyz"]
        flat = {"shape": "half-space", "normal": up}
        return [flat | e if isinstance(e, dict) and e.get("shape") == "half-space" else e for e in entries]

    @field_validator("body")
    @classmethod
    def _different_names(cls, bodies: tuple[Body, ...]) -> tuple[Body, ...]:
        _refuse_repeated([body.name for body in bodies])
        return bodies

    @field_validator("obstacle")
    @classmethod
    def _names_of_their_own(
        cls, obstacles: tuple[ObstacleTable, ...], info: ValidationInfo
    ) -> tuple[ObstacleTable, ...]:
        _refuse_repeated([*(body.name for body in info.data.get("body", ())), *(o.name for o in obstacles)])
        return obstacles

    def __eq__(self, other: object) -> bool:
        # where a scene was loaded from does not make it another one
        return isinstance(other, Scene) and self.model_dump() == other.model_dump()


def _refuse_repeated(names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"names must differ, found {', '.join(repr(name) for name in twice)} more than once")


def json_schema() -> dict[str, Any]:
    """The JSON schema of a scene file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Scene.model_json_schema()}
