"""Newton (newton-physics, on Warp): VBD, XPBD and the semi-implicit solver, on the CPU, in single precision.

Substeps and iterations are those of Newton's hanging examples: ten substeps of ten iterations at 60 frames per second, 32 for
the semi-implicit one. VBD also runs with whole steps and as many iterations. No material damping, as in all other rows. VBD has
the stable neo-Hookean solid, and the semi-implicit solver the one with a logarithm. The constants of the latter match Young's
modulus and Poisson's ratio at small strain. The energy of XPBD's constraints is neither of these.
"""

from __future__ import annotations

from typing import Any

import newton
import numpy as np
import warp as wp
from problem import Problem
from runner import Method, Refused, main

STIFF = 1e5
"""Of contact [N/m]: some millimetres of depth at the speed of the pile."""


def builder(problem: Problem, log: bool) -> newton.ModelBuilder:
    made = newton.ModelBuilder(gravity=wp.vec3(0.0, 0.0, -problem.gravity))
    if problem.ground:
        made.default_shape_cfg.mu, made.default_shape_cfg.ke = problem.friction, STIFF
        made.add_ground_plane()
    mu, lam = problem.lame
    solid = {"k_mu": 4 / 3 * mu, "k_lambda": lam + 5 / 6 * mu} if log else {"k_mu": mu, "k_lambda": lam}
    place: dict[str, Any] = {"pos": wp.vec3(), "rot": wp.quat_identity(), "scale": 1.0, "vel": wp.vec3()}
    radius = max(0.5 * problem.gap, 1e-3)
    for ids, cells in problem.bodies:
        place |= {"vertices": [wp.vec3(*p) for p in problem.rest[ids]], "indices": cells.ravel().tolist()}
        if problem.solid:
            made.add_soft_mesh(**place, **solid, density=1.0, k_damp=0.0, particle_radius=radius)
        else:
            mu_s, lam_s = problem.sheet
            sheet = {"tri_ke": mu_s, "tri_ka": lam_s, "tri_kd": 0.0, "edge_ke": 0.0, "edge_kd": 0.0}
            made.add_cloth_mesh(**place, **sheet, density=1.0, particle_radius=radius)
    return made


class Particles:
    """A model of particles, stepped by one of Newton's solvers."""

    def __init__(self, problem: Problem, substeps: int, solver: str, iterations: int) -> None:
        wp.config.quiet = True
        made = builder(problem, log=solver == "semi-implicit")
        self.ids = np.concatenate([ids for ids, _ in problem.bodies])
        held = np.isin(self.ids, problem.held)
        made.particle_mass = np.where(held, 0.0, problem.mass[self.ids]).tolist()
        if solver == "vbd":
            made.color()
        self.model = made.finalize(device="cpu")
        self.solver = self._solver(problem, solver, iterations)
        self.now, self.next, self.control = self.model.state(), self.model.state(), self.model.control()
        for state in (self.now, self.next):
            state.particle_q.assign(problem.start[self.ids].astype(np.float32))
        self.pipeline = newton.CollisionPipeline(self.model) if problem.ground else None
        self.contacts = self.pipeline.contacts() if self.pipeline else None
        self.h, self.problem = problem.step / substeps, problem

    def _solver(self, problem: Problem, solver: str, iterations: int) -> Any:
        if problem.ground:
            self.model.soft_contact_ke, self.model.soft_contact_kd = STIFF, 0.0
            self.model.soft_contact_mu = problem.friction
        if solver == "vbd":
            contact = {"particle_self_contact_margin": problem.gap, "particle_self_contact_gap": problem.gap}
            return newton.solvers.SolverVBD(
                self.model,
                iterations=iterations,
                particle_enable_self_contact=problem.ground,
                particle_enable_tile_solve=False,
                **(contact if problem.ground else {}),
            )
        if problem.ground:
            raise Refused("contact of soft bodies with each other needs VBD in Newton")
        if solver == "xpbd":
            return newton.solvers.SolverXPBD(self.model, iterations=iterations)
        return newton.solvers.SolverSemiImplicit(self.model)

    def advance(self) -> None:
        self.now.clear_forces()
        if self.pipeline:
            self.pipeline.collide(self.now, self.contacts)
        self.solver.step(self.now, self.next, self.control, self.contacts, self.h)
        self.now, self.next = self.next, self.now
        wp.synchronize()

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        x, v = np.empty_like(self.problem.start), np.empty_like(self.problem.start)
        x[self.ids], v[self.ids] = self.now.particle_q.numpy(), self.now.particle_qd.numpy()
        return x, v


def vbd(problem: Problem, whole: bool) -> Method:
    substeps = max(1, round(problem.step * 600))
    count, iterations = (1, 10 * substeps) if whole else (substeps, 10)
    tries = tuple(count * k for k in (1, 2, 4))
    note = f"{iterations} iterations per substep, single precision"
    return Method(lambda p, n: Particles(p, n, "vbd", iterations), "stable-neo-hookean", tries, note=note)


def xpbd(problem: Problem) -> Method:
    substeps = max(1, round(problem.step * 600))
    tries = tuple(substeps * k for k in (1, 2, 4))
    note = "10 iterations per substep, single precision"
    return Method(lambda p, n: Particles(p, n, "xpbd", 10), "", tries, "none", note)


def semi_implicit(problem: Problem) -> Method:
    substeps = max(1, round(problem.step * 60 * 32))
    tries = tuple(substeps * k for k in (1, 2, 4, 8))
    law = "log-neo-hookean" if problem.solid else ""
    return Method(lambda p, n: Particles(p, n, "semi-implicit", 0), law, tries, "none", "single precision")


METHODS = {
    "VBD, substeps": lambda problem: vbd(problem, whole=False),
    "VBD, whole steps": lambda problem: vbd(problem, whole=True),
    "XPBD": xpbd,
    "semi-implicit": semi_implicit,
}

if __name__ == "__main__":
    main(METHODS)
