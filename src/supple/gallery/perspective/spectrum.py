"""The lowest thousand frequencies of a soft body, and the search for a spectral gap."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

import supple as sp
from supple.analysis.spectrum import spectrum
from supple.gallery.desk import Desk
from supple.gallery.drawing.curves import mark
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, at_least, at_most

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

COUNT = 1000
FEW = 10
"""Modes that hybrid methods treat by the exponential; a gap below this number would be of no use to them."""

GAP = 0.5
"""A jump that would count as a gap: the next frequency is 1.5 times as high, so a step could resolve one but not the other."""


@PANELS("A5")
class NoGap(Panel):
    title = "No gap among a thousand eigenvalues"
    claim = "The spectrum of a soft body rises smoothly. No gap separates slow modes from fast ones."
    setup = "bar of 3,430 tets held at one end (2,688 unknowns), E 1e5 Pa, nu 0.4; full: 17,280 tets"
    command = "supple analyse modes cantilever --count 1000"

    def study(self, desk: Desk) -> Iterable[Figure]:
        cells = desk.size((14, 7, 7), (24, 12, 12))
        values = np.array(desk.kept("eigenvalues", lambda: _eigenvalues(cells)))
        omega = np.sqrt(values)
        jumps = omega[1:] / omega[:-1] - 1.0

        def draw(canvas: Canvas) -> None:
            left, right = canvas.subplots(1, 2)
            left.semilogy(np.arange(1, COUNT + 1), values, color="#0072b2")
            left.set(xlabel="mode", ylabel="eigenvalue [1/s$^2$]", title="Eigenvalues")
            right.loglog(np.arange(1, COUNT), np.maximum(jumps, 1e-7), ".", markersize=3, color="#0072b2")
            right.set(
                xlabel="mode",
                ylabel="next frequency / this one - 1",
                title="Jumps between neighbours",
                ylim=(1e-6, 4.0),
            )
            mark(right, GAP, "a gap would be above this line")

        desk.plot(
            "spectrum",
            draw,
            "After the first few modes, the relative difference between neighbours keeps decreasing.",
            size=(8.4, 3.4),
            wide=True,
        )
        late = jumps[FEW:]
        yield Figure(f"largest relative frequency jump beyond mode {FEW}", float(late.max()), at_most(GAP))
        yield Figure("largest relative frequency jump beyond mode 100", float(jumps[100:].max()), at_most(GAP / 10))
        yield Figure("highest relative to lowest frequency", float(omega[-1] / omega[0]), at_least(40.0))
        yield Figure(f"largest relative frequency jump among the first {FEW} modes", float(jumps[:FEW].max()))
        yield Figure("median relative frequency jump", float(np.median(late)))


def _eigenvalues(cells: tuple[int, int, int]) -> list[float]:
    shape: Any = sp.Bar(cells=cells, size=(2.0, 1.0, 1.0))
    bar = sp.Body(shape, sp.StableNeoHookean.from_young(1e5, 0.4), pin=("left",))
    model = sp.assemble(sp.World([bar], gravity=0.0))
    found: list[float] = spectrum(model.system, model.mesh.vertices, COUNT).modes.values.tolist()
    return found
