"""Pushes on the moving parts of a system in a step: impulses along contact normals, and touching parts.

The impulses between two parts are equal and opposite. If contact has no forces (projections, position-based steps),
the momentum gain of a part apart from its weight replaces them; for projections only its normal component.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.budget.parts import Parts
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.velocity import Face, VelocityContact
from supple.dynamics.state import State
from supple.dynamics.step import StepReport
from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.energies.touch import Touch
from supple.types import Array, Ints


@dataclass(frozen=True)
class Pushes:
    """Contacts of one step."""

    impulse: Array
    """(p, 3) sum of the normal impulses on each part [N s]."""
    touching: npt.NDArray[np.bool_]
    """(p,) whether a part touches something else."""
    folded: npt.NDArray[np.bool_]
    """(p,) whether a part touches itself."""
    group: Ints
    """(p,) index of the group of parts that touch each other in this push, from 0."""
    grounded: npt.NDArray[np.bool_]
    """(p,) whether a part touches scenery or a constrained part."""
    lasts: npt.NDArray[np.bool_]
    """(p,) whether the push continues: a contact is pressed at either end of the step, and joins the group. Contacts
    open and close within a push; it ends after a full step without any."""

    @property
    def groups(self) -> int:
        """Number of groups."""
        return int(self.group.max(initial=-1)) + 1

    def summed(self, values: Array) -> Array:
        """(g,) sums of values of parts (p,) over each group."""
        out = np.zeros(self.groups)
        np.add.at(out, self.group, values)
        return out

    def having(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """(g,) whether a group has a part in the mask (p,)."""
        out = np.full(self.groups, False)
        out[self.group[mask]] = True
        return out


def find_pushes(system: System, parts: Parts, old: State, new: State, report: StepReport, partner: Ints) -> Pushes:
    """Contacts of a step from `old` to `new`, by their forces at both ends; partner (p,): a part that so far shares
    the push of each part."""
    before, after = (Contacts(system, parts, x) for x in (old.x, new.x))
    impulse = parts.summed(0.5 * report.h * (before.force + after.force))
    touching, folded = before.touching | after.touching, before.folded | after.folded
    if report.contacts is not None:
        touched = np.unique(parts.label[report.contacts])
        touched = touched[touched >= 0]
        touching[touched] = True
        silent = touching & ~impulse.any(axis=1)
        if silent.any():
            impulse[silent] = _kinematic(system, parts, old, new, report)[silent]
    if report.self_contacts is not None:
        itself = parts.label[report.self_contacts]
        folded[itself[itself >= 0]] = True
    grounded = before.grounded | after.grounded | (touching & ~before.touching & ~after.touching)
    now = [*before.joined, *after.joined]
    joined = _groups(parts.count, now)
    group = _groups(parts.count, [*now, np.stack([np.arange(parts.count), partner], axis=1)])
    lasts = touching & (np.bincount(joined)[joined] == np.bincount(group)[group])
    return Pushes(impulse, touching, folded, group, grounded, lasts)


class Contacts:
    """Contacts with a positive normal force at one configuration."""

    def __init__(self, system: System, parts: Parts, x: Array) -> None:
        self.force = np.zeros((system.n, 3))
        self.joined: list[Ints] = []
        touching, folded, grounded = np.full((3, parts.count + 1), False)  # the last: scenery
        held = np.append(~parts.free, True)
        for touch in (_pressed(touch) for term in system.potential.roles.contacts for touch in term.touches(x)):
            push = (touch.force[:, None] * touch.coefficients)[:, :, None] * touch.normal[:, None, :]
            np.add.at(self.force, touch.corners, push)
            owners = parts.label[touch.corners]
            alone = (owners == owners[:, :1]).all(axis=1) & touch.two_sided
            folded[owners[alone].ravel()] = True
            touching[owners[~alone].ravel()] = True
            grounded[owners[held[owners].any(axis=1) | ~touch.two_sided].ravel()] = True
            self.joined += [np.stack([owners[:, 0], owners[:, a]], axis=1) for a in range(1, owners.shape[1])]
        self.touching, self.folded, self.grounded = touching[:-1], folded[:-1], grounded[:-1]


def _pressed(touch: Touch) -> Touch:
    """The contacts with a positive normal force."""
    chosen = touch.force > 0.0
    return Touch(touch.corners[chosen], touch.coefficients[chosen], touch.normal[chosen], touch.force[chosen])


def _groups(count: int, joined: list[Ints]) -> Ints:
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    pairs = np.concatenate([np.empty((0, 2), np.int32), *joined])
    pairs = pairs[(pairs >= 0).all(axis=1)]
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(count, count))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int32)


def _kinematic(system: System, parts: Parts, old: State, new: State, report: StepReport) -> Array:
    """(p, 3) momentum that parts gained by contact without forces [N s]."""
    middle = 0.5 * (old.x + new.x)
    instant = Instant(old.x, middle, old.t + 0.5 * report.h, report.h, (new.x - old.x) / report.h)
    smooth = system.potential.timed(instant).only(lambda term: term.group == "gravity")
    gained = system.mass[:, None] * (new.v - old.v) + report.h * smooth.gradient(middle)
    impulse, normal = parts.summed(gained), np.zeros((system.n, 3))
    contacts = np.empty(0, np.int32) if report.contacts is None else report.contacts
    for face in _faces(system):
        at = np.intersect1d(contacts, face.vertices)
        x, shapes = new.x[at], [part.at(new.t) for part in face.shape.parts]
        nearest = np.stack([np.abs(shape.distance(x)) for shape in shapes]).argmin(axis=0)
        for k, shape in enumerate(shapes):
            own = at[nearest == k]
            normal[own] += system.mass[own, None] * shape.outward(new.x[own])
    along = parts.summed(normal)
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along /= np.where(length > 0.0, length, 1.0)
    flat = np.einsum("pi,pi->p", impulse, along)[:, None] * along
    return np.where(length > 0.0, flat, impulse)


def _faces(system: System) -> list[Projection | Face]:
    """Stationary shapes that act without forces; moving ones are recognised by the momentum they transfer."""
    faces: list[Projection | Face] = []
    for projection in system.projections:
        if isinstance(projection, VelocityContact):
            faces += projection.faces
        elif projection.script is None:
            faces.append(projection)
    return faces
