"""A throw: velocity and spin of a soft bar whose centre and right end arrive at two points after a second of flight."""

from pathlib import Path

import numpy as np

import supple as sp

SCENE = Path(__file__).parent.parent / "scenes" / "fit-throw.toml"
CENTRE, TIP = (2.0, 1.0, 0.5), (2.2, 1.2, 0.4)


def main() -> None:
    loss = sp.hit("all", CENTRE) + sp.hit("right", TIP)
    result = sp.Fit(SCENE, ["body[0].initial.velocity", "body[0].initial.spin"], loss).solve(5)
    print(result)

    setup = sp.load(SCENE, [f"{key}={value!r}" for key, value in result.values.items()])
    model = setup.assemble()
    *_, last = sp.simulate(model, setup.method, h=setup.h, steps=setup.steps)
    ends = {"centre": (last.state.x, CENTRE), "end": (last.state.x[model.mesh.group("right")], TIP)}
    misses = {name: float(np.linalg.norm(x.mean(axis=0) - aim)) for name, (x, aim) in ends.items()}
    print(", ".join(f"the {name} misses by {1e3 * miss:.2f} mm" for name, miss in misses.items()))
    assert max(misses.values()) < 1e-3


if __name__ == "__main__":
    main()
