"""Draws docs/images/adaptive-pendulum.png: a pendulum whose steps follow three rules, naively and reversibly.

python tools/draw_adaptive.py
"""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import numpy as np
from drawn_runs import labelled, plot, save, titled

from supple.adaptive.naive import AdaptiveNaive
from supple.adaptive.reversible import AdaptiveReversible
from supple.loop import simulate
from supple.render import style

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "adaptive")]

STEPS = 1500


def main() -> None:
    from swinging import RULES, base_step, pendulum

    figure = style.new_figure(9.5, 4.0, "Pendulum: energy error of naive and of reversible step control")
    axes = figure.subplots(1, 3, sharey=True)
    for axis, (name, rule) in zip(axes, RULES.items(), strict=True):
        for method, colour in ((AdaptiveNaive, "#d55e00"), (AdaptiveReversible, "#0072b2")):
            system, start = pendulum()
            frames = islice(simulate(system, method(rule), start, base_step(rule), 10**9), STEPS + 1)
            E = np.array([frame.ledger.energies.total for frame in frames])
            line = {"color": colour, "linestyle": "solid", "linewidth": 1.0}
            plot(axis, method.name, range(len(E)), 1e3 * (E / E[0] - 1), **line)
        labelled(axis, "step", "E/E0 - 1  [1e-3]" if axis is axes[0] else "")
        titled(axis, f"rule {name}")
    style.legend_below(figure, axes[0], columns=2)
    save(figure, ROOT / "docs" / "images" / "adaptive-pendulum.png")


if __name__ == "__main__":
    main()
