"""Meshes and settings that cannot be simulated: each is refused with a sentence, and the file stays as it was."""

from collections.abc import Callable
from pathlib import Path

import bpy
import numpy as np
import stage


def loose_vertex() -> None:
    cloth = stage.grid("Cloth", 2, 1.0, (0.0, 0.0, 1.0))
    cloth.data.vertices.add(1)
    cloth.supple.role = "CLOTH"


def no_faces() -> None:
    mesh = bpy.data.meshes.new("Wire")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
    thing = bpy.data.objects.new("Wire", mesh)
    bpy.context.collection.objects.link(thing)
    thing.supple.role = "SHELL"


def open_solid() -> None:
    bowl = stage.ball("Bowl", 0.2, (0.0, 0.0, 1.0), subdivisions=1)
    bowl.data.polygons[0].select = True
    faces = [tuple(p.vertices) for p in bowl.data.polygons][1:]
    points = [tuple(v.co) for v in bowl.data.vertices]
    bowl.data.clear_geometry()
    bowl.data.from_pydata(points, [], faces)
    bowl.supple.role, bowl.supple.filling = "SOFT", "TETS"


def lost_group() -> None:
    cloth = stage.grid("Cloth", 2, 1.0, (0.0, 0.0, 1.0))
    cloth.supple.role, cloth.supple.pins = "CLOTH", "hands"


def changing_count() -> None:
    cloth = stage.grid("Cloth", 2, 1.0, (0.0, 0.0, 1.0))
    cloth.supple.role = "CLOTH"
    build = cloth.modifiers.new("Build", "BUILD")
    build.frame_start, build.frame_duration = 1, 3
    cloth.modifiers.new("Smooth", "SMOOTH")


def inside_obstacle() -> None:
    cloth = stage.grid("Cloth", 4, 1.0, (0.0, 0.0, 0.5))
    cloth.supple.role = "CLOTH"
    ball = stage.ball("Ball", 0.3, (0.05, 0.0, 0.5))
    ball.supple.role = "OBSTACLE"


def nothing() -> None:
    stage.grid("Cloth", 2, 1.0, (0.0, 0.0, 1.0))


CASES: tuple[Callable[[], None], ...] = (
    loose_vertex,
    no_faces,
    open_solid,
    lost_group,
    changing_count,
    inside_obstacle,
    nothing,
)


def main(folder: Path) -> dict:
    said: dict[str, np.ndarray] = {}
    for case in CASES:
        scene = stage.fresh(frames=3)
        scene.supple.folder = str(folder / case.__name__)
        case()
        scene.frame_set(2)
        state = _state(scene)
        try:
            done = str(bpy.ops.supple.simulate())
        except RuntimeError as problem:
            done = str(problem)
        said[case.__name__] = np.array([done, scene.supple.report, str(_state(scene) == state)])
    return said


def _state(scene: bpy.types.Scene) -> str:
    modifiers = [(m.name, m.show_viewport) for thing in scene.objects for m in thing.modifiers]
    return repr((scene.frame_current, modifiers, [stage.told(t) for t in scene.objects if t.type == "MESH"]))
