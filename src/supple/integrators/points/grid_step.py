"""A step of particles through one step of any method on the nodes, by the engine's general stage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import GridParts, Memory, StepReport, Tools
from supple.dynamics.system import System, build_system
from supple.energies.points.carried import carried
from supple.energies.points.carried_body import carried_body
from supple.energies.points.passage import Passage
from supple.energies.points.point_solid import PointSolid
from supple.energies.term import EnergyTerm
from supple.integrators.method import Method
from supple.integrators.points.node_step import held_nodes, nodes_moved
from supple.points.cloud import Cloud
from supple.points.grid import Grid, lay_grid
from supple.points.matter import Matter
from supple.points.spline import Gradient, Spline
from supple.points.tiled.solid import TiledSolid
from supple.points.transfer import Transfer
from supple.types import Array, Ints


@dataclass(frozen=True)
class Around:
    """The data surrounding the step of the nodes."""

    spline: Spline
    transfer: Transfer
    gradient: Gradient


def grid_step(
    system: System, of: Method, state: State, matter: Matter, inner: Memory, h: float, around: Around, tools: Tools
) -> tuple[State, Matter, Memory, StepReport]:
    """Particles, the memory of the inner method, and the report, after a step of h [s]."""
    transfer, D = around.transfer, around.spline.D
    grid = lay_grid(around.spline, state.x, around.gradient)
    mass, v0 = transfer.to_grid(grid, system.mass, state.v, matter.C)
    held = held_nodes(system, of, grid.nodes, around.spline.dx, state.t, h)
    nodes = build_system(grid.nodes, mass, node_terms(system, grid, matter), held, solver=system.solver)
    took = nodes_moved(system, nodes, of, State(state.t, grid.nodes, v0), inner, h, around.spline.dx, tools)
    F = matter.F + grid.slope(took.u) @ matter.F
    v, C = transfer.to_points(grid, took.before, took.after, took.u, state.v, matter.C)
    on_grid = state.x + grid.mean(took.u)
    x = on_grid + transfer.strayed(grid, took.before, state.v, np.linalg.det(F), h)
    F[system.riders] = np.eye(3)  # their mesh deforms instead
    trial = Matter(F, C, matter.history)
    after, plastic, hardening = trial.flowed(system.clouds)
    lost = transfer.kinetic(system.mass, v, C, D) - transfer.kinetic(system.mass, state.v, matter.C, D) - took.gained
    if transfer.strays:
        lost += _potential(system, x) - _potential(system, on_grid)
    contact = took.contact
    parts = GridParts(
        transfer=lost,
        force=took.residual,
        collided=contact.collided,
        plastic=-plastic,
        hardening=hardening,
    )
    report = StepReport(
        h, dissipated=plastic + contact.friction, external_work=contact.work, collided=contact.collided, grid=parts,
        contacts=touching(system, x, contact.touched, state.t + h, around.spline),
    )  # fmt: skip
    return State(state.t + h, x, v), after, took.memory, report


def node_terms(system: System, grid: Grid, matter: Matter) -> list[EnergyTerm]:
    """Energies of particles as functions of node positions."""
    terms: list[EnergyTerm] = [_solid(grid, cloud, matter) for cloud in system.clouds]
    if system.potential.terms:
        cells = grid.of(np.arange(system.n, dtype=np.int32))
        passage = Passage(grid, cells.corners, cells.start, cells.order)
        for term in system.potential.terms:
            wide = term.elements.shape[1] > 1
            terms.append(carried_body(term, passage) if wide else carried(term, passage))
    return terms


def _solid(grid: Grid, cloud: Cloud, matter: Matter) -> PointSolid:
    """The elastic energy of a cloud."""
    own = cloud.vertices
    cells, place = grid.of(own), np.argsort(own, kind="stable")
    rank = place[np.searchsorted(own[place], cells.order)]  # index of each particle in its cloud
    table = cloud.with_history(matter.history[own])

    def B() -> Array:
        return np.asarray(grid.grad[cells.order] @ matter.F[cells.order])  # F^T grad w, row by row

    if grid.gradient != "mls":
        return PointSolid(cells.corners, cells.start, B, cloud.volume[rank], cloud.material, table[rank])
    whole = len(own) == len(grid.x) and (own == np.arange(len(own))).all()
    tiles = grid.tiles if whole else grid.tiles_of(grid.x[own])
    return TiledSolid(tiles, grid.nodes, matter.F[own], cloud.volume, cloud.material, table, cells, rank, B)


def _potential(system: System, x: Array) -> float:
    return sum(system.potential.by_group(x).values())


def touching(system: System, x: Array, by_nodes: bool, t: float, spline: Spline) -> Ints | None:
    """Particles in contact at x (n, 3): `by_nodes`, if obstacles stopped nodes; None if there are none."""
    found: list[np.ndarray] = [
        touch.corners[touch.force > 0.0].ravel()
        for term in system.potential.roles.contacts
        for touch in term.touches(x)
    ]
    if by_nodes:
        reach = 0.5 * spline.size * spline.dx
        found += [np.flatnonzero(obstacle.gaps(x, t) < reach) for obstacle in system.node_obstacles]
    together = np.unique(np.concatenate(found)) if found else np.empty(0)
    return together.astype(np.int32) if len(together) else None
