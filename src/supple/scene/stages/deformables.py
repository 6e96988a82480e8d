"""The deformable bodies of a stage: their prims and simulated geometry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from supple.errors import SceneError
from supple.mesh.doctor import heal
from supple.mesh.mesh import Mesh
from supple.mesh.stages.prims import prim_mesh
from supple.mesh.stages.schema import has, value
from supple.mesh.stages.stage import Stage
from supple.scene.stages.naming import Names

Kind = Literal["volume", "surface", "curves"]
SIMULATED: dict[str, tuple[Kind, str]] = {
    "VolumeDeformableSimAPI": ("volume", "TetMesh"),
    "SurfaceDeformableSimAPI": ("surface", "Mesh"),
    "CurvesDeformableSimAPI": ("curves", "BasisCurves"),
}
"""Kind of deformable per schema, and the required prim type."""
BY_TYPE = {kind: what for what, kind in SIMULATED.values()}


@dataclass(frozen=True, eq=False)
class Deformable:
    """A deformable body."""

    name: str
    """Name of the body in the scene."""
    prim: Any
    """Its simulation geometry."""
    root: Any
    """The prim that is marked as a body: the geometry itself, or its parent."""
    kind: Kind
    mesh: Mesh
    """Valid rest mesh."""
    collides: bool
    kinematic: bool

    @property
    def path(self) -> str:
        return str(self.prim.GetPath())


def find_deformables(stage: Stage, names: Names, notes: list[str]) -> list[Deformable]:
    """All enabled deformables; notes on the others."""
    found = []
    for prim in stage.prims():
        kind = _kind(prim, notes)
        if kind is None:
            continue
        parent = prim.GetParent()
        root = parent if not has(prim, "DeformableBodyAPI") and has(parent, "DeformableBodyAPI") else prim
        if value(root, "bodyEnabled") is False:
            notes.append(f"{root.GetPath()}: is disabled and omitted")
            continue
        notes += _display(prim, root)
        mesh, said = heal(prim_mesh(stage, prim), f"{stage.path}: {prim.GetPath()}")
        notes += said
        kinematic = bool(value(root, "kinematicEnabled"))
        found.append(Deformable(names.new(root), prim, root, kind, mesh, _collides(prim, root, notes), kinematic))
    return found


def _kind(prim: Any, notes: list[str]) -> Kind | None:
    """Kind of deformable whose simulation geometry this prim is; None if it is not one."""
    own = str(prim.GetTypeName())
    for schema, (kind, needed) in SIMULATED.items():
        if has(prim, schema):
            if own != needed:
                raise SceneError(
                    f"{prim.GetPath()}: Physics{schema} requires a {needed}, found a {own or 'prim without a type'}"
                )
            return kind
    if not has(prim, "DeformableBodyAPI"):
        return None
    if own in BY_TYPE:
        notes.append(
            f"{prim.GetPath()}: has no simulation schema; as a {own} it is treated as a {BY_TYPE[own]} deformable"
        )
        return BY_TYPE[own]
    if not any(has(child, schema) for child in _children(prim) for schema in SIMULATED):
        notes.append(f"{prim.GetPath()}: is marked as deformable, but no child has a simulation schema; it is omitted")
    return None


def _collides(prim: Any, root: Any, notes: list[str]) -> bool:
    """Whether the body takes part in contact; a separate collision geometry is replaced by the simulated one."""
    if is_collider(prim):
        return True
    others = [child for child in _children(root) if is_collider(child)] if root != prim else []
    if others:
        notes.append(
            f"{others[0].GetPath()}: contact acts on the simulation geometry {prim.GetPath()} itself, not on a collision mesh"
        )
    return bool(others)


def _display(prim: Any, root: Any) -> list[str]:
    """A line for each mesh under a body that is neither simulated nor collides."""
    others = [child for child in _children(root) if root != prim and child != prim and child.GetTypeName() == "Mesh"]
    return [
        f"{child.GetPath()}: a display mesh is not embedded; set it as a file in body.surface"
        for child in others
        if not (is_collider(child) or any(has(child, schema) for schema in SIMULATED))
    ]


def is_collider(prim: Any) -> bool:
    """Whether a prim takes part in contact."""
    return has(prim, "CollisionAPI") and value(prim, "collisionEnabled") is not False


def _children(prim: Any) -> list[Any]:
    from pxr import Usd

    return list(prim.GetFilteredChildren(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate)))
