"""Measurements shared by the budget panels."""

from __future__ import annotations

import numpy as np

from supple.budget.parts import find_parts
from supple.budget.pushes import Contacts
from supple.mesh.mesh import Mesh
from supple.runs.results import Run
from supple.types import Array


def column(run: Run, name: str) -> Array:
    """A column of the history."""
    return np.asarray(run.history[name], dtype=float)


def height(run: Run, start: float) -> Array:
    """Height of the centre of mass, row by row, from the energy of gravity; `start`: the initial height [m]."""
    gravity = column(run, "gravity")
    return start * gravity / gravity[0]


def centre(run: Run) -> Array:
    """Height of the centre of mass of all moving bodies, frame by frame [m]."""
    system = run.setup.assemble().system
    mass = system.mass[system.free]
    return np.asarray([mass @ x[system.free, 1] for x in run.positions], dtype=float) / mass.sum()


def residual(run: Run) -> float:
    """Largest residual of the ledger, relative to the initial energy."""
    return float(np.abs(column(run, "residual")).max() / column(run, "total")[0])


def bounces(y: Array, floor: float) -> list[float]:
    """Heights of all bounces relative to the drop, from the initial height to `floor` [m], the height at first contact."""
    return [float(y[k] - floor) / float(y[0] - floor) for k in tops(y)]


def tops(y: Array) -> list[int]:
    """Frames at the top of a bounce."""
    return [k for k in range(1, len(y) - 1) if y[k - 1] <= y[k] > y[k + 1]]


def spin(run: Run, frame: int) -> float:
    """Energy of the rigid-body rotation of all moving bodies [J]."""
    system = run.setup.assemble().system
    m = system.mass[system.free][:, None]
    x, v = (np.asarray(field[frame], dtype=float)[system.free] for field in (run.positions, run.velocities))
    x, v = x - (m * x).sum(axis=0) / m.sum(), v - (m * v).sum(axis=0) / m.sum()
    turning = np.cross(x, m * v).sum(axis=0)
    inertia = np.einsum("n,ij->ij", np.einsum("nk,ni,ni->n", m, x, x), np.eye(3)) - np.einsum("nk,ni,nj->ij", m, x, x)
    return 0.5 * float(turning @ np.linalg.solve(inertia, turning))


def swing(path: Array, times: Array, window: float) -> float:
    """Range of a coordinate in the last `window` seconds, relative to that in the first."""
    first, last = path[times <= window], path[times >= times[-1] - window]
    return float(np.ptp(last) / np.ptp(first))


def folded(run: Run) -> int:
    """Frames in which a body is in self-contact."""
    system = run.setup.assemble().system
    parts = find_parts(system)
    return sum(bool(Contacts(system, parts, np.asarray(x, dtype=float)).folded.any()) for x in run.positions)


def mesh_scale(run: Run) -> Array:
    """Kinetic energy at mesh scale in each frame: velocities of inner vertices relative to the mean of their neighbours [J]."""
    model = run.setup.assemble()
    edges, count = np.unique(_sides(model.mesh), axis=0, return_counts=True)
    inner = np.setdiff1d(np.arange(model.mesh.n), edges[count == 1])
    both = np.concatenate([edges, edges[:, ::-1]])
    degree = np.maximum(np.bincount(both[:, 0], minlength=model.mesh.n), 1)[:, None]
    found = []
    for v in np.asarray(run.velocities, dtype=float):
        mean = np.zeros_like(v)
        np.add.at(mean, both[:, 0], v[both[:, 1]])
        rest = (v - mean / degree)[inner]
        found.append(0.5 * float(model.system.mass[inner] @ np.einsum("ni,ni->n", rest, rest)))
    return np.array(found)


def _sides(mesh: Mesh) -> Array:
    """Edges of all triangles, repeated for each triangle that they bound."""
    t = mesh.triangles
    return np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1)


def uneven(run: Run, window: float) -> float:
    """Fraction of the kinetic energy outside uniform stretch and rotation, v = A x + b, over the last `window` seconds."""
    root = np.sqrt(run.setup.assemble().system.mass)[:, None]
    late = np.flatnonzero(run.times >= run.times[-1] - window)
    whole = rest = 0.0
    for k in late:
        x, v = (np.asarray(field[k], dtype=float) for field in (run.positions, run.velocities))
        basis = root * np.column_stack([x, np.ones(len(x))])
        fit, *_ = np.linalg.lstsq(basis, root * v, rcond=None)
        whole += float(np.sum((root * v) ** 2))
        rest += float(np.sum((root * v - basis @ fit) ** 2))
    return rest / whole if whole > 0.0 else 0.0
