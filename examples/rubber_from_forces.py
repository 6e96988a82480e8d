"""Constants of a rubber from forces: how force depends on each constant is known exactly, so that a few steps find them.

A block of Ogden's rubber is deformed by a known amount and the forces at its vertices are measured. With g the gradient of
the energy and dg/dtheta its derivative by a constant, Gauss and Newton solve sum (dg/dtheta) dtheta = g_measured - g.
"""

import numpy as np

import supple as sp
from supple.energies.solids.solid import Solid

TRUE = {"mu1": 4.0e5, "alpha1": 2.4, "bulk": 3.0e6}
GUESS = {"mu1": 2.0e5, "alpha1": 4.0, "bulk": 1.0e6}


def main() -> None:
    mesh = sp.Bar(cells=(3, 2, 2), size=(1.0, 0.4, 0.4)).mesh()
    X = mesh.vertices
    x = X * [1.6, 0.8, 0.85] + 0.2 * np.sin(3.0 * X[:, [1, 2, 0]])

    def solid(constants: dict[str, float]) -> Solid:
        return Solid(X, mesh.tets, sp.Ogden(**constants))

    def gradient(term: Solid) -> np.ndarray:
        total = np.zeros_like(x)
        np.add.at(total, term.elements, term.element_gradients(x))
        return total

    measured = gradient(solid(TRUE))
    found = dict(GUESS)
    for step in range(1, 6):
        term = solid(found)
        missing = measured - gradient(term)
        slopes = np.column_stack([term.parameter_gradient(x, name).ravel() for name in found])
        sizes = np.array(list(found.values()))  # columns of like size, whatever the units
        change = np.linalg.lstsq(slopes * sizes, missing.ravel(), rcond=None)[0] * sizes
        found = {name: value + d for (name, value), d in zip(found.items(), change, strict=True)}
        print(f"{step}: " + ", ".join(f"{name} {value:.6g}" for name, value in found.items()))
    for name, value in TRUE.items():
        assert abs(found[name] / value - 1) < 1e-10


if __name__ == "__main__":
    main()
