"""Which clouds meet on the grid, and what users should know about the places of their particles."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.points.cloud import Cloud
from supple.points.grid import node_keys
from supple.points.spline import Spline
from supple.types import Array, Ints

FEW = 4.0
"""Particles in a cell below which a body falls apart where nothing breaks."""


def groups(bodies: Sequence[Ints], n: int, spline: Spline, x: Array) -> Ints:
    """(n,) numbers of groups of bodies, given by their vertices: those that share nodes are one."""
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


def notes(clouds: Sequence[Cloud], riding: Sequence[Ints], x: Array, spline: Spline) -> str:
    """What a run should be told about particles at x (n, 3), and meshes among them, when it begins; empty if all is well."""
    found = []
    crowd = [spline.dx**3 * cloud.n / float(cloud.volume.sum()) for cloud in clouds]
    if min(crowd, default=FEW) < FEW * (1.0 - 1e-9):
        found.append(
            f"mpm: a cloud has {min(crowd):.2g} particles per cell of {spline.dx:g} m; with fewer than {FEW:g} it falls apart "
            "where nothing breaks: take larger cells or more particles"
        )
    bodies = [*(cloud.vertices for cloud in clouds), *riding]
    if len(np.unique(groups(bodies, len(x), spline, x))) < len(bodies):
        found.append(
            "mpm: bodies share nodes of the grid at the start, nearer than two cells to each other: they stick together"
        )
    return "; ".join(found)
