"""How long it takes until something moves: import, help, one step of the default scene, and the very first run.

    python benchmarks/startup.py [--repeat 3] [--json]

Wall times of whole processes [s], the best of several for the warm ones. The first run starts with an empty kernel cache. A new
material is timed within a process that has taken a step with another one: from the text of its energy to the first density,
stress and tangent. With --json the last line is a table: `first_run_seconds`, `warm_run_seconds`, `new_material_seconds`,
`import_seconds`, `help_seconds`.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import supple

RUN = ["-m", "supple", "run", "jelly", "--steps", "1", "--out", "run", "--overwrite"]
NEW_MATERIAL = """
import time
import numpy as np
import supple as sp

def all_of(material):
    F = np.eye(3) + 0.1 * np.random.default_rng(0).standard_normal((100, 3, 3))
    return material.density(F), material.stress(F), material.tangent(F)

all_of(sp.StVK(mu=1e5, lam=4e5))
began = time.perf_counter()
energy = "-mu/2*Jm*log(1 - (J^(-2/3)*I1 - 3)/Jm) + c*(J^(-4/3)*I2 - 3) + bulk/2*log(J)^2"
all_of(sp.material("gent", energy, mu=1e5, Jm=30.0, c=1e4, bulk=4e5))
print(time.perf_counter() - began)
"""
WARM = {"import": ["-c", "import supple"], "help": ["-m", "supple", "--help"], "warm_run": RUN}


def wall(arguments: list[str], folder: Path, cache: Path) -> float:
    """Seconds that one process takes."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment["NUMBA_CACHE_DIR"] = str(cache)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True, timeout=600
    )
    return time.perf_counter() - began


def new_material(folder: Path, cache: Path) -> float:
    """Seconds from the text of an energy to its first tangent."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", NEW_MATERIAL], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def measure(repeat: int) -> dict[str, float]:
    """All figures; the cold run comes first, and its cache serves the warm ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = folder / "kernels"
        cache.mkdir()
        # as an installation has it: sources are not translated while we measure
        compileall.compile_dir(str(Path(supple.__file__).parent), quiet=1)
        figures = {"first_run_seconds": wall(RUN, folder, cache)}
        figures["new_material_seconds"] = min(new_material(folder, cache) for _ in range(repeat))
        for what, arguments in WARM.items():
            figures[f"{what}_seconds"] = min(wall(arguments, folder, cache) for _ in range(repeat))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.repeat)
    for what, seconds in figures.items():
        print(f"{what.removesuffix('_seconds').replace('_', ' '):<14}{seconds:7.2f} s")
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
