"""A rigged figure with a soft belly, and a cloth on its shoulder."""

from pathlib import Path

import bpy
import numpy as np
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=7)
    scene.supple.folder = str(folder / "work")
    body = stage.ball("Body", 0.3, (0.0, 0.0, 0.5))
    body.scale = (1.0, 0.8, 1.6)
    bpy.context.view_layer.update()
    stage.rigged(body, 0.5, 0.5, 7)
    local = np.array([v.co for v in body.data.vertices])
    belly = (local[:, 1] < -0.15) & (np.abs(local[:, 2]) < 0.17)
    stage.pin(body, np.flatnonzero(~belly).tolist())
    body.supple.role, body.supple.solid, body.supple.core, body.supple.edge_length = "SOFT", "fat", True, 0.2
    cloth = stage.grid("Cloth", 5, 0.5, (0.0, 0.0, 1.01))
    cloth.rotation_euler = (0.0, 0.0, 0.4)
    cloth.supple.role, cloth.supple.sheet = "CLOTH", "wool-knit"
    subdivided = cloth.modifiers.new("Subdivision", "SUBSURF")
    subdivided.levels = 1
    before = {thing.name: stage.told(thing) for thing in (body, cloth)}
    done = bpy.ops.supple.simulate()
    order = [modifier.type for modifier in body.modifiers] + [modifier.type for modifier in cloth.modifiers]
    subdivided.show_viewport = False
    kept = {
        thing.name: stage.told(thing).replace(", 'supple'", "").replace("'supple', ", "") for thing in (body, cloth)
    }
    return {
        **stage.both([body, cloth]),
        "done": str(done),
        "report": scene.supple.report,
        "order": order,
        "untouched": [before[name] == kept[name] for name in before],
        "belly": belly,
    }
