"""A scene with the settings of the live page written into its tables.

The page simulates what is built from this scene, and saves it: `supple run` then has the same system.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from supple.mesh.measure import edge_lengths
from supple.mesh.mesh import Mesh
from supple.model.materials.spring_nets import netted
from supple.scene.tables.body import Body
from supple.scene.tables.coarse import CoarseFile, CoarseMaterial
from supple.scene.tables.materials import SolidMaterial, SpringMaterial
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.viewer.settings import Settings, material_choices, settings_of

Tables = dict[str, Any]

MODULI = frozenset({
    "young", "young_warp", "young_weft", "mu", "lam", "c1", "c2", "bulk", "kappa",
    "stiffness", "stretch", "shear", "bend", "area", "altitude", "axial", "rigidity", "factor",
})  # fmt: skip
"""Keys of all materials with which their energy is multiplied."""


def changed_scene(scene: Scene, meshes: Sequence[Mesh], settings: Settings) -> Scene:
    """The scene as the controls stand; `meshes`: those of its bodies, in order."""
    start = settings_of(scene)
    if settings == start:
        return scene
    data = scene.model_dump(exclude_none=True)
    for table, body, mesh in zip(data["body"], scene.body, meshes, strict=False):
        _body(table, body, mesh, settings, material_choices(scene))
    if settings.integrator != start.integrator:
        kept = {"budget": data["integrator"]["budget"]} if "budget" in data["integrator"] else {}
        data["integrator"] = {"name": settings.integrator, **kept}
    data["time"]["step"] = settings.step
    if settings.gravity != start.gravity:
        data["world"]["gravity"] = _gravity(scene, settings.gravity, start.gravity)
    if settings.damping:
        data["damping"] = [*data["damping"], {"name": "drag", "rate": settings.damping}]
    if settings.friction is not None:
        _friction(data, settings.friction)
    return read_scene(_lists(data), scene.folder, scene.source)


def _body(table: Tables, body: Body, mesh: Mesh, settings: Settings, choices: tuple[str, ...]) -> None:
    if settings.material and body.material.name in choices and settings.material != body.material.name:
        table["material"] = _other_law(table["material"], body, mesh, settings.material)
    regions = [made for region in table["regions"] for made in _made_of(region)]
    if settings.poisson is not None:
        for part in (table["material"], *regions):
            if "poisson" in part:
                part["poisson"] = settings.poisson
    if settings.stiffness != 1.0:
        if isinstance(body.material, CoarseMaterial):
            table["material"].setdefault("factor", 1.0)
        kept = [table[key] for key in ("bending", "area", "volume") if key in table]
        for part in (table["material"], *regions, *kept):
            _multiply(part, MODULI, settings.stiffness)
    if settings.density != 1.0 and not isinstance(body.mesh, CoarseFile):
        for part in (table, *regions):
            _multiply(part, frozenset(("density", "mass")), settings.density)


def _other_law(table: Tables, body: Body, mesh: Mesh, name: str) -> Tables:
    """The material of that name which is as stiff for small strains."""
    old = body.material
    if isinstance(old, SolidMaterial):
        return table if old.young is None else {"name": name, "young": old.young, "poisson": old.poisson}
    assert isinstance(old, SpringMaterial)
    if old.young is not None:
        return {**table, "name": name}
    # k (Hooke) = 4 l0^2 k (StVK), with the mean of l0^2 over the springs that share a stiffness
    net = netted(old, mesh)
    squares = edge_lengths(net.vertices, net.edges) ** 2
    made = {**table, "name": name}
    for key in ("stretch", "shear", "bend"):
        chosen = net.edge_groups.get(key, np.arange(len(net.edges)) if key == "stretch" else np.empty(0, np.int32))
        if len(chosen) and made.get(key):
            ratio = 4.0 * float(squares[chosen].mean())
            made[key] = made[key] / ratio if name == "stvk-spring" else made[key] * ratio
    return made


def _made_of(region: Tables) -> list[Tables]:
    """The materials of a region: one, or those of its layers, tags or voxels."""
    many = region.get("layers") or region.get("tags") or region.get("voxels")
    if many is None:
        return [region["material"]]
    return list(many["materials"] if isinstance(many["materials"], list | tuple) else many["materials"].values())


def _multiply(table: Tables, keys: frozenset[str], factor: float) -> None:
    for key in keys & table.keys():
        table[key] = (factor * np.asarray(table[key])).tolist()  # a number, or the rows of a matrix


def _gravity(scene: Scene, strength: float, before: float) -> float | list[float]:
    """Along the direction that the scene has, or down where it has none."""
    g = scene.world.gravity
    if isinstance(g, tuple) and before > 0.0:
        return [strength / before * component for component in g]
    return -strength if not isinstance(g, tuple) and g < 0.0 else strength


def _friction(data: Tables, friction: float) -> None:
    """One coefficient for all: bodies and mesh obstacles have none of their own."""
    for table in data["body"]:
        table.pop("friction", None)
    for obstacle in data["obstacle"]:
        if "mesh" in obstacle:
            obstacle.pop("friction", None)
        else:
            obstacle["friction"] = friction
    if "contact" in data or any("mesh" in obstacle for obstacle in data["obstacle"]):
        data["contact"] = {**data.get("contact", {}), "friction": friction}


def _lists(value: Any) -> Any:
    """As a file would give it: arrays are lists, in which entries get their names."""
    if isinstance(value, dict):
        return {key: _lists(entry) for key, entry in value.items()}
    return [_lists(entry) for entry in value] if isinstance(value, list | tuple) else value
