"""MuJoCo: flexes with continuum elasticity (St. Venant-Kirchhoff), all vertices free, the `discrete` integrator.

`discrete` is the integrator that MuJoCo's guide names for flex elasticity: one linearised solve per step, implicit in
positions. Both of the solvers that the guide recommends are rows: Newton for stiff shells and contact, CG for large, soft
solids. Contact is as stiff as the guide recommends. No material damping, as in all other rows.
"""

from __future__ import annotations

import mujoco
import numpy as np
from problem import Problem
from runner import Method, main

SOLREF = "0.004 1"
"""Time constant [s] and damping ratio of contact, at the stiffer end of the range that the guide recommends."""


def text(values: np.ndarray) -> str:
    return " ".join(repr(v) for v in values.ravel().tolist())


def flex(problem: Problem, k: int, ids: np.ndarray, cells: np.ndarray) -> str:
    """A body as an element of the model; held vertices are pinned to the world."""
    pins = np.flatnonzero(np.isin(ids, problem.held))
    pinned = f'<pin id="{text(pins)}"/>' if len(pins) else ""
    touches = int(problem.ground)
    sheet = "" if problem.solid else f' thickness="{problem.thickness}" elastic2d="stretch"'
    return f"""
    <flexcomp name="body{k}" type="direct" dim="{cells.shape[1] - 1}" mass="1" radius="{max(0.5 * problem.gap, 1e-4)}"
        point="{text(problem.rest[ids])}" element="{text(cells)}">
      {pinned}
      <contact contype="{touches}" conaffinity="{touches}" selfcollide="none"
        friction="{problem.friction} 0.005 0.0001" solref="{SOLREF}"/>
      <elasticity young="{problem.young}" poisson="{problem.poisson}" damping="0"{sheet}/>
    </flexcomp>"""


def model(problem: Problem, h: float, solver: str) -> str:
    touch = f'friction="{problem.friction} 0.005 0.0001" solref="{SOLREF}"'
    floor = f'<geom type="plane" size="5 5 1" {touch}/>' if problem.ground else ""
    bodies = "".join(flex(problem, k, ids, cells) for k, (ids, cells) in enumerate(problem.bodies))
    return f"""
<mujoco>
  <option timestep="{h!r}" gravity="0 0 {-problem.gravity}" integrator="discrete" solver="{solver}"
    tolerance="1e-8" iterations="400"/>
  <size memory="4G"/>
  <worldbody>{floor}{bodies}</worldbody>
</mujoco>"""


class Flexes:
    """A model of flexes whose vertices are bodies on three slides each."""

    def __init__(self, problem: Problem, substeps: int, solver: str) -> None:
        self.problem = problem
        self.model = m = mujoco.MjModel.from_xml_string(model(problem, problem.step / substeps, solver))
        # a flexcomp shares its mass equally among its vertices: the lumped masses of the mesh are set instead
        ids = np.concatenate([ids for ids, _ in problem.bodies])
        free = ~np.isin(ids, problem.held)
        self.ids, self.free = ids[free], m.flex_vertbodyid[free]
        m.body_mass[self.free] = problem.mass[self.ids]
        m.body_inertia[self.free] = 1e-6
        mujoco.mj_setConst(m, mujoco.MjData(m))
        self.data = mujoco.MjData(m)
        self.address = m.jnt_qposadr[m.body_jntadr[self.free]][:, None] + np.arange(3)
        self.speed = m.jnt_dofadr[m.body_jntadr[self.free]][:, None] + np.arange(3)
        self.data.qpos[self.address] = problem.start[self.ids] - problem.rest[self.ids]

    def advance(self) -> None:
        mujoco.mj_step(self.model, self.data)

    def state(self) -> tuple[np.ndarray, np.ndarray]:
        x, v = self.problem.start.copy(), np.zeros_like(self.problem.start)
        x[self.ids] = self.problem.rest[self.ids] + self.data.qpos[self.address]
        v[self.ids] = self.data.qvel[self.speed]
        return x, v


def discrete(solver: str) -> Method:
    return Method(lambda p, n: Flexes(p, n, solver), "stvk", (1, 2, 4, 8, 16, 32), note="one linearised solve per step")


METHODS = {"discrete, Newton": discrete("Newton"), "discrete, CG": discrete("CG")}

if __name__ == "__main__":
    main(METHODS)
