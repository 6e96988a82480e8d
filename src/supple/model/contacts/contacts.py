"""Contact and friction of a world as terms of its system."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from supple.contact.obstacles.fine_contact import FineContact
from supple.contact.obstacles.obstacle import ObstacleContact
from supple.contact.obstacles.projection import Projection
from supple.contact.obstacles.velocity import Face, VelocityContact
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.meeting import Meeting
from supple.contact.surfaces.surface import ContactSurface
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, did_you_mean
from supple.formulas.curves import changes
from supple.mesh.topology import surface
from supple.model.contact import Contact
from supple.model.contacts.coefficients import between_surfaces, on_shape, rubbing
from supple.model.contacts.fine_surfaces import fine_contact, fine_problems, meets_finely
from supple.model.contacts.sensible import barrier_problems, distance_problems, distance_warnings, stiffness_warnings
from supple.model.contacts.surroundings import Surroundings
from supple.model.contacts.thickness import rest_problems, vertex_thickness
from supple.model.obstacle import KINEMATIC, MeshObstacle, Obstacle
from supple.model.placed import Placed
from supple.model.world import World
from supple.types import Ints

AT_HALF = {"barrier": 1.19, "quadratic": 1.0, "cubic": 1.0, "repulsion": 1.0, "surfaces": 2.0}
"""Pressure at half the distance (penalties: at that depth) over the stiffness. Between flat sheets of 2 x 2 to 16 x 16 cells
it is 5 to 10 if vertices do not coincide, up to 33 if they do. A wheel that folds on a few edges needs the lower
figure: smallest gaps of 0.46 of the distance with 1.3, of 0.01 with 8."""


AgainstShape: TypeAlias = ObstacleContact | FineContact


@dataclass(frozen=True)
class Contacts:
    """Contact terms, friction terms, notes on chosen values, and obstacles without forces."""

    shapes: tuple[tuple[Obstacle, AgainstShape], ...] = ()
    between: BarrierContact | None = None
    """Contact of surfaces."""
    friction: tuple[EnergyTerm, ...] = ()
    notes: tuple[str, ...] = ()
    projections: tuple[Projection | VelocityContact, ...] = ()

    @property
    def terms(self) -> tuple[EnergyTerm, ...]:
        return (*(term for _, term in self.shapes), *([self.between] if self.between else []))


def obstacle_problems(world: World) -> Iterator[str]:
    """Problems: obstacles for unknown bodies, and projections combined with barriers."""
    known = [body.name for body in world.bodies]
    for k, obstacle in enumerate(world.obstacles):
        for name in obstacle.bodies or ():
            if name not in known:
                listed = ", ".join(known)
                yield f"obstacle[{k}].bodies: unknown body '{name}'{did_you_mean(name, known)} known: {listed}"
    laws = [obstacle.law or "barrier" for obstacle in world.obstacles]
    moving = next((law for law in laws if law in KINEMATIC), None)
    if moving is not None and ("barrier" in laws or world.surfaces_meet):
        barrier = f"obstacle[{laws.index('barrier')}]" if "barrier" in laws else "[contact]"
        yield (
            f'obstacle[{laws.index(moving)}].law: "{moving}" moves vertices without regard to barriers, and '
            f'{barrier} is one; give all shapes a law other than "barrier", without [contact] and mesh obstacles'
        )
    yield from fine_problems(world)


def contacts(around: Surroundings) -> Contacts:
    """All terms; none without contact."""
    shapes, friction, notes, between = [], [], [], None
    projections: list[Projection | VelocityContact] = []
    faces: dict[str, list[Face]] = {}
    for k, obstacle in enumerate(around.world.obstacles):
        if not isinstance(obstacle, Obstacle) or obstacle.at_nodes() is not None:
            continue
        if obstacle.law == "projection":
            made, said = _projections(around, obstacle, f"obstacle[{k}]")
            projections += made
        elif obstacle.law in KINEMATIC:
            said = []
            faces.setdefault(obstacle.law, []).extend(
                obstacle.face(own, mu, thickness) for mu, thickness, own in _alike(around, obstacle)
            )
        else:
            terms, said = _before(around, obstacle, f"obstacle[{k}]")
            shapes += [(obstacle, term) for term in terms]
            friction += rubbing(terms, partial(on_shape, around, obstacle), obstacle.creep, around.inertia)
        notes += said
    if around.world.surfaces_meet:
        contact = around.world.contact or Contact()
        between, said = _between(around, contact)
        notes += said
        friction += rubbing([between], partial(between_surfaces, around, contact), contact.creep, around.inertia)
    projections += [VelocityContact(found, law == "linearised") for law, found in faces.items()]
    return Contacts(tuple(shapes), between, tuple(friction), tuple(notes), tuple(projections))


def _before(around: Surroundings, obstacle: Obstacle, where: str) -> tuple[list[AgainstShape], list[str]]:
    """Contact with one shape, a term per thickness of bodies, and notes on chosen values."""
    found, finely = around.touching(obstacle), around.touching_finely(obstacle)
    vertices, areas, halves = np.empty(0, np.int32), np.empty(0), np.empty(0)
    if found:
        vertices, areas = np.concatenate([own for _, own, _ in found]), np.concatenate([area for *_, area in found])
        halves = np.concatenate([np.full(len(own), (body.thickness or 0.0) / 2.0) for body, own, _ in found])
    distance = obstacle.distance or around.distance
    if obstacle.law == "barrier" and (problems := barrier_problems(where, distance, around.size)):
        raise SceneError(problems)
    wanted = around.pressure(distance) / AT_HALF[obstacle.law]
    if obstacle.per == "vertex":
        wanted *= float(np.concatenate([areas, *(own for _, own in finely)]).mean())
        areas, finely = np.ones(len(areas)), [(placed, np.ones(len(own))) for placed, own in finely]
    stiffness = _stiffness(where, obstacle.stiffness, wanted, unit := "Pa" if obstacle.per == "area" else "N")
    notes = _chosen(where, obstacle.stiffness, obstacle.distance, stiffness, distance, unit)
    notes += distance_warnings(where, distance, around.size)
    notes += stiffness_warnings(where, stiffness, wanted, unit)
    terms: list[AgainstShape] = []
    for half in np.unique(halves).tolist():
        alike = halves == half
        terms.append(obstacle.contact(stiffness, distance, vertices[alike], areas[alike], obstacle.thickness + half))
    for placed, own in finely:
        terms += fine_contact(placed, obstacle, stiffness, distance, own)
    return terms, notes


def _projections(around: Surroundings, obstacle: Obstacle, where: str) -> tuple[list[Projection], list[str]]:
    """One projection per coefficient of friction and thickness, and a note about vertices that start inside."""
    made = [obstacle.projection(own, mu, thickness) for mu, thickness, own in _alike(around, obstacle)]
    inside = sum(int((p.shape.distance(around.state.x[p.vertices]) < p.thickness).sum()) for p in made)
    words = f"{where}: warning: {inside} vertices start inside '{obstacle.name}' and are moved to its surface in the first step"
    return made, [words] if inside else []


def _alike(around: Surroundings, obstacle: Obstacle) -> list[tuple[float, float, Ints]]:
    """Coefficient of friction, thickness and vertices of groups of bodies with equal values."""
    alike: dict[tuple[float, float], list[Ints]] = {}
    for body, vertices, _ in around.touching(obstacle):
        if changes(body.friction):
            raise SceneError(
                f"body '{body.name}': its friction changes with time, and '{obstacle.name}' acts without forces, by constant "
                "coefficients; give it a law of forces"
            )
        alike.setdefault((obstacle.friction_on(body.friction), (body.thickness or 0.0) / 2.0), []).append(vertices)
    return [(mu, obstacle.thickness + half, np.concatenate(own)) for (mu, half), own in alike.items()]


def _between(around: Surroundings, contact: Contact) -> tuple[BarrierContact, list[str]]:
    """Contact of the surfaces of all parts, and notes on chosen values."""
    triangles = [surface(part.mesh) + np.int32(part.first) for part in around.placed]
    distance = contact.distance or around.distance
    wanted = around.pressure(distance) / AT_HALF["surfaces"]
    patches = _patches(around, contact)
    stiffness = _stiffness("contact", contact.stiffness, wanted, "Pa")
    try:
        thickness = vertex_thickness(around.placed, around.whole.n)
        shell = ContactSurface(around.whole.vertices, np.concatenate(triangles), _meeting(around, patches), thickness)
    except SuppleError as error:
        raise SceneError(str(error)) from None
    problems = [*distance_problems("contact", distance, around.size), *rest_problems(around.placed, patches, distance)]
    if problems:
        raise SceneError(problems)
    notes = [
        f"contact: '{part.name}' has no triangles and takes no part in contact between surfaces"
        for part, own in zip(around.placed, triangles, strict=True)
        if not len(own)
    ]
    notes += [
        f"contact: '{part.name}' meets other surfaces with its tets; its fine surface meets shapes only"
        for part in around.bodies
        if meets_finely(part.body)
    ]
    notes += _chosen("contact", contact.stiffness, contact.distance, stiffness, distance, "Pa")
    notes += distance_warnings("contact", distance, around.size)
    notes += stiffness_warnings("contact", stiffness, wanted, "Pa")
    return BarrierContact(shell, distance, stiffness), notes


def _patches(around: Surroundings, contact: Contact) -> Ints:
    """(n,) labels of vertex sets without mutual contact: a body without self-contact, and all obstacles."""
    n = around.whole.n
    patches = np.full(n, n + len(around.placed), dtype=np.int32)
    for k, part in enumerate(around.bodies):
        own = part.body.self_contact
        alone = contact.self_contact if own is None else own
        patches[part.span] = np.arange(part.first, part.first + part.mesh.n) if alone else n + k
    return patches


def _meeting(around: Surroundings, patches: Ints) -> Meeting:
    """Patches, and the bodies on which an obstacle does not act."""
    parts = around.placed
    blind = np.zeros((len(parts), len(parts)), dtype=bool)
    for k, part in enumerate(parts):
        if part.is_obstacle:
            blind[k] = blind[:, k] = [blind_to(part, other) for other in parts]
    return Meeting(patches, np.repeat(np.arange(len(parts)), [part.mesh.n for part in parts]), blind)


def blind_to(a: Placed, b: Placed) -> bool:
    """Whether one of the two is an obstacle that does not act on the other."""
    pairs = ((one.of, other) for one, other in ((a, b), (b, a)) if not other.is_obstacle)
    return any(isinstance(of, MeshObstacle) and not of.acts_on(other.name) for of, other in pairs)


def _stiffness(where: str, given: float | str, wanted: float, unit: str) -> float:
    """The given stiffness, or the one for the expected pressure."""
    if not isinstance(given, str):
        return given
    if wanted > 0.0:
        return wanted
    raise SceneError(
        f'{where}.stiffness: found "auto", which follows from gravity, speeds and Young\'s moduli, and this scene starts at '
        f"rest without gravity and moduli: give a stiffness above 0 [{unit}]"
    )


def _chosen(
    where: str, given: float | str, distance: float | None, stiffness: float, reach: float, unit: str
) -> list[str]:
    """Notes on values that the scene does not give."""
    made = [f"stiffness {stiffness:.3g} {unit}"] if isinstance(given, str) else []
    made += [f"distance {reach:.3g} m"] if distance is None else []
    return [f"{where}: {' and '.join(made)} chosen"] if made else []
