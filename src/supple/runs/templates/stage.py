"""A USD stage as an editable scene file: the meshes stay in the stage, everything else is text."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from supple import toml
from supple.errors import SuppleError
from supple.escaping import one_line
from supple.mesh.stages.schema import has
from supple.mesh.stages.stage import open_stage
from supple.scene.stages.deformables import SIMULATED
from supple.scene.stages.tables import stage_tables


def has_bodies(path: Path) -> bool:
    """Whether a stage has deformable bodies, and so is a scene rather than a model."""
    schemas = ("DeformableBodyAPI", *SIMULATED)
    return any(has(prim, schema) for prim in open_stage(path).prims() for schema in schemas)


def stage_scene(file: Path, stage: Path, options: dict[str, Any]) -> tuple[str, list[str]]:
    """Text of the scene, and notes; `options` of the command apply to models only and are refused."""
    for word in (word for word, given in options.items() if given):
        raise SuppleError(
            f"--{word}: {stage} has deformable bodies and defines this itself; change the scene, or omit the option"
        )
    tables, notes = stage_tables(stage)
    near = Path(os.path.relpath(stage.resolve(), file.resolve().parent)).as_posix()
    for entry in (*tables["body"], *tables.get("obstacle", ())):
        for key in ("mesh", "initial"):
            if "file" in entry.get(key, {}):
                entry[key]["file"] = near
    remarks = "".join(f"# {one_line(note)}\n" for note in notes)
    name, stem = one_line(file.name), one_line(file.stem)
    head = f"# Made from {one_line(near)}, where the meshes are.\n# supple run {name}: simulates it into runs/{stem}\n"
    return f"{head}{remarks}{toml.document(tables)}", notes
