"""A twisted bar let go at 30 steps per second: AVF keeps its energy, backward Euler dissipates it.

The scene is read from a file, the script runs the loop, and nothing is written to disk.
"""

import supple as sp

STEPS = 30


def energies(integrator: str) -> list[float]:
    """H / H(0) after each step."""
    setup = sp.load("twisting-bar", [f"integrator.name={integrator}"])
    frames = sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=STEPS)
    total = [frame.ledger.energies.total for frame in frames]
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
