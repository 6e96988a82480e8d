"""A scene with a rope, a shell and force fields of all kinds: simulated here, and exported for a run outside of Blender."""

from pathlib import Path

import bpy
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=7, fps=30)
    scene.render.fps_base = 1.001
    scene.supple.folder = str(folder / "work")
    mesh = bpy.data.meshes.new("Rope")
    mesh.from_pydata([(0.1 * k, 0.0, 1.0) for k in range(8)], [(k, k + 1) for k in range(7)], [])
    rope = bpy.data.objects.new("Rope", mesh)
    bpy.context.collection.objects.link(rope)
    stage.pin(rope, [0])
    stage.key(rope, "location", {1: (0.0, 0.0, 0.0), 7: (0.1, 0.0, 0.1)})
    rope.supple.role, rope.supple.thickness = "ROPE", 0.01
    shell = stage.grid("Shell", 4, 0.5, (0.0, 1.0, 1.0))
    shell.supple.role, shell.supple.plate, shell.supple.thickness = "SHELL", "silicone", 0.005
    bpy.ops.object.effector_add(type="WIND", location=(0.0, -2.0, 1.0), rotation=(-1.5708, 0.0, 0.0))
    wind = bpy.context.object
    for frame, strength in ((1, 2.0), (7, 8.0)):
        wind.field.strength = strength
        wind.field.keyframe_insert("strength", frame=frame)
    for kind in ("TURBULENCE", "VORTEX", "FORCE", "DRAG", "MAGNET"):
        bpy.ops.object.effector_add(type=kind, location=(0.0, 0.0, 2.0))
    field = bpy.data.objects["Turbulence"].field
    field.strength, field.size, field.seed = 0.5, 0.75, 7
    field = bpy.data.objects["Vortex"].field
    field.strength, field.use_min_distance, field.distance_min = 0.25, True, 0.5
    field = bpy.data.objects["Force"].field
    field.strength, field.falloff_power, field.use_max_distance, field.distance_max = -2.0, 1.0, True, 3.0
    field = bpy.data.objects["Drag"].field
    field.linear_drag, field.quadratic_drag, field.use_max_distance, field.distance_max = 0.5, 0.25, True, 1.5
    words = [str(bpy.ops.supple.simulate()), scene.supple.report]
    words.append(str(bpy.ops.supple.export_scene(directory=str(folder / "scene"))))
    return {**stage.film([rope, shell]), "words": words}
