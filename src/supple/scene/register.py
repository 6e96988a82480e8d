"""`@sp.register("name")`: adds a user-defined class under a name to the registry of its kind.

The base class determines the kind, so a plugin imports only supple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from supple.errors import SuppleError
from supple.registry import Registry

C = TypeVar("C", bound=type)


def register(name: str) -> Callable[[C], C]:
    """Class decorator: `name` denotes the class in scenes, in `--set` and in commands."""
    if not isinstance(name, str) or not name:
        raise SuppleError(f'register: give a name, such as @register("my-rubber"), found {name!r}')

    def keep(cls: C) -> C:
        registry = registry_of(cls)
        try:
            return registry(name)(cls)
        except ValueError as error:
            raise SuppleError(f"register: {error}") from None

    return keep


def registry_of(cls: type[Any]) -> Registry[Any]:
    """The registry for classes derived from its base."""
    if not isinstance(cls, type):
        raise SuppleError(f"register: expected a class, found {cls!r}")
    kinds = list(_kinds())
    for base, registry in kinds:
        if issubclass(cls, base):
            return registry
    if callable(getattr(cls, "mesh", None)):  # shapes have no base class
        from supple.mesh import SHAPES

        return SHAPES
    known = ", ".join(base.__name__ for base, _ in kinds)
    raise SuppleError(
        f"register: {cls.__name__} derives from no class with a registry; known: {known}, or a shape with a method `mesh`"
    )


def _kinds() -> Iterator[tuple[type[Any], Registry[Any]]]:
    """Base classes and their registries."""
    from supple.adaptive import RULES
    from supple.adaptive.rule import Rule
    from supple.analysis.own import ANALYSES, Analysis
    from supple.contact.obstacles import OBSTACLES
    from supple.contact.obstacles.shapes import Shape
    from supple.damping import DAMPINGS
    from supple.damping.damper import Damping
    from supple.export import FORMATS
    from supple.export.format import Format
    from supple.integrators import INTEGRATORS
    from supple.integrators.method import Method
    from supple.materials import MATERIALS, MEMBRANES
    from supple.materials.material import Material
    from supple.materials.membranes.membrane import MembraneLaw
    from supple.model.constraints.constraint import CONSTRAINTS, Constraint
    from supple.model.energies.energy import ENERGIES, Energy
    from supple.model.fields.field import FIELDS, ForceField
    from supple.model.materials.structure import STRUCTURES, Structure
    from supple.scene.own_tables import SCENE_TABLES, SceneTable

    yield from (
        (Material, MATERIALS),
        (MembraneLaw, MEMBRANES),
        (Structure, STRUCTURES),
        (Method, INTEGRATORS),
        (Rule, RULES),
        (Damping, DAMPINGS),
        (Shape, OBSTACLES),
        (Energy, ENERGIES),
        (ForceField, FIELDS),
        (Constraint, CONSTRAINTS),
        (SceneTable, SCENE_TABLES),
        (Format, FORMATS),
        (Analysis, ANALYSES),
    )
