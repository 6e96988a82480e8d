"""What bodies run into: `[[obstacle]]`, a shape that only their vertices feel, or a mesh that takes part in `[contact]`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from annotated_types import Le
from pydantic import Discriminator, Field, Tag, create_model, model_validator

from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic, Law, Quadratic
from supple.contact.obstacles.catalogue import SHAPES
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.repulsion import Repulsion
from supple.scene.tables.contact import CREEP, Stiffness
from supple.scene.tables.damping import Names
from supple.scene.tables.fields import Colour, NotNegative, Positive
from supple.scene.tables.geometry import MeshTable
from supple.scene.tables.motion import Moves
from supple.scene.text.registry_models import Options, Table, dataclass_fields, summary, tagged_union
from supple.types import Array, Ints
from supple.wording import shown

NAME = "obstacle"
FORCES: dict[str, Any] = {"distance": None, "stiffness": "auto", "per": "area", "creep": CREEP}
"""Keys of forces, and what they are where nothing is said."""


class ShapeObstacle(Options):
    """A shape that stands still, and how it holds vertices off."""

    if TYPE_CHECKING:
        name: str
        shape: str
        law: str
        distance: float | None
        stiffness: float | str
        per: str
        thickness: float
        friction: float
        creep: float
        restitution: float | None
        bodies: tuple[str, ...] | None
        colour: str | None

    def contact(self, stiffness: float, distance: float, vertices: Ints, weights: Array) -> ObstacleContact:
        """Forces on these vertices. `stiffness` is a pressure [Pa], or a force [N] with `per = "vertex"`:

        barrier: kappa = stiffness/distance, which presses with 1.19 stiffness at half the distance
        quadratic, repulsion: 2 k distance = stiffness       cubic: k distance^2 = stiffness
        """
        shape, k = self.make(), stiffness / (2.0 * distance)
        if self.law == "repulsion":
            return Repulsion(shape, k, vertices, weights, self.thickness)
        laws: dict[str, Law] = {
            "barrier": Barrier(stiffness / distance, distance),
            "quadratic": Quadratic(k),
            "cubic": Cubic(stiffness / distance**2),
        }
        kind = HalfSpaceContact if isinstance(shape, HalfSpace) else ObstacleContact
        return kind(shape, laws[self.law], vertices, weights, self.thickness)

    def projection(self, vertices: Ints, friction: float) -> Projection:
        """What puts these vertices out of the shape, without forces."""
        return Projection(self.make(), vertices, self.restitution or 0.0, friction, self.thickness)

    def friction_on(self, own: float | None) -> float:
        """Coefficient on a body: the mean with its own, if it has one."""
        return self.friction if own is None else (own + self.friction) / 2.0

    @model_validator(mode="after")
    def _keys_of_its_law(self) -> ShapeObstacle:
        if self.law != "projection":
            if self.restitution is not None:
                raise ValueError(
                    f'restitution is for law = "projection" only, found {self.restitution:g} with {shown(self.law)}; '
                    "what forces give back is decided by the integrator and its budget"
                )
            return self
        given = [f"{key} = {shown(getattr(self, key))}" for key, usual in FORCES.items() if getattr(self, key) != usual]
        if given:
            raise ValueError(
                f'law = "projection" moves vertices without any force, so that it has no {", ".join(FORCES)}; '
                f"found {', '.join(given)}: leave that out, or take another law"
            )
        return self


def _common() -> dict[str, Any]:
    """Keys that all shapes have."""
    words = {
        "name": (str, NAME, "Unique among bodies and obstacles; obstacle0, obstacle1 ... if absent."),
        "law": (
            Literal["barrier", "quadratic", "cubic", "repulsion", "projection"],
            "barrier",
            "A barrier that nothing passes, a penalty of what is inside, springs that last for a step, or no force: what is "
            "inside after a step is put on the surface.",
        ),
        "distance": (
            Positive | None,
            None,
            "Where a barrier begins, or how deep a penalty is pressed in at its stiffness [m]; 1 % of the smallest "
            "body's longest side if absent.",
        ),
        "stiffness": (Stiffness, "auto", "Pressure at half the distance (1.19 of it), or at that depth [Pa]."),
        "per": (
            Literal["area", "vertex"],
            "area",
            "Whether stiffness is a pressure on the area around each vertex, or a force [N] on every vertex.",
        ),
        "thickness": (NotNegative, 0.0, "Distance from the shape at which the gap is zero [m]."),
        "friction": (NotNegative, 0.0, "Coefficient; the mean with that of the body, if it has one of its own [-]."),
        "creep": (Positive, CREEP, "Speed below which friction does not hold [m/s]."),
        "restitution": (
            Annotated[NotNegative, Le(1)] | None,
            None,
            "Part of the speed towards the surface that a projection reflects; 0 if absent [-].",
        ),
        "bodies": (Names | None, None, "The bodies that feel it: one name or a list; all if absent."),
        "colour": (Colour | None, None, "In pictures: a name or #rrggbb; a quiet grey if absent."),
    }
    return {key: (hint, Field(default=default, description=text)) for key, (hint, default, text) in words.items()}


def shape_model(name: str, cls: type[Any]) -> type[ShapeObstacle]:
    """The table of one shape."""
    fields: dict[str, Any] = {"shape": (Literal[name], Field(description=summary(cls)))}
    fields |= {**_common(), **dataclass_fields(cls)}
    model = create_model(f"{cls.__name__}Obstacle", __base__=ShapeObstacle, __doc__=cls.__doc__, **fields)
    model.made_from = cls
    return model


class MeshObstacle(Table):
    """A surface that no body passes; it stands still, or moves as a whole."""

    name: str = NAME
    """Unique among bodies and obstacles; `obstacle0`, `obstacle1` ... if absent."""
    mesh: MeshTable
    """A shape with its options, or a file; of solids the surface is taken."""
    motion: Moves | None = None
    """How it moves: translate, rotate or keyframes."""
    thickness: NotNegative = 0.0
    """Half of it lies on each side of the triangles [m]."""
    friction: NotNegative | None = None
    """Coefficient [-]; that of `contact.friction` if absent."""
    colour: Colour | None = None
    """In pictures: a name or `#rrggbb`; a quiet grey if absent."""

    @model_validator(mode="before")
    @classmethod
    def _no_law_of_a_shape(cls, data: Any) -> Any:
        if isinstance(data, dict) and data.get("law") in ("repulsion", "projection"):
            raise ValueError(
                f"law = {shown(data['law'])} is for obstacles with a shape ({', '.join(SHAPES)}), but this one has a mesh, "
                "which acts by the barrier of [contact]: leave law out, or take a shape"
            )
        return data


def obstacle_kind(value: Any) -> str:
    """Tag of the table: `mesh` if it has one, otherwise `shape`."""
    return "mesh" if isinstance(value, MeshObstacle) or (isinstance(value, dict) and "mesh" in value) else "shape"


if TYPE_CHECKING:
    ObstacleTable: TypeAlias = ShapeObstacle | MeshObstacle
else:
    ObstacleTable = Annotated[
        Annotated[tagged_union([shape_model(*entry) for entry in sorted(SHAPES.items())], "shape"), Tag("shape")]
        | Annotated[MeshObstacle, Tag("mesh")],
        Discriminator(obstacle_kind),
    ]
