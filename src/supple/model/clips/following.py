"""The scripts of a positioned body or obstacle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from supple.constraints.motion import Script
from supple.errors import SceneError, SuppleError
from supple.model.clips.driven import Driven
from supple.model.clips.script import FileScript
from supple.model.motion import Moves, script_of
from supple.model.obstacle import MeshObstacle
from supple.model.source import MeshFile
from supple.types import Ints

if TYPE_CHECKING:
    from supple.model.placed import Placed


def scripts(part: Placed) -> Iterator[tuple[Ints, Script]]:
    """Vertices of its mesh and their scripts; all problems are reported together."""
    made, wrong = [], []
    for path, moves, name, vertices in _moved(part):
        try:
            made.append((vertices, script_of(moves, driven_vertices(part, name, vertices))))
        except SuppleError as error:
            wrong.append(f"{part.path}.{path}: {error}")
    if wrong:
        raise SceneError(wrong)
    yield from made


def follow_notes(part: Placed) -> Iterator[str]:
    """Notes on the files that move it, and their interpretation."""
    for _, script in part.scripted:
        if isinstance(script, FileScript):
            yield from script.notes


def _moved(part: Placed) -> Iterator[tuple[str, Moves | None, str, Ints]]:
    """Key, motion, name and vertices of all moving parts."""
    if isinstance(part.of, MeshObstacle):
        yield "motion", part.of.motion, part.name, np.arange(part.mesh.n, dtype=np.int32)
        return
    for k, motion in enumerate(part.of.motion):
        yield f"motion[{k}]", motion, motion.group, part.mesh.groups[motion.group]


def driven_vertices(part: Placed, name: str, vertices: Ints) -> Driven:
    """Vertices of its mesh as the target of a motion."""
    mesh = part.of.mesh
    source = mesh if isinstance(mesh, MeshFile) else None
    return Driven(name, vertices, part.x[vertices], part.mesh.n, float(part.mesh.extent.max()), part.up, source)
