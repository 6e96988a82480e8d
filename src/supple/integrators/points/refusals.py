"""Systems of material points that a step on a grid cannot advance, and ways out."""

from __future__ import annotations

import numpy as np

from supple.dynamics.needs import Objection
from supple.dynamics.system import System


def objection_to(system: System, explicit: bool, fast: bool, inside: str) -> Objection | None:
    """Why mpm cannot advance a system. `explicit`: symplectic Euler is inside; `fast`: its kernels take the steps."""
    if not system.clouds:
        return Objection("mpm moves material points, and this system has none", ("give a body points",))
    places = np.bincount(np.concatenate([cloud.vertices for cloud in system.clouds]), minlength=system.n)
    if len(places) > system.n or places.max() > 1:
        reason = (
            f"clouds have the vertex {int(places.argmax()) if places.max() > 1 else len(places) - 1}, of {system.n}, "
        )
        reason += "several times" if places.max() > 1 else "which does not exist"
        return Objection(reason, ("give each vertex to one cloud",), names_methods=False)
    if not places.all():
        reason = f"mpm moves material points only, and {int(np.sum(places == 0))} vertices belong to no cloud"
        return Objection(reason, ("give every body points",), names_methods=False)
    if system.motion.prescribed:
        reason = "mpm cannot pin or script single points"
        return Objection(reason, ('hold them by an obstacle box with law = "sticky"',), names_methods=False)
    wide = [term for term in system.potential.terms if term.elements.shape[1] != 1]
    if wide:
        reason = f"mpm carries energies of single points, and {type(wide[0]).__name__} joins several"
        return Objection(
            reason,
            ("leave out membranes, shells, rods, springs and pressure of bodies with points",),
            names_methods=False,
        )
    return None if explicit and fast else _beyond_kernels(system, explicit, inside)


def _beyond_kernels(system: System, explicit: bool, inside: str) -> Objection | None:
    """What only explicit steps, or only their kernels, can do."""
    kernels = 'of = "symplectic-euler" with gradient = "mls"'
    if any(cloud.flow is not None and cloud.flow.viscous for cloud in system.clouds):
        return Objection("viscous fluids need the kernels of mpm", (kernels,), names_methods=False)
    if explicit:
        return None
    loose = [obstacle.law for obstacle in system.node_obstacles if obstacle.law != "sticky"]
    if loose:
        reason = f'mpm of {inside} cannot let nodes slide along obstacles (law = "{loose[0]}")'
        remedy = 'give them law = "quadratic" or "cubic", a potential of the points, or "sticky"'
        return Objection(reason, (remedy, 'of = "symplectic-euler"'), names_methods=False)
    for cloud in system.clouds:
        if cloud.flow is not None and cloud.flow.takes_energy:
            reason = f"mpm of {inside} does not see the flow of {cloud.flow.name}, which comes after the step"
            return Objection(reason, ('of = "symplectic-euler"',), names_methods=False)
    return None
