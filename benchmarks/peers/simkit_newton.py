"""simkit: backward Euler with its own energies and Newton solver (SciPy), St. Venant-Kirchhoff.

Two rows: one Newton step per time step, which is simkit's default, and as many as its tolerance requires. Held vertices are
not among the unknowns.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from problem import Problem
from runner import Method, Refused, main
from simkit import deformation_jacobian, volume
from simkit.energies.elastic import elastic_energy_x, elastic_gradient_x, elastic_hessian_x
from simkit.integrators.backward_euler import backward_euler


class Steps:
    """A body in simkit's terms."""

    def __init__(self, problem: Problem, substeps: int, most: int) -> None:
        if problem.ground:
            raise Refused("simkit has springs against a plane or a sphere, no contact between bodies")
        if not problem.solid:
            raise Refused("simkit's St. Venant-Kirchhoff energy is for solids")
        self.problem, self.h, self.most = problem, problem.step / substeps, most
        n, count = len(problem.rest), len(problem.cells)
        mu, lam = problem.lame
        self.J = deformation_jacobian(problem.rest, problem.cells)
        weights = volume(problem.rest, problem.cells).reshape(-1, 1)
        self.given = (self.J, np.full((count, 1), mu), np.full((count, 1), lam), weights, "stvk")
        free = np.setdiff1d(np.arange(n), problem.held)
        self.free = (3 * free[:, None] + np.arange(3)).ravel()
        self.M = sp.diags(np.repeat(problem.mass[free], 3)).tocsc()
        weight = np.zeros((n, 3))
        weight[:, 2] = problem.gravity * problem.mass
        self.weight = weight.reshape(-1, 1)[self.free]
        self.now = problem.start.reshape(-1, 1)[self.free]
        self.old = self.now.copy()
        self.full = problem.start.copy()

    def at(self, y: np.ndarray) -> np.ndarray:
        x = self.problem.start.reshape(-1, 1).copy()
        x[self.free] = y
        return x.reshape(-1, 3)

    def energy(self, y: np.ndarray) -> float:
        return float(elastic_energy_x(self.at(y), *self.given)) + float((self.weight * y).sum())

    def gradient(self, y: np.ndarray) -> np.ndarray:
        return elastic_gradient_x(self.at(y), *self.given).reshape(-1, 1)[self.free] + self.weight

    def hessian(self, y: np.ndarray) -> sp.spmatrix:
        return elastic_hessian_x(self.at(y), *self.given).tocsr()[self.free][:, self.free]

    def advance(self) -> None:
        given = (self.energy, self.gradient, self.hessian, self.M, self.h)
        found = backward_euler(self.now, self.old, *given, tolerance=1e-6, max_iter=self.most)
        self.old, self.now = self.now, np.asarray(found).reshape(-1, 1)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        v = np.zeros_like(self.full).reshape(-1, 1)
        v[self.free] = (self.now - self.old) / self.h
        return self.at(self.now), v.reshape(-1, 3)


def newton(most: int) -> Method:
    return Method(lambda p, n: Steps(p, n, most), "stvk")


METHODS = {"backward Euler, one Newton step": newton(1), "backward Euler, converged": newton(50)}

if __name__ == "__main__":
    main(METHODS)
