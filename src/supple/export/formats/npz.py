"""NPZ: plain arrays for Python, inner vertices and tets included.

For a body called bar: `bar.positions` (frames, n, 3), `bar.velocities` (frames, n, 3), `bar.energy` (frames, n),
`bar.faces`, `bar.edges`, `bar.tets`; and `times` (frames,) [s], `bodies` and `obstacles` (names), `fps`, `up`. An obstacle
that never moves has one frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from supple.export import FORMATS
from supple.export.format import Format
from supple.export.sequence import Instant, Sequence


@FORMATS("npz")
class Npz(Format):
    title = "NPZ: arrays for numpy"
    suffixes = (".npz",)
    whole = True

    def write(self, sequence: Sequence, frames: Iterable[Instant], paths: Mapping[Path, Path]) -> list[str]:
        [path] = paths.values()
        arrays: dict[str, Any] = {
            "times": sequence.times,
            "fps": sequence.fps,
            "up": sequence.up,
            "bodies": np.array([body.name for body in sequence.bodies if not body.obstacle], dtype=str),
            "obstacles": np.array([body.name for body in sequence.bodies if body.obstacle], dtype=str),
        }
        for body in sequence.bodies:
            shape = (1 if body.still else len(sequence), body.n)
            for field, more in (("positions", (3,)), ("velocities", (3,)), ("energy", ())):
                arrays[f"{body.name}.{field}"] = np.empty(shape + more, dtype=np.float32)
            for kind in ("faces", "edges", "tets"):
                arrays[f"{body.name}.{kind}"] = getattr(body, kind)
        for k, frame in enumerate(frames):
            for body, pose in zip(sequence.bodies, frame.poses, strict=True):
                if body.still and k > 0:
                    continue
                arrays[f"{body.name}.positions"][k] = pose.x
                arrays[f"{body.name}.velocities"][k] = pose.v
                arrays[f"{body.name}.energy"][k] = pose.energy
        np.savez(path, **arrays)
        return []
