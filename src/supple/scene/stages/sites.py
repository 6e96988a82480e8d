"""Attachments of a stage in one form, for all versions of the schema.

The proposal has one type, PhysicsAttachment, with the kinds of both sites; earlier versions have a type for each pair of kinds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import numpy.typing as npt

from supple.errors import SceneError
from supple.mesh.stages.schema import attribute, bare, targets, value
from supple.mesh.stages.stage import Stage
from supple.mesh.stages.values import numbers, whole_numbers
from supple.scene.stages.numbers import number
from supple.types import Array

SiteKind = Literal["point", "face", "tetrahedron", "segment", "xform"]
EARLIER: dict[str, tuple[SiteKind, SiteKind]] = {
    "VtxVtxAttachment": ("point", "point"),
    "VtxTriAttachment": ("point", "face"),
    "VtxTetAttachment": ("point", "tetrahedron"),
    "VtxXformAttachment": ("point", "xform"),
    "TetXformAttachment": ("tetrahedron", "xform"),
}
NAMES = {"point": "vtx", "face": "tri", "tetrahedron": "tet"}
"""Attribute names of the kinds in earlier versions."""
KINDS = ("point", "face", "tetrahedron", "segment", "xform")


@dataclass(frozen=True, eq=False)
class Site:
    """Sites on one of the two sides."""

    path: str
    """Path of the prim."""
    kind: SiteKind
    indices: npt.NDArray[np.int64]
    """(k,) elements, or none on a frame."""
    coords: Array
    """(k, 3) coordinates as defined by the kind; none where absent."""


@dataclass(frozen=True, eq=False)
class Joint:
    """A set of attachments between two prims."""

    prim: Any
    one: Site
    other: Site
    stiffness: float
    """Stiffness of each [N/m]; infinite: rigid."""
    damped: bool

    @property
    def path(self) -> str:
        return str(self.prim.GetPath())

    def __len__(self) -> int:
        return len(self.one.indices)


def joints(stage: Stage, notes: list[str]) -> list[Joint]:
    """All enabled attachments."""
    found = []
    for prim in stage.prims():
        kind = bare(str(prim.GetTypeName()))
        if kind != "Attachment" and kind not in EARLIER:
            continue
        if value(prim, "attachmentEnabled") is False:
            notes.append(f"{prim.GetPath()}: is disabled and omitted")
            continue
        found.append(_joint(stage, prim, EARLIER.get(kind)))
    return found


def _joint(stage: Stage, prim: Any, kinds: tuple[SiteKind, SiteKind] | None) -> Joint:
    one, other = (_site(prim, k, None if kinds is None else kinds[k]) for k in (0, 1))
    path = prim.GetPath()
    if not len(one.indices):
        raise SceneError(f"{path}: lists no element of {one.path}; give element indices")
    if other.kind != "xform" and len(other.indices) != len(one.indices):
        raise SceneError(
            f"{path}: has {len(one.indices)} sites on one side and {len(other.indices)} on the other; the numbers must be equal"
        )
    for site in (one, other):
        if len(site.coords) and len(site.coords) != len(one.indices):
            raise SceneError(
                f"{path}: has {len(one.indices)} sites and {len(site.coords)} coordinates on {site.path}; give one per site"
            )
        if not np.isfinite(site.coords).all():
            raise SceneError(f"{path}: coordinates on {site.path} are not finite")
    stiffness = number(prim, "stiffness", stage.units.si(0, 1))
    return Joint(prim, one, other, math.inf if stiffness is None else stiffness, bool(number(prim, "damping")))


def _site(prim: Any, side: int, kind: SiteKind | None) -> Site:
    paths = targets(prim, f"src{side}")
    if len(paths) != 1:
        raise SceneError(f"{prim.GetPath()}: src{side} names {len(paths)} prims; it must name one")
    if kind is None:
        written = str(value(prim, f"type{side}") or ("point" if side == 0 else "xform"))
        if written not in KINDS:
            raise SceneError(f"{prim.GetPath()}: type{side} is '{written}'; allowed: {', '.join(KINDS)}")
        found = cast(SiteKind, written)
        return Site(paths[0], found, _whole(prim, f"indices{side}"), _rows(prim, f"coords{side}"))
    if kind == "xform":
        return Site(paths[0], kind, np.empty(0, np.int64), _rows(prim, f"localPositionsSrc{side}"))
    word = NAMES[kind]
    return Site(paths[0], kind, _whole(prim, f"{word}IndicesSrc{side}"), _rows(prim, f"{word}CoordsSrc{side}"))


def _whole(prim: Any, name: str) -> npt.NDArray[np.int64]:
    found = attribute(prim, name)
    return np.empty(0, np.int64) if found is None else whole_numbers(found)


def _rows(prim: Any, name: str) -> Array:
    found = attribute(prim, name)
    return np.empty((0, 3)) if found is None else numbers(found)
