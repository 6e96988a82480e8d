"""Run inside Blender's Python: import a file as an animator would, and keep every frame.

    python look.py KIND FILE OUT.npz FIRST LAST FPS UP        KIND: usd, pc2, mdd, glb, abc or obj; UP: y or z

Positions are those of the evaluated objects, in their own axes (`NAME.own`) and in those of the world (`NAME.world`).
"""

import sys

import bpy
import numpy as np

AXES = {"y": {"up_axis": "Y", "forward_axis": "NEGATIVE_Z"}, "z": {"up_axis": "Z", "forward_axis": "Y"}}


def bring_in(kind: str, file: str, up: str) -> None:
    """Default options, but for the start of a cache and the axes of its mesh."""
    if kind in ("usd", "abc"):
        operator = bpy.ops.wm.usd_import if kind == "usd" else bpy.ops.wm.alembic_import
        operator(filepath=file, set_frame_range=True)
    elif kind == "glb":
        bpy.ops.import_scene.gltf(filepath=file)
    elif kind == "obj":
        bpy.ops.wm.obj_import(filepath=file, **AXES[up])
    else:
        bpy.ops.wm.obj_import(filepath=f"{file}.obj", **AXES[up])
        cache = bpy.context.selected_objects[0].modifiers.new("motion", "MESH_CACHE")
        cache.cache_format, cache.filepath, cache.frame_start = kind.upper(), file, 1


def positions(thing: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Of the evaluated object: (n, 3) in its own axes, and in those of the world."""
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh()
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    mesh.vertices.foreach_get("co", flat)
    own = flat.reshape(-1, 3)
    matrix = np.array(seen.matrix_world)
    return own, own @ matrix[:3, :3].T + matrix[:3, 3]


def main(kind: str, file: str, out: str, first: int, last: int, fps: int, up: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = fps
    bring_in(kind, file, up)
    things = {thing.name: thing for thing in scene.objects if thing.type == "MESH"}
    kept: dict[str, list[np.ndarray]] = {}
    for frame in range(first, last + 1):
        scene.frame_set(frame)
        for name, thing in things.items():
            for key, seen in zip(("own", "world"), positions(thing), strict=True):
                kept.setdefault(f"{name}.{key}", []).append(seen)
    for name, thing in things.items():
        kept[f"{name}.faces"] = np.array([tuple(polygon.vertices) for polygon in thing.data.polygons])
        kept[f"{name}.keys"] = _key_range(thing)
        kept[f"{name}.colour"] = [slot.diffuse_color[:3] for slot in thing.data.materials]
    about = {"range": (scene.frame_start, scene.frame_end), "fps": scene.render.fps, "names": list(things)}
    np.savez(out, **kept, **about)


def _key_range(thing: bpy.types.Object) -> tuple[float, float]:
    """First and last key frame of the shape keys, if there are any."""
    keys = thing.data.shape_keys
    if keys is None or keys.animation_data is None:
        return (0.0, 0.0)
    return tuple(keys.animation_data.action.frame_range)


if __name__ == "__main__":
    kind, file, out, first, last, fps, up = sys.argv[1:]
    main(kind, file, out, int(first), int(last), int(fps), up)
