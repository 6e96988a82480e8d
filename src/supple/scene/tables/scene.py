"""The scene file as models: every table, key, default and unit that a scene may have.

Numbers are strict and finite: `true` and `"0.01"` are refused, integers pass. Unknown keys are errors. Units are SI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Len
from pydantic import (
    Discriminator,
    Field,
    PrivateAttr,
    Tag,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)

from supple.errors import SceneError, SuppleError
from supple.formulas.curves import Changing
from supple.model.attachments import Attachment
from supple.model.contact import Contact
from supple.model.direction.direction import Directions
from supple.model.direction.method import directed_method
from supple.model.limits.limits import Limits
from supple.model.sewing.seam import Seam
from supple.model.world import EARTH, World, refuse_repeated
from supple.scene.own_tables import SCENE_TABLES
from supple.scene.tables.body import BodyTable
from supple.scene.tables.expect import Check
from supple.scene.tables.integrator import IntegratorTable
from supple.scene.tables.kinds import ConstraintTable, DampingTable, EnergyTable, FieldTable
from supple.scene.tables.length import demand_length, recorded_bytes
from supple.scene.tables.obstacle import ObstacleTable
from supple.scene.tables.setup import Setup, located_sources
from supple.scene.tables.time import Record, Time
from supple.scene.text.bounds import demand_plain
from supple.scene.text.hints import strict_numbers
from supple.scene.text.motion_files import energy_from_copy, from_copies
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import Options, Table, made, options_model
from supple.solvers.options import SolverOptions

DEFAULT_INTEGRATOR = "avf"

if TYPE_CHECKING:
    SolverTable: TypeAlias = Options
    LimitsTable: TypeAlias = Any
    ContactTable: TypeAlias = Any
    DirectionTable: TypeAlias = Any
    AttachmentTable: TypeAlias = Any
    SeamTable: TypeAlias = Any
    CheckTable: TypeAlias = Any
    Gravity: TypeAlias = float | tuple[float, ...]
else:
    SolverTable, CheckTable = options_model(SolverOptions), options_model(Check)
    ContactTable, AttachmentTable = options_model(Contact), options_model(Attachment)
    SeamTable, LimitsTable = options_model(Seam), options_model(Limits)
    DirectionTable = options_model(Directions)
    Gravity = Annotated[
        Annotated[strict_numbers(Changing), Tag("number")]
        | Annotated[strict_numbers(Annotated[tuple[Changing, ...], Len(3, 3)]), Tag("vector")],
        Discriminator(lambda value: "vector" if isinstance(value, list | tuple) else "number"),
    ]


class WorldTable(Table):
    """Environment of the bodies."""

    up: Literal["x", "y", "z"] = "y"
    """Vertical axis; written into every export."""
    gravity: Gravity = EARTH
    """A number acts downwards, against `up`; or a vector [m/s^2]. Values may change with time."""


class Scene(Table):
    """A scene: bodies in a world, with the settings for integration, recording and checks."""

    title: Annotated[str, Len(0, 1000)] = ""
    """Title in summaries and reports."""
    description: Annotated[str, Len(0, 100_000)] = ""
    """Free text about the scene."""
    world: WorldTable = WorldTable()
    """Up axis and gravity."""
    time: Time
    """Time step and duration of the run."""
    integrator: IntegratorTable = Field(default={"name": DEFAULT_INTEGRATOR}, validate_default=True)
    """The method, by name, with its options, and the energy budget around it."""
    solver: SolverTable = Field(default={}, validate_default=True)
    """Options for the minimisation of each stage."""
    record: Record = Field(default={}, validate_default=True)
    """Content of the animation file, and checkpoints."""
    limits: LimitsTable = Field(default={}, validate_default=True)
    """How large the scene may be; larger scenes are refused before anything is built."""
    body: Annotated[tuple[BodyTable, ...], Len(1)]
    """Deformable bodies; at least one."""
    obstacle: tuple[ObstacleTable, ...] = ()
    """Obstacles; they may overlap."""
    contact: ContactTable | None = None
    """Contact between bodies and self-contact; always on with mesh obstacles."""
    direction: DirectionTable | None = None
    """Directing options for the whole scene."""
    damping: tuple[DampingTable, ...] = ()
    """Damping of the bodies; several kinds may act on one body."""
    attachment: tuple[AttachmentTable, ...] = ()
    """Springs between bodies."""
    seam: tuple[SeamTable, ...] = ()
    """Seams that pull edges of bodies together and keep them joined."""
    constraint: tuple[ConstraintTable, ...] = ()
    """Rods and surfaces that vertices follow exactly."""
    energy: tuple[EnergyTable, ...] = ()
    """Additional energies."""
    field: tuple[FieldTable, ...] = ()
    """Wind, turbulence, forces and drag in space; several are summed."""
    expect: dict[str, CheckTable] = Field(default_factory=dict)
    """Named checks that a run of this scene must pass."""
    plugins: tuple[str, ...] = ()
    """Python files with user-defined methods, materials and energies; relative to the folder of the scene file."""

    _source: str = PrivateAttr("")
    _folder: Path = PrivateAttr(Path())
    _notes: tuple[str, ...] = PrivateAttr(())

    @property
    def source(self) -> str:
        """Name or path of the loaded scene; not part of the scene itself."""
        return self._source

    @property
    def folder(self) -> Path:
        """Folder of the scene file."""
        return self._folder

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on values chosen or omitted when the scene was converted from another format; not part of the scene itself."""
        return self._notes

    def make(self) -> Setup:
        """The world, the method and the solver options of the scene."""
        return self._setup

    @cached_property
    def _setup(self) -> Setup:
        bodies = located_sources(made(self.body), self.folder)
        world = World(
            [from_copies(body, self.folder) for body in bodies],
            self.world.gravity,
            [from_copies(obstacle, self.folder) for obstacle in made(self.obstacle)],
            made(self.contact),
            made(self.damping),
            made(self.attachment),
            made(self.constraint),
            [energy_from_copy(entry, self.folder) for entry in made(self.energy)],
            self.world.up,
            made(self.field),
            made(self.seam),
            made(self.direction),
        )
        for name in SCENE_TABLES:
            table = getattr(self, name, None)
            world = world if table is None else made(table).change(world)
        return Setup(
            world,
            directed_method(self.integrator.make(), world.direction),
            self.time.step,
            self.time.steps,
            self.time.duration,
            self.solver.make(),
            self.title,
            self.source,
            self.notes,
            self.time.film_speed,
            self.limits.make(),
            recorded_bytes(self.time, self.record),
        )

    def with_tables(self, tables: Mapping[str, Any]) -> Scene:
        """The same scene with some of its tables replaced, checked as a whole."""
        demand_plain(tables)
        data = {**self.model_dump(exclude_none=True, exclude=set(tables)), **tables}
        model = scene_model()
        try:
            scene = model.model_validate(_lists(data))
        except ValidationError as error:
            raise SceneError(problems(error, model)) from None
        return scene.located(self.source, self.folder).remarked(self.notes)

    def lasting(self, steps: int) -> Scene:
        """The same scene with a duration of `steps` steps."""
        time = self.time.model_copy(update={"duration": steps * self.time.step})
        demand_length(self.limits.make(), time, self.record)
        return self.model_copy(update={"time": time}).located(self.source, self.folder)

    def located(self, source: str, folder: Path) -> Scene:
        """The same scene with its source."""
        copy = self.model_copy()
        copy._source, copy._folder = source, folder
        return copy

    def remarked(self, notes: Sequence[str]) -> Scene:
        """The same scene with notes."""
        copy = self.model_copy()
        copy._notes = tuple(notes)
        return copy

    def __copy__(self) -> Scene:
        # a copy with other tables, or in another folder, describes another setup
        copy = super().__copy__()
        copy.__dict__.pop("_setup", None)
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
        """A half-space without a normal is the ground, perpendicular to the vertical axis."""
        if not isinstance(entries, list) or "world" not in info.data:
            return entries
        up = [float(axis == info.data["world"].up) for axis in "xyz"]
        flat = {"shape": "half-space", "normal": up}
        return [flat | e if isinstance(e, dict) and e.get("shape") == "half-space" else e for e in entries]

    @field_validator("body")
    @classmethod
    def _different_names(cls, bodies: tuple[BodyTable, ...]) -> tuple[BodyTable, ...]:
        _refuse_repeated([body.name for body in bodies])
        return bodies

    @field_validator("body")
    @classmethod
    def _points_to_record(cls, bodies: tuple[BodyTable, ...], info: ValidationInfo) -> tuple[BodyTable, ...]:
        record = info.data.get("record")
        if record is not None and record.deformation and all(body.points is None for body in bodies):
            raise ValueError("record.deformation = true requires material points, and no body has points")
        return bodies

    @model_validator(mode="after")
    def _within_limits(self) -> Scene:
        try:
            demand_length(self.limits.make(), self.time, self.record)
        except SceneError as error:  # the fault lies in tables other than [limits]
            raise ValueError(str(error)) from None
        return self

    @field_validator("obstacle")
    @classmethod
    def _names_of_their_own(
        cls, obstacles: tuple[ObstacleTable, ...], info: ValidationInfo
    ) -> tuple[ObstacleTable, ...]:
        _refuse_repeated([*(body.name for body in info.data.get("body", ())), *(o.name for o in obstacles)])
        return obstacles

    def __eq__(self, other: object) -> bool:
        # the source of a scene does not affect equality
        return isinstance(other, Scene) and self.model_dump() == other.model_dump()


def scene_model() -> type[Scene]:
    """A scene with the tables that users have registered."""
    return _scene_model(tuple(SCENE_TABLES.items()))


@cache
def _scene_model(tables: tuple[tuple[str, type[Any]], ...]) -> type[Scene]:
    own: dict[str, Any] = {name: (options_model(cls) | None, None) for name, cls in tables}
    return create_model("Scene", __base__=Scene, __doc__=Scene.__doc__, **own) if own else Scene


def _refuse_repeated(names: list[str]) -> None:
    try:
        refuse_repeated("", names)
    except SuppleError as error:
        raise ValueError(str(error).removeprefix(": ")) from None


def _lists(value: Any) -> Any:
    """The tables as in a file: arrays are lists, whose entries get names."""
    if isinstance(value, dict):
        return {key: _lists(entry) for key, entry in value.items()}
    return [_lists(entry) for entry in value] if isinstance(value, list | tuple) else value


def json_schema() -> dict[str, Any]:
    """The JSON schema of a scene file, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **scene_model().model_json_schema()}
