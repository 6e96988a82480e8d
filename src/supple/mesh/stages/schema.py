"""Names in the schema for deformable bodies, which is proposed for UsdPhysics and exists in several versions.

| version | schemas | attributes |
|---|---|---|
| the proposal of the AOUSD physics group | PhysicsDeformableBodyAPI ... | physics:youngsModulus ... |
| Omni Physics, an earlier version of it | OmniPhysicsDeformableBodyAPI ... | omniphysics:youngsModulus ... |

No release of USD has these schemas. They are therefore read by name: the list `apiSchemas` of a prim, and its
attributes.
"""

from __future__ import annotations

from typing import Any

PREFIXES = ("physics", "omniphysics")
"""Namespaces of attributes, in order of preference."""
OTHER_NAMES = {
    "restTetVertexIndices": ("restTetVtxIndices",),
    "restTriVertexIndices": ("restTriVtxIndices",),
    "bodyEnabled": ("deformableBodyEnabled",),
}
"""Names of attributes in earlier versions."""
OWN = "supple"
"""Namespace of attributes that only supple reads."""


def applied(prim: Any) -> tuple[str, ...]:
    """Names of the applied schemas of a prim, whether this release of USD has them or not."""
    return tuple(str(name) for name in prim.GetPrimTypeInfo().GetAppliedAPISchemas())


def bare(name: str) -> str:
    """The name of a schema without `Physics` or `OmniPhysics` before it."""
    return name.removeprefix("Omni").removeprefix("Physics")


def has(prim: Any, schema: str) -> bool:
    """Whether a schema such as `DeformableBodyAPI` is applied, in any version."""
    return any(bare(name) == schema and name != schema for name in applied(prim))


def attribute(prim: Any, name: str) -> Any | None:
    """The attribute of that name with an authored value, in any version; None if there is none."""
    for prefix in PREFIXES:
        for word in (name, *OTHER_NAMES.get(name, ())):
            found = prim.GetAttribute(f"{prefix}:{word}")
            if found and found.HasAuthoredValue():
                return found
    return None


def value(prim: Any, name: str, when: Any = None) -> Any | None:
    """Its value at a time code, or at the default one if None; the first sample if it has only samples."""
    from pxr import Usd

    found = attribute(prim, name)
    return None if found is None else value_of(found, Usd.TimeCode.Default() if when is None else when)


def value_of(attribute: Any, when: Any) -> Any | None:
    """The value of an attribute at a time code; the first sample if it has only samples."""
    from pxr import Usd

    made = attribute.Get(when)
    return attribute.Get(Usd.TimeCode.EarliestTime()) if made is None else made


def targets(prim: Any, name: str) -> list[str]:
    """Paths that a relationship such as `src0` names, in any version."""
    for prefix in PREFIXES:
        found = prim.GetRelationship(f"{prefix}:{name}")
        if found and found.HasAuthoredTargets():
            return [str(path) for path in found.GetTargets()]
    return []
