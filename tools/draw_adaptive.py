"""Draws docs/images/adaptive-pendulum.png: a pendulum whose steps follow three rules, naively and reversibly.

python tools/draw_adaptive.py
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.loop import simulate

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "adaptive")]

STEPS = 1500


def main() -> None:
    from swinging import RULES, base_step, pendulum

    figure, axes = plt.subplots(1, 3, figsize=(9.5, 2.8), sharey=True, layout="constrained")
    for axis, (name, rule) in zip(axes, RULES.items(), strict=True):
        for method, colour in ((AdaptiveNaive, "#d55e00"), (AdaptiveReversible, "#0072b2")):
            system, start = pendulum()
            frames = islice(simulate(system, method(rule), start, base_step(rule), 10**9), STEPS + 1)
            E = np.array([frame.ledger.energies.total for frame in frames])
            axis.plot(E / E[0] - 1, color=colour, linewidth=0.8, label=method.name)
        axis.set(title=f"rule {name}", xlabel="step")
    axes[0].set_ylabel("E/E0 - 1")
    axes[0].legend(fontsize=8)
    figure.savefig(ROOT / "docs" / "images" / "adaptive-pendulum.png", dpi=90)


if __name__ == "__main__":
    main()
