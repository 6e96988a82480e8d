"""One step of a method on the nodes of a grid, with the obstacles that act on them.

Symplectic Euler has its velocities before nodes move: obstacles change them, and nodes move by u = h v'
(points/node_contact.py). For all other methods the nodes inside sticky obstacles are constrained to follow the
obstacle, like scripted vertices. They take its velocity V immediately: of m/2 (|V|^2 - |v|^2) the part -m/2 |V - v|^2
is booked as collided, and m (V - v) . V is work of the obstacle, in addition to the work of its force over the step.
For obstacles along which nodes slide, see sliding.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed, Script
from supple.dynamics import ledger
from supple.dynamics.invariants import kinetic_energy
from supple.dynamics.state import State
from supple.dynamics.step import Memory, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.method import Method
from supple.integrators.points.sliding import Slid, faces_of, slide, work_of
from supple.linalg.reduce import dot
from supple.points.node_contact import Pushed, found_inside, pushed
from supple.types import Array


@dataclass(frozen=True)
class NodeStep:
    """The step of the nodes."""

    before: Array
    """(N, 3) velocities transferred from particles."""
    after: Array
    u: Array
    """(N, 3) displacements [m]."""
    gained: float
    """Change of their kinetic energy [J]."""
    residual: float
    """Energy gained (positive) or lost by the method [J]."""
    contact: Pushed
    memory: Memory
    reaction: Array | None = None
    """(N, 3) reactions of sliding nodes, opposite to the force of obstacles [N]."""


@dataclass(frozen=True)
class _Along:
    """Nodes that follow an obstacle through one step."""

    V: Array
    """(k, 3) [m/s]"""
    start: float
    """[s]"""

    def position(self, X: Array, t: float) -> Array:
        return X + (t - self.start) * self.V

    def velocity(self, X: Array, t: float) -> Array:
        return self.V


def held_nodes(system: System, of: Method, nodes: Array, dx: float, t: float, h: float) -> Motion:
    """The nodes (N, 3) constrained by sticky obstacles in an implicit step of h [s] from t [s]."""
    if isinstance(of, SymplecticEuler) or not system.node_obstacles:
        return Motion()
    V = np.zeros_like(nodes)
    held = np.zeros(len(nodes), dtype=bool)
    sticky = [obstacle for obstacle in system.node_obstacles if obstacle.law == "sticky"]
    for found in found_inside(sticky, nodes, dx, t, h):
        held[found.nodes], V[found.nodes] = True, found.velocities
    at = np.flatnonzero(held).astype(np.int32)
    if not len(at):
        return Motion()
    script: Script = _Along(V[at], t) if V[at].any() else Hold()
    return Motion((Prescribed(at, nodes[at], script),))


def nodes_moved(
    system: System, nodes: System, of: Method, start: State, inner: Memory, h: float, dx: float, tools: Tools
) -> NodeStep:
    """A step of h [s] of the method on the nodes, which start with the velocities transferred from particles."""
    sliding = not isinstance(of, SymplecticEuler) and any(o.law != "sticky" for o in system.node_obstacles)
    faces = faces_of(system, nodes, start.x, dx, start.t, h) if sliding else None
    if faces is None:
        return _moved(system, nodes, of, start, Slid(start.v), inner, h, dx, tools)
    tried: list[NodeStep] = []

    def take(under: System, slid: Slid) -> tuple[Array, Array]:
        found = _moved(system, under, of, start, slid, inner, h, dx, tools)
        tried.append(found)
        return found.u, np.zeros_like(found.u) if found.reaction is None else found.reaction

    slide(faces, nodes, start.x, start.v, h, take)
    return tried[-1]


def _moved(
    system: System,
    nodes: System,
    of: Method,
    start: State,
    slid: Slid,
    inner: Memory,
    h: float,
    dx: float,
    tools: Tools,
) -> NodeStep:
    """The same, after obstacles stopped nodes that slide along them."""
    driven = State(start.t, start.x, nodes.motion.drive(slid.v, start.t))
    with tools.beside(nodes) as beside:
        inner = inner or of.start(nodes, driven)
        new, inner, report = of.advance(nodes, driven, inner, h, beside)
        contact, v, u = Pushed(), new.v, new.x - start.x
        if isinstance(of, SymplecticEuler) and system.node_obstacles:
            inside = found_inside(system.node_obstacles, start.x, dx, start.t, h)
            v, contact = pushed(system.node_obstacles, inside, nodes.mass, start.v, new.v)
            u = h * v
        old, now = beside.energies(driven), beside.energies(State(new.t, start.x + u, v))
    stored = (now.total - now.kinetic) - (old.total - old.kinetic)
    if not np.isfinite(stored):
        raise StepRejected(f"the energy at its end, t = {new.t:g} s, is infinite: particles are inverted")
    residual = stored + now.kinetic - old.kinetic
    if contact.touched:
        given, dv = nodes.mass[:, None] * (new.v - start.v), v - start.v
        residual = stored + dot(given, v) - kinetic_energy(nodes, dv) + contact.kick
    if nodes.motion.prescribed:
        work = ledger.measured(nodes, driven, new, report).external_work or 0.0
        residual, contact = residual - work, _held(nodes, start.v, v, work)
    if slid.v is not start.v:
        work = 0.0 if report.reaction is None else work_of(nodes.constraints, report.reaction)
        residual -= work
        contact = Pushed(
            contact.collided + slid.collided, slid.friction, contact.work + slid.work + work, contact.kick, touched=True
        )
    gained = _kinetic(nodes, v) - _kinetic(nodes, start.v)
    return NodeStep(start.v, v, u, gained, residual, contact, inner, report.reaction)


def _held(nodes: System, before: Array, after: Array, work: float) -> Pushed:
    """The energy of giving constrained nodes the velocity of their obstacle, and the work of its force over the step."""
    held = nodes.motion.held(nodes.n)
    J = nodes.mass[held, None] * (after[held] - before[held])
    collided = -0.5 * dot(J, after[held] - before[held])
    return Pushed(collided, 0.0, work + dot(J, after[held]), 0.0, True)


def _kinetic(nodes: System, v: Array) -> float:
    """For all nodes, including constrained ones."""
    return 0.5 * dot(nodes.mass[:, None] * v, v)
