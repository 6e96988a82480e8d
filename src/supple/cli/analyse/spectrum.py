"""`supple analyse spectrum`: frequency content of recorded motion, alongside the energy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.study import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.motion_spectrum import MotionSpectrum

COLUMNS = ("run", "frequency", "power")
HIGH = 0.25
"""Default lower limit of high frequencies, as a fraction of the highest one that all runs resolve."""


def spectrum(
    folders: Annotated[
        list[Path], typer.Argument(metavar="FOLDER...", help="Folders written by `supple run` or `supple compare`.")
    ],
    above: Annotated[
        float | None,
        typer.Option(metavar="HZ", help="Lower limit of high frequencies; default: a quarter of the highest."),
    ] = None,
    title: Annotated[str, typer.Option(help="Title of the plot; default: title of the first scene.")] = "",
    csv: Annotated[Path, typer.Option(help="File for the spectra.")] = Path("spectrum.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("spectrum.png"),
    as_json: AsJson = False,
) -> None:
    """Compute power spectra of the vertex motion in recorded runs; writes a table and a plot with energies.

    Curves are labelled with the folder names.
    """
    from supple.cli.analyse.output import check_results, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.cli.report import runs_in
    from supple.recording.folder import RunFolder
    from supple.recording.history import read_history
    from supple.render.plots.spectrum import plot_motion

    console = new_console(as_json)
    check_results(csv, plot)
    paths = [path for folder in folders for path in runs_in(folder)]
    runs = {_label(path, paths): RunFolder.open(path) for path in paths}
    histories = {label: read_history(run.history) for label, run in runs.items()}
    spectra, titles = _spectra(runs, console)
    cut = _cut(above, spectra)
    points = {label: zip(one.frequencies.tolist(), one.power.tolist(), strict=True) for label, one in spectra.items()}
    write_csv(
        csv, COLUMNS, [dict(zip(COLUMNS, (run, *p), strict=True)) for run, found in points.items() for p in found]
    )
    curves = {label: (one.frequencies, one.power) for label, one in spectra.items()}
    plot_motion(histories, curves, plot, title or titles[0], cut)
    rows = [_row(label, one, cut, histories[label]["total"]) for label, one in spectra.items()]
    _show(console, rows, cut)
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), "above": cut, "runs": rows})


def _label(path: Path, paths: list[Path]) -> str:
    """The name of a folder, or its path where two have the same name."""
    names = [other.resolve().name for other in dict.fromkeys(paths)]
    return str(path) if names.count(path.resolve().name) > 1 else path.resolve().name


def _spectra(runs: dict[str, Any], console: Console) -> tuple[dict[str, MotionSpectrum], list[str]]:
    """The spectrum of each run, and the titles of their scenes."""
    from supple.analysis.motion_spectrum import film_spectrum
    from supple.cli.analyse.output import progress
    from supple.recording.film import open_film

    found: dict[str, MotionSpectrum] = {}
    titles = []
    with progress(console, "spectra", len(runs)) as show:
        for label, run in runs.items():
            show(len(found), label)
            with open_film(run, coarse=True) as film:
                found[label] = film_spectrum(film)
                titles.append(str(film.metadata.get("scene") or label))
        show(len(found), "")
    return found, titles


def _cut(above: float | None, spectra: dict[str, MotionSpectrum]) -> float:
    from supple.errors import SuppleError

    highest = min(one.highest for one in spectra.values())
    if above is None:
        return HIGH * highest
    if not 0.0 < above < highest:
        raise SuppleError(
            f"--above: found {above:g} Hz; the frames of these runs resolve frequencies above 0 and below {highest:g} Hz"
        )
    return above


def _row(label: str, one: MotionSpectrum, cut: float, total: Any) -> dict[str, Any]:
    whole = one.above(0.0)
    return {
        "run": label,
        "mean_square_velocity": whole,
        "above": one.above(cut),
        "share_above": one.above(cut) / whole if whole else 0.0,
        "energy_end_over_start": float(total[-1] / total[0]) if total[0] else None,
    }


def _show(console: Console, rows: list[dict[str, Any]], cut: float) -> None:
    from supple.cli.analyse.output import show_table

    first = rows[0]["above"]
    cells = []
    for row in rows:
        ratio = f"{row['above'] / first:.3g}" if first else ""
        energy = "" if row["energy_end_over_start"] is None else f"{row['energy_end_over_start']:.6g}"
        figures = [f"{row[key]:.3e}" for key in ("mean_square_velocity", "above")]
        cells.append([row["run"], energy, *figures, f"{row['share_above']:.3g}", ratio])
    heads = ("run", "H/H start", "v^2 [m^2/s^2]", f"at {cut:.4g} Hz and more", "share", "over the first run's")
    show_table(console, "mean square velocity of the vertices (v^2), and its share at high frequencies", heads, cells)
