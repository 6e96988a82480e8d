"""A soft body of two parts, one of them open, which no tets fill: it goes into a cage and comes back with its own vertices."""

from pathlib import Path

import bpy
import numpy as np
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=5)
    scene.supple.folder = str(folder / "work")
    points, faces = [], []
    for k, (low, size) in enumerate((((-0.2, -0.2, 0.0), 0.4), ((-0.1, -0.1, 0.38), 0.2))):
        corners = [[low[i] + size * c[i] for i in range(3)] for c in np.ndindex(2, 2, 2)]
        points += corners
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        faces += [tuple(8 * k + c for c in side) for side in (sides[:-1] if k else sides)]  # the upper box has no lid
    mesh = bpy.data.meshes.new("Pile")
    mesh.from_pydata(points, [], faces)
    pile = bpy.data.objects.new("Pile", mesh)
    bpy.context.collection.objects.link(pile)
    stage.pin(pile, [k for k, p in enumerate(points) if p[2] == 0.0])
    pile.supple.role, pile.supple.edge_length = "SOFT", 0.2
    done = bpy.ops.supple.simulate()
    return {**stage.both([pile]), "done": str(done), "report": scene.supple.report}
