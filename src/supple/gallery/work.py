"""The task of a worker: one panel. A panel that raises becomes a row with its message, without stopping the others."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path

from supple.errors import SuppleError
from supple.gallery.desk import Desk
from supple.gallery.outcome import Outcome, digest_of
from supple.gallery.panel import PANELS, Panel
from supple.gallery.verdicts import Figure, Verdict, verdict_of
from supple.recording.files import replace_bytes

STAMP = "desk.txt"
"""File that identifies the panel of a desk."""


def carry_out(name: str, root: str, full: bool) -> Outcome:
    """Study a panel below the folder of the gallery, and store its outcome."""
    from supple.linalg.threads import use_threads

    panel = PANELS.find(name)()
    folder, digest = desk_of(Path(root), name), digest_of(panel, full)
    _clear(folder, digest)
    use_threads(panel.threads)
    desk, began = Desk(folder, full), time.monotonic()
    try:
        figures, error = _studied(panel, desk), ""
        verdict = verdict_of(list(figures), panel.expects is Verdict.CORRECTED)
    except Exception as problem:  # any exception of a study becomes a row of the gallery
        figures, verdict = (), Verdict.FAILED
        error = str(problem) if isinstance(problem, SuppleError) else f"{type(problem).__name__}: {problem}"
    outcome = Outcome(
        name, full, verdict, figures, tuple(desk.pictures), time.monotonic() - began, error, digest
    )  # fmt: skip
    outcome.write(folder)
    return outcome


def done_before(name: str, root: Path, full: bool) -> Outcome | None:
    """The outcome of a panel in an earlier gallery in the same folder; None if the panel must be run."""
    folder = desk_of(root, name)
    found = Outcome.read(folder)
    if found is None or found.verdict is Verdict.FAILED or not found.whole(folder):
        return None
    return found if found.digest == digest_of(PANELS.find(name)(), full) else None


def desk_of(root: Path, name: str) -> Path:
    return root / "panels" / name


def _studied(panel: Panel, desk: Desk) -> tuple[Figure, ...]:
    return tuple(replace(f, value=float(f.value)) for f in panel.study(desk))


def _clear(folder: Path, digest: str) -> None:
    """Start a study with an empty desk, unless the same study was interrupted."""
    stamp = folder / STAMP
    if stamp.exists() and stamp.read_text(encoding="utf-8") == digest and Outcome.read(folder) is None:
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    replace_bytes(stamp, digest.encode())
