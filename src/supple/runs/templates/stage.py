"""A USD stage as a scene file that can be edited: the meshes stay in the stage, all else is text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from supple import toml
from supple.errors import SuppleError
from supple.mesh.stages.schema import has
from supple.mesh.stages.stage import open_stage
from supple.scene.stages.deformables import SIMULATED
from supple.scene.stages.tables import stage_tables


def has_bodies(path: Path) -> bool:
    """Whether a stage has deformable bodies, so that it is a scene and no mere model."""
    schemas = ("DeformableBodyAPI", *SIMULATED)
    return any(has(prim, schema) for prim in open_stage(path).prims() for schema in schemas)


def stage_scene(file: Path, stage: Path, options: dict[str, Any]) -> tuple[str, list[str]]:
    """Text of the scene, and notes; `options` of the command belong to models and are refused."""
    for word in (word for word, given in options.items() if given):
        raise SuppleError(
            f"--{word}: {stage} has deformable bodies and states it itself; change the scene, or leave it out"
        )
    tables, notes = stage_tables(stage)
    near = Path(os.path.relpath(stage.resolve(), file.resolve().parent)).as_posix()
    for entry in (*tables["body"], *tables.get("obstacle", ())):
        for key in ("mesh", "initial"):
            if "file" in entry.get(key, {}):
                entry[key]["file"] = near
    remarks = "".join(f"# {note}\n" for note in notes)
    head = f"# Made from {near}, where the meshes are.\n# supple run {file.name}: simulates it into runs/{file.stem}\n"
    return f"{head}{remarks}{toml.document(tables)}", notes
