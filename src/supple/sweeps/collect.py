"""Transfer of runs from worker disks to the client: file by file, in chunks, so no side holds a whole animation."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from supple.ownership import moved
from supple.recording.files import trouble
from supple.sweeps.farm import Farm
from supple.sweeps.site import PIECE, Kept, Site, discard, kept_files, piece
from supple.sweeps.task import Outcome


def collect(farm: Farm, site: Site, outcome: Outcome, folder: str) -> int:
    """Fetch a run from the worker that computed it; returns the bytes moved. The run appears when complete."""
    target = Path(site.root) / folder
    arriving = target.with_name(f"{target.name}.arriving")
    shutil.rmtree(arriving, ignore_errors=True)
    there: list[Kept] = _asked(farm, outcome, kept_files, folder)
    try:
        arriving.mkdir(parents=True)
        for file in there:
            _fetch(farm, outcome, folder, file, arriving / file.name)
        _at_home(arriving / "scene.toml", outcome.root, site.root)
        shutil.rmtree(target, ignore_errors=True)
        os.replace(arriving, target)
    except OSError as error:
        raise trouble(target, "write", error) from error
    _asked(farm, outcome, discard, folder)
    return sum(file.size for file in there)


def _asked(farm: Farm, outcome: Outcome, function: Any, *given: Any) -> Any:
    """The reply of a worker, concurrent with its current run."""
    return farm.client.run(function, outcome.root, *given, workers=[outcome.address])[outcome.address]


def _fetch(farm: Farm, outcome: Outcome, folder: str, file: Kept, to: Path) -> None:
    """One chunk at a time, which bounds the memory of all participants."""
    to.parent.mkdir(parents=True, exist_ok=True)
    with to.open("wb") as target:
        for offset in range(0, file.size, PIECE):
            target.write(_asked(farm, outcome, piece, folder, file.name, offset))


def _at_home(scene: Path, away: str, home: str) -> None:
    """Point the scene of a run to its files in the folder of the sweep instead of the worker's disk."""
    if scene.is_file():
        text = scene.read_text(encoding="utf-8").replace(away, str(Path(home)))
        scene.write_text(moved(text, Path(home)), encoding="utf-8")
