"""Assembly of every shipped solid on one thread, per tet; and the time until a new law can be used.

`gradient_ns`, `hessian_ns`: the fastest of many runs, since other work on the machine only ever adds time. `law_ns`: response and
tangent of the law alone, called by address as in the element loops. `law_seconds`: from the text of an energy to machine code of
density, stress and tangent, with the element loops in the cache of kernels.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from numba import njit

from bars import show
from supple.dynamics.system import System, build_system
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.linalg.threads import use_threads
from supple.materials import MATERIALS
from supple.materials.address import call_response, call_tangent
from supple.materials.kernel import LANES
from supple.materials.material import Material
from supple.mesh.shapes.solid import Bar


def fastest(run: Callable[[], object], repeats: int) -> float:
    """Seconds."""
    best = np.inf
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return float(best)


def body(material: Material, cells: int) -> tuple[System, np.ndarray]:
    """A bar of 5 * 2 * cells^3 tets with some noise in its positions."""
    mesh = Bar(cells=(2 * cells, cells, cells), size=(2.0, 1.0, 1.0)).mesh()
    X = mesh.vertices
    noise = 0.05 / cells * np.random.default_rng(1).uniform(-1, 1, X.shape)
    return build_system(X, np.ones(len(X)), [Solid(X, mesh.tets, material)]), X + noise


@njit
def respond(address, constants, F, psi, P, times):
    for _ in range(times):
        call_response(address, constants, F, psi, P)


@njit
def stiffen(address, constants, F, C, times):
    for _ in range(times):
        call_tangent(address, constants, F, C)


def law_ns(material: Material, repeats: int, times: int = 1000) -> float:
    """Response and tangent of one tet [ns]."""
    F = (np.eye(3)[:, :, None] + 0.1 * np.random.default_rng(2).uniform(-1, 1, (3, 3, LANES))).reshape(9, LANES)
    constants = np.ascontiguousarray(material.parameters(LANES).T)
    psi, P, C = np.empty(LANES), np.empty((9, LANES)), np.empty((45, LANES))
    law = material.law
    response = fastest(lambda: respond(law.response, constants, F, psi, P, times), repeats)
    tangent = fastest(lambda: stiffen(law.tangent, constants, F, C, times), repeats)
    return 1e9 * (response + tangent) / (times * LANES)


def measure(name: str, cells: int, repeats: int) -> dict[str, object]:
    material = MATERIALS.load()[name].from_young(1e5, 0.3)
    start = time.perf_counter()
    F = np.eye(3)[None]
    material.stress(F), material.tangent(F)
    law_seconds = time.perf_counter() - start
    system, x = body(material, cells)
    samples, values = one_sample(x), np.zeros(system.pattern.nnz)
    tets = len(system.potential.terms[0].elements)
    return {
        "material": name,
        "tets": tets,
        "gradient_ns": 1e9 * fastest(lambda: list(system.potential.contributions(samples)), repeats) / tets,
        "hessian_ns": 1e9 * fastest(lambda: system.potential.add_hessian(samples, values), repeats) / tets,
        "law_ns": law_ns(material, repeats),
        "law_seconds": law_seconds,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("materials", nargs="*", default=sorted(MATERIALS.load()))
    parser.add_argument("--cells", type=int, default=12)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    use_threads(1)
    warm = MATERIALS.load()["linear"].from_young(1.0, 0.3)  # loads the loops over arrays
    warm.stress(np.eye(3)[None]), warm.tangent(np.eye(3)[None])
    show([measure(name, options.cells, options.repeats) for name in options.materials], options.json)


if __name__ == "__main__":
    main()
