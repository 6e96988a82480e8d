"""The pictures of docs/guide/blender.md: a cloth on a turning head, simulated by the extension and rendered by Cycles.

    BLENDER_USER_RESOURCES=FOLDER SUPPLE_PYTHON=.venv/bin/python .venv-blender/bin/python tools/draw_blender.py ZIP OUT [FRAMES]

Run by Blender's Python. ZIP is the extension (tools/build_extension.py), OUT a folder for the .blend, the pictures and the run.
"""

import math
import sys
from pathlib import Path

import bpy

SHOWN = (1, 20, 48)
"""Frames in the picture."""


def material(name: str, colour: tuple[float, float, float], roughness: float) -> bpy.types.Material:
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1.0)
    shader.inputs["Roughness"].default_value = roughness
    return made


def shot(frames: int) -> tuple[bpy.types.Object, bpy.types.Object]:
    """A head that turns and nods, and a sheet above it."""
    scene = bpy.context.scene
    scene.frame_end = frames
    bpy.ops.mesh.primitive_monkey_add(size=0.6, location=(0.0, 0.0, 0.45))
    head = bpy.context.object
    head.name = "Head"
    head.data.materials.append(material("clay", (0.55, 0.4, 0.3), 0.6))
    for frame, turn in ((1, 0.0), (frames // 2, 0.5), (frames, -0.5)):
        head.rotation_euler = (-0.3 * abs(turn), 0.0, turn)
        head.keyframe_insert("rotation_euler", frame=frame)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=28, y_subdivisions=28, size=1.0, location=(0.0, 0.0, 0.78))
    sheet = bpy.context.object
    sheet.name = "Sheet"
    sheet.data.materials.append(material("cloth", (0.08, 0.25, 0.45), 0.9))
    bpy.ops.mesh.primitive_plane_add(size=200.0)
    bpy.context.object.name = "Ground"
    bpy.context.object.data.materials.append(material("ground", (0.6, 0.6, 0.6), 0.9))
    bpy.context.view_layer.objects.active = sheet
    bpy.ops.object.select_all(action="DESELECT")
    sheet.select_set(True)
    return head, sheet


def light_and_camera() -> None:
    scene = bpy.context.scene
    bpy.ops.object.light_add(type="AREA", location=(1.5, -2.0, 3.0), rotation=(0.6, 0.0, 0.6))
    bpy.context.object.data.energy, bpy.context.object.data.size = 120.0, 2.0
    bpy.ops.object.camera_add(location=(0.85, -2.4, 1.25), rotation=(math.radians(72.0), 0.0, math.radians(19.5)))
    scene.camera = bpy.context.object
    scene.camera.data.lens = 62.0
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.35, 0.4, 0.45, 1.0)
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = 48, False
    scene.render.resolution_x, scene.render.resolution_y = 420, 400


def main(archive: str, out: Path, frames: int) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
    head, sheet = shot(frames)
    out.mkdir(parents=True, exist_ok=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "fresh.blend"))
    sheet.supple.role, head.supple.role = "CLOTH", "OBSTACLE"
    bpy.ops.supple.simulate()
    for face in sheet.data.polygons:
        face.use_smooth = True
    light_and_camera()
    scene = bpy.context.scene
    for frame in SHOWN:
        scene.frame_set(min(frame, frames))
        scene.render.filepath = str(out / f"frame-{frame}.png")
        bpy.ops.render.render(write_still=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "done.blend"))


if __name__ == "__main__":
    words = sys.argv[1:]
    main(words[0], Path(words[1]).resolve(), int(words[2]) if len(words) > 2 else max(SHOWN))
