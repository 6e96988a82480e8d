"""Consistency of the initial state: constraints satisfied and independent, velocities compatible with them."""

from __future__ import annotations

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.dynamics.tangent import dependent, slopes, tangent
from supple.errors import SuppleError
from supple.linalg.reduce import largest
from supple.types import Array

FULFILLED = 1e-9
"""Permitted violation of a constraint at the start, relative to the size of the bodies."""
NAMED = 6
"""Number of constraints named in a message."""


def consistent(system: System, state: State) -> tuple[State, str]:
    """The state with velocities compatible with the constraints, and a note if they changed. Raises an error that
    names constraints violated at the start, redundant or contradictory."""
    constraints = system.constraints
    if not len(constraints):
        return state, ""
    outside = [kind.name for kind in constraints.kinds if kind.vertices.max() >= system.n]
    if outside:
        raise SuppleError(f"{', '.join(outside)}: vertex indices must be below {system.n}, the number of vertices")
    problems = [text for kind in constraints.kinds for text in kind.problems(state.x)]
    if problems:
        raise SuppleError("\n".join(problems))
    off = np.abs(constraints.values(state.x)) / slopes(system, state.x)
    size = max(float(np.ptp(state.x, axis=0).max()), float(largest(state.x)))
    undefined = np.flatnonzero(~np.isfinite(off))
    _refuse(system, undefined, None, "have no finite value at the start; give equations that are defined there")
    missed = ~(off <= FULFILLED * size)
    following = np.zeros(len(constraints), dtype=bool)
    following[dependent(system, state.x)] = True
    _refuse(system, np.flatnonzero(missed & following), off, "contradict the other constraints at the start")
    _refuse(system, np.flatnonzero(missed), off, "are violated at the start")
    _refuse(
        system,
        np.flatnonzero(following),
        None,
        "are redundant or act on no free vertex; remove them",
    )
    v, _ = tangent(system, state.x, state.v)
    changed = largest(v - state.v)
    if changed <= FULFILLED * largest(state.v):
        return State(state.t, state.x, v), ""
    note = f"t = {state.t:g} s: initial velocities changed by up to {changed:.3g} m/s to satisfy the constraints"
    return State(state.t, state.x, v), note


def _refuse(system: System, found: np.ndarray, off: Array | None, what: str) -> None:
    if not len(found):
        return
    names = [system.constraints.label(j) + ("" if off is None else f" by {off[j]:.2g} m") for j in found[:NAMED]]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    raise SuppleError(f"{len(found)} of {len(system.constraints)} constraints {what}: {', '.join(names)}{more}")
