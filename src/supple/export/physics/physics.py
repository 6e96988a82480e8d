"""Content of a set-up, and its location in a stage.

The names are those of the schema proposed for deformable bodies in UsdPhysics. Content without a name goes into
TOML text in attributes `supple:...`, which only supple reads; each of them is noted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from supple import toml
from supple.export.axes import Turn
from supple.model.model import Model
from supple.types import Array

GUIDE = "guide"
"""Purpose of simulation prims; display prims are separate."""


@dataclass(frozen=True, eq=False)
class Physics:
    """A set-up: the model at its start, and the other tables of a scene."""

    model: Model
    tables: dict[str, Any]
    """Tables such as `integrator` and `solver`, as in a scene file."""
    h: float
    """Time step [s]."""


@dataclass(eq=False)
class Page:
    """The part of a stage that physics is written to."""

    stage: Any
    """The `Usd.Stage`."""
    root: str
    """Path of the scope."""
    scale: float
    """Length units per metre."""
    turn: Turn
    """From the axes of the run to those of the stage."""
    codes: Array
    """(f,) time codes of the frames."""
    times: Array
    """(f,) [s]"""
    notes: list[str] = field(default_factory=list)

    def path(self, *names: str) -> str:
        """An unused path below the scope."""
        from pxr import Tf, UsdGeom

        words = [Tf.MakeValidIdentifier(name) for name in names]
        made = "/".join((self.root, *words))
        above = "/".join((self.root, *words[:-1]))
        if not self.stage.GetPrimAtPath(above):
            UsdGeom.Scope.Define(self.stage, above)
        while self.stage.GetPrimAtPath(made):
            made += "_"
        return made

    def points(self, x: Array) -> Array:
        """(n, 3) positions or velocities in the units and axes of the stage."""
        rows = np.asarray(x, dtype=np.float64).reshape(-1, 3)
        made: Array = rows[:, self.turn.order] * np.array(self.turn.signs, dtype=np.float64)
        return made * self.scale

    def direction(self, v: Any) -> Array:
        """(3,) along the axes of the stage."""
        made: Array = self.points(np.asarray(v))[0] / self.scale
        return made


def vectors(rows: Array) -> Any:
    """For attributes of points."""
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(rows, dtype=np.float32))


def whole(values: Any) -> Any:
    """For attributes of indices."""
    from pxr import Vt

    return Vt.IntArray.FromNumpy(np.ascontiguousarray(values, dtype=np.int32).ravel())


def put(prim: Any, name: str, kind: str, value: Any) -> None:
    """Write an attribute of a schema that this release of USD may not have."""
    from pxr import Sdf

    prim.CreateAttribute(name, getattr(Sdf.ValueTypeNames, kind), custom=False).Set(value)


def put_own(prim: Any, word: str, table: dict[str, Any]) -> None:
    """Write TOML text that only supple reads; nothing for an empty table."""
    if table:
        put(prim, f"supple:{word}", "String", toml.document(table))


def apply(prim: Any, *schemas: str) -> None:
    """Mark a prim with schemas of physics."""
    for schema in schemas:
        prim.AddAppliedSchema(f"Physics{schema}")
