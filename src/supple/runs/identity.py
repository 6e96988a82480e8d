"""Everything that determines the bits of a run, and changes since a checkpoint."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path
from typing import Any

from supple import __version__
from supple.errors import SuppleError
from supple.linalg.factors.factorisation import available_backends, best_backend
from supple.linalg.threads import threads
from supple.mesh.mesh import Mesh
from supple.recording.checkpoint import Checkpoint
from supple.scene.tables.scene import Scene
from supple.scene.text.load import scene_hash


def identity(scene: Scene, mesh: Mesh) -> dict[str, Any]:
    """Everything that determines the bits of a run, besides its state."""
    backend = scene.make().solver.backend
    name = best_backend() if backend == "auto" else backend
    shape = blake2b(digest_size=16)
    for array in (mesh.vertices, mesh.edges, mesh.triangles, mesh.tets):
        shape.update(array.tobytes())
    return {
        "scene": scene_hash(scene),
        "mesh": shape.hexdigest(),
        "supple": __version__,
        "backend": f"{name} ({available_backends()[name]})",
        "threads": threads(),
    }


def differences(saved: Checkpoint, now: dict[str, Any], path: Path) -> list[str]:
    """Differences from the checkpoint; a run that would continue with a changed system is refused."""
    for key, what in (("scene", "scene.toml"), ("mesh", "the mesh")):
        if saved.meta.get(key) != now[key]:
            raise SuppleError(
                f"{path}: {what} does not match the checkpoint: it was changed since, or another version of supple made it; undo "
                "the change, or start a new run from it"
            )
    return [
        f"{key} was {str(saved.meta.get(key))[:80]} when the run began, now it is {now[key]}: "
        "the rest may differ in the last digits"
        for key in ("supple", "backend", "threads")
        if saved.meta.get(key) != now[key]
    ]
