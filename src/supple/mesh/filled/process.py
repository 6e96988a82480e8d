"""fTetWild in a separate process that reports its progress: `python -m supple.mesh.filled.process IN.npz OUT.npz`.

In this process it would hold Python's global lock until it is done, and a crash would end the caller too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import BackendMissing, MeshError
from supple.interruption.children import deaf_children, killed_with_parent, own_child
from supple.types import Array, Ints

Watch = Callable[[str], None]
"""Receives a line of text at every progress update."""

MISSING = 4
"""Exit code of the process when a library is missing; its last line names the library."""
MOST_PASSES = 80
_STAGES = {
    "edge splitting": "splitting edges",
    "edge collapsing": "collapsing edges",
    "edge swapping": "swapping edges",
    "vertex smoothing": "smoothing",
}


def fill(folder: Path, x: Array, triangles: Ints, options: dict[str, Any], watch: Watch | None) -> tuple[Array, Ints]:
    """Vertices and tets inside a surface; `folder` is for the files that fTetWild leaves behind."""
    if find_spec("pytetwild") is None:
        raise _missing("no module named 'pytetwild'", "")
    np.savez(folder / "surface.npz", x=x, triangles=triangles, **{k: v for k, v in options.items() if v is not None})
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    command = [sys.executable, "-P", "-m", "supple.mesh.filled.process", "surface.npz", "tets.npz"]
    with deaf_children():
        child = subprocess.Popen(
            command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
    last: deque[str] = deque(maxlen=3)
    news = News()
    with own_child(child):
        for line in child.stdout or ():
            last.append(line.strip())
            if news.take(line) and watch is not None:
                watch(str(news))
        code = child.wait()
    if code == MISSING:
        name, _, reason = last[-1].partition(" ")
        raise _missing(reason, "" if name == "pytetwild" else f" {name}")
    if code != 0:
        raise MeshError(f"surface: fTetWild ended with status {code} ({' | '.join(last)}); try another edge_length")
    with np.load(folder / "tets.npz") as found:
        return found["x"], found["tets"]


class News:
    """Progress of fTetWild, read from its log."""

    def __init__(self) -> None:
        self.stage, self.number, self.tets, self.worst = "preparing the surface", -1, "", ""

    def take(self, line: str) -> bool:
        """Whether a line of the log changes anything."""
        if match := re.search(r"/ pass (\d+) /", line):
            self.number = int(match[1])
        elif match := re.match(r"#t = (\d+)", line):
            self.tets = match[1]
        elif match := re.match(r"max_energy = (\S+)", line):
            self.worst = f"{float(match[1]):.3g}"
        elif stage := _STAGES.get(line.strip().removesuffix("...")):
            self.stage = stage
        else:
            return False
        return True

    def __str__(self) -> str:
        parts = [f"pass {self.number + 1} of at most {MOST_PASSES}"] if self.number >= 0 else []
        parts.append(self.stage)
        parts += [f"{self.tets} tets"] if self.tets else []
        parts += [f"worst distortion {self.worst} (3 is regular, stops below 10)"] if self.worst else []
        return ", ".join(parts)


def _missing(reason: str, more: str) -> BackendMissing:
    return BackendMissing(
        f"tetrahedralise needs pytetwild, which cannot be imported ({reason}); "
        f'install it with: pip install "supple[mesh]"{more}'
    )


def main(source: str, out: str) -> int:
    """Fill the surface in a file; the output of fTetWild goes to the standard output."""
    killed_with_parent()
    try:
        import pytetwild
    except ImportError as error:
        # Some releases of pytetwild import pyvista without declaring it as a dependency.
        sys.stdout.write(f"{error.name or 'pytetwild'} {error}\n")
        return MISSING
    with np.load(source) as data:
        arrays = {name: data[name] for name in data.files}
    x, triangles = arrays.pop("x"), arrays.pop("triangles")
    options = {name: value.item() for name, value in arrays.items()}
    x, tets = pytetwild.tetrahedralize(x, triangles, quiet=False, **options)
    np.savez(out, x=x, tets=tets)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
