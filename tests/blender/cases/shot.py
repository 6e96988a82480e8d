"""A tube on two bones and a ball that flies into it, written as USD and as Alembic by Blender's own exporters."""

from pathlib import Path

import bpy
import numpy as np
import stage

RINGS, AROUND = 7, 10


def tube() -> bpy.types.Object:
    """An open tube along z from 0 to 1."""
    angles = 2.0 * np.pi * np.arange(AROUND) / AROUND
    points = [(0.2 * np.cos(a), 0.2 * np.sin(a), z) for z in np.linspace(0.0, 1.0, RINGS) for a in angles]
    faces = [
        tuple(row * AROUND + (k + step) % AROUND + up * AROUND for step, up in ((0, 0), (1, 0), (1, 1), (0, 1)))
        for row in range(RINGS - 1)
        for k in range(AROUND)
    ]
    mesh = bpy.data.meshes.new("Tube")
    mesh.from_pydata(points, [], faces)
    thing = bpy.data.objects.new("Tube", mesh)
    bpy.context.collection.objects.link(thing)
    return thing


def main(folder: Path) -> dict:
    stage.fresh(frames=13)
    thing = tube()
    bpy.context.view_layer.update()
    stage.rigged(thing, 0.5, 0.6, 13)
    ball = stage.ball("Ball", 0.15, (0.0, -0.45, 0.5))
    stage.key(ball, "location", {1: (0.0, -0.45, 0.5), 13: (0.0, -0.22, 0.55)})
    rows = np.arange(RINGS * AROUND) // AROUND
    ends = (rows < 2) | (rows >= RINGS - 2)
    bpy.ops.wm.usd_export(filepath=str(folder / "shot.usdc"), export_animation=True, export_armatures=False)
    bpy.context.scene.frame_set(1)  # the exporter takes its first sample as the scene stands
    bpy.ops.wm.alembic_export(filepath=str(folder / "shot.abc"), start=1, end=13)
    return {**stage.film([thing, ball]), "ends": ends}
