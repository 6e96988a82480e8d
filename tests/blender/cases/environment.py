"""Where supple is found, and installations that fail: a package without online access, a folder without a project."""

import os
from pathlib import Path

import bpy
import stage


def said(operator: object) -> str:
    try:
        return str(operator())
    except RuntimeError as problem:
        return str(problem)


def main(folder: Path) -> dict:
    scene = stage.fresh(frames=3)
    scene.supple.folder = str(folder / "work")
    environment = stage.extension("environment")
    chosen = environment.preferences()
    words = [said(bpy.ops.supple.check), scene.supple.report]
    chosen.python = str(folder / "nowhere" / "python")
    words.append(said(bpy.ops.supple.check))
    chosen.python = ""
    chosen.source = "supple[mesh]"
    words.append(said(bpy.ops.supple.install))
    (folder / "empty").mkdir()
    chosen.source = str(folder / "empty")
    words += [said(bpy.ops.supple.install), str(environment.own_folder().exists())]
    del os.environ["SUPPLE_PYTHON"]
    os.environ["PATH"] = str(folder)
    sheet = stage.grid("Sheet", 2, 1.0, (0.0, 0.0, 1.0))
    sheet.supple.role = "CLOTH"
    words.append(said(bpy.ops.supple.simulate))
    return {"words": words}
