"""Frames for fixed vertices and colliders: static or moved by a script."""

from __future__ import annotations

from typing import Any

import numpy as np

from supple.constraints.motion import Script
from supple.export.physics.physics import Page
from supple.types import Array

AXES = np.concatenate([np.zeros((1, 3)), np.eye(3)])


def define_frame(page: Page, name: str, script: Script | None) -> Any:
    """A prim whose frame is that of the stage, moved by a script: a sample per frame of the export."""
    from pxr import UsdGeom

    made = UsdGeom.Xform.Define(page.stage, page.path("frames", name))
    if script is not None:
        move(page, made, script)
    return made.GetPrim()


def move(page: Page, schema: Any, script: Script) -> None:
    """Samples of the transform of a prim."""
    from pxr import Gf, Usd

    op = schema.AddTransformOp()
    for code, t in zip(page.codes.tolist(), page.times.tolist(), strict=True):
        op.Set(Gf.Matrix4d(frame_at(page, script, t).tolist()), Usd.TimeCode(code))


def frame_at(page: Page, script: Script, t: float) -> Array:
    """(4, 4) from initial to scripted positions, both in the coordinates of the stage."""
    start, now = page.points(AXES), page.points(script.position(AXES.copy(), t))
    made = np.eye(4)
    rows = np.linalg.solve(start[1:] - start[0], now[1:] - now[0])
    made[:3, :3] = rows
    made[3, :3] = now[0] - start[0] @ rows
    return made
