"""Run inside Blender's Python: the extension is enabled, one case is played, and its results are kept for the judge.

    python stage.py CASE FOLDER        CASE: a module of the folder cases, whose `main(FOLDER)` returns arrays and words

The result is FOLDER/found.npz; texts are among the arrays.
"""

import importlib
import os
import sys
from pathlib import Path

import bpy
import numpy as np

MODULE = "bl_ext.user_default.supple"


def fresh(frames: int = 9, fps: int = 24) -> bpy.types.Scene:
    """An empty file with the extension enabled."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.preferences.addon_enable(module=MODULE)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.render.fps = 1, frames, fps
    return scene


def extension(name: str) -> object:
    """A module of the extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def grid(name: str, cells: int, size: float, place: tuple[float, float, float]) -> bpy.types.Object:
    """A flat square with texture coordinates."""
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=cells, y_subdivisions=cells, size=size, location=place)
    return _named(name)


def ball(name: str, radius: float, place: tuple[float, float, float], subdivisions: int = 2) -> bpy.types.Object:
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=subdivisions, radius=radius, location=place)
    return _named(name)


def _named(name: str) -> bpy.types.Object:
    thing = bpy.context.object
    thing.name = thing.data.name = name
    return thing


def pin(thing: bpy.types.Object, vertices: list[int]) -> None:
    """These vertices become the pins of the object."""
    thing.vertex_groups.new(name="pins").add(vertices, 1.0, "ADD")
    thing.supple.pins = "pins"


def key(thing: bpy.types.Object, path: str, values: dict[int, object]) -> None:
    """Keyframes of a property."""
    for frame, value in values.items():
        setattr(thing, path, value)
        thing.keyframe_insert(path, frame=frame)


def rigged(thing: bpy.types.Object, split: float, angle: float, last: int) -> bpy.types.Object:
    """Bind the object to two bones along z that meet at the height `split`; the upper one bends until the frame `last`."""
    low, high = 0.0, 2.0 * split
    rig = bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig"))
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    for name, start, end in (("hip", low, split), ("chest", split, high)):
        bone = rig.data.edit_bones.new(name)
        bone.head, bone.tail = (0.0, 0.0, start), (0.0, 0.0, end)
    rig.data.edit_bones["chest"].parent = rig.data.edit_bones["hip"]
    bpy.ops.object.mode_set(mode="OBJECT")
    heights = [(thing.matrix_world @ v.co).z for v in thing.data.vertices]
    for name, chosen in (("hip", [z <= split for z in heights]), ("chest", [z > split for z in heights])):
        group = thing.vertex_groups.new(name=name)
        group.add([k for k, mine in enumerate(chosen) if mine], 1.0, "ADD")
    thing.modifiers.new("Armature", "ARMATURE").object = rig
    bone = rig.pose.bones["chest"]
    bone.rotation_mode = "XYZ"
    for frame, turn in ((1, 0.0), (last, angle)):
        bone.rotation_euler = (turn, 0.0, 0.0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    return rig


def film(things: list[bpy.types.Object], cached: bool = True) -> dict[str, np.ndarray]:
    """(frames, n, 3) world positions of each object at every frame; without the caches it is the rig that is seen."""
    scene = bpy.context.scene
    caches = [thing.modifiers["supple"] for thing in things if "supple" in thing.modifiers]
    for modifier in caches:
        modifier.show_viewport = cached
    found: dict[str, list[np.ndarray]] = {thing.name: [] for thing in things}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for thing in things:
            seen = thing.evaluated_get(graph)
            mesh = seen.to_mesh()
            flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
            mesh.vertices.foreach_get("co", flat)
            matrix = np.array(seen.matrix_world)
            found[thing.name].append(flat.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3])
    for modifier in caches:
        modifier.show_viewport = True
    return {name: np.stack(rows) for name, rows in found.items()}


def both(things: list[bpy.types.Object]) -> dict[str, np.ndarray]:
    """Results, and the rig without them."""
    seen, rig = film(things), film(things, cached=False)
    return seen | {f"{name}.rig": x for name, x in rig.items()}


def told(thing: bpy.types.Object) -> str:
    """Everything in a .blend that describes the shape of an object; none of it may change."""
    mesh = thing.data
    uv = mesh.uv_layers.active
    coordinates = [tuple(c.uv) for c in uv.data] if uv else []
    parts = [tuple(v.co) for v in mesh.vertices], [tuple(p.vertices) for p in mesh.polygons], coordinates
    return repr((parts, [m.name for m in mesh.materials if m], [m.name for m in thing.modifiers]))


if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent)]
    sys.modules["stage"] = sys.modules["__main__"]
    case, folder = sys.argv[1], Path(sys.argv[2])
    found = importlib.import_module(f"cases.{case}").main(folder)
    np.savez(folder / "found.npz", **found)
    os._exit(0)  # the module of 4.2 crashes when Python ends after any operator was registered
