"""Control: the motion of a foot after which the head of a soft column stands still.

Moved at a constant speed for 0.8 s the column swings by 12 cm when its foot stops. Three keyframes between, which may go
back and forth, are found so that the head is at its place, at rest, from then on.
"""

import tomllib
from pathlib import Path

import numpy as np

import supple as sp
from supple.types import Array

SCENES = Path(__file__).parent.parent / "scenes"
SCENE = SCENES / "fit-carry.toml"
KEYS = [f"body[0].motion[0].keyframes[{k}].offset[0]" for k in (1, 2, 3)]
PLACE, STILL = (0.55, 0.6, 0.05), (0.0, 0.0, 0.0)
ARRIVED = 0.8


def head(setup: sp.Setup) -> Array:
    """(f, 2) time and place of the head along the way [s, m]."""
    model = setup.assemble()
    top = model.mesh.group("top")
    frames = sp.simulate(model, setup.method, h=setup.h, steps=setup.steps)
    return np.array([(frame.state.t, frame.state.x[top, 0].mean()) for frame in frames])


def swing(path: Array) -> float:
    """Range of the head after the foot has stopped [m]."""
    return float(np.ptp(path[path[:, 0] >= ARRIVED - 1e-9, 1]))


def main() -> None:
    loss = sp.hit("top", PLACE, at=1.0, velocity=STILL)
    for t in (0.9, 1.2, 1.5):
        loss += sp.hit("top", PLACE, at=t, velocity=STILL)
    result = sp.Fit(SCENE, [sp.Unknown(key, bounds=(-1, 1), unit=0.05) for key in KEYS], loss).solve(5)
    print(result)
    assert result.scene is not None
    settings = [f"{key}={value!r}" for key, value in result.values.items()]
    before, after = swing(head(sp.load(SCENE))), swing(head(sp.load(SCENE, settings)))
    print(f"after the stop the head swings by {1e3 * before:.0f} mm at constant speed, {1e3 * after:.1f} mm as found")
    assert tomllib.loads(result.scene)["body"][0]["motion"][0]["keyframes"][4]["offset"] == [0.5, 0.0, 0.0]
    assert before > 0.1
    assert after < 0.006


if __name__ == "__main__":
    main()
