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

from supple.escaping import file_parts
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
        # arrays are files in an archive, which some programs unpack
        names = file_parts(body.name for body in sequence.bodies)
        named = list(zip(names, sequence.bodies, strict=True))
        arrays: dict[str, Any] = {
            "times": sequence.times,
            "fps": sequence.fps,
            "up": sequence.up,
            "bodies": np.array([name for name, body in named if not body.obstacle], dtype=str),
            "obstacles": np.array([name for name, body in named if body.obstacle], dtype=str),
        }
        for name, body in named:
            shape = (1 if body.still else len(sequence), body.n)
            for field, more in (("positions", (3,)), ("velocities", (3,)), ("energy", ())):
                arrays[f"{name}.{field}"] = np.empty(shape + more, dtype=np.float32)
            for kind in ("faces", "edges", "tets"):
                arrays[f"{name}.{kind}"] = getattr(body, kind)
        for k, frame in enumerate(frames):
            for (name, body), pose in zip(named, frame.poses, strict=True):
                if body.still and k > 0:
                    continue
                arrays[f"{name}.positions"][k] = pose.x
                arrays[f"{name}.velocities"][k] = pose.v
                arrays[f"{name}.energy"][k] = pose.energy
        np.savez(path, **arrays)
        return []
