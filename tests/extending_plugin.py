"""One dummy of every kind that users can add, in one file: what tests/test_extending.py gives to `--plugin`."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from supple.analysis.own import ANALYSES, Analysis, Row
from supple.constraints.holonomic import Holonomic
from supple.constraints.surfaces import OnPlane
from supple.contact.obstacles import OBSTACLES
from supple.contact.obstacles.shapes import SphereShape
from supple.damping import DAMPINGS
from supple.damping.damper import Damped, Dampers, Damping
from supple.damping.drag import Drag
from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm
from supple.export import FORMATS
from supple.export.formats.npz import Npz
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.dirk import Dirk
from supple.integrators.implicit.tableau import Tableau
from supple.integrators.method import Method
from supple.materials import MATERIALS
from supple.materials.stvk import StVK
from supple.mesh import SHAPES
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.model.constraints.constraint import CONSTRAINTS, Constraint
from supple.model.energies.energy import ENERGIES, Energy
from supple.model.materials.springs import HookeSpring
from supple.model.materials.structure import STRUCTURES
from supple.model.model import Model
from supple.model.placed import Placed
from supple.model.places import place
from supple.model.world import World
from supple.scene.own_tables import SCENE_TABLES, SceneTable
from supple.types import Array

Positive = Annotated[float, Gt(0)]


@INTEGRATORS("dummy-euler")
@dataclass(frozen=True)
class DummyEuler(BackwardEuler):
    """Backward Euler under another name."""


@MATERIALS("dummy-solid")
@dataclass(frozen=True)
class DummySolid(StVK):
    """St. Venant-Kirchhoff under another name."""


@STRUCTURES("dummy-net")
@dataclass(frozen=True)
class DummyNet(HookeSpring):
    """Hooke's springs under another name."""


@SHAPES("dummy-bar")
@dataclass(frozen=True)
class DummyBar:
    """A bar as thick as it is wide."""

    length: Positive = 1.0
    """[m]"""

    def mesh(self) -> Mesh:
        return Bar(cells=(2, 1, 1), size=(self.length, 0.25, 0.25)).mesh()


@OBSTACLES("dummy-egg")
@dataclass(frozen=True)
class DummyEgg(SphereShape):
    """A sphere under another name."""


@DAMPINGS("dummy-drag")
@dataclass(frozen=True)
class DummyDrag(Damping):
    """Drag under another name."""

    strength: Positive
    """Rate at which velocities decay [1/s]."""

    def on(self, bodies: Damped) -> Dampers:
        return Dampers((Drag(bodies.mass, self.strength),))


@CONSTRAINTS("dummy-floor")
@dataclass(frozen=True)
class DummyFloor(Constraint):
    """Vertices that keep their height."""

    vertices: str
    """`body`, or `body.group`."""

    def holonomic(self, placed: Sequence[Placed], x: Array, path: str) -> Sequence[Holonomic]:
        vertices, _ = place(self.vertices, placed, f"{path}.vertices")
        return [OnPlane(vertices, x[vertices], (0.0, 1.0, 0.0), path)]


@ENERGIES("dummy-trap")
@dataclass(frozen=True)
class DummyTrap(Energy):
    """Every vertex is pulled to the origin."""

    stiffness: Positive
    """[N/m]"""

    def terms(self, placed: Sequence[Placed], x: Array, path: str) -> Iterable[EnergyTerm]:
        yield Anchors(np.zeros_like(x), self.stiffness)


@SCENE_TABLES("dummy_moon")
@dataclass(frozen=True)
class DummyMoon(SceneTable):
    """Gravity of another place."""

    factor: Positive = 0.165
    """Over that of the scene [-]."""

    def change(self, world: World) -> World:
        return replace(world, gravity=tuple(self.factor * g for g in world.acceleration))


@FORMATS("dummy-arrays")
class DummyArrays(Npz):
    title: ClassVar[str] = "arrays under another name"


@ANALYSES("dummy-weight")
@dataclass(frozen=True)
class DummyWeight(Analysis):
    """Masses of bodies."""

    scale: Positive = 1.0
    """Factor on all masses [-]."""

    def rows(self, model: Model, method: Method, h: float, steps: int) -> Iterator[Row]:
        for placed in model.bodies:
            yield {"body": placed.name, "mass": self.scale * float(placed.mass.sum()), "method": method.name}


G = 1.0 - 1.0 / math.sqrt(2.0)


@INTEGRATORS("dummy-dirk")
@dataclass(frozen=True)
class DummyDirk(Dirk):
    """The L-stable method of order 2, once more."""

    tableau: ClassVar[Tableau] = Tableau(2, ((G,), (1.0 - G, G)))
    choose: ClassVar[str] = "never"
