"""Inverse design: the shape at rest of a soft bar that hangs straight under its own weight.

A clamped bar that is cast straight sags by a third of its length. Which rest shape makes it hang straight? Four numbers describe
the shape: the rotation of its cross-sections along the bar, and a stretch. A fit finds them by the derivatives of the
equilibrium, which `quasi-static` computes in one step.
"""

from dataclasses import replace

import numpy as np

import supple as sp
from supple.types import Array

LENGTH = 0.8
BAR = sp.Bar(cells=(8, 2, 2), size=(LENGTH, 0.1, 0.1)).mesh()
DRAWN = BAR.vertices
TURNS = ("turn1", "turn2", "turn3")
FINE = np.linspace(0.0, 1.0, 401)


def cast(values: dict[str, float]) -> Array:
    """Rest positions: the cross-section at a part s of the length is turned by turn1 s + turn2 s^2 + turn3 s^3 [rad]."""
    angle = sum(values[name] * FINE ** (k + 1) for k, name in enumerate(TURNS))
    along = LENGTH * (1.0 + values["stretch"])
    slopes = np.stack([np.cos(angle), np.sin(angle)])
    line = along * np.concatenate(
        [np.zeros((2, 1)), np.cumsum(0.5 * (slopes[:, 1:] + slopes[:, :-1]), axis=1) / 400], axis=1
    )
    s, across = DRAWN[:, 0] / LENGTH, DRAWN[:, 1] - 0.05
    x, y, turned = (np.interp(s, FINE, row) for row in (*line, angle))
    return np.stack([x - across * np.sin(turned), 0.05 + y + across * np.cos(turned), DRAWN[:, 2]], axis=1)


def hanging(values: dict[str, float]) -> sp.Setup:
    """The bar in equilibrium, cast in a shape; its clamped end is as drawn."""
    body = sp.Body(
        replace(BAR, vertices=cast(values)), sp.StVK.from_young(1e6, 0.3), density=1000.0, pin="left", name="bar"
    )
    return sp.Setup(sp.World([body], gravity=(0, -9.81, 0)), sp.QuasiStatic(), 1.0, 1, 1.0, sp.SolverOptions())


def main() -> None:
    unknowns = [sp.Unknown(name, start=0.0, unit=0.1) for name in TURNS]
    fit = sp.Fit(hanging, [*unknowns, sp.Unknown("stretch", start=0.0, unit=0.01)], sp.pose(DRAWN))
    result = fit.solve()
    print(result)
    sags = [float(np.linalg.norm(end(values) - DRAWN, axis=1).max()) for values in (fit.starts, result.values)]
    print(f"largest distance from the drawing: cast straight {1e3 * sags[0]:.0f} mm, as found {1e3 * sags[1]:.1f} mm")
    assert sags[0] > 0.2
    assert sags[1] < 0.003


def end(values: dict[str, float]) -> Array:
    """Where the bar hangs."""
    setup = hanging(values)
    *_, frame = sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=setup.steps)
    return frame.state.x


if __name__ == "__main__":
    main()
