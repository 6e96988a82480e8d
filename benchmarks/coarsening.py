"""Cost and gain of coarsening: time and memory of the setup, and steps of the coarse body compared with those of the fine one.

The bodies of `cheese-wheel` and `liver-with-veins` in full size, and a bar of 200 thousand tets of two materials for the
memory alone. Each body is held at its lowest x and released under a force along -z; fine, coarse and naive bodies take the
same steps of BDF2. Errors are those of displacements at the coarse vertices over the run.
"""

from __future__ import annotations

import argparse
import json
import resource
import time

import numpy as np

from supple.analysis.coarsening_check import swing_errors, swings
from supple.coarsening.cage import cage
from supple.coarsening.coarsen import Pair, coarsen
from supple.coarsening.effective import Method
from supple.coarsening.fine_body import FineBody, isotropic
from supple.linalg.threads import threads, use_threads
from supple.mesh.shapes.solid import Bar
from supple.model.fine_body import fine_body
from supple.scene.text.load import load_scene

SOFT = "body[0].regions[0].material={young=1e3, poisson=0.0, density=1.0}"
BODIES: dict[str, tuple[str, list[str], tuple[int, int, int], Method]] = {
    "cheese-wheel": ("cheese-wheel", ["body[0].mesh.rings=17"], (6, 1, 6), "nodal"),
    "soft-holes": ("cheese-wheel", ["body[0].mesh.rings=17", SOFT], (6, 1, 6), "average"),
    "liver-with-veins": ("liver-with-veins", ["body[0].mesh.resolution=18"], (7, 3, 4), "average"),
}
"""Scene, full size, cells of the cage, method. `soft-holes`: very soft instead of absent, since walls that reach the surface
carry the tractions of the outside, as if the hole were filled."""
LARGE = "large-bar"


def large_bar() -> FineBody:
    """202,800 tets, every tenth layer of cells across x ten times softer."""
    mesh = Bar(cells=(50, 26, 26), size=(2.0, 1.0, 1.0), tets=6).mesh()
    soft = (50 * mesh.vertices[mesh.tets].mean(axis=1)[:, 0] / 2.0).astype(int) % 10 == 0
    C = isotropic(np.where(soft, 1e5, 1e6), 0.3)
    return FineBody(mesh.vertices, mesh.tets, C, np.full(len(mesh.tets), 1000.0))


def measure(name: str, steps: int) -> dict[str, object]:
    if name == LARGE:
        fine, cells, method = large_bar(), (8, 4, 4), "average"
    else:
        scene, settings, cells, method = BODIES[name]
        fine = fine_body(load_scene(scene, settings).make().world)
    grid = cage(fine.vertices, fine.tets, cells)
    began = time.perf_counter()
    coarsen(fine, grid, method)
    row: dict[str, object] = {
        "body": name,
        "fine_tets": len(fine.tets),
        "coarse_tets": len(grid.tets),
        "threads": threads(),
        "coarsen_s": time.perf_counter() - began,
        "coarsen_gib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20,
    }
    if name == LARGE:
        return row
    pair = Pair(fine, grid)
    found = swings(pair, (method, "naive"), steps)
    errors = swing_errors(pair, found)
    seconds = {key: swing.seconds for key, swing in found.items()}
    return row | {
        "method": method,
        "fine_step_s": seconds["fine"],
        "coarse_step_s": seconds[method],
        "fine_over_coarse": seconds["fine"] / seconds[method],
        "error": errors[method],
        "naive_error": errors["naive"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bodies", default=",".join([*BODIES, LARGE]), help="names, separated by commas")
    parser.add_argument("--steps", type=int, default=8, help="of each run")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--json", action="store_true", help="one JSON document on the last line")
    options = parser.parse_args()
    use_threads(options.threads)
    rows = [measure(name, options.steps) for name in options.bodies.split(",")]
    for row in rows:
        print(
            "  ".join(
                f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}" for key, value in row.items()
            )
        )
    if options.json:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
