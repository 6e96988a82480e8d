"""PyBullet: soft bodies of tets, neo-Hookean with a logarithm; elastic forces are explicit, so that steps are short.

Constants agree with Young's modulus and Poisson's ratio at small strain. Masses are equal at all vertices, which PyBullet does
not let a user change. Its cloth has springs, not a membrane. Single-threaded, double precision.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pybullet
from problem import Problem
from runner import Method, Refused, main


def written(rest: np.ndarray, cells: np.ndarray, file: Path) -> str:
    """A legacy VTK file of a body."""
    points = "\n".join(" ".join(map(repr, p)) for p in rest.tolist())
    tets = "\n".join("4 " + " ".join(map(str, c)) for c in cells.tolist())
    head = "# vtk DataFile Version 2.0\nbody\nASCII\nDATASET UNSTRUCTURED_GRID"
    kinds = "\n".join(["10"] * len(cells))
    counts = f"CELLS {len(cells)} {5 * len(cells)}\n{tets}\nCELL_TYPES {len(cells)}\n{kinds}\n"
    file.write_text(f"{head}\nPOINTS {len(rest)} double\n{points}\n{counts}", encoding="ascii")
    return str(file)


class Soft:
    """A deformable world of PyBullet."""

    def __init__(self, problem: Problem, substeps: int) -> None:
        if not problem.solid:
            raise Refused("PyBullet's cloth has springs, no membrane")
        self.problem, self.h = problem, problem.step / substeps
        pybullet.connect(pybullet.DIRECT)
        pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD)
        pybullet.setGravity(0, 0, -problem.gravity)
        pybullet.setTimeStep(self.h)
        if problem.ground:
            self._floor(problem)
        with tempfile.TemporaryDirectory() as folder:
            self.bodies = [self._body(Path(folder), ids, cells) for ids, cells in problem.bodies]
        self.last, self.fresh = problem.start, 0
        self.own_mass = np.empty(len(problem.mass))
        for ids, _ in problem.bodies:
            self.own_mass[ids] = problem.mass[ids].mean()

    def _floor(self, problem: Problem) -> None:
        shape = pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[5, 5, 0.5])
        floor = pybullet.createMultiBody(0, shape, basePosition=[0, 0, -0.5])
        pybullet.changeDynamics(floor, -1, lateralFriction=problem.friction)

    def _body(self, folder: Path, ids: np.ndarray, cells: np.ndarray) -> int:
        problem = self.problem
        mu, lam = problem.lame
        file = written(problem.rest[ids], cells, folder / "body.vtk")
        body = pybullet.loadSoftBody(
            file,
            mass=float(problem.mass[ids].sum()),
            useNeoHookean=1,
            NeoHookeanMu=4 / 3 * mu,
            NeoHookeanLambda=lam + 5 / 6 * mu,
            NeoHookeanDamping=0.0,
            useSelfCollision=0,
            collisionMargin=0.5 * problem.gap,
            frictionCoeff=problem.friction,
        )
        if body < 0:
            raise Refused("PyBullet could not load the body")
        for node in np.flatnonzero(np.isin(ids, problem.held)):
            pybullet.createSoftBodyAnchor(body, int(node), -1, -1)
        if not np.array_equal(problem.start, problem.rest):
            pybullet.resetMeshData(body, problem.start[ids].tolist())
        return body

    def advance(self) -> None:
        pybullet.stepSimulation()
        self.fresh += 1

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        """PyBullet does not report velocities of vertices: they are differences over the last substep."""
        x = np.empty_like(self.problem.start)
        for body, (ids, _) in zip(self.bodies, self.problem.bodies, strict=True):
            _, found = pybullet.getMeshData(body, -1, flags=pybullet.MESH_DATA_SIMULATION_MESH)
            x[ids] = np.array(found)
        v = (x - self.last) / self.h if self.fresh == 1 else np.zeros_like(x)
        self.last, self.fresh = x, 0
        return x, v


def soft(problem: Problem) -> Method:
    first = max(1, round(problem.step * 240))
    tries = tuple(first * k for k in (1, 2, 4, 8, 16))
    return Method(Soft, "log-neo-hookean", tries, "none", "equal masses of vertices")


METHODS = {"neo-Hookean": soft}

if __name__ == "__main__":
    main(METHODS)
