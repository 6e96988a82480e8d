"""Obstacles: shapes that act on vertices only, or meshes in contact between surfaces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from annotated_types import Le

from supple.checks import checked
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Cubic, Law, Quadratic
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.repulsion import Repulsion
from supple.contact.obstacles.shape_contact import shape_contact
from supple.contact.obstacles.shapes import Shape
from supple.contact.obstacles.velocity import Face
from supple.errors import SuppleError
from supple.formulas.curves import NotNegativeChanging, changes
from supple.model.contact import CREEP, Stiffness
from supple.model.motion import Moves, script_of
from supple.model.source import MeshFile, MeshSource, as_source, find, shell
from supple.points.meshes.mesh_solid import MeshSolid
from supple.points.obstacle import LAWS as NODE_LAWS
from supple.points.obstacle import NodeObstacle, demand_friction
from supple.types import Array, Ints
from supple.values import Colour, Name, Names, NotNegative, Positive
from supple.wording import shown

KINEMATIC = ("projection", "velocity", "linearised")
"""Laws without forces, applied after a step."""
FORCES: dict[str, Any] = {"distance": None, "stiffness": "auto", "per": "area", "creep": CREEP}
"""Options of forces, and their defaults."""


@checked
@dataclass(frozen=True)
class Obstacle:
    """A stationary shape, and its contact law for vertices.

    floor = supple.Obstacle(supple.HalfSpace(normal=(0, 1, 0)), friction=0.5)
    """

    shape: Shape
    """Its geometry."""
    name: Name = ""
    """Unique among bodies and obstacles; obstacle0, obstacle1 ... if absent."""
    law: Literal[
        "barrier",
        "quadratic",
        "cubic",
        "repulsion",
        "projection",
        "velocity",
        "linearised",
        "sticky",
        "slip",
        "separate",
    ] = "barrier"
    """A barrier that prevents penetration, a penalty on penetration, or temporary springs. Without a force: vertices inside
    after a step are moved to the surface (projection), or velocities or linearised gaps satisfy inequalities. For
    material points at the nodes of their grid: sticky, slip, or separate with Coulomb's friction."""
    distance: Positive | None = None
    """Distance at which a barrier begins, or depth at which a penalty reaches its stiffness [m]; 1 % of the smallest
    body's longest side if absent."""
    stiffness: Stiffness = "auto"
    """Pressure at half the distance (times 1.19), or at that depth [Pa]."""
    per: Literal["area", "vertex"] = "area"
    """Whether stiffness is a pressure on the area around each vertex, or a force [N] on every vertex."""
    thickness: NotNegative = 0.0
    """Distance from the shape at which the gap is zero [m]."""
    friction: NotNegativeChanging = 0.0
    """Coefficient of friction; averaged with the coefficient of the body, if it has one [-]."""
    creep: Positive = CREEP
    """Speed below which friction does not stick [m/s]."""
    restitution: Annotated[NotNegative, Le(1)] | None = None
    """Fraction of the normal speed reflected by a law without forces; 0 if absent [-]."""
    bodies: Names | None = None
    """The bodies on which it acts: one name or a list; all if absent."""
    colour: Colour | None = None
    """Colour in pictures: a name or #rrggbb; a subdued grey if absent."""
    motion: Moves | None = None
    """Its motion, with a law of grid nodes or a projection: translate, rotate, keyframes without scale; other laws
    are for stationary shapes."""

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Shape):
            raise SuppleError(
                f"shape: found {self.shape!r}; give a shape such as supple.HalfSpace(), or take MeshObstacle"
            )
        if self.motion is not None and self.motion.file is not None:
            raise SuppleError(
                "motion.file: a file moves vertices, and a shape has none; use an obstacle with a mesh, or keyframes"
            )
        if changes(self.friction) and self.law in (*NODE_LAWS, *KINEMATIC):
            raise SuppleError(
                f"friction: law = {shown(self.law)} has a constant coefficient; one that changes with time needs a law of forces"
            )
        if self.law in NODE_LAWS:
            self._refuse_forces("acts on the velocities of grid nodes")
            demand_friction(self.law, self.friction)
            if self.thickness or self.bodies is not None:
                key = "thickness" if self.thickness else "bodies"
                raise SuppleError(
                    f"{key}: law = {shown(self.law)} acts on all nodes inside the shape, found "
                    f"{shown(getattr(self, key))}: leave it out"
                )
        elif self.motion is not None and self.law != "projection":
            raise SuppleError(
                f'motion: shapes with law = {shown(self.law)} are stationary; take law = "projection", a law of grid nodes '
                f"({', '.join(NODE_LAWS)}) for material points, or an obstacle with a mesh"
            )
        demand_rigid(self.motion, self.law)
        if self.motion is not None:
            self.motion.script()  # keyframes that rotate a shape need a pivot
        if self.shape.moves and self.law not in KINEMATIC:
            raise SuppleError(
                f"equation: found the time t with law = {shown(self.law)}, whose energy cannot depend on time; take law = "
                f"{' or '.join(shown(law) for law in KINEMATIC)}, leave t out, or move an obstacle with a mesh"
            )
        if self.law not in KINEMATIC:
            if self.restitution is not None:
                raise SuppleError(
                    f"restitution is for law = {' or '.join(shown(law) for law in KINEMATIC)} only, found "
                    f"{self.restitution:g} with {shown(self.law)}; "
                    "with forces, the rebound depends on the integrator and its budget"
                )
            return
        self._refuse_forces("moves vertices without any force")

    def _refuse_forces(self, how: str) -> None:
        given = [f"{key} = {shown(getattr(self, key))}" for key, usual in FORCES.items() if getattr(self, key) != usual]
        if given:
            raise SuppleError(
                f"law = {shown(self.law)} {how}, so it has no {', '.join(FORCES)}; "
                f"found {', '.join(given)}: leave them out, or take another law"
            )

    def at_nodes(self) -> NodeObstacle | None:
        """Its action on the nodes of a grid; None for a law of forces."""
        if self.law not in NODE_LAWS:
            return None
        script = None if self.motion is None else script_of(self.motion)
        return NodeObstacle(self.shape, self.law, self.friction, script)  # type: ignore[arg-type]

    def contact(
        self, stiffness: float, distance: float, vertices: Ints, weights: Array, thickness: float
    ) -> ObstacleContact:
        """Forces on these vertices. `stiffness` is a pressure [Pa], or a force [N] with `per = "vertex"`:

        barrier: kappa = stiffness/distance, with the pressure 1.19 stiffness at half the distance
        quadratic, repulsion: 2 k distance = stiffness       cubic: k distance^2 = stiffness
        """
        k = stiffness / (2.0 * distance)
        if self.law == "repulsion":
            return Repulsion(self.shape, k, vertices, weights, thickness)
        laws: dict[str, Law] = {
            "barrier": Barrier(stiffness / distance, distance),
            "quadratic": Quadratic(k),
            "cubic": Cubic(stiffness / distance**2),
        }
        return shape_contact(self.shape, laws[self.law], vertices, weights, thickness)

    def projection(self, vertices: Ints, friction: float, thickness: float) -> Projection:
        """Projection of these vertices out of the shape, without forces."""
        script = None if self.motion is None else script_of(self.motion)
        return Projection(self.shape, vertices, self.restitution or 0.0, friction, thickness, script)

    def face(self, vertices: Ints, friction: float, thickness: float) -> Face:
        """These vertices in front of the shape, for conditions on velocities."""
        return Face(self.shape, vertices, self.restitution or 0.0, friction, thickness)

    def friction_on(self, own: float | None) -> float:
        """Coefficient of friction on a body: the mean with its own, if it has one."""
        return self.friction if own is None else (own + self.friction) / 2.0

    def acts_on(self, body: str) -> bool:
        return self.bodies is None or body in self.bodies


@checked
@dataclass(frozen=True)
class MeshObstacle:
    """An impenetrable surface, stationary or moving as a whole."""

    mesh: MeshSource
    """A shape with its options, or a file; for solids the surface is used."""
    name: Name = ""
    """Unique among bodies and obstacles; `obstacle0`, `obstacle1` ... if absent."""
    motion: Moves | None = None
    """Its motion: translate, rotate, keyframes, or the motion of an object in a file."""
    thickness: NotNegative = 0.0
    """Thickness, half of it on each side of the triangles [m]."""
    friction: NotNegativeChanging | None = None
    """Coefficient of friction [-]; `contact.friction` if absent."""
    colour: Colour | None = None
    """Colour in pictures: a name or `#rrggbb`; a subdued grey if absent."""
    law: Literal["sticky", "slip", "separate"] | None = None
    """For material points, at the nodes of their grid inside a closed surface: sticky, slip, or separate with Coulomb's
    friction. If absent, it acts by the barrier of contact between surfaces."""
    bodies: Names | None = None
    """The bodies on which it acts: one name or a list; all if absent. It may lie inside others, such as a bone in flesh."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mesh", as_source(self.mesh))
        if isinstance(self.mesh, MeshFile) and self.mesh.cage is not None:
            raise SuppleError("mesh.cage: obstacles use their surface directly and do not deform; leave cage out")
        if self.law is None:
            return
        if self.motion is not None and self.motion.file is not None:
            raise SuppleError(
                f"motion.file: law = {shown(self.law)} is for surfaces that keep their shape; leave law out, or take keyframes"
            )
        if changes(self.friction):
            raise SuppleError(
                f"friction: law = {shown(self.law)} has a constant coefficient; leave the law out for one that changes with time"
            )
        demand_friction(self.law, self.friction or 0.0)
        demand_rigid(self.motion, self.law)
        if self.thickness or self.bodies is not None:
            key = "thickness" if self.thickness else "bodies"
            raise SuppleError(
                f"{key}: law = {shown(self.law)} acts on all nodes inside the mesh, found {shown(getattr(self, key))}: "
                "leave that out"
            )

    def at_nodes(self, cell: float, up: str = "y") -> NodeObstacle | None:
        """Its action on the nodes of a grid with cells of that size [m]; None without a law of nodes. `up`: up axis
        of the world."""
        if self.law is None:
            return None
        found = shell(find(self.mesh, up).mesh)
        solid = MeshSolid(found.vertices, found.triangles, cell)
        solid.lay()
        script = None if self.motion is None else script_of(self.motion, found.vertices)
        return NodeObstacle(solid, self.law, self.friction or 0.0, script)

    def acts_on(self, body: str) -> bool:
        return self.bodies is None or body in self.bodies


def demand_rigid(motion: Moves | None, law: str) -> None:
    """Reject motion that changes sizes, which distances to a moving shape do not support."""
    if motion is not None and motion.scales:
        raise SuppleError(
            f"motion: keyframes with a scale are for groups of bodies and for meshes in contact; an obstacle with law = "
            f"{shown(law)} moves as a rigid body: leave scale out"
        )


AnyObstacle: TypeAlias = Obstacle | MeshObstacle
