"""How long it takes until something moves: import, help, one step of the default scene, and the very first run.

    python benchmarks/startup.py [--repeat 3] [--json]

Wall times of whole processes [s], the best of several for the warm ones. The first run starts with an empty kernel cache.
With --json the last line is a table: `first_run_seconds`, `warm_run_seconds`, `new_material_seconds` (null: no material can be
made without compiling yet), `import_seconds`, `help_seconds`.
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


def measure(repeat: int) -> dict[str, float | None]:
    """All figures; the cold run comes first, and its cache serves the warm ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = folder / "kernels"
        cache.mkdir()
        # as an installation has it: sources are not translated while we measure
        compileall.compile_dir(str(Path(supple.__file__).parent), quiet=1)
        figures: dict[str, float | None] = {"first_run_seconds": wall(RUN, folder, cache), "new_material_seconds": None}
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
        if seconds is not None:
            print(f"{what.removesuffix('_seconds').replace('_', ' '):<14}{seconds:7.2f} s")
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
