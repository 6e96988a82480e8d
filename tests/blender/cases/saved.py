"""Settings and results in a .blend, which is loaded again."""

from pathlib import Path

import bpy
import stage

OBJECT = {
    "role": "SHELL", "plate": "cork", "stiffer": 2.5, "denser": 0.5, "damping": 3.0, "thickness": 0.03125, "pins": "pins",
    "core": True, "filling": "CAGE", "edge_length": 0.125, "friction": 0.75, "self_contact": False, "solid": "liver",
    "sheet": "denim", "rod": "nylon",
}  # fmt: skip
SCENE = {"substeps": 3, "method": "bdf2", "distance": 0.0625, "separate": True, "fields": False}


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=4)
    file = str(folder / "kept.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    sheet = stage.grid("Sheet", 3, 1.0, (0.0, 0.0, 1.0))
    stage.pin(sheet, [0, 1, 2, 3])
    for settings, values in ((sheet.supple, OBJECT), (scene.supple, SCENE)):
        for name, value in values.items():
            setattr(settings, name, value)
    words = [str(bpy.ops.supple.simulate())]
    before = stage.film([sheet])["Sheet"]
    bpy.ops.wm.save_mainfile()
    stage.fresh()
    bpy.ops.wm.open_mainfile(filepath=file)
    sheet, scene = bpy.data.objects["Sheet"], bpy.context.scene
    same = [getattr(sheet.supple, name) == value for name, value in OBJECT.items()]
    same += [getattr(scene.supple, name) == value for name, value in SCENE.items()]
    words += [sheet.modifiers["supple"].filepath, scene.supple.report]
    return {"before": before, "after": stage.film([sheet])["Sheet"], "same": same, "words": words}
