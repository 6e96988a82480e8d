"""Vertices of a scene that are pinned or follow a script."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from supple.constraints.motion import Hold, Prescribed, Script
from supple.constraints.scripts import Keyframes, Rotate, Translate, Window
from supple.mesh.mesh import Mesh
from supple.scene.tables.body import Body
from supple.scene.tables.motion import Moves
from supple.scene.tables.obstacle import MeshObstacle
from supple.types import Array


def prescribed(body: Body, mesh: Mesh, start: Array, first: int) -> Iterator[Prescribed]:
    """Pins and scripts of a body whose vertices begin at `first` and stand at `start` at time 0."""
    if body.pin:
        pinned = np.unique(np.concatenate([mesh.groups[name] for name in body.pin]))
        yield Prescribed(pinned + np.int32(first), start[pinned], Hold())
    for motion in body.motion:
        vertices = mesh.groups[motion.group]
        yield Prescribed(vertices + np.int32(first), start[vertices], script(motion))


def whole_obstacle(obstacle: MeshObstacle, mesh: Mesh, first: int) -> Prescribed:
    """An obstacle, all of which is held or moved."""
    vertices = np.arange(first, first + mesh.n, dtype=np.int32)
    return Prescribed(vertices, mesh.vertices, Hold() if obstacle.motion is None else script(obstacle.motion))


def script(motion: Moves) -> Script:
    """The script of a table."""
    window = Window()
    if motion.start is not None:
        window = dataclasses.replace(window, start=motion.start)
    if motion.stop is not None:
        window = dataclasses.replace(window, stop=motion.stop)
    if motion.translate is not None:
        return Translate(motion.translate.velocity, window)
    if motion.rotate is not None:
        return Rotate(motion.rotate.axis, motion.rotate.centre, motion.rotate.rate, window)
    keys = motion.keyframes or ()
    return Keyframes(tuple(k.time for k in keys), tuple(k.offset for k in keys), motion.interpolation)
