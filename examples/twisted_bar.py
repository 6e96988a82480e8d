"""A twisted bar let go at 30 steps a second: AVF keeps its energy, backward Euler eats it.

The scene comes from a file, the loop is ours, and nothing is written to disk.
"""

import supple
from supple.loop import simulate

STEPS = 30


def energies(integrator: str) -> list[float]:
    """H / H(0) after each step."""
    scene = supple.load_scene("twisting-bar", [f"integrator.name={integrator}"])
    shot = scene.make()
    body, method = shot.assemble(), shot.method
    total = [f.ledger.energies.total for f in simulate(body.system, method, body.state, scene.time.step, STEPS)]
    return [H / total[0] for H in total]


def main() -> None:
    avf, euler = energies("avf"), energies("backward-euler")
    print(f"{'step':>4} {'AVF: H/H0 - 1':>14} {'backward Euler: H/H0':>21}")
    for k in (1, 2, 5, 10, 30):
        print(f"{k:>4} {avf[k] - 1:>14.1e} {euler[k]:>21.5f}")
    assert max(abs(H - 1) for H in avf) < 1e-11
    assert abs(euler[1] - 0.66631) < 1e-4
    assert abs(euler[10] - 0.0291) < 1e-4


if __name__ == "__main__":
    main()
