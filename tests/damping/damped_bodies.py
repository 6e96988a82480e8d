"""Small bodies with every kind of damping, for the tests of damping."""

from collections.abc import Sequence

import numpy as np

from builders import Setup, hold
from supple.constraints.motion import Motion
from supple.damping.aerodynamic import Aerodynamic
from supple.damping.damper import Damped, Damping
from supple.damping.dashpot import Dashpot
from supple.damping.drag import AirDrag
from supple.damping.formula import dissipation
from supple.damping.rayleigh import Rayleigh
from supple.damping.structure_preserving import StructurePreserving
from supple.damping.viscosity import Viscosity
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.materials.material import Material
from supple.materials.mooney_rivlin import ModifiedNeoHookean
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles, unique_edges
from supple.types import Array

SPIN, DRIFT = np.array([0.3, 1.0, 2.0]), np.array([0.2, 0.5, -0.1])
FORMS = ("explicit", "implicit", "integrable")
SQUARES = "(Edot11^2 + Edot22^2 + Edot33^2 + 2*(Edot12^2 + Edot13^2 + Edot23^2))"
ON_SOLIDS: dict[str, Damping] = {
    "rayleigh": Rayleigh(stiffness=0.01),
    "viscosity": Viscosity(shear=8.0, bulk=5.0),
    "formula": dissipation(f"eta*{SQUARES} + zeta/2*(Edot11 + Edot22 + Edot33)^2", eta=8.0, zeta=5.0),
    "formula, thickening": dissipation(f"eta*{SQUARES} + c*J*({SQUARES.replace('Edot', 'D')})^2", eta=5.0, c=20.0),
    **{f"structure-preserving {form}": StructurePreserving(0.01, form) for form in FORMS},
}
"""All that do not slow free flight, with some 10 % of the critical damping of the bodies below."""
ON_SPRINGS: dict[str, Damping] = {
    "rayleigh": Rayleigh(stiffness=0.01),
    "dashpot": Dashpot(0.5),
    **{f"structure-preserving {form}": StructurePreserving(0.01, form) for form in FORMS},
}


def breeze(x: Array, t: float) -> Array:
    """A wind that depends on place and time."""
    return np.stack([1 + 0 * x[:, 0], np.sin(x[:, 0] + 3 * t), x[:, 1]], axis=1)


DRAGS: dict[str, Damping] = {
    "drag": AirDrag(0.7),
    "rayleigh mass": Rayleigh(mass=0.7),
    "wind": AirDrag(0.7, breeze),
    "still air": Aerodynamic(drag=1.0, lift=0.5, skin=0.1),
    "stream": Aerodynamic(drag=0.2, lift=1.5, skin=0.1, wind=breeze),
}


def damped(
    X: Array,
    mass: Array,
    elastic: Sequence[EnergyTerm],
    *dampings: Damping,
    g: float = 0.0,
    motion: Motion | None = None,
) -> System:
    """A body of these elastic terms with these kinds of damping, under a gravity along -y."""
    solids = [boundary_triangles(term.elements) for term in elastic if isinstance(term, Solid)]
    bodies = Damped(mass, tuple(elastic), np.concatenate([np.empty((0, 3), np.int32), *solids]))
    dampers = [damping.on(bodies) for damping in dampings]
    weight = [Gravity(mass, np.array([0.0, -g, 0.0]))] if g else []
    return build_system(
        X,
        mass,
        [*elastic, *weight],
        motion,
        [term for d in dampers for term in d.dissipation],
        [impulse for d in dampers for impulse in d.impulses],
    )


def cube(*dampings: Damping, g: float = 0.0, material: Material | None = None) -> Setup:
    """One cell of five tets, sheared, stretched and spinning."""
    mesh = Bar(cells=(1, 1, 1), size=(1.0, 1.0, 1.0)).mesh()
    X = mesh.vertices
    x = (X - 0.5) @ np.array([[1.2, 0.1, 0.0], [0.0, 0.9, 0.05], [0.1, 0.0, 1.1]]).T
    v = np.cross(SPIN, x) + DRIFT
    mass = lumped_mass(mesh, mass=8.0)
    solid = Solid(X, mesh.tets, material or StVK(100.0, 60.0))
    return damped(X, mass, [solid], *dampings, g=g), State(0.0, x, v)


def net(*dampings: Damping, g: float = 0.0) -> Setup:
    """A tetrahedron of six StVK springs, stretched and spinning."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.5, 0.9, 0.0], [0.4, 0.3, 0.8]])
    mass = np.array([1.0, 1.2, 0.8, 1.0])
    x = (X - X.mean(axis=0)) * [1.2, 0.9, 1.1]
    v = np.cross(SPIN, x) + DRIFT
    springs = StVKSprings(X, unique_edges(np.array([[0, 1, 2, 3]], dtype=np.int32)), 8.0)
    return damped(X, mass, [springs], *dampings, g=g), State(0.0, x, v)


def pulled_spring(*dampings: Damping) -> Setup:
    """One spring of 100 N/m and 1 m with one end held, pulled to 1.2 m: a mass of 1 kg swings with 10 rad/s."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    spring = HookeSprings(X, np.array([[0, 1]], dtype=np.int32), 100.0)
    system = damped(X, np.ones(2), [spring], *dampings, motion=Motion((hold([0], X),)))
    return system, State(0.0, 1.2 * X, np.zeros_like(X))


def spinning_bar(*dampings: Damping, material: Material | None = None) -> Setup:
    """A free bar of 24 tets, stretched, with the velocities of a rotation about its centre."""
    mesh = Bar(cells=(4, 1, 1), size=(2.0, 0.5, 0.5), origin=(-1.0, -0.25, -0.25), tets=6).mesh()
    X = mesh.vertices
    x = X * [1.15, 0.97, 0.95]
    solid = Solid(X, mesh.tets, material or ModifiedNeoHookean(3e3, 1.5e4))
    system = damped(X, lumped_mass(mesh, density=1000.0), [solid], *dampings)
    return system, State(0.0, x, np.cross(SPIN, x))
