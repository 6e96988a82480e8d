"""Unsupported content of a stage: reported in one line each, never dropped silently."""

from __future__ import annotations

from typing import Any

from supple.mesh.stages.schema import PREFIXES, applied, bare
from supple.mesh.stages.stage import Stage

READ_SCHEMAS = frozenset(
    {
        "BodyAPI", "DeformableBodyAPI", "VolumeDeformableSimAPI", "SurfaceDeformableSimAPI", "CurvesDeformableSimAPI",
        "MaterialAPI", "BaseMaterialAPI", "DeformableMaterialAPI", "VolumeDeformableMaterialAPI",
        "SurfaceDeformableMaterialAPI", "CurvesDeformableMaterialAPI", "CollisionAPI", "MeshCollisionAPI", "RigidBodyAPI",
        "FilteredPairsAPI",
    }
)  # fmt: skip
"""Physics schemas that are at least partly read, without their prefixes."""
OTHER_PHYSICS = ("Physics", "OmniPhysics", "Physx", "Newton", "Mjc")
"""Prefixes of physics schemas and types."""
READ_TYPES = frozenset({"Scene", "Attachment"})
READ_ATTRIBUTES = frozenset(
    {
        "bodyEnabled", "deformableBodyEnabled", "rigidBodyEnabled", "kinematicEnabled", "mass", "density", "masses",
        "masses:elementType", "thicknesses", "thicknesses:elementType", "restShapePoints", "restTetVertexIndices",
        "restTetVtxIndices", "restTriVertexIndices", "restTriVtxIndices", "restBendAnglesDefault", "youngsModulus",
        "poissonsRatio", "dynamicFriction", "thickness", "surfaceThickness", "stretchStiffness", "shearStiffness",
        "bendStiffness", "surfaceStretchStiffness", "surfaceShearStiffness", "surfaceBendStiffness", "curvesStretchStiffness",
        "curvesBendStiffness", "collisionEnabled", "approximation", "gravityDirection", "gravityMagnitude",
        "attachmentEnabled", "type0", "type1", "indices0", "indices1", "coords0", "coords1", "stiffness", "damping",
        "vtxIndicesSrc0", "vtxIndicesSrc1", "triIndicesSrc1", "triCoordsSrc1", "tetIndicesSrc0", "tetIndicesSrc1",
        "tetCoordsSrc0", "tetCoordsSrc1", "localPositionsSrc1",
    }
)  # fmt: skip
"""Attributes that are read, or reported elsewhere."""
WHY = {
    "staticFriction": "supple has one coefficient, dynamicFriction",
    "restitution": "the rebound of a deformable body follows from its elasticity",
    "startsAsleep": "bodies of supple do not sleep",
    "restNormals": "rods of supple have no twist",
    "curvesTwistStiffness": "rods of supple have no twist",
    "curvesShearStiffness": "rods of supple have no shear",
    "twistStiffness": "rods of supple have no twist",
    "velocity": "supple has no rigid bodies",
    "angularVelocity": "supple has no rigid bodies",
}
"""Reasons why some attributes are ignored."""
ELASTICITY_DAMPING = "physxDeformableMaterial:elasticityDamping"
"""The one attribute of another namespace that is read."""


def unread(stage: Stage, read_types: frozenset[str]) -> list[str]:
    """One line per ignored physics schema, type and attribute, with the number of prims that have it."""
    found: dict[str, list[str]] = {}

    def note(what: str, prim: Any) -> None:
        found.setdefault(what, []).append(str(prim.GetPath()))

    for prim in stage.prims():
        for name in applied(prim):
            if name.startswith(OTHER_PHYSICS) and bare(name).split(":")[0] not in READ_SCHEMAS:
                note(f"schema {name.split(':')[0]} is", prim)
        kind = str(prim.GetTypeName())
        if kind.startswith(OTHER_PHYSICS) and bare(kind) not in READ_TYPES | read_types:
            note(f"prims of type {kind} are", prim)
            continue
        for name in (a.GetName() for a in prim.GetAuthoredAttributes() if a.HasAuthoredValue()):
            space, _, word = name.partition(":")
            other = space.lower().startswith(("physx", "newton", "mjc"))
            if (space in PREFIXES and word not in READ_ATTRIBUTES) or (other and name != ELASTICITY_DAMPING):
                note(f"attribute {name} is", prim)
    return [f"stage: {what} ignored ({_places(paths)}){_why(what)}" for what, paths in found.items()]


def missing_layers(stage: Stage) -> list[str]:
    """Missing references and payloads."""
    errors = stage.usd.GetCompositionErrors()
    return [f"stage: part of it cannot be read: {' '.join(str(error).split())[:200]}" for error in errors]


def contents(stage: Stage) -> str:
    """Contents of a stage for an error message: its prims by type."""
    found: dict[str, list[str]] = {}
    for prim in stage.prims():
        found.setdefault(str(prim.GetTypeName()) or "prims without a type", []).append(str(prim.GetPath()))
    return ", ".join(f"{len(paths)} {kind} ({_first(paths)})" for kind, paths in found.items()) or "nothing"


def _places(paths: list[str]) -> str:
    return f"{len(paths)} prim{'' if len(paths) == 1 else 's'}: {_first(paths)}"


def _first(paths: list[str]) -> str:
    return ", ".join(paths[:2]) + (", ..." if len(paths) > 2 else "")


def _why(what: str) -> str:
    word = what.split(":")[-1].removesuffix(" is")
    return f": {WHY[word]}" if word in WHY else ""
