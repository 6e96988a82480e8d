"""How long it takes until something moves: import, help, one step of the default scene, and the very first run.

    python benchmarks/startup.py [--repeat 3] [--json]

Wall times of whole processes [s], the best of several for the warm ones. `first-run` starts with an empty kernel cache;
`compile_seconds` is what it needs beyond the warm run. With --json the last line is a list of {"what", "seconds", ...}.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

WARM = {
    "python": ["-c", "pass"],
    "import": ["-c", "import supple"],
    "help": ["-m", "supple", "--help"],
    "run-one-step": ["-m", "supple", "run", "jelly", "--steps", "1", "--out", "run", "--overwrite"],
}


def wall(arguments: list[str], folder: Path, cache: Path | None = None) -> float:
    """Seconds that one process takes."""
    environment = dict(os.environ) if cache is None else {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True, timeout=600
    )
    return time.perf_counter() - began


def measure(repeat: int) -> list[dict[str, Any]]:
    """All figures; the cold run comes first, and its cache serves the warm ones."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = folder / "kernels"
        cache.mkdir()
        first = wall(WARM["run-one-step"], folder, cache)
        rows: list[dict[str, Any]] = [
            {"what": what, "seconds": min(wall(arguments, folder, cache) for _ in range(repeat)), "repeat": repeat}
            for what, arguments in WARM.items()
        ]
    return [*rows, {"what": "first-run", "seconds": first, "compile_seconds": first - rows[-1]["seconds"], "repeat": 1}]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = measure(options.repeat)
    for row in rows:
        extra = f"  (compiling: {row['compile_seconds']:.1f} s)" if "compile_seconds" in row else ""
        print(f"{row['what']:<14}{row['seconds']:7.2f} s{extra}")
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
