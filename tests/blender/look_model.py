"""Run inside Blender's Python: import a model and keep its faces, texture coordinates, names and materials.

    python look_model.py KIND FILE OUT.json        KIND: obj, usd, abc or glb

For each object: its name, and for each face the corners (place in the world, texture coordinates) and the material.
"""

import json
import sys

import bpy
import numpy as np

IMPORTERS = {
    "obj": lambda file: bpy.ops.wm.obj_import(filepath=file),
    "usd": lambda file: bpy.ops.wm.usd_import(filepath=file),
    "abc": lambda file: bpy.ops.wm.alembic_import(filepath=file),
    "glb": lambda file: bpy.ops.import_scene.gltf(filepath=file),
}


def seen(thing: bpy.types.Object) -> list[dict]:
    """The faces of an object."""
    mesh = thing.data
    matrix = np.array(thing.matrix_world)
    x = np.array([tuple(v.co) for v in mesh.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
    uv = mesh.uv_layers.active
    slots = [slot.material.name if slot.material else None for slot in thing.material_slots]
    faces = []
    for polygon in mesh.polygons:
        corners = [
            [*x[mesh.loops[k].vertex_index].tolist(), *(tuple(uv.data[k].uv) if uv else (0.0, 0.0))]
            for k in polygon.loop_indices
        ]
        material = slots[polygon.material_index] if polygon.material_index < len(slots) else None
        faces.append({"corners": corners, "material": material})
    return faces


def main(kind: str, file: str, out: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    IMPORTERS[kind](file)
    bpy.context.scene.frame_set(1 if kind != "glb" else 0)
    found = {thing.name: seen(thing) for thing in bpy.context.scene.objects if thing.type == "MESH"}
    with open(out, "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
