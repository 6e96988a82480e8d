"""Draws docs/images/theory/index.svg: one time step, and the pages of the theory about its parts. Run by `make docs`.

python tools/draw_theory_map.py
"""

from __future__ import annotations

from draw_flows import Flow
from draw_layers import IMAGES as ALL

IMAGES = ALL / "theory"
BLUE, GREEN, YELLOW, GREY = "#dbe7f6", "#d9efe2", "#fbe9c8", "#e8e8e8"


def map_of_pages() -> str:
    """The step in grey, pages in colour."""
    system, state = "system: masses,\nenergies, constraints", "state x0, v0"
    stage, new = "stage: the minimum of Phi\n(Stages)", "state x1, v1"
    coarse, ledger = "coarse stiffness tensors\n(Numerical coarsening)", "energy ledger of the step\n(Energy ledger)"
    points, budget = "parts of a grid step\n(Ledger of material points)", "corrected x1, v1\n(Energy budget)"
    sweeps = "derivatives of all steps\n(Sensitivities)"
    return Flow(
        "A time step, and the pages about its parts",
        {
            coarse: (0, 0, YELLOW),
            system: (1, 0, GREY),
            state: (0, 1, GREY),
            stage: (1, 1, BLUE),
            new: (2, 1, GREY),
            sweeps: (1, 2, YELLOW),
            ledger: (2, 2, GREEN),
            points: (1, 3, GREEN),
            budget: (2, 3, GREEN),
        },
        (
            (coarse, system, ""),
            (system, stage, ""),
            (state, stage, ""),
            (stage, new, ""),
            (stage, sweeps, ""),
            (new, ledger, ""),
            (ledger, budget, ""),
            (points, ledger, ""),
        ),
        wide=210.0,
    ).drawn()


PICTURES = {"index.svg": map_of_pages}

if __name__ == "__main__":
    for name, drawn in PICTURES.items():
        (IMAGES / name).write_text(drawn(), encoding="utf-8")
