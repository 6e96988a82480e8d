"""supple: deformable bodies that keep their energy.

The names below are loaded when they are first asked for, so that `import supple` is quick:

    supple.load_scene("jelly")           a scene, by its shipped name or by its path
    supple.start_run(scene, folder)      a run into a folder, step by step; resume_run(folder) continues it
    supple.open_animation, read_history  what a run has recorded

Everything else is imported from the module it stands in: the loop itself is `supple.simulate.simulate`, a material is in
`supple.materials.stvk`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from supple.mesh.mesh import Mesh
    from supple.recording.history import read_history
    from supple.recording.playback import open_animation
    from supple.runs.run import resume_run, start_run
    from supple.scene.text.load import load_scene

__version__ = "0.1.0"

_HOMES = {
    "Mesh": "supple.mesh.mesh",
    "load_scene": "supple.scene.text.load",
    "open_animation": "supple.recording.playback",
    "read_history": "supple.recording.history",
    "resume_run": "supple.runs.run",
    "start_run": "supple.runs.run",
}

__all__ = [
    "Mesh",
    "__version__",
    "load_scene",
    "open_animation",
    "read_history",
    "resume_run",
    "start_run",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'supple' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
