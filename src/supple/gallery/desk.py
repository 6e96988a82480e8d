"""The desk of a panel: runs, results and pictures in a folder, from which a killed study continues.

A killed study restarts from its first line. Results on the desk are not recomputed: finished runs are opened,
unfinished ones resume from their last checkpoint, and stored results are read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from supple.errors import RecordError, StepFailed, SuppleError
from supple.gallery.drawing.films import write_clip
from supple.gallery.drawing.strips import write_strip
from supple.gallery.drawing.themes import write_plot
from supple.integrators.method import Method
from supple.model.world import World
from supple.recording.files import replace_bytes
from supple.recording.folder import RunFolder, RunStatus
from supple.runs.mesh_files import with_mesh_files
from supple.runs.results import Run
from supple.runs.run import resume_run, start_run
from supple.runs.running import Source, as_scene, carried_out
from supple.scene.tables.scene import Scene
from supple.solvers.options import SolverOptions
from supple.types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

T = TypeVar("T")


@dataclass(frozen=True)
class Picture:
    """A file in the folder of a panel: a plot in two themes, a strip of pictures, or a film."""

    name: str
    kind: str
    """plot, strip or film."""
    caption: str
    wide: bool = False
    """Whether it takes the whole width of the page."""

    @property
    def files(self) -> tuple[str, ...]:
        return {
            "plot": (f"{self.name}.svg", f"{self.name}-dark.svg", f"{self.name}.png"),
            "strip": (f"{self.name}.png",),
            "film": (f"{self.name}.mp4", f"{self.name}.png"),
        }[self.kind]

    @property
    def still(self) -> str:
        """The PNG that represents it where plots and films cannot be shown."""
        return f"{self.name}.png"


@dataclass
class Desk:
    """Working folder of a study."""

    folder: Path
    full: bool = False
    """Whether to use the sizes of the source instead of small ones."""
    pictures: list[Picture] = field(default_factory=list)

    def size(self, quick: T, full: T) -> T:
        """The selected theme."""
        return full if self.full else quick

    def run(
        self,
        name: str,
        source: Source,
        method: Method | None = None,
        *,
        h: float | None = None,
        steps: int | None = None,
        settings: Sequence[str] = (),
        solver: SolverOptions | None = None,
    ) -> Run:
        """A run in a folder of the desk: a world with method, h and steps, or a scene by its name, and `settings` as for
        `supple run --set`. A run that ends in an error is returned up to its last frame; see its `status`."""
        place = self.folder / "runs" / name
        status = None
        with suppress(RecordError):
            status = RunFolder.open(place).status
        if status in {RunStatus.FINISHED, RunStatus.FAILED}:
            return Run(place)
        job = None
        if status is not None:
            with suppress(RecordError):  # killed before its first checkpoint
                job = resume_run(place)
        if job is None:
            job = start_run(self._scene(place, source, method, h, steps, settings, solver), place, overwrite=True)
        try:
            return carried_out(job, progress=False)
        except StepFailed:  # divergence is a result
            return Run(place)

    def kept(self, name: str, compute: Callable[[], T]) -> T:
        """The cached result of a function: numbers, texts, lists and dictionaries of them."""
        file = self.folder / f"{name}.json"
        if file.exists():
            return cast("T", json.loads(file.read_text(encoding="utf-8")))
        found = compute()
        replace_bytes(file, json.dumps(found).encode())
        return found

    def plot(
        self,
        name: str,
        draw: Callable[[Canvas], None],
        caption: str,
        *,
        size: tuple[float, float] = (6.4, 3.6),
        wide: bool = False,
    ) -> None:
        """A matplotlib figure, `size` in inches, drawn for light and dark mode."""
        write_plot(self.folder / name, draw, size)
        self._show(Picture(name, "plot", caption, wide))

    def strip(
        self,
        name: str,
        runs: Mapping[str, Run],
        times: Sequence[float] | Array,
        caption: str,
        *,
        size: tuple[int, int] = (300, 225),
        camera: str = "iso",
        colour: str = "none",
        wide: bool = True,
    ) -> None:
        """Pictures of runs: a labelled row per run, a column per time; a single run is one row."""
        write_strip(self.folder / f"{name}.png", runs, [float(t) for t in times], size, camera, colour)
        self._show(Picture(name, "strip", caption, wide))

    def film(
        self,
        name: str,
        runs: Mapping[str, Run],
        caption: str,
        *,
        size: tuple[int, int] = (640, 360),
        camera: str = "iso",
        colour: str = "none",
        slow: float = 1.0,
        wide: bool = False,
    ) -> None:
        """A small film of runs side by side, and its middle frame as a still."""
        write_clip(self.folder / f"{name}.mp4", runs, size, camera, colour, slow)
        self._show(Picture(name, "film", caption, wide))

    def _show(self, picture: Picture) -> None:
        if picture.name in {other.name for other in self.pictures}:
            raise SuppleError(f"two pictures of a panel are called {picture.name!r}")
        self.pictures.append(picture)

    def _scene(
        self,
        place: Path,
        source: Source,
        method: Method | None,
        h: float | None,
        steps: int | None,
        settings: Sequence[str],
        solver: SolverOptions | None,
    ) -> Scene:
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, World):
            source = with_mesh_files(source, place.with_name(f"{place.name}-meshes"))
        return as_scene(source, method, h, steps, solver, settings=settings)
