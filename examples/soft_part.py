"""Stiffness along a bar: where is it soft? Eight sections from the motion of all vertices, with noise of 0.1 mm.

Two sections of 0.5 MPa lie between others of 2 MPa; all start at 1.2 MPa. Sections near the free end hardly bend, so that
the data alone do not fix them: a prior keeps neighbours alike, but for jumps.
"""

from pathlib import Path

import numpy as np

import supple as sp

SCENES = Path(__file__).parent.parent / "scenes"
KEYS = [f"body[0].regions[0].layers.materials[{k}].young" for k in range(8)]
TRUE = np.array([2e6, 2e6, 2e6, 5e5, 5e5, 2e6, 2e6, 2e6])
START = 1.2e6


def main() -> None:
    motion = sp.follow("all", SCENES / "fit-soft-part.npz")
    unknowns = [sp.Unknown(key, "log", (1e4, 1e8)) for key in KEYS]
    fit = sp.Fit(SCENES / "fit-soft-part.toml", unknowns, motion + 3e-7 * sp.roughness(*KEYS))
    result = fit.solve(8, horizons=(0.5, 1.0))
    print(result)
    found = np.array([result.values[key] for key in KEYS])
    print("found over true:", " ".join(f"{ratio:.2f}" for ratio in found / TRUE))
    assert (np.abs(np.log(found / TRUE)) < np.abs(np.log(START / TRUE))).all()  # every section is better than the start
    assert np.abs(np.log(found / TRUE)).max() < 0.2
    assert result.rms is not None
    assert result.rms < 1e-3


if __name__ == "__main__":
    main()
