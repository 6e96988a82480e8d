"""A sweep from its plan to its table: folders, workers, manifest."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from supple.errors import RecordError
from supple.recording.files import demand_place, make_folder
from supple.recording.folder import RunFolder, lock_folder
from supple.sweeps.cluster.load import Load, Reports
from supple.sweeps.cluster.sight import check_workers, leave_mark
from supple.sweeps.comparing.alone import Alone
from supple.sweeps.drive import Drive
from supple.sweeps.farm import Farm
from supple.sweeps.kept import read_plan
from supple.sweeps.manifest import NAME, Manifest, Row, State
from supple.sweeps.measures import Measure
from supple.sweeps.parcel import FILES, unpack
from supple.sweeps.plan import Plan
from supple.sweeps.site import Site
from supple.sweeps.task import Outcome, Task

RUNS = "runs"
_UNFIT = re.compile(r"[/\\]")
"""Characters not allowed in folder names."""
Told = Callable[[Row], None]
"""Callback for a row whose state has changed."""


@dataclass
class Campaign:
    """A sweep in a folder, ready to continue."""

    plan: Plan
    manifest: Manifest

    @property
    def folder(self) -> Path:
        return self.manifest.folder

    def left(self, again: bool = False) -> list[int]:
        """Unfinished runs; with `again` also failed ones."""
        done = {State.FINISHED} if again else {State.FINISHED, State.FAILED}
        return [row.index for row in self.manifest.rows if row.state not in done]

    def go(self, farm: Farm | Alone, told: Told, again: bool = False, collecting: bool = False) -> None:
        """Compute the remaining runs; `collecting` from the disks of workers that share no folder with this machine. The manifest
        is written at the end in any case."""
        with writing(self.folder):
            load = Load(
                self._site(farm, collecting), self.plan.measures, lambda name: (self.folder / FILES / name).read_bytes()
            )
            drive = Drive(farm, load) if isinstance(farm, Farm) else farm.takes(load)
            left, reports = self.left(again), self._reports(told)
            try:
                drive.warm(list(self._rehearsals(left)))
                with closing(drive.outcomes((self._task(index, again) for index in left), reports)) as outcomes:
                    for outcome in outcomes:
                        told(self.manifest.change(outcome.index, **_changes(outcome)))
            finally:
                self._set_back()
                self.manifest.write()

    def _site(self, farm: Farm | Alone, collecting: bool) -> Site:
        """The site where workers compute; refused if unusable."""
        root, name = str(self.folder.resolve()), uuid4().hex[:12]
        site = Site(root, token=name) if collecting else Site(root, mark=name)
        if site.shared:
            leave_mark(self.folder, name)
        if isinstance(farm, Farm) and not farm.local:
            check_workers(farm.client, farm.one_per_host(), root, site.mark)
        return site

    def _reports(self, told: Told) -> Reports:
        def begun(task: Task) -> None:
            told(self.manifest.change(task.index, state=State.RUNNING, error=None))

        def died(task: Task) -> None:
            told(self.manifest.change(task.index, deaths=self.manifest.rows[task.index].deaths + 1))

        return Reports(begun, died)

    def _task(self, index: int, again: bool = False) -> Task:
        parcel = self.plan.parcel(index)
        unpack(self.folder, parcel.contents)
        folder = self.manifest.rows[index].folder
        return Task(
            index, folder, parcel.text, tuple(parcel.contents), parcel.plugins, threads=self.plan.threads, again=again
        )

    def _rehearsals(self, left: list[int]) -> Iterator[Task]:
        """One task per combination of names, which determine the kernels of a run."""
        seen = set()
        for index in left:
            values = self.manifest.rows[index].values
            words = tuple((key, str(value)) for key, value in values.items() if not isinstance(value, int | float))
            if words not in seen:
                seen.add(words)
                yield self._task(index)

    def _set_back(self) -> None:
        """Mark runs that were in progress when a sweep ended as waiting."""
        for row in self.manifest.rows:
            if row.state is State.RUNNING:
                self.manifest.rows[row.index] = Row(row.index, row.folder, row.values)


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Lock a folder against other sweeps; the system releases it however this process ends."""
    lock = lock_folder(folder)
    try:
        yield
    finally:
        os.close(lock)


def new_sweep(plan: Plan, folder: Path, overwrite: bool = False) -> Campaign:
    """A sweep in a new folder, or replacing an older one."""
    demand_place(folder, "a sweep")
    names = _folders(plan)
    if plan.names:
        for name in names:
            RunFolder.check(folder / name, overwrite)
    if (folder / NAME).exists() and not overwrite:
        raise RecordError(
            f"{folder}: already contains a sweep; continue it with --resume {folder}, replace it with --overwrite, or choose "
            "another --out"
        )
    if folder.is_dir() and _foreign(folder) and not (folder / NAME).exists() and not plan.names:
        raise RecordError(f"{folder}: contains other files; choose another --out, or an empty folder")
    if (folder / NAME).exists():
        with writing(folder):
            _clear(folder)
    make_folder(folder)
    if plan.names:
        _remove(folder, names)
    rows = [Row(v.index, name, v.values) for v, name in zip(plan.variants, names, strict=True)]
    unpack(folder, plan.contents())
    manifest = Manifest(folder, plan.plain(), rows)
    manifest.write()
    return Campaign(plan, manifest)


def _foreign(folder: Path) -> bool:
    """Whether a folder has files that do not belong to a sweep; remains of a killed sweep are accepted."""
    return any(entry.name not in {RUNS, FILES} and not entry.name.startswith(".") for entry in folder.iterdir())


def _clear(folder: Path) -> None:
    """Remove the runs of an older sweep."""
    _remove(folder, [row.folder for row in Manifest.read(folder).rows])
    (folder / NAME).unlink()


def _remove(folder: Path, names: list[str]) -> None:
    import shutil

    for name in names:
        shutil.rmtree(folder / name, ignore_errors=True)


def _folders(plan: Plan) -> list[str]:
    """Run folders below that of the sweep, by name or by number."""
    if plan.names:
        return [_UNFIT.sub("_", name.replace(" ", "")) for name in plan.names]
    digits = max(3, len(str(len(plan.variants) - 1)))
    return [f"{RUNS}/{v.index:0{digits}d}" for v in plan.variants]


def _changes(outcome: Outcome) -> dict[str, object]:
    state = State.FINISHED if outcome.error is None else State.FAILED
    return {
        "state": state,
        "error": outcome.error,
        "seconds": outcome.seconds,
        "worker": outcome.worker,
        "measures": outcome.measures,
    }


def open_campaign(folder: Path, measures: tuple[Measure, ...] | None = None) -> Campaign:
    """A sweep that was interrupted. The status is read from the run folders: the manifest may lag behind."""
    manifest = Manifest.read(folder)
    with writing(folder):  # refused at once if another sweep is running here
        pass
    plan = read_plan(manifest.plan, folder.resolve(), len(manifest.rows), measures)
    for row in manifest.rows:
        if row.state is State.RUNNING:
            manifest.rows[row.index] = Row(row.index, row.folder, row.values)
    return Campaign(plan, manifest)
