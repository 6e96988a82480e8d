"""Contact and friction of a scene as terms of its system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from supple.contact.friction import Friction
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.projection import Projection
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.mesh.topology import surface
from supple.model.sensible import distance_warnings, stiffness_warnings
from supple.model.setting import Setting
from supple.model.thickness import rest_problems, vertex_thickness
from supple.scene.tables.contact import Contact
from supple.scene.tables.obstacle import MeshObstacle, ShapeObstacle
from supple.scene.tables.scene import Scene
from supple.types import Ints

AT_HALF = {"barrier": 1.19, "quadratic": 1.0, "cubic": 1.0, "repulsion": 1.0, "surfaces": 2.0}
"""Pressure at half the distance (penalties: at that depth) over the stiffness. Between flat sheets of 2 x 2 to 16 x 16 cells
it is 5 to 10 where vertices do not meet, up to 33 where they do; a wheel that folds on a few edges needs the lower figure:
smallest gaps of 0.46 of the distance with 1.3, of 0.01 with 8."""


@dataclass(frozen=True)
class Contacts:
    """Terms of contact, friction on them, what was chosen, and obstacles without forces."""

    shapes: tuple[tuple[ShapeObstacle, ObstacleContact], ...] = ()
    between: BarrierContact | None = None
    """Contact of surfaces."""
    friction: tuple[EnergyTerm, ...] = ()
    notes: tuple[str, ...] = ()
    projections: tuple[Projection, ...] = ()

    @property
    def terms(self) -> tuple[EnergyTerm, ...]:
        return (*(term for _, term in self.shapes), *([self.between] if self.between else []))


def wants_surfaces(scene: Scene) -> bool:
    """Whether triangles meet triangles in a scene."""
    return scene.contact is not None or any(isinstance(o, MeshObstacle) for o in scene.obstacle)


def obstacle_problems(scene: Scene) -> Iterator[str]:
    """Obstacles for bodies that are not there, and projections across barriers."""
    known = [body.name for body in scene.body]
    for k, obstacle in enumerate(scene.obstacle):
        for name in (obstacle.bodies or ()) if isinstance(obstacle, ShapeObstacle) else ():
            if name not in known:
                listed = ", ".join(known)
                yield f"obstacle[{k}].bodies: unknown body '{name}'{did_you_mean(name, known)} known: {listed}"
    laws = [obstacle.law if isinstance(obstacle, ShapeObstacle) else "barrier" for obstacle in scene.obstacle]
    if "projection" in laws and ("barrier" in laws or wants_surfaces(scene)):
        barrier = f"obstacle[{laws.index('barrier')}]" if "barrier" in laws else "[contact]"
        yield (
            f'obstacle[{laws.index("projection")}].law: "projection" moves vertices without a look at barriers, and '
            f'{barrier} is one; give all shapes a law other than "barrier", without [contact] and mesh obstacles'
        )


def contacts(setting: Setting) -> Contacts:
    """All terms; none if there is nothing to touch."""
    shapes, friction, notes, between, projections = [], [], [], None, []
    for k, table in enumerate(setting.scene.obstacle):
        if not isinstance(table, ShapeObstacle):
            continue
        if table.law == "projection":
            made, said = _projections(setting, table, f"obstacle[{k}]")
            projections += made
        else:
            terms, said = _before(setting, table, f"obstacle[{k}]")
            shapes += [(table, term) for term in terms]
            mu = np.zeros(setting.whole.n)
            for part, body in setting.bodies:
                mu[part.span] = table.friction_on(body.friction)
            friction += [Friction(term, mu, table.creep, setting.inertia) for term in terms] if mu.any() else []
        notes += said
    if wants_surfaces(setting.scene):
        contact = setting.scene.contact or Contact()
        between, said = _between(setting, contact)
        notes += said
        mu = np.full(setting.whole.n, contact.friction)
        for part in setting.parts:
            if part.table.friction is not None:
                mu[part.span] = part.table.friction
        friction += [Friction(between, mu, contact.creep, setting.inertia)] if mu.any() else []
    return Contacts(tuple(shapes), between, tuple(friction), tuple(notes), tuple(projections))


def _before(setting: Setting, table: ShapeObstacle, where: str) -> tuple[list[ObstacleContact], list[str]]:
    """Contact with one shape, a term for each thickness of bodies, and what was chosen."""
    found = setting.touching(table)
    vertices, areas = np.concatenate([own for _, own, _ in found]), np.concatenate([area for *_, area in found])
    halves = np.concatenate([np.full(len(own), (body.thickness or 0.0) / 2.0) for body, own, _ in found])
    distance = table.distance or setting.distance
    wanted = setting.pressure(distance) / AT_HALF[table.law]
    if table.per == "vertex":
        wanted, areas = wanted * float(areas.mean()), np.ones(len(areas))
    stiffness = wanted if isinstance(table.stiffness, str) else table.stiffness
    unit = "Pa" if table.per == "area" else "N"
    notes = _chosen(where, table.stiffness, table.distance, stiffness, distance, unit)
    notes += distance_warnings(where, distance, setting.size)
    notes += stiffness_warnings(where, stiffness, wanted, unit)
    terms = []
    for half in np.unique(halves).tolist():
        alike = halves == half
        terms.append(_thicker(table, half).contact(stiffness, distance, vertices[alike], areas[alike]))
    return terms, notes


def _thicker(table: ShapeObstacle, half: float) -> ShapeObstacle:
    """As a body of that half thickness sees it."""
    return table.model_copy(update={"thickness": table.thickness + half})


def _projections(setting: Setting, table: ShapeObstacle, where: str) -> tuple[list[Projection], list[str]]:
    """One for each coefficient of friction and thickness, and a word about vertices that begin inside."""
    alike: dict[tuple[float, float], list[Ints]] = {}
    for body, vertices, _ in setting.touching(table):
        alike.setdefault((table.friction_on(body.friction), (body.thickness or 0.0) / 2.0), []).append(vertices)
    made = [_thicker(table, half).projection(np.concatenate(own), mu) for (mu, half), own in alike.items()]
    inside = sum(int((p.shape.distance(setting.state.x[p.vertices]) < p.thickness).sum()) for p in made)
    words = f"{where}: warning: {inside} vertices begin in '{table.name}' and are put on its surface in the first step"
    return made, [words] if inside else []


def _between(setting: Setting, table: Contact) -> tuple[BarrierContact, list[str]]:
    """Contact of the surfaces of all parts, and what was chosen."""
    triangles = [surface(part.mesh) + np.int32(part.first) for part in setting.parts]
    distance = table.distance or setting.distance
    wanted = setting.pressure(distance) / AT_HALF["surfaces"]
    patches = _patches(setting, table)
    stiffness = wanted if isinstance(table.stiffness, str) else table.stiffness
    try:
        thickness = vertex_thickness(setting.parts, setting.whole.n)
        shell = ContactSurface(setting.whole.vertices, np.concatenate(triangles), patches, thickness)
    except SuppleError as error:
        raise SceneError(str(error)) from None
    problems = list(rest_problems(setting.parts, patches, distance))
    if problems:
        raise SceneError(problems)
    notes = [
        f"contact: '{part.table.name}' has no triangles, so nothing between surfaces touches it"
        for part, own in zip(setting.parts, triangles, strict=True)
        if not len(own)
    ]
    notes += _chosen("contact", table.stiffness, table.distance, stiffness, distance, "Pa")
    notes += distance_warnings("contact", distance, setting.size)
    notes += stiffness_warnings("contact", stiffness, wanted, "Pa")
    return BarrierContact(shell, distance, stiffness), notes


def _patches(setting: Setting, table: Contact) -> Ints:
    """(n,) numbers of what never meets: a body without self-contact, and all obstacles."""
    n = setting.whole.n
    patches = np.full(n, n + len(setting.parts), dtype=np.int32)
    for k, (part, body) in enumerate(setting.bodies):
        alone = table.self_contact if body.self_contact is None else body.self_contact
        patches[part.span] = np.arange(part.first, part.first + part.mesh.n) if alone else n + k
    return patches


def _chosen(
    where: str, given: float | str, distance: float | None, stiffness: float, reach: float, unit: str
) -> list[str]:
    """What the scene left open."""
    made = [f"stiffness {stiffness:.3g} {unit}"] if isinstance(given, str) else []
    made += [f"distance {reach:.3g} m"] if distance is None else []
    return [f"{where}: {' and '.join(made)} chosen"] if made else []
