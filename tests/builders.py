"""Small bodies that the tests of the numerical core share: each builder returns a system and its initial state."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.constraints.motion import Hold, Motion, Prescribed, Script
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.loop import Frame, simulate
from supple.materials.material import Material
from supple.materials.stable_neo_hookean import StableNeoHookeanLog
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import unique_edges
from supple.progress import begin
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

Setup = tuple[System, State]
SOFT = StVK(500.0, 10.0)


def hold(vertices: npt.ArrayLike, x: Array, script: Script | None = None) -> Prescribed:
    """Prescribed vertices that start at their rows of x."""
    vertices = np.asarray(vertices, dtype=np.int32)
    return Prescribed(vertices, np.ascontiguousarray(x[vertices]), script or Hold())


def twisted_bar(material: Material | None = None) -> Setup:
    """Reference scene F1: a bar of 40 tets, left face held, twisted by half a turn, at rest."""
    mesh = Bar(cells=(8, 1, 1), size=(4.0, 0.5, 0.5)).mesh()
    X = mesh.vertices
    turn = np.pi * X[:, 0] / 4
    c, s, y, z = np.cos(turn), np.sin(turn), X[:, 1] - 0.25, X[:, 2] - 0.25
    x = np.stack([X[:, 0], 0.25 + c * y - s * z, 0.25 + s * y + c * z], axis=1)
    solid = Solid(X, mesh.tets, material or StVK(1000.0, 500.0))
    motion = Motion((hold(mesh.group("left"), x),))
    return build_system(X, lumped_mass(mesh, mass=1.0), [solid], motion), at_rest(x)


def pulled_bar() -> Setup:
    """Reference scene F2: bottom held, pulled upwards and bent, at rest."""
    mesh = Bar(cells=(2, 4, 2), size=(1.0, 2.0, 1.0)).mesh()
    X = mesh.vertices
    x = X * [1.0, 1.6, 1.0]
    x[:, 0] += 0.5 * (X[:, 1] / 2) ** 2
    motion = Motion((hold(mesh.group("bottom"), x),))
    return build_system(X, lumped_mass(mesh, mass=10.0), [Solid(X, mesh.tets, SOFT)], motion), at_rest(x)


def stretched_bar(
    material: Material = SOFT,
    cells: tuple[int, int, int] = (4, 2, 2),
    stretch: Sequence[float] = (1.5, 0.8, 0.8),
    spin: Sequence[float] = (0.0, 0.0, 2.0),
    dissipation: float = 0.0,
) -> Setup:
    """Reference scene F3: a free bar, stretched and spinning [rad/s] about its centre."""
    mesh = Bar(cells=cells, size=(2.0, 1.0, 1.0)).mesh()
    X = mesh.vertices
    v = np.cross(np.asarray(spin, dtype=np.float64), X - X.mean(axis=0))
    dampers = [zero_length_springs(mesh, dissipation)] if dissipation else []
    system = build_system(X, lumped_mass(mesh, mass=1.0), [Solid(X, mesh.tets, material)], dissipation=dampers)
    return system, State(0.0, np.ascontiguousarray(X * np.asarray(stretch)), v)


def zero_length_springs(mesh: Mesh, stiffness: float) -> EnergyTerm:
    """A quadratic potential of differences along the tets' edges: of velocities it is a linear damper [N s/m]."""
    return HookeSprings(np.zeros_like(mesh.vertices), unique_edges(mesh.tets), stiffness)


def four_nodes(damping: float = 0.0, hooke: bool = False, gravity: float = 9.8) -> Setup:
    """Two triangles of five springs that fall, spin and breathe: smooth, so that orders show at moderate steps."""
    X = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [0.5, 0.9, 0.0], [1.5, 0.9, 0.2]])
    edges = np.array([[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]], dtype=np.int32)
    mass = np.array([1.0, 1.2, 0.8, 1.0])
    dampers = [HookeSprings(np.zeros_like(X), edges, damping)] if damping else []
    springs = HookeSprings(X, edges, 30.0) if hooke else StVKSprings(X, edges, 8.0)
    terms = [springs, Gravity(mass, np.array([0.0, -gravity, 0.0]))]
    v = np.array([[0.3, 0.0, 0.2], [0.0, -0.4, 0.0], [-0.5, 0.2, 0.0], [0.1, 0.3, -0.4]])
    x = X * [1.1, 0.95, 1.0]
    return build_system(X, mass, terms, dissipation=dampers), State(0.0, x, v)


def spring_sheet(side: int = 4, hooke: bool = False) -> Setup:
    """A square sheet of springs with held corners, struck in the middle."""
    u = np.linspace(0.0, 1.0, side)
    X = np.stack([*np.meshgrid(u, u, indexing="ij"), np.zeros((side, side))], axis=-1).reshape(-1, 3)
    index = np.arange(side * side, dtype=np.int32).reshape(side, side)
    pairs = [(index[1:], index[:-1]), (index[:, 1:], index[:, :-1]), (index[1:, 1:], index[:-1, :-1])]
    edges = np.concatenate([np.stack([b.ravel(), a.ravel()], axis=1) for a, b in pairs])
    mass = np.full(len(X), 1.0 / len(X))
    springs = HookeSprings(X, edges, 50.0) if hooke else StVKSprings(X, edges, 200.0)
    motion = Motion((hold(index[[0, 0, -1, -1], [0, -1, 0, -1]], X),))
    v = np.zeros_like(X)
    v[:, 2] = 3.0 * np.exp(-30.0 * ((X[:, :2] - 0.5) ** 2).sum(axis=1))
    return build_system(X, mass, [springs, Gravity(mass, np.array([0.0, -9.8, 0.0]))], motion), State(0.0, X, v)


def held_beam(
    cells: tuple[int, int, int] = (4, 1, 1),
    size: tuple[float, float, float] = (1.0, 0.25, 0.25),
    young: float = 2e4,
    damping: float = 0.0,
    plucked: bool = True,
) -> Setup:
    """A stable neo-Hookean beam held at both ends under gravity; plucked: it starts with a velocity across."""
    mesh = Bar(cells=cells, size=size).mesh()
    X = mesh.vertices
    mass = lumped_mass(mesh, density=1000.0)
    solid = Solid(X, mesh.tets, StableNeoHookeanLog.from_young(young, 0.4))
    dampers = [zero_length_springs(mesh, damping)] if damping else []
    ends = np.concatenate([mesh.group("left"), mesh.group("right")])
    terms = [solid, Gravity(mass, np.array([0.0, -9.8, 0.0]))]
    system = build_system(X, mass, terms, Motion((hold(ends, X),)), dampers)
    v = np.zeros_like(X)
    if plucked:
        v[:, 1], v[:, 2] = np.sin(np.pi * X[:, 0]), 0.7 * np.sin(2 * np.pi * X[:, 0])
    return system, State(0.0, X.copy(), system.motion.drive(v, 0.0))


def random_tets(seed: int = 0, cells: tuple[int, int, int] = (3, 2, 2)) -> Mesh:
    """A box of tets with its inner and outer vertices moved at random, none inverted."""
    mesh = Bar(cells=cells, size=tuple(float(c) for c in cells), tets=6).mesh()
    return mesh.moved(mesh.vertices + np.random.default_rng(seed).uniform(-0.12, 0.12, mesh.vertices.shape))


def accepted(method: Any, *setups: Callable[[], Setup]) -> Setup:
    """The first of these bodies that a method can advance: some support springs only, and declare it."""
    for setup in setups:
        system, start = setup()
        if not method.refuses(system):
            return system, start
    raise AssertionError(f"{method.name} refuses every body of this test: {method.refuses(system)}")


@cache
def takes_solids(method: Any) -> bool:
    """Whether a method advances solid bodies, and not those of springs only."""
    return not method.refuses(stretched_bar(cells=(1, 1, 1))[0])


def at_rest(x: Array) -> State:
    return State(0.0, np.ascontiguousarray(x), np.zeros_like(x))


def run(setup: Setup, integrator: Any, h: float, steps: int, **options: Any) -> list[Frame]:
    """All frames of a run, the initial one first."""
    system, state = setup
    tools = StepTools(system, SolverOptions(**options))
    return list(simulate(system, integrator, begin(system, integrator, state, tools), h, steps, tools))


def totals(frames: list[Frame]) -> Array:
    """Total energies relative to the first."""
    H = np.array([frame.ledger.energies.total for frame in frames])
    return H / H[0]


def drift(frames: list[Frame]) -> float:
    """Largest relative change of the total energy."""
    return float(np.abs(totals(frames) - 1.0).max())


def dense(system: System, values: Array) -> Array:
    """The symmetric matrix whose upper triangle has these entries."""
    p = system.pattern
    out = np.zeros((p.unknowns, p.unknowns))
    rows = np.repeat(np.arange(p.unknowns), np.diff(p.indptr))
    out[rows, p.indices] = values
    return out + np.triu(out, 1).T
