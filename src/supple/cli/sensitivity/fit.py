"""`supple fit`: identify parameters of a scene from its motion."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from supple.cli.options import fit as options

if TYPE_CHECKING:
    from rich.console import Console

    from supple.fits.fit import Fit
    from supple.fits.losses.losses import Loss
    from supple.fits.solving.horizons import Report
    from supple.fits.solving.journal import Journal


SHOWN = 6
"""Values per line."""


def fit(
    scene: options.Scene,
    unknown: options.Wanted,
    follow: options.Followed = None,
    loss: options.Lost = None,
    target: options.Aim = None,
    out: options.Out = None,
    settings: options.Settings = None,
    keep: options.Keep = None,
    max_steps: options.MaxSteps = 40,
    film: options.Filmed = False,
    overwrite: options.Overwrite = False,
    as_json: options.AsJson = False,
) -> None:
    """Fit parameters of a scene so that its motion follows a target; writes the fitted scene, a table and curves. After an
    interruption the same command continues the search."""
    from supple.cli.output import new_console, print_json
    from supple.fits.fit import Fit
    from supple.fits.results.folder import check_folder
    from supple.interruption.signals import Interrupted
    from supple.interruption.words import keeping
    from supple.scene.text.load import find_scene

    console = new_console(as_json)
    if out is not None:
        check_folder(out, overwrite)
    asked = _loss(follow, loss, target, find_scene(scene).parent)
    search = Fit(scene, unknown, asked, settings=settings or [], keep=keep or "all")
    identity = _identity(search, [unknown, follow, loss, keep])
    with _journal(out, f"{Path(scene).stem}-fit", identity, overwrite) as journal:
        folder = journal.path.parent
        if journal.recalls:
            console.print(f"continues in {folder}: {journal.recalls} results are already available", markup=False)
        with keeping(f"trials so far are kept in {folder}; the same command continues"):
            result = search.solve(max_steps, told=lambda report: _tell(report, console), journal=journal)
            console.print(str(result), markup=False)
            result.save(folder, overwrite, film=film)
    console.print(f"written to {folder}", markup=False)
    if as_json:
        print_json({"folder": str(folder), **result.plain})
    if result.interrupted:
        raise Interrupted(f"interrupted; the best values so far are kept in {folder}; another fit can begin with them")


def _journal(out: Path | None, name: str, identity: dict[str, object], overwrite: bool) -> Journal:
    """Journal in the given folder, or of an unfinished equal fit in runs/, or else a new one."""
    from supple.errors import RecordError
    from supple.fits.results.folder import is_unfinished
    from supple.fits.solving.journal import Journal, OtherFit
    from supple.recording.files import free_path

    if out is None:
        unfinished = [path for path in Path("runs").glob(f"{name}*") if is_unfinished(path)]
        for path in sorted(unfinished, key=lambda path: path.stat().st_mtime, reverse=True):
            with suppress(RecordError):
                return Journal(path, identity)
        return Journal(free_path(Path("runs"), name), identity)
    try:
        return Journal(out, identity)
    except OtherFit as other:
        if not overwrite:
            raise
        other.path.unlink()
        return Journal(out, identity)


def _identity(search: Fit, asked: list[object]) -> dict[str, object]:
    """Everything that determines the results of trials."""
    from hashlib import blake2b

    from supple.fits.family import SceneFamily
    from supple.runs.identity import identity

    assert isinstance(search.family, SceneFamily)
    target, total = search.loss.target, blake2b(digest_size=16)
    for array in () if target is None else (target.times, target.x):
        total.update(array.tobytes())
    whole = identity(search.family.scene(search.family.starts), search.problem.base.model.mesh)
    return {**whole, "steps": search.problem.setting.steps, "asked": asked, "target": total.hexdigest()}


def _loss(follow: str | None, text: str | None, target: str | None, beside: Path) -> Loss:
    from supple.errors import SuppleError
    from supple.fits.losses.losses import follow as followed
    from supple.fits.losses.targets import read_target
    from supple.fits.losses.text import TARGET, parse_loss

    if (follow is None) == (text is None):
        raise SuppleError("fit: give either --follow GROUP with --target, or --loss EXPR")
    aim = None if target is None else read_target(target, beside)
    if text is not None:
        if aim is not None and TARGET not in text:
            raise SuppleError(
                f"--target: the loss '{text}' does not use it; write follow(GROUP, target) or pose(target)"
            )
        return parse_loss(text, aim)
    if aim is None:
        raise SuppleError("--follow: no target to follow; give --target FILE or RUN")
    return followed(str(follow), aim)


def _tell(report: Report, console: Console) -> None:
    """Print one line per step of the search."""
    rms = report.trial.rms
    misfit = f"loss {report.trial.value:.6g}" if rms is None else f"rms misfit {rms:.4g}"
    numbers = ", ".join(f"{value:.5g}" for value in list(report.trial.values.values())[:SHOWN])
    more = ", ..." if len(report.trial.values) > SHOWN else ""
    where = f"  at {numbers}{more}" if numbers else ""
    console.print(
        f"{report.horizon:8.4g} s  step {report.step:3d}  run {report.runs:3d}  {misfit}{where}", markup=False
    )
