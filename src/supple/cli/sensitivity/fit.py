"""`supple fit`: numbers of a scene from what is known of its motion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from supple.cli.options import fit as options

if TYPE_CHECKING:
    from rich.console import Console

    from supple.fits.losses.losses import Loss
    from supple.fits.solving.horizons import Report


SHOWN = 6
"""Values in a line."""


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
    """Find numbers of a scene for which its motion follows a target; writes the fitted scene, a table and curves."""
    from supple.cli.output import new_console, print_json
    from supple.fits.fit import Fit
    from supple.fits.results.folder import check_folder
    from supple.recording.files import free_path
    from supple.scene.text.load import find_scene

    console = new_console(as_json)
    folder = out if out is not None else free_path(Path("runs"), f"{Path(scene).stem}-fit")
    check_folder(folder, overwrite)
    asked = _loss(follow, loss, target, find_scene(scene).parent)
    search = Fit(scene, unknown, asked, settings=settings or [], keep=keep or "all")
    result = search.solve(max_steps, told=lambda report: _tell(report, console))
    console.print(str(result), markup=False)
    result.save(folder, overwrite, film=film)
    console.print(f"written to {folder}", markup=False)
    if as_json:
        print_json({"folder": str(folder), **result.plain})
    if result.interrupted:
        raise typer.Exit(130)


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
                f"--target: the loss '{text}' does not name it; write follow(GROUP, target) or pose(target)"
            )
        return parse_loss(text, aim)
    if aim is None:
        raise SuppleError("--follow: there is nothing to follow; give --target FILE or RUN")
    return followed(str(follow), aim)


def _tell(report: Report, console: Console) -> None:
    """A line for each step of the search."""
    rms = report.trial.rms
    misfit = f"loss {report.trial.value:.6g}" if rms is None else f"rms misfit {rms:.4g}"
    numbers = ", ".join(f"{value:.5g}" for value in list(report.trial.values.values())[:SHOWN])
    more = ", ..." if len(report.trial.values) > SHOWN else ""
    where = f"  at {numbers}{more}" if numbers else ""
    console.print(
        f"{report.horizon:8.4g} s  step {report.step:3d}  run {report.runs:3d}  {misfit}{where}", markup=False
    )
