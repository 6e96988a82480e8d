"""Stiffness and viscosity of a swinging bar from the motion of its tip, and their bias by the method.

The target is a fine solution (SDIRK, 1/960 s) of a bar of 2 MPa and 1500 Pa s. AVF at one step per frame finds both, its
error in the stiffness is known and taken off. Backward Euler damps by itself, so that no viscosity is left for the bar.
"""

from pathlib import Path

import supple as sp

SCENES = Path(__file__).parent.parent / "scenes"
UNKNOWNS = ["body[0].material.young:log", "damping[0].shear:log:1,1e6"]
YOUNG, SHEAR = 2e6, 1500.0


def fitted(*settings: str) -> sp.FitResult:
    tip = sp.follow("right", SCENES / "fit-cantilever.csv")
    return sp.Fit(SCENES / "fit-cantilever.toml", UNKNOWNS, tip, settings=settings).solve(5)


def main() -> None:
    conserving = fitted()
    print(conserving)
    young, shear = conserving.table
    assert abs(young.value / YOUNG - 1.0) < 0.02
    assert young.corrected is not None
    assert abs(young.corrected / YOUNG - 1.0) < 0.004
    assert abs(shear.value / SHEAR - 1.0) < 0.05
    assert conserving.rms is not None
    assert conserving.rms < 1.3e-3

    damping = fitted("integrator.name=backward-euler", "time.step=1/30")
    print(damping)
    assert damping.values["damping[0].shear"] < 0.01 * SHEAR
    assert any("has numerical damping" in note for note in damping.notes)


if __name__ == "__main__":
    main()
