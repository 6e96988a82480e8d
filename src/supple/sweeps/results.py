"""A sweep as Python users see it: its table, its runs, and a figure."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.checks import checked_call
from supple.errors import SuppleWarning
from supple.integrators.method import Method
from supple.model.world import World
from supple.recording.files import free_path
from supple.runs.mesh_files import with_mesh_files
from supple.runs.results import Run
from supple.runs.running import Source, as_scene
from supple.sweeps.axes import make_axis
from supple.sweeps.campaign import Campaign, new_sweep, open_campaign
from supple.sweeps.designs import Sampling, make_design
from supple.sweeps.farm import open_farm
from supple.sweeps.manifest import Manifest, State
from supple.sweeps.measures import make_measures
from supple.sweeps.plan import Base, Plan
from supple.sweeps.sensitivities.influence import Sensitivity
from supple.sweeps.sensitivity import sensitivity_of
from supple.sweeps.show import shown
from supple.sweeps.table import columns_of, write_tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Measured = Sequence[str] | Mapping[str, str | Callable[[Run], Any]]


class Sweep:
    """The folder of a sweep, finished or not.

    found = supple.sweep("cantilever", vary={"body.0.material.young": [1e5, 1e6]}, measure={"drift": "total@drift"})
    found.table, found.runs, found.plot()
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._manifest = Manifest.read(Path(path))

    @property
    def path(self) -> Path:
        return self._manifest.folder

    @property
    def columns(self) -> dict[str, list[Any]]:
        """A list per column: the values, the measures, and the state of each run."""
        return columns_of(self._manifest.rows, list(self._manifest.plan["measures"]))

    @property
    def table(self) -> Any:
        """`columns` as a pandas DataFrame, where pandas is installed."""
        if importlib.util.find_spec("pandas") is None:
            return self.columns
        import pandas

        return pandas.DataFrame(self.columns).set_index("run")

    @property
    def runs(self) -> list[Run | None]:
        """The runs by number; None for those that failed or have not begun."""
        rows = self._manifest.rows
        return [Run(self.path / row.folder) if row.state is State.FINISHED else None for row in rows]

    def sheet(
        self, path: str | os.PathLike[str], columns: str | None = None, rows: str | None = None, **options: Any
    ) -> Path:
        """A contact sheet as a picture (.png) or as a film (.mp4, .gif): a cell per run, all at the same moment, with one
        camera and one colour scale. columns, rows: keys whose values are the headings; without them runs are in order,
        each with its values below. Options as in `supple render`: time, fps, slow, size of a cell, camera, colour,
        colour_top, renderer, workers, scheduler, overwrite."""
        from supple.sweeps.pictures.sheets import write_sheet

        write_sheet(self._manifest, Path(path), columns, rows, **options)
        return Path(path)

    @property
    def errors(self) -> dict[int, str]:
        """Errors by run number."""
        return {row.index: row.error for row in self._manifest.rows if row.error}

    def plot(self) -> Figure:
        """Each measure against each varied key."""
        from supple.sweeps.figure import plot_sweep

        return plot_sweep(self._manifest)

    def sensitivity(self) -> Sensitivity:
        """Sensitivity of each measure to each key: Sobol's indices of a sweep sampled with "saltelli", a regression of any
        other one."""
        return sensitivity_of(self._manifest.rows, self._manifest.plan)

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {state}" for state, count in self._manifest.counts().items() if count)
        return f"Sweep({str(self.path)!r}): {len(self._manifest.rows)} runs, {counts}"

    def report(self, path: str | os.PathLike[str] | None = None, *, pages: bool = False, progress: bool = True) -> Path:
        """Write one HTML page about all runs, by default report.html in the folder of the sweep, replacing an older
        one; returns its path. pages: also write the page of each run, and link them."""
        from rich.console import Console

        from supple.sweeps.report.writing import write_pages

        file = self.path / "report.html" if path is None else Path(path)
        # read again: the sweep may have progressed since this object was created
        manifest = Manifest.read(self.path)
        for problem in write_pages(manifest, file, pages=pages, console=Console() if progress else None):
            warnings.warn(f"no page for {problem}", SuppleWarning, stacklevel=2)
        return file


@checked_call
def sweep(
    source: Source,
    vary: Mapping[str, Any],
    measure: Measured | None = None,
    *,
    method: Method | None = None,
    h: float | None = None,
    steps: int | None = None,
    together: bool = False,
    sample: int | None = None,
    sampling: Sampling | None = None,
    seed: int | None = None,
    workers: int | None = None,
    threads: int = 1,
    scheduler: str | None = None,
    collect: bool = False,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    yes: bool = False,
    progress: bool = True,
) -> Sweep:
    """Run a world or a scene once for each combination of values, on all cores or on a Dask cluster.

        found = supple.sweep(world, {"body.0.material.young": "1e4:1e6:5:log"}, h=1 / 60, steps=60)

    vary: by the key of the scene (as in `supple run --set`) a list of values, or a range as text. together: pair values
    by position instead of forming all combinations. sample: number of points from the ranges,
    `sampling` "latin" (default), "sobol" or "saltelli". measure: expressions of recorded data, or functions of a `Run`,
    by name.
    workers: processes on this machine, which do not import the main script. scheduler: the address of a running cluster;
    collect: fetch runs from workers that share no folder with this machine. yes: confirm more than 10,000 runs. Ctrl-C
    leaves a folder that `resume_sweep` can continue.
    """
    folder = Path(out) if out else free_path(Path("runs"), "sweep")
    design = make_design(together, sample, sampling, seed)
    axes = tuple(make_axis(key, given) for key, given in vary.items())
    measures = make_measures(measure)
    with tempfile.TemporaryDirectory() as meshes:
        plan = Plan(_base(source, method, h, steps, Path(meshes)), axes, design, measures, steps, threads)
        for _ in plan.check(yes):
            pass
        new_sweep(plan, folder, overwrite)
    # from here on with the stored files of the sweep: meshes in memory were written only for it
    return _gone(open_campaign(folder, measures), workers, scheduler, progress, collecting=collect)


def _base(source: Source, method: Method | None, h: float | None, steps: int | None, meshes: Path) -> Base:
    if isinstance(source, str | os.PathLike) and method is None and h is None:
        return Base.of_file(source if isinstance(source, str) else Path(source))
    if isinstance(source, World):
        source = with_mesh_files(source, meshes)
    return Base.of_scene(as_scene(source, method, h, steps))


@checked_call
def resume_sweep(
    out: str | os.PathLike[str],
    *,
    measure: Measured | None = None,
    retry_failed: bool = False,
    workers: int | None = None,
    scheduler: str | None = None,
    collect: bool = False,
    progress: bool = True,
) -> Sweep:
    """Continue an interrupted sweep: finished runs stay, killed ones resume from their checkpoints.

    measure: required again if it contains functions, which a manifest cannot store. retry_failed: repeat failed runs.
    """
    campaign = open_campaign(Path(out), None if measure is None else make_measures(measure))
    return _gone(campaign, workers, scheduler, progress, retry_failed, collect)


def _gone(
    campaign: Campaign,
    workers: int | None,
    scheduler: str | None,
    progress: bool,
    again: bool = False,
    collecting: bool = False,
) -> Sweep:
    if campaign.left(again):
        with open_farm(workers, campaign.plan.threads, scheduler) as farm, shown(campaign, farm, progress) as told:
            campaign.go(farm, told, again, collecting)
    found = Sweep(campaign.folder)
    write_tables(found.path, found.columns)
    return found
