"""The folder of a fit: the fitted scene, a table, figures, curves, a run of the fitted scene, and a film."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from supple.errors import RecordError
from supple.escaping import cell
from supple.fits.solving.journal import NAME as TRIALS
from supple.interruption.placing import placed
from supple.recording.files import demand_place, make_folder, replace_bytes
from supple.runs.run import start_run
from supple.runs.running import carried_out
from supple.scene.text.load import load_scene

if TYPE_CHECKING:
    from supple.fits.results.result import FitResult

RECORD, RUN = "fit.json", "run"
FILM_FPS = 12.5
SIZE = (640, 360)


def check_folder(folder: Path, overwrite: bool) -> None:
    """Refuse a folder that must not be written to, before anything is computed."""
    demand_place(folder, "a fit")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if is_unfinished(folder):
        return
    if not (folder / RECORD).is_file():
        raise RecordError(f"{folder}: contains other files and no fit; choose another --out")
    if not overwrite:
        raise RecordError(f"{folder}: already contains a fit; choose another --out, or replace it with --overwrite")


def is_unfinished(folder: Path) -> bool:
    """Whether a folder has the trials of a killed or running search."""
    return (folder / TRIALS).is_file()


def save(result: FitResult, folder: Path, overwrite: bool, run: bool, film: bool) -> Path:
    """Write all results; stored trials are no longer needed."""
    check_folder(folder, overwrite)
    overwrite = overwrite or is_unfinished(folder)
    make_folder(folder)
    replace_bytes(folder / RECORD, (json.dumps(_finite(result.plain), indent=1) + "\n").encode())
    replace_bytes(folder / "table.csv", _table(result).encode())
    if result.paths:
        from supple.render import style

        style.save(result.plot(), folder / "curves.png")
    if result.scene is not None:
        replace_bytes(folder / "scene.toml", result.scene.encode())
        for name, values in result.files.items():
            with placed(folder / name) as new:
                np.save(new, values)
    if run and result.scene is not None:
        carried_out(start_run(load_scene(folder / "scene.toml"), folder / RUN, overwrite=overwrite), progress=False)
        if film:
            _film(result, folder)
    (folder / TRIALS).unlink(missing_ok=True)
    return folder


def _table(result: FitResult) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["key", "start", "value", "standard_error", "corrected"])
    for row in result.table:
        corrected = "" if row.corrected is None else repr(row.corrected)
        error = "" if math.isnan(row.error) else repr(row.error)
        writer.writerow([cell(row.key), repr(row.start), repr(row.value), error, corrected])
    return text.getvalue()


def _film(result: FitResult, folder: Path) -> None:
    """Target beside fit if the target is a run, or else the fit alone."""
    from supple.render.camera import CAMERAS
    from supple.render.films import open_films
    from supple.render.frames import draw_frames
    from supple.render.gl import probe
    from supple.render.shot import film_times, make_shot
    from supple.render.video import write_film

    beside = None if result.target is None else result.target.run
    runs = [folder / RUN] if beside is None else [beside, folder / RUN]
    labels = ["fit"] if beside is None else ["target", "fit"]
    with open_films(runs) as films:
        times = film_times(films, FILM_FPS)
        shot = make_shot(runs, films, times, SIZE, CAMERAS["iso"], "none", labels)
    drawing = probe()
    pictures = draw_frames(shot, times.tolist(), "vtk" if drawing.works else "plain", drawing)
    write_film(pictures, folder / "film.gif", FILM_FPS, lambda k: None)


def _finite(value: Any) -> Any:
    """For JSON, which has no nan."""
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
