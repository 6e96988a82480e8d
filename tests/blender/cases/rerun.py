"""A run, the same again, one after a change, baking, clearing."""

from pathlib import Path

import bpy
import numpy as np
import stage


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=6)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    jelly = stage.ball("Jelly", 0.2, (0.0, 0.0, 0.25), subdivisions=1)
    jelly.supple.role, jelly.supple.edge_length = "SOFT", 0.2
    floor = stage.grid("Floor", 1, 2.0, (0.0, 0.0, 0.0))
    floor.supple.role = "OBSTACLE"
    shown = stage.told(jelly)
    found: dict[str, np.ndarray] = {}
    words = []
    for name, stiffer in (("first", 1.0), ("again", 1.0), ("stiff", 20.0)):
        jelly.supple.stiffer = stiffer
        words.append(str(bpy.ops.supple.simulate()))
        found[name] = stage.film([jelly])["Jelly"]
    scene.frame_set(3)
    words.append(str(bpy.ops.supple.bake()))
    cache = jelly.modifiers["supple"].filepath
    try:
        words.append(str(bpy.ops.supple.simulate()))
    except RuntimeError as problem:
        words.append(str(problem))
    found["baked"] = stage.film([jelly])["Jelly"]
    kept = Path(bpy.path.abspath(cache)).exists()
    words.append(str(bpy.ops.supple.clear()))
    gone = [not Path(bpy.path.abspath(cache)).exists(), not (folder / "supple" / "shot-Scene" / "run").exists()]
    return {
        **found,
        "words": words,
        "cache": cache,
        "kept": [kept, *gone, stage.told(jelly) == shown, not jelly.supple.baked],
    }
