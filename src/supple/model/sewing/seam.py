"""Seams: stitches that pull two edges together while their stiffness grows, and then hold them.

A stitch is a spring between a vertex and either a vertex of the other edge or a point between two. With rest length
zero its energy k/2 |d|^2 is quadratic. The work done while k grows is booked as external work, `seam.NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from supple.checks import checked
from supple.energies.drive import DrivenConstants
from supple.energies.springs.attachment import Attachments
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.formulas.curves import Curve, NotNegativeChanging, at_time, changes
from supple.model.changing.drives import driven
from supple.model.placed import Placed
from supple.model.places import nearest_vertices, place
from supple.model.sewing.chains import Chain, chain_of
from supple.types import Array, Ints
from supple.values import NotNegative, Positive, exactly_one

GRAVITY = 9.81
"""Acceleration at which a seam reaches its tolerance [m/s^2]."""


@checked
@dataclass(frozen=True)
class Seam:
    """Stitches between two edges: springs that pull them together and hold them."""

    from_: str
    """`body.group`: vertices of one edge."""
    to: str
    """`body.group`: vertices of the other edge; a mesh obstacle counts as a body here."""
    stiffness: NotNegativeChanging | None = None
    """Stiffness of each stitch [N/m], instead of tolerance."""
    tolerance: Positive | None = None
    """Permitted gap between the edges under the weight of both bodies [m]; it determines the stiffness."""
    closing: NotNegative = 0.0
    """Time in which the stiffness grows from zero to its full value [s]; 0: immediately."""
    pairing: Literal["nearest", "order"] = "nearest"
    """Pairing of points: the nearest at the start, or those at the same fraction of the length of both edges."""
    gap: NotNegative = 0.0
    """Distance kept between the edges, such as a contact distance [m]."""

    damping: NotNegative = 0.0
    """Force on a stitch per unit relative speed of its ends, in any direction [N s/m]; damps their vibration."""

    def __post_init__(self) -> None:
        exactly_one({"stiffness": self.stiffness, "tolerance": self.tolerance}, "a seam")
        if self.closing > 0.0 and changes(self.stiffness):
            raise SuppleError(
                "closing: a stiffness that changes over time already determines how a seam closes; give one of them"
            )

    def strength(self, full: float, t: float) -> float:
        """Stiffness of a stitch at a time, `full` at the end [N/m]."""
        if changes(self.stiffness):
            return at_time(self.stiffness, t, "seam.stiffness")
        if self.closing == 0.0:
            return full
        return Curve(keys=((0.0, 0.0), (self.closing, full)), interpolation="smooth").at_time(t)


def seams(tables: Sequence[Seam], parts: Sequence[Placed], x: Array) -> list[EnergyTerm]:
    """The stitches of all seams at the initial positions x (n, 3); all problems are reported together."""
    terms: list[EnergyTerm] = []
    problems: list[str] = []
    for k, table in enumerate(tables):
        try:
            terms.append(_stitches(table, parts, x, f"seam[{k}]"))
        except SceneError as error:
            problems += error.problems
        except SuppleError as error:
            problems.append(f"seam[{k}].{error}")
    if problems:
        raise SceneError(problems)
    return terms


def seam_dampers(tables: Sequence[Seam], parts: Sequence[Placed], x: Array) -> tuple[EnergyTerm, ...]:
    """The damping of all seams: c/2 |d'|^2 of each stitch, the energy of a spring of rest length zero at velocities."""
    damped = [table for table in tables if table.damping > 0.0]
    return tuple(Attachments(*pairs(table, parts, x), 0.0, table.damping) for table in damped)


def _stitches(seam: Seam, parts: Sequence[Placed], x: Array, path: str) -> EnergyTerm:
    elements, c = pairs(seam, parts, x, path)
    m = len(elements)
    full = at_time(seam.stiffness, 0.0) if seam.stiffness is not None else _strong_enough(seam, parts, m, path)
    now = np.full(m, seam.strength(full, 0.0))
    term = Attachments(elements, c, seam.gap, now)
    if seam.closing == 0.0 and not changes(seam.stiffness):
        return term
    return driven(
        term, DrivenConstants(f"seam.{seam.from_}", lambda t: {"stiffness": np.full(m, seam.strength(full, t))})
    )


def _strong_enough(seam: Seam, parts: Sequence[Placed], m: int, path: str) -> float:
    """Stiffness with which m stitches carry both bodies within the tolerance [N/m]."""
    sewn = {part.name: part for _, part in (place(name, parts, path) for name in (seam.from_, seam.to))}
    mass = sum(float(part.mass.sum()) for part in sewn.values() if not part.is_obstacle)
    return mass * GRAVITY / (m * float(seam.tolerance or 1.0))


def pairs(seam: Seam, parts: Sequence[Placed], x: Array, path: str = "seam") -> tuple[Ints, Array]:
    """Vertices (m, k) of the stitches, and their coefficients (m, k): d = sum_i c_i x_i."""
    own, body = place(seam.from_, parts, f"{path}.from")
    other, second = place(seam.to, parts, f"{path}.to")
    shared = np.intersect1d(own, other)
    own, other = np.setdiff1d(own, shared), np.setdiff1d(other, shared)
    if not len(own) or not len(other):
        raise SceneError(
            f"{path}: '{seam.from_}' and '{seam.to}' have all their vertices in common; there is nothing to sew"
        )
    if seam.pairing == "nearest":
        return _nearest(own, other, x)
    chains = []
    for key, vertices, part in (("from", own, body), ("to", other, second)):
        try:
            chain = chain_of(part.mesh, vertices - np.int32(part.first))
        except SuppleError as error:
            raise SceneError(f"{path}.{key}: {error}") from None
        chains.append(Chain(chain.vertices + np.int32(part.first), chain.closed))
    return _in_order(chains[0], chains[1], x, path)


def _nearest(own: Ints, other: Ints, x: Array) -> tuple[Ints, Array]:
    """Each vertex of either side with the nearest of the other; mutual pairs form one stitch."""
    one = np.stack([own, other[nearest_vertices(x[own], x[other])]], axis=1)
    rest = np.setdiff1d(other, one[:, 1])
    two = np.stack([own[nearest_vertices(x[rest], x[own])], rest], axis=1) if len(rest) else one[:0]
    elements = np.unique(np.concatenate([one, two]), axis=0).astype(np.int32)
    return elements, np.broadcast_to([1.0, -1.0], elements.shape)


def _in_order(one: Chain, two: Chain, x: Array, path: str) -> tuple[Ints, Array]:
    """A stitch for each vertex of the side with more vertices, to the point at the same fraction of the other's length."""
    if one.closed != two.closed:
        raise SceneError(f'{path}: one of the edges is a loop and the other is not; take pairing = "nearest"')
    many, few = (one, two) if len(one.vertices) >= len(two.vertices) else (two, one)
    best: tuple[float, Ints, Array] | None = None
    for way in (few, few.turned()):
        for begin in range(len(few.vertices)) if few.closed else (0,):
            tried = way.begun_at(begin) if few.closed else way
            ends, share = tried.points(x, many.places(x))
            foot = (1.0 - share)[:, None] * x[ends[:, 0]] + share[:, None] * x[ends[:, 1]]
            away = float(np.square(x[many.vertices] - foot).sum())
            if best is None or away < best[0]:
                best = away, ends, share
    assert best is not None
    _, ends, share = best
    elements = np.column_stack([many.vertices, ends]).astype(np.int32)
    return elements, np.column_stack([np.ones(len(share)), share - 1.0, -share])
