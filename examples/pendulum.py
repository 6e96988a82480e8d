"""A pendulum swings with four methods: W = 9.8 (1 - cos x), x the angle [rad], mass 1 kg on a rod of 1 m.

In the phase plane (x, v) the exact motion follows a closed curve of constant energy. Forward Euler spirals outwards until the
pendulum turns over, and backward Euler spirals inwards to rest. Symplectic Euler follows a slightly different closed curve. AVF
stays on the exact one.

    python examples/pendulum.py [PICTURE]
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.step import Integrator
from supple.dynamics.system import System, build_system
from supple.energies.term import EnergyTerm
from supple.integrators.explicit.runge_kutta import ForwardEuler
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.loop import simulate
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

G = 9.8
ANGLE = 2.0
"""Where it is let go [rad]."""
STEP, STEPS = 0.08, 250
METHODS: dict[str, Integrator] = {
    "forward-euler": ForwardEuler(),
    "backward-euler": BackwardEuler(),
    "symplectic-euler": SymplecticEuler(),
    "avf": AVF(),
}


class Swing(EnergyTerm):
    """W = G (1 - cos x) of the first coordinate of one vertex, an angle [rad]; the other two feel nothing."""

    def __init__(self) -> None:
        self.elements = np.zeros((1, 1), dtype=np.int32)

    def element_values(self, x: Array) -> Array:
        return G * (1.0 - np.cos(x[:, 0]))

    def element_gradients(self, x: Array) -> Array:
        gradients = np.zeros((1, 1, 3))
        gradients[0, 0, 0] = G * np.sin(x[0, 0])
        return gradients

    def element_hessians(self, x: Array) -> Array:
        hessians = np.zeros((1, 3, 3))
        hessians[0, 0, 0] = G * np.cos(x[0, 0])
        return hessians


def swing(system: System, method: Integrator, h: float, steps: int) -> tuple[Array, Array]:
    """Angles and their rates (steps + 1, 2), and total energies (steps + 1,) [J]."""
    start = State(0.0, np.array([[ANGLE, 0.0, 0.0]]), np.zeros((1, 3)))
    frames = list(simulate(system, method, start, h, steps))
    phase = np.array([(f.state.x[0, 0], f.state.v[0, 0]) for f in frames])
    return phase, np.array([f.ledger.energies.total for f in frames])


def draw(swings: dict[str, tuple[Array, Array]], picture: Path) -> None:
    """The phase plane of each method, and all energies below."""
    from supple.render.style import INK, dress, legend_below, new_figure, save, strokes

    figure = new_figure(8.0, 6.0, f"A pendulum, {STEPS} steps of {STEP} s")
    grid = figure.add_gridspec(2, 1, height_ratios=(4, 3))
    planes = grid[0].subgridspec(1, 4).subplots(sharey=True)
    level = figure.add_subplot(grid[1])
    looks = strokes(swings)
    for axes, (name, (phase, energies)) in zip(planes, swings.items(), strict=True):
        draw_phase(axes, name, phase, looks[name].colour)
        time = STEP * np.arange(len(energies))
        level.plot(time, energies / energies[0], color=looks[name].colour, linewidth=2.0, label=name)
    level.set(xlim=(0.0, STEP * STEPS), ylim=(0.0, 2.6))
    level.set_xlabel("time [s]", fontsize=12.5, color=INK)
    dress(level, "H / H(0) [-]")
    legend_below(figure, level, columns=4)
    save(figure, picture)


def draw_phase(axes: "Axes", name: str, phase: Array, colour: str) -> None:
    """Points of one method over the curve of equal energy; angles beyond a turn come in again on the other side."""
    from supple.render.style import INK, dress

    x = np.linspace(-ANGLE, ANGLE, 401)
    v = np.sqrt(np.maximum(2.0 * G * (np.cos(x) - np.cos(ANGLE)), 0.0))
    axes.plot(np.concatenate([x, x[::-1]]), np.concatenate([v, -v[::-1]]), color="#999999", linewidth=1.0)
    wrapped = (phase[:, 0] + np.pi) % (2.0 * np.pi) - np.pi
    axes.plot(wrapped, phase[:, 1], ".", color=colour, markersize=3.5)
    axes.set(xlim=(-np.pi, np.pi), ylim=(-9.5, 9.5), title=name)
    axes.set_xlabel("x [rad]", fontsize=12.5, color=INK)
    dress(axes, "v [rad/s]" if name == "forward-euler" else "")


def main(picture: Path | None = None) -> None:
    system = build_system(np.zeros((1, 3)), np.ones(1), [Swing()])
    swings = {name: swing(system, method, STEP, STEPS) for name, method in METHODS.items()}
    ratio = {name: energies / energies[0] for name, (_, energies) in swings.items()}
    for name, (phase, _) in swings.items():
        r = ratio[name]
        print(f"{name:>16}: energy {r.min():.4f} to {r.max():.4f} of the start, {r[-1]:.6f} at the end,", end=" ")
        print(f"farthest at {np.abs(phase[:, 0]).max():.3f} rad")
    assert 6.0 < ratio["forward-euler"][-1] < 6.1
    assert ratio["backward-euler"][-1] < 1e-6
    assert np.diff(ratio["backward-euler"]).max() < 1e-12
    off = ratio["symplectic-euler"]
    assert (round(off.min(), 3), round(off.max(), 3)) == (0.901, 1.111)
    assert abs(off[:100].mean() - off[-100:].mean()) < 5e-3  # no drift
    assert np.abs(ratio["avf"] - 1.0).max() < 1e-9
    if picture:
        draw(swings, picture)
        print(picture)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "pendulum-phase.png"))
