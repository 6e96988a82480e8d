"""Backward Euler by Newton-CG, written here in taichi, which is a language without soft bodies.

St. Venant-Kirchhoff solids and membranes, double precision, all cores. Matrix-free products, block-Jacobi preconditioner,
truncated CG that ends at negative curvature, backtracking line search; a step ends at a millionth of the force it began with.
"""

import numpy as np
import taichi as ti  # it reads annotations of kernels, which therefore must not be postponed
from problem import Problem
from runner import Method, Refused, main

TOLERANCE, NEWTON, PRODUCTS = 1e-6, 30, 2000


def shapes(rest: np.ndarray, cells: np.ndarray, thickness: float) -> tuple[np.ndarray, np.ndarray]:
    """(m, nodes, dim) gradients of the shape functions and (m,) volumes."""
    edges = (rest[cells[:, 1:]] - rest[cells[:, :1]]).transpose(0, 2, 1)
    if cells.shape[1] == 3:  # into the plane of the triangle
        a, b = edges[:, :, 0], edges[:, :, 1]
        u = a / np.linalg.norm(a, axis=1, keepdims=True)
        w = np.cross(np.cross(a, b), u)
        w /= np.linalg.norm(w, axis=1, keepdims=True)
        edges = np.stack([u, w], axis=1) @ edges
    inverse = np.linalg.inv(edges)
    size = np.abs(np.linalg.det(edges))
    return np.concatenate([-inverse.sum(axis=1, keepdims=True), inverse], axis=1), size * (
        1 / 6 if cells.shape[1] == 4 else thickness / 2
    )


@ti.data_oriented
class NewtonCG:
    """One system; fields are named by their letters in the formulas."""

    def __init__(self, problem: Problem, substeps: int) -> None:
        if problem.ground:
            raise Refused("contact was not written in taichi")
        ti.init(arch=ti.cpu, default_fp=ti.f64, log_level=ti.WARN)
        n, (m, nodes) = len(problem.rest), problem.cells.shape
        self.nodes, self.dim, self.h, self.gravity = nodes, nodes - 1, problem.step / substeps, problem.gravity
        self.mu, self.lam = problem.lame if problem.solid else (np.array(problem.sheet) / problem.thickness).tolist()
        for name in ("x", "v", "old", "aim", "g", "d", "r", "z", "p", "q", "trial"):
            setattr(self, name, ti.Vector.field(3, ti.f64, n))
        self.block, self.mass, self.free = ti.Matrix.field(3, 3, ti.f64, n), ti.field(ti.f64, n), ti.field(ti.i32, n)
        self.cells, self.b = ti.field(ti.i32, (m, nodes)), ti.Vector.field(self.dim, ti.f64, (m, nodes))
        self.volume = ti.field(ti.f64, m)
        b, volume = shapes(problem.rest, problem.cells, problem.thickness)
        self.b.from_numpy(b)
        self.volume.from_numpy(volume)
        self.cells.from_numpy(problem.cells.astype(np.int32))
        self.x.from_numpy(problem.start)
        self.mass.from_numpy(problem.mass)
        self.free.from_numpy((~np.isin(np.arange(n), problem.held)).astype(np.int32))
        self.iterations = 0

    @ti.func
    def gradient_of(self, field: ti.template(), e):
        F = ti.Matrix.zero(ti.f64, 3, self.dim)
        for a in ti.static(range(self.nodes)):
            F += field[self.cells[e, a]].outer_product(self.b[e, a])
        return F

    @ti.func
    def stress(self, F):
        E = 0.5 * (F.transpose() @ F - ti.Matrix.identity(ti.f64, self.dim))
        return E, 2.0 * self.mu * E + self.lam * E.trace() * ti.Matrix.identity(ti.f64, self.dim)

    @ti.kernel
    def energy(self, x: ti.template()) -> ti.f64:
        total = 0.0
        for e in self.volume:
            E, S = self.stress(self.gradient_of(x, e))
            total += 0.5 * self.volume[e] * (S * E).sum()
        for i in x:
            total += 0.5 * self.mass[i] * (x[i] - self.aim[i]).norm_sqr() / self.h**2
        return total

    @ti.kernel
    def differentiate(self) -> ti.f64:
        """Gradient g and diagonal blocks at x; the largest entry of g."""
        for i in self.x:
            self.g[i] = self.mass[i] * (self.x[i] - self.aim[i]) / self.h**2
            self.block[i] = self.mass[i] / self.h**2 * ti.Matrix.identity(ti.f64, 3)
        for e in self.volume:
            F = self.gradient_of(self.x, e)
            _E, S = self.stress(F)
            P, C, w = F @ S, F @ F.transpose(), self.volume[e]
            for a in ti.static(range(self.nodes)):
                b = self.b[e, a]
                Fb = F @ b
                pair = (self.mu + self.lam) * Fb.outer_product(Fb) + self.mu * b.norm_sqr() * C
                self.g[self.cells[e, a]] += w * (P @ b)
                bend = ti.max(0.0, b.dot(S @ b)) * ti.Matrix.identity(ti.f64, 3)
                self.block[self.cells[e, a]] += w * (pair + bend)
        worst = 0.0
        for i in self.x:
            self.g[i] *= self.free[i]
            self.block[i] = self.block[i].inverse()
            ti.atomic_max(worst, ti.abs(self.g[i]).max())
        return worst

    @ti.kernel
    def product(self) -> ti.f64:
        """q = H p; p.q"""
        for i in self.p:
            self.q[i] = self.mass[i] / self.h**2 * self.p[i]
        for e in self.volume:
            F, dF = self.gradient_of(self.x, e), self.gradient_of(self.p, e)
            _E, S = self.stress(F)
            dE = 0.5 * (F.transpose() @ dF + dF.transpose() @ F)
            dS = 2.0 * self.mu * dE + self.lam * dE.trace() * ti.Matrix.identity(ti.f64, self.dim)
            dP = dF @ S + F @ dS
            for a in ti.static(range(self.nodes)):
                self.q[self.cells[e, a]] += self.volume[e] * (dP @ self.b[e, a])
        total = 0.0
        for i in self.p:
            self.q[i] *= self.free[i]
            total += self.p[i].dot(self.q[i])
        return total

    @ti.kernel
    def begin(self) -> ti.f64:
        total = 0.0
        for i in self.x:
            self.d[i], self.r[i] = ti.Vector.zero(ti.f64, 3), -self.g[i]
            self.z[i] = self.block[i] @ self.r[i]
            self.p[i] = self.z[i]
            total += self.r[i].dot(self.z[i])
        return total

    @ti.kernel
    def go(self, length: ti.f64) -> ti.f64:
        """d += length p, r -= length q; r.z"""
        total = 0.0
        for i in self.x:
            self.d[i] += length * self.p[i]
            self.r[i] -= length * self.q[i]
            self.z[i] = self.block[i] @ self.r[i]
            total += self.r[i].dot(self.z[i])
        return total

    @ti.kernel
    def turn(self, share: ti.f64):
        for i in self.x:
            self.p[i] = self.z[i] + share * self.p[i]

    @ti.kernel
    def place(self, length: ti.f64) -> ti.f64:
        """trial = x + length d; g.d"""
        slope = 0.0
        for i in self.x:
            self.trial[i] = self.x[i] + length * self.d[i]
            slope += self.g[i].dot(self.d[i])
        return slope

    @ti.kernel
    def aim_at(self):
        for i in self.x:
            self.old[i] = self.x[i]
            fall = ti.Vector([0.0, 0.0, -self.gravity]) * self.free[i]
            self.aim[i] = self.x[i] + self.h * self.v[i] + self.h**2 * fall

    @ti.kernel
    def finish(self):
        for i in self.x:
            self.v[i] = (self.x[i] - self.old[i]) / self.h

    def direction(self, reduction: float) -> None:
        """Truncated CG for H d = -g."""
        first = rz = self.begin()
        for k in range(PRODUCTS):
            curvature = self.product()
            if curvature <= 0:
                if k == 0:
                    self.go(1.0)  # the preconditioned steepest descent; the search finds its length
                return
            found = self.go(rz / curvature)
            if found < reduction**2 * first:
                return
            self.turn(found / rz)
            rz = found

    def search(self) -> bool:
        """Backtracks until the energy falls; whether it did."""
        here, length = self.energy(self.x), 1.0
        for _ in range(30):
            slope = self.place(length)
            if self.energy(self.trial) <= here + 1e-4 * length * slope:
                self.x.copy_from(self.trial)
                return True
            length *= 0.5
        return False

    def advance(self) -> None:
        self.aim_at()
        first = worst = self.differentiate()
        for _ in range(NEWTON):
            if worst <= TOLERANCE * first:
                break
            self.direction(min(0.1, (worst / first) ** 0.5))
            self.iterations += 1
            if not self.search():
                break
            worst = self.differentiate()
        self.finish()
        ti.sync()

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        return self.x.to_numpy(), self.v.to_numpy()

    def extra(self) -> dict[str, object]:
        return {"iterations": self.iterations}


METHODS = {"Newton-CG": Method(NewtonCG, "stvk", note="written here in taichi")}

if __name__ == "__main__":
    main(METHODS)
