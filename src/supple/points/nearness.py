"""Interaction of clouds on the grid, and warnings about particle positions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.errors import SuppleError
from supple.points.cloud import Cloud
from supple.points.grid import node_keys
from supple.points.spline import Spline
from supple.types import Array, Ints

FEW = 4.0
"""Particles per cell below which a body shows numerical fracture."""
LEAST = 1.0
"""Particles per cell below which neighbours no longer share nodes."""
FULL = 1.4
"""Rest volume per cell volume above which two clouds overlap; random positions reach up to 1.3 where clouds touch."""
OVERLAP = 0.05
"""Fraction of a cloud that may lie in such cells by chance."""


def groups(bodies: Sequence[Ints], n: int, spline: Spline, x: Array) -> Ints:
    """(n,) indices of groups of bodies, given by their vertices: bodies that share nodes form one group."""
    label = np.arange(len(bodies))
    nodes = [node_keys(spline, x[body]) for body in bodies] if len(bodies) > 1 else []
    for i in range(len(nodes)):
        for j in range(i):
            if label[i] != label[j] and len(np.intersect1d(nodes[i], nodes[j], assume_unique=True)):
                label[label == label[i]] = label[j]
    label = np.unique(label, return_inverse=True)[1]
    of = np.empty(n, dtype=np.int32)
    for i, body in enumerate(bodies):
        of[body] = label[i]
    return of


def check_places(clouds: Sequence[Cloud], x: Array, spline: Spline) -> None:
    """Reject particles at x (n, 3) that make a run meaningless: too far apart, or two overlapping bodies."""
    crowd = [_crowd(cloud, spline) for cloud in clouds]
    if min(crowd, default=LEAST) < LEAST * (1.0 - 1e-9):
        raise SuppleError(
            f"mpm.cell: a cloud has {min(crowd):.2g} particles per cell of {spline.dx:g} m; with fewer than {LEAST:g} they do "
            f"not hold together; use cells of {_good_cell(clouds):.2g} m or larger, or more particles (points.per_cell)"
        )
    if (share := _shared_volume(clouds, x, spline.dx)) > OVERLAP:
        raise SuppleError(
            f"body.points: {share:.0%} of a cloud lies inside another one at the start, where both would be compressed to half "
            "their volume; move the bodies apart (body.initial.translate)"
        )


def _crowd(cloud: Cloud, spline: Spline) -> float:
    """Particles per cell."""
    return spline.dx**3 * cloud.n / float(cloud.volume.sum())


def _good_cell(clouds: Sequence[Cloud]) -> float:
    """Cells in which every cloud has enough particles [m]."""
    return float(max((FEW * float(cloud.volume.sum()) / cloud.n) ** (1.0 / 3.0) for cloud in clouds))


def _shared_volume(clouds: Sequence[Cloud], x: Array, dx: float) -> float:
    """Largest fraction of a cloud's volume in cells that it overfills together with another cloud. Clouds that touch
    share cells at their border, which both together fill."""
    if len(clouds) < 2:
        return 0.0
    of = np.concatenate([np.full(cloud.n, k) for k, cloud in enumerate(clouds)])
    places = np.floor(np.concatenate([x[cloud.vertices] for cloud in clouds]) / dx)
    cells = np.unique(places, axis=0, return_inverse=True)[1].reshape(-1)
    filled = np.zeros((len(clouds), int(cells.max()) + 1))
    np.add.at(filled, (of, cells), np.concatenate([cloud.volume for cloud in clouds]) / dx**3)
    full = (filled.sum(axis=0) > FULL) & (np.sort(filled, axis=0)[-2] > FULL / 4.0)
    shares: Array = filled[:, full].sum(axis=1) / filled.sum(axis=1)
    return float(shares.max())


def notes(clouds: Sequence[Cloud], riding: Sequence[Ints], x: Array, spline: Spline) -> str:
    """Warning about particles at x (n, 3), and meshes among them, at the start of a run; empty if there is none."""
    found = []
    crowd = [_crowd(cloud, spline) for cloud in clouds]
    if min(crowd, default=FEW) < FEW * (1.0 - 1e-9):
        found.append(
            f"mpm: a cloud has {min(crowd):.2g} particles per cell of {spline.dx:g} m; with fewer than {FEW:g} it shows "
            "numerical fracture: use larger cells or more particles"
        )
    bodies = [*(cloud.vertices for cloud in clouds), *riding]
    if len(np.unique(groups(bodies, len(x), spline, x))) < len(bodies):
        found.append(
            "mpm: bodies share nodes of the grid at the start, nearer than two cells to each other: they stick together"
        )
    return "; ".join(found)
