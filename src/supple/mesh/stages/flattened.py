"""A stage as one self-contained file: the copy kept by a run and sent along with a sweep."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from supple.errors import MeshError
from supple.mesh.stages.stage import open_stage


def stage_content(path: str | os.PathLike[str]) -> tuple[bytes, str]:
    """Content and suffix of a file with the whole stage: the file itself, or a flattened copy if it refers to others."""
    path = Path(path)
    stage = open_stage(path).usd
    layers = [layer for layer in stage.GetUsedLayers() if layer != stage.GetSessionLayer()]
    if len(layers) == 1 and path.suffix.lower() != ".usdz":
        return path.read_bytes(), path.suffix
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "flat.usdc"
        if not stage.Flatten().Export(str(file)):
            raise MeshError(f"{path}: usd-core could not write a copy of it without references; check the free space")
        return file.read_bytes(), ".usdc"
