"""Assembly of membranes, springs and hinges on one thread, per element: shipped laws, and the same written as formulas.

`gradient_ns`, `hessian_ns`: the fastest of many runs, taken in turn, since other work on the machine only ever adds time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from bars import show
from laws import fastest
from supple.dynamics.system import build_system
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending
from supple.energies.membranes.membrane import Membrane
from supple.energies.samples import one_sample
from supple.energies.springs.formula import FormulaSprings
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.linalg.threads import use_threads
from supple.materials import MEMBRANES
from supple.materials.membranes.own import membrane
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.thin import Cloth

CONSTANTS: dict[str, tuple[float, ...]] = {
    "fung-membrane": (2e5, 1e5, 3e3),
    "neo-hookean-membrane": (1e5, 0.3),
    "orthotropic-membrane": (2e5, 1e5, 3e3),
    "rubber-membrane": (1e5,),
    "stvk-membrane": (1e5, 0.3),
}


def terms(mesh: Mesh) -> dict[str, EnergyTerm]:
    X, triangles, edges = mesh.vertices, mesh.triangles, mesh.edges
    laws = {name: MEMBRANES.load()[name](*constants) for name, constants in CONSTANTS.items()}
    laws["formula-membrane"] = membrane("yeoh", "c1*(I1 + 1/I2 - 3) + c2*(I1 + 1/I2 - 3)^2", c1=2e5, c2=3e4)
    return {
        **{name: Membrane(X, triangles, law, 1e-3) for name, law in laws.items()},
        "hooke springs": HookeSprings(X, edges, 30.0),
        "hooke springs by formula": FormulaSprings(X, edges, "k/2*(l - l0)^2", {"k": 30.0}),
        "stvk springs": StVKSprings(X, edges, 30.0),
        "stvk springs by formula": FormulaSprings(X, edges, "k/2*(l^2 - l0^2)^2", {"k": 30.0}),
        "dihedral hinges": DihedralBending(X, triangles, 0.3),
        "dihedral hinges by formula": FormulaBending(X, triangles, "k*d^2", {"k": 0.3}),
    }


def works(term: EnergyTerm, mesh: Mesh) -> tuple[Callable[[], object], Callable[[], object]]:
    """Gradient and Hessian of a sheet with some noise in its positions."""
    system = build_system(mesh.vertices, np.ones(mesh.n), [term])
    noise = 0.1 / np.sqrt(mesh.n) * np.random.default_rng(1).uniform(-1, 1, mesh.vertices.shape)
    samples, values = one_sample(mesh.vertices + noise), np.zeros(system.pattern.nnz)
    return (
        lambda: list(system.potential.contributions(samples)),
        lambda: system.potential.add_hessian(samples, values),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    use_threads(1)
    mesh = Cloth(cells=(options.cells, options.cells)).mesh()
    all_terms = terms(mesh)
    runs = {name: works(term, mesh) for name, term in all_terms.items()}
    best = dict.fromkeys(runs, (np.inf, np.inf))
    for _ in range(options.repeats):
        for name, (gradient, hessian) in runs.items():
            best[name] = min(best[name][0], fastest(gradient, 2)), min(best[name][1], fastest(hessian, 2))
    rows = []
    for name, (gradient, hessian) in best.items():
        m = len(all_terms[name].elements)
        rows.append({"law": name, "elements": m, "gradient_ns": 1e9 * gradient / m, "hessian_ns": 1e9 * hessian / m})
    show(rows, options.json)


if __name__ == "__main__":
    main()
