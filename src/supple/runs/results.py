"""A recorded run for Python users: arrays, figures, pictures, and files for other programs."""

from __future__ import annotations

import html
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from supple.checks import checked_call
from supple.errors import SuppleError
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.recording.playback import Singles, open_animation
from supple.runs.judge import Verdict, judge
from supple.runs.summary import summarise
from supple.scene.tables.setup import Setup
from supple.scene.text.load import load_scene
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from supple.render.shown import Clip, Still

LOG_LINES = 200
"""Largest number of lines of the log, from its end."""


class Run:
    """The folder of a run, finished or not.

    run = supple.open_run("beam")
    run.history["total"], run.positions, run.plot_energy(), run.show()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.folder = RunFolder.open(Path(path))

    @property
    def path(self) -> Path:
        return self.folder.path

    @property
    def status(self) -> RunStatus:
        """Status of the run."""
        return self.folder.status

    @cached_property
    def setup(self) -> Setup:
        """The world, method and steps of the run."""
        return load_scene(self.folder.scene).make()

    @property
    def history(self) -> dict[str, npt.NDArray[Any]]:
        """A row per step, the start included: `time`, `kinetic`, `total`, `residual`, ... in SI units."""
        return read_history(self.folder.history)

    @property
    def times(self) -> Array:
        """(f,) film times of the recorded frames [s], equal to simulated times unless `time.speed` is set."""
        with open_animation(self.folder.animation) as animation:
            return np.array(animation.times)

    @property
    def simulated_times(self) -> Array:
        """(f,) simulated times of the recorded frames [s], to which `history` refers."""
        with open_animation(self.folder.animation) as animation:
            return animation.simulated

    @property
    def positions(self) -> Singles:
        """(f, n, 3) positions of all vertices in every recorded frame [m]."""
        return self._frames("Points")

    @property
    def velocities(self) -> Singles:
        """(f, n, 3) velocities of all vertices in every recorded frame [m/s]."""
        return self._frames("PointData/velocity")

    def _frames(self, field: str) -> Singles:
        with open_animation(self.folder.animation) as animation:
            return np.stack([animation.field(field, k) for k in range(len(animation))])

    @property
    def summary(self) -> dict[str, Any]:
        """Counts, energies and drift."""
        return summarise(self.folder)

    @property
    def verdicts(self) -> list[Verdict]:
        """Expectations of the scene with the figures of the run."""
        return judge(self.path)

    @property
    def log(self) -> list[str]:
        """Notes on choices, repairs and events of the run."""
        return (
            self.folder.log.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
            if self.folder.log.is_file()
            else []
        )

    def plot_energy(self) -> Figure:
        """Energies over time, and the energy created or lost by the numerics."""
        from supple.render.plots.energy import energy_figure

        return energy_figure(self.history, self._name)

    def picture(self, t: float | None = None, **options: Any) -> Still:
        """The bodies at a time [s], or at the end; options: size, renderer, camera, look, colour, captions."""
        from supple.render.shown import still

        return still(self.path, t, **options)

    def film(self, fps: float = 12.5, **options: Any) -> Clip:
        """The motion at `fps` frames per second; options: size, renderer, camera, look, colour, captions, turntable
        (seconds per revolution), workers (drawing processes)."""
        from supple.render.shown import clip

        return clip(self.path, fps, **options)

    def show(self, fps: float = 12.5, **options: Any) -> Clip | Still:
        """The film in a notebook; a picture if there is only one frame."""
        return self.film(fps, **options) if len(self.times) > 1 else self.picture(**options)

    def loop(
        self,
        out: str | os.PathLike[str],
        *,
        shortest: float | None = None,
        longest: float | None = None,
        window: float | None = None,
        start: float | None = None,
        stop: float | None = None,
        blend_only: bool = False,
        overwrite: bool = False,
    ) -> Run:
        """A section that repeats without a seam, as a separate folder: see `supple loop`. Lengths and times [s]."""
        from supple.runs.loops.loop import Wish, make_loop

        make_loop(self.path, Path(out), Wish(shortest, longest, window, start, stop, blend_only), overwrite)
        return Run(out)

    @property
    def _name(self) -> str:
        return self.path.name

    def __repr__(self) -> str:
        try:
            figures = self.summary
        except SuppleError:
            return f"Run({str(self.path)!r}): {self.status.value}"
        return (
            f"Run({str(self.path)!r}): {self.status.value}, {figures['steps']} steps, {figures['time']:.4g} s, "
            f"energy residual {figures['residual']:+.2e} J"
        )

    def _repr_png_(self) -> bytes:
        return self.picture().png

    def _repr_html_(self) -> str:
        """A picture of the end, the energy curve, and the ledger's last line."""
        import base64
        import io

        figure = io.BytesIO()
        self.plot_energy().savefig(figure, format="png", dpi=80)
        pictures = [self.picture().png, figure.getvalue()]
        images = "".join(f'<img src="data:image/png;base64,{base64.b64encode(p).decode()}">' for p in pictures)
        last = {key: values[-1] for key, values in self.history.items()}
        shown = ("time", "kinetic", "elastic", "gravity", "total", "dissipated", "external_work", "residual")
        head = "".join(f"<th>{key}</th>" for key in shown)
        row = "".join(f"<td>{last[key]:.6g}</td>" for key in shown)
        return f"<p>{html.escape(repr(self))}</p>{images}<table><tr>{head}</tr><tr>{row}</tr></table>"


@checked_call
def open_run(path: str | os.PathLike[str]) -> Run:
    """The run in a folder."""
    return Run(path)
