"""XPBD with more and more iterations: one step of a small cloth and of a bar, compared with the same step of backward Euler.

The published update keeps contributions of earlier iterations along outdated directions, so its error stagnates. `xpbd` removes
them and converges to the last digit. `python examples/xpbd_convergence.py picture.png` draws it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import StVKSprings
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.position_based.xpbd import XPBD
from supple.linalg.colouring import colour_elements
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth
from supple.solvers.options import SolverOptions
from supple.solvers.tools import StepTools
from supple.types import Array

STEP = 1 / 60
ITERATIONS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
G = np.array([0.0, -9.8, 0.0])


def _held(mesh: Mesh) -> Motion:
    left = mesh.group("left")
    return Motion((Prescribed(left, mesh.vertices[left], Hold()),))


def cloth() -> tuple[System, State]:
    """A square metre of 1 kg, held at one side, that flies up and is stretched by a fifth."""
    mesh = Cloth(cells=(10, 10)).mesh()
    X, mass = mesh.vertices, np.full(mesh.n, 1.0 / mesh.n)
    system = build_system(X, mass, [StVKSprings(X, mesh.edges, 2000.0), Gravity(mass, G)], _held(mesh))
    v = np.zeros_like(X)
    v[:, 1] = 4.0 * X[:, 0] ** 2
    return system, State(0.0, X * [1.2, 1.0, 1.0], v)


def bar() -> tuple[System, State]:
    """A bar of St. Venant-Kirchhoff, held at one end and twisted by half a turn."""
    mesh = Bar(cells=(8, 2, 2), size=(4.0, 1.0, 1.0)).mesh()
    X, turn = mesh.vertices, np.pi * mesh.vertices[:, 0] / 4
    c, s, y, z = np.cos(turn), np.sin(turn), X[:, 1] - 0.5, X[:, 2] - 0.5
    x = np.stack([X[:, 0], 0.5 + c * y - s * z, 0.5 + s * y + c * z], axis=1)
    system = build_system(X, np.full(mesh.n, 1.0 / mesh.n), [Solid(X, mesh.tets, StVK(100.0, 50.0))], _held(mesh))
    return system, State(0.0, x, np.zeros_like(x))


def one_step(system: System, state: State, method: XPBD | BackwardEuler) -> Array:
    tools = StepTools(system, SolverOptions(tolerance=1e-14))
    *_, last = simulate(system, method, state, STEP, 1, tools)
    return last.state.x


def published(system: System, state: State) -> list[Array]:
    """One step of the cloth by the update of Macklin et al. (2016), with its multipliers: after each number of iterations."""
    springs = system.potential.terms[0]
    assert isinstance(springs, StVKSprings)
    w = np.zeros((system.n, 1))
    w[system.free, 0] = 1.0 / system.mass[system.free]
    x = system.motion.place(state.x + STEP * state.v + STEP**2 * (w > 0.0) * G, STEP)
    lam, a = np.zeros(len(springs.elements)), 1.0 / (springs.stiffness * STEP**2)
    colours = colour_elements(springs.elements)
    found = []
    for iteration in range(1, ITERATIONS[-1] + 1):
        for e in np.split(colours.order, colours.start[1:-1]):
            i, j = springs.elements[e].T
            d = x[j] - x[i]
            s = np.einsum("mi,mi->m", d, d)
            C, weight = s - springs.rest_length[e] ** 2, 4.0 * s * (w[i, 0] + w[j, 0])
            dlam = (-C - a[e] * lam[e]) / (weight + a[e])
            lam[e] += dlam
            x[j] += w[j] * 2.0 * d * dlam[:, None]
            x[i] -= w[i] * 2.0 * d * dlam[:, None]
        if iteration in ITERATIONS:
            found.append(x.copy())
    return found


def errors() -> dict[str, Array]:
    """Largest distance from backward Euler for each number of iterations, relative to the motion."""
    found = {}
    for name, (system, state) in (("cloth", cloth()), ("bar", bar())):
        wanted = one_step(system, state, BackwardEuler())
        size = np.abs(wanted - state.x).max()
        ends = {f"{name}, xpbd": [one_step(system, state, XPBD(1, count)) for count in ITERATIONS]}
        if name == "cloth":
            ends["cloth, published"] = published(system, state)
        found |= {key: np.array([np.abs(x - wanted).max() / size for x in xs]) for key, xs in ends.items()}
    return found


def draw(found: dict[str, Array], path: Path) -> None:
    from supple.render.style import dress, legend_below, new_figure, save

    figure = new_figure(8.0, 4.6, "XPBD: distance from backward Euler after one step")
    axes = figure.subplots()
    for (name, error), colour in zip(found.items(), ("#b05080", "#777777", "#0072b2"), strict=True):
        axes.loglog(ITERATIONS, error, marker="o", markersize=4, color=colour, label=name)
    axes.set_xlabel("iterations", fontsize=12.5)
    dress(axes, "largest distance over largest way")
    legend_below(figure, axes, 3)
    save(figure, path)


def main(picture: Path | None = None) -> None:
    found = errors()
    for name, error in found.items():
        print(f"{name:17s}", "  ".join(f"{e:.1e}" for e in error))
    assert found["cloth, xpbd"][-1] <= 1e-10
    assert found["bar, xpbd"][-1] <= 1e-10
    assert found["cloth, published"][-1] > 1e-4
    assert abs(found["cloth, xpbd"][0] - found["cloth, published"][0]) <= 1e-12  # one iteration is the same
    if picture:
        draw(found, picture)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
