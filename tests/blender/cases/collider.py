"""A cloth that hangs from an animated rail and meets a ball that moves and changes its shape; units are centimetres."""

from pathlib import Path

import bpy
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=9)
    scene.unit_settings.scale_length = 0.01
    scene.gravity = (0.0, 0.0, -981.0)
    scene.supple.folder = str(folder / "work")
    rail = bpy.data.objects.new("Rail", None)
    bpy.context.collection.objects.link(rail)
    stage.key(rail, "location", {1: (0.0, 0.0, 0.0), 9: (5.0, 0.0, 3.0)})
    stage.key(rail, "rotation_euler", {1: (0.0, 0.0, 0.0), 9: (0.0, 0.0, 0.4)})
    cloth = stage.grid("Cloth", 6, 60.0, (0.0, 0.0, 80.0))
    cloth.parent = rail
    stage.pin(cloth, [0, 6])
    cloth.supple.role, cloth.supple.sheet = "CLOTH", "wool-knit"
    ball = stage.ball("Ball", 15.0, (0.0, 0.0, 55.0))
    ball.shape_key_add(name="Basis")
    wide = ball.shape_key_add(name="wide")
    for vertex in wide.data:
        vertex.co.x *= 1.3
    for frame, value in ((1, 0.0), (9, 1.0)):
        wide.value = value
        wide.keyframe_insert("value", frame=frame)
    stage.key(ball, "location", {1: (0.0, 0.0, 55.0), 9: (0.0, 4.0, 63.0)})
    ball.supple.role = "OBSTACLE"
    floor = stage.grid("Floor", 1, 300.0, (0.0, 0.0, 0.0))
    floor.supple.role = "OBSTACLE"
    done = bpy.ops.supple.simulate()
    return {**stage.both([cloth, ball]), "done": str(done), "report": scene.supple.report}
