"""Rewrites the locks below requirements/ from pyproject.toml, by uv.

    python tools/supply/write_locks.py              keeps the versions that still fit
    python tools/supply/write_locks.py --upgrade    takes the newest that fit
    python tools/supply/write_locks.py --upgrade-package numpy

One lock serves Python 3.11 and newer on Linux, macOS on ARM and Windows: packages of one platform carry a marker.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pins import LOCKS, ROOT, pins

EXTRAS = {
    "run": (),
    "dev": ("dev", "browser"),
    "site": ("site",),
    "minimum": ("test", "cholmod", "mesh", "usd", "alembic", "render", "viewer", "sweep"),
}
"""Locks of the project, and the extras in them. `minimum` has the oldest direct dependencies that pyproject.toml allows."""
OPTIONS = (
    "--quiet",
    "--universal",
    "--python-version",
    "3.11",
    "--generate-hashes",
    "--custom-compile-command",
    "make lock",
)
MORE = {
    "run": ("--constraint", "requirements/dev.txt"),
    "dev": (),
    "site": ("--constraint", "requirements/dev.txt"),
    "minimum": ("--resolution", "lowest-direct", "--constraint", "requirements/minimum.in"),
}


def commands() -> dict[str, list[str]]:
    """Arguments of uv for each lock; `run` and `site` follow `dev`, whose versions they use."""
    order = {}
    for lock in ("dev", "run", "site", "minimum"):
        extras = [word for extra in EXTRAS[lock] for word in ("--extra", extra)]
        order[lock] = [*MORE[lock], *extras, "pyproject.toml", "requirements/tools.in"]
    return {**order, "supply": ["requirements/supply.in"]}


def main(wishes: list[str]) -> None:
    uv = Path(sys.executable).with_name("uv")
    for lock, words in commands().items():
        known = pins(lock) if (LOCKS / f"{lock}.txt").exists() else {}
        kept = wishes if lock != "minimum" else []
        command = [str(uv), "pip", "compile", *OPTIONS, *kept, "--output-file", f"requirements/{lock}.txt", *words]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        now = pins(lock)
        changed = sorted(name for name in known.keys() | now.keys() if known.get(name) != now.get(name))
        print(f"{lock}.txt: {len(now)} packages, {len(changed)} changed {' '.join(changed)}".rstrip())


if __name__ == "__main__":
    main(sys.argv[1:])
