"""Systems of material points that a step on a grid cannot advance, with remedies."""

from __future__ import annotations

import numpy as np

from supple.dynamics.needs import Need, Objection, listed, needs_of
from supple.dynamics.system import System
from supple.integrators.points.riders import joining

SLIDES = ("avf", "midpoint", "backward-euler")
"""Methods whose stages support constraints, as needed for nodes that slide along obstacles."""


def objection_to(system: System, explicit: bool, fast: bool, inside: str, sized: bool) -> Objection | None:
    """Why mpm cannot advance a system. `explicit`: symplectic Euler is inside; `fast`: its kernels take the steps;
    `sized`: the cell size is given."""
    if not system.on_grid:
        return Objection("mpm moves material points, and this system has none", ("give a body points",))
    given = np.concatenate([*(cloud.vertices for cloud in system.clouds), system.riders])
    there = np.bincount(given, minlength=system.n)
    if len(there) > system.n:
        reason = f"clouds have the vertex {len(there) - 1}, of {system.n}, which does not exist"
        return Objection(reason, ("give each vertex to one cloud",), names_methods=False)
    if (there == 0).any():
        reason = f"mpm moves only bodies on its grid, and {int((there == 0).sum())} vertices belong to no cloud and do not ride"
        remedies = ("give every body points", 'let meshes ride on the grid by points = "vertices"')
        return Objection(reason, remedies, names_methods=False)
    if (there > 1).any():
        first, *others = np.flatnonzero(there > 1).tolist()
        more = f", and so do {len(others)} others" if others else ""
        reason = f"the vertex {first} belongs to two clouds, or to a cloud and to a mesh that rides{more}"
        return Objection(reason, ("give each vertex to one of them",), names_methods=False)
    if not system.clouds and not sized:
        reason = "mpm takes the size of its cells from clouds, and this system has none"
        return Objection(
            reason, ("give mpm.cell, about twice as long as the edges of the meshes",), names_methods=False
        )
    if system.motion.prescribed:
        reason = "mpm cannot pin or script single points"
        return Objection(reason, ('hold them by an obstacle box with law = "sticky"',), names_methods=False)
    rides = np.isin(np.arange(system.n), system.riders)
    wide = [term for term in joining(system) if not rides[term.elements].any(axis=1).all()]
    if wide:
        reason = f"mpm carries energies of single points of clouds, and {type(wide[0]).__name__} joins several"
        return Objection(
            reason,
            (
                'let the meshes of membranes, shells, rods, springs and pressure ride on the grid by points = "vertices"',
            ),
            names_methods=False,
        )
    return None if explicit and fast else _beyond_kernels(system, explicit, inside)


def _beyond_kernels(system: System, explicit: bool, inside: str) -> Objection | None:
    """Features that only explicit steps, or only their kernels, support."""
    kernels = 'of = "symplectic-euler" with gradient = "mls"'
    if any(cloud.flow is not None and np.any(cloud.flow.viscous) for cloud in system.clouds):
        return Objection("viscous fluids need the kernels of mpm", (kernels,), names_methods=False)
    if explicit:
        return None
    loose = [obstacle for obstacle in system.node_obstacles if obstacle.law != "sticky"]
    if loose and (cause := _cannot_slide(system, inside)):
        reason = f'mpm of {inside} cannot let nodes slide along obstacles (law = "{loose[0].law}"){cause}'
        remedy = 'give them law = "quadratic" or "cubic", a potential of the points, or "sticky"'
        return Objection(reason, (remedy, 'of = "symplectic-euler"'), names_methods=False)
    for cloud in system.clouds:
        if cloud.flow is not None and cloud.flow.takes_energy:
            reason = f"mpm of {inside} does not see the flow of {cloud.flow.name}, which comes after the step"
            return Objection(reason, ('of = "symplectic-euler"',), names_methods=False)
    return None


def _cannot_slide(system: System, inside: str) -> str:
    """Why an implicit step cannot constrain nodes along normals of obstacles; empty if it can."""
    if inside not in SLIDES:
        return f", which {listed(SLIDES)} can"
    if needs_of(system) & {Need.BARRIER, Need.CURVED_CONTACT}:
        return " beside barriers or potentials of curved shapes"
    return ""
