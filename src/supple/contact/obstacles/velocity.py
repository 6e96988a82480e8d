"""Contact as a condition on velocities, for comparison with forces and with positions: complementarity, solved after a step.

With the normals n_i at the START of the step, and impulses p_i of contact that only push:
    velocity     n_i . v1 >= 0 for contacts with d_i(x0) <= 0          p_i >= 0,  p_i (n_i . v1) = 0
    linearised   d_i(x0) + n_i . (x1 - x0) >= 0 within reach of the step, with the same conditions
A restitution e requires n_i . v1 >= -e n_i . v instead of 0. With lumped masses vertices do not share impulses; where
one vertex touches several surfaces the conditions are solved together, by projected Gauss-Seidel iterations on the
impulses. Positions obey the same conditions on x1 - x0; Coulomb friction acts on sliding contacts.

Weaknesses that these laws are included to demonstrate (Ascher, Larionov, Sheen and Pai 2022, fig. 7):
- The tangent plane at the old position replaces the surface. At a convex surface, steps that end outside are rejected.
- `velocity` has no effect before a vertex is inside, and never moves it out: depths of up to h |v| remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.contact.obstacles.projection import Projected
from supple.contact.obstacles.shapes import Shape
from supple.types import Array, Ints

SWEEPS = 200
ENOUGH = 1e-14
"""Change of an impulse, relative to the largest, at which the sweeps stop."""
TOUCHES = 1e-9
"""Gap that counts as zero, relative to the size of the scene."""


@dataclass(frozen=True)
class Face:
    """Vertices facing one shape."""

    shape: Shape
    vertices: Ints
    restitution: float = 0.0
    friction: float = 0.0
    thickness: float = 0.0


@dataclass(frozen=True)
class _Contacts:
    """(c,) conditions n . u >= bound on single vertices."""

    vertex: Ints
    normal: Array
    gap: Array
    restitution: Array
    friction: Array
    speed: Array


class VelocityContact:
    """All obstacles of a scene with one of these laws; `linearised`: whether gaps are used, or only contacts at the start."""

    def __init__(self, faces: Sequence[Face], linearised: bool = False) -> None:
        self.faces, self.linearised = tuple(faces), linearised

    def project(self, x0: Array, x1: Array, v: Array, t0: float = 0.0, t1: float = 0.0) -> Projected:
        """After a step from x0 at t0 to x1 at t1 [s] that ends with velocities v."""
        found = self._contacts(x0, x1, t0)
        h = t1 - t0
        a = found.vertex
        room = -found.gap if self.linearised else np.zeros(len(a))
        move, pushed = solved(x1 - x0, a, found.normal, room + h * found.speed)
        acting = np.flatnonzero(pushed > 0.0) if self.linearised else np.arange(len(a))
        a, n = a[acting], found.normal[acting]
        towards = np.einsum("ci,ci->c", v[a], n) - found.speed[acting]
        least = found.speed[acting] - found.restitution[acting] * np.minimum(towards, 0.0)
        after, impulse = solved(v, a, n, least)
        after = _rubbed(after, a, n, found.friction[acting] * impulse)
        lost = np.einsum("ni,ni->n", v, v) - np.einsum("ni,ni->n", after, after)
        touched = np.unique(np.concatenate([a[impulse > 0.0], found.vertex[pushed > 0.0]]))
        return Projected(x0 + move, after, lost, touched.astype(np.int32), np.zeros(len(x0)))

    def _contacts(self, x0: Array, x1: Array, t0: float) -> _Contacts:
        size = max(float(np.abs(x0).max(initial=0.0)), 1e-6)
        rows: list[tuple[Any, ...]] = []
        for face in self.faces:
            y, far = x0[face.vertices], np.linalg.norm(x1 - x0, axis=1)[face.vertices]
            for part in (p.at(t0) for p in face.shape.parts):
                d = part.distance(y) - face.thickness
                near = d <= (far if self.linearised else TOUCHES * size)
                k, n = face.vertices[near], part.outward(y[near])
                same = np.ones(len(k))
                speed = part.speed(y[near])
                rows.append((k, n, d[near], face.restitution * same, face.friction * same, speed))
        joined = [np.concatenate(column) for column in zip(*rows, strict=True)]
        return _Contacts(joined[0].astype(np.int32), *joined[1:])


def solved(u: Array, vertex: Ints, normal: Array, least: Array) -> tuple[Array, Array]:
    """The field nearest to u (n, 3) with normal . u[vertex] >= least, and the impulses (c,) that lead there."""
    u, p = u.copy(), np.zeros(len(vertex))
    order = np.argsort(vertex, kind="stable")
    first = np.searchsorted(vertex[order], vertex[order])
    rank = np.empty(len(vertex), dtype=int)
    rank[order] = np.arange(len(vertex)) - first  # so no vertex occurs twice in one round
    rounds = [np.flatnonzero(rank == r) for r in range(int(rank.max(initial=-1)) + 1)]
    for _ in range(SWEEPS if len(rounds) > 1 else 1):
        before = p.copy()
        for c in rounds:
            a = vertex[c]
            wanted = np.maximum(p[c] + least[c] - np.einsum("ci,ci->c", normal[c], u[a]), 0.0)
            u[a] += (wanted - p[c])[:, None] * normal[c]
            p[c] = wanted
        if np.abs(p - before).max(initial=0.0) <= ENOUGH * p.max(initial=0.0):
            break
    return u, p


def _rubbed(v: Array, vertex: Ints, normal: Array, most: Array) -> Array:
    """Velocities after friction, which reduces the sliding speed of each contact by at most `most` (c,) [m/s]."""
    v = v.copy()
    for c in np.flatnonzero(most > 0.0):
        a, n = vertex[c], normal[c]
        sliding = v[a] - (v[a] @ n) * n
        speed = float(np.linalg.norm(sliding))
        if speed > 0.0:
            v[a] -= min(most[c] / speed, 1.0) * sliding
    return v
