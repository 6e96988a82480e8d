"""`supple analyse transfers`: losses of each material-point transfer in a free vibration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.study import AsJson

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.free_bar import FreeBar
    from supple.analysis.transfers import TransferCourse, TransferLoss
    from supple.budget.points import PointBudget
    from supple.integrators.points.mpm import Mpm

USUAL = "pic,flip,apic,affine-flip,asflip,apic:budget=true"
OPTION = "--transfers"
OF_MPM = ("budget", "degree", "gradient", "courant", "most_substeps")
"""Options of mpm that can be combined with a transfer."""
COLUMNS = ("transfer", "time", "energy", "amplitude", "length", "momentum", "angular_momentum")


def transfers(
    chosen: Annotated[
        str, typer.Option(OPTION, help="Names, separated by commas; options as flip:blend=0.95, apic:budget=true.")
    ] = USUAL,
    of: Annotated[
        str,
        typer.Option(
            help="Integrator of the grid nodes: avf, midpoint, backward-euler, simo-tarnow, symplectic-euler."
        ),
    ] = "avf",
    steps: Annotated[int | None, typer.Option(min=50, help="Number of steps; default: 1000.")] = None,
    step: Annotated[float, typer.Option(help="Time step [s]; explicit methods use substeps.")] = 0.0043,
    cells: Annotated[str, typer.Option(help="Cells of 0.1 m along the bar and across it, such as 10,2,2.")] = "10,2,2",
    quick: Annotated[bool, typer.Option("--quick", help="250 steps instead of 1000.")] = False,
    csv: Annotated[Path, typer.Option(help="File for energy, amplitude and momenta over time.")] = Path(
        "transfers.csv"
    ),
    plot: Annotated[Path, typer.Option(help="File for the plot.")] = Path("transfers.png"),
    as_json: AsJson = False,
) -> None:
    """Measure losses of material-point transfers on a free bar that vibrates, spins and flies; writes a table and a plot."""
    from dataclasses import asdict

    from supple.analysis.free_bar import FreeBar
    from supple.analysis.transfers import QUICK, STEPS
    from supple.cli.analyse.output import check_positive, check_results, show_files, write_csv
    from supple.cli.output import new_console, print_json
    from supple.errors import SuppleError
    from supple.model.limits.limits import Limits
    from supple.render.plots.transfers import plot_transfers

    console = new_console(as_json)
    check_results(csv, plot)
    check_positive({"--step": step})
    if quick and steps is not None:
        raise SuppleError(f"--quick: takes {QUICK} steps, but --steps {steps} is given too; omit one of them")
    Limits().demand("--steps", "steps", "steps", steps or 0)
    bar = FreeBar(_cells(cells))
    methods = _methods(chosen, of, bar)
    tets = bar.frequency()
    count = steps or (QUICK if quick else STEPS)
    found = _runs(methods, bar, step, count, console)
    courses = {one.transfer: _columns(course, tets) for one, course in found if course is not None}
    write_csv(csv, COLUMNS, [row for label, course in courses.items() for row in _rows(label, course)])
    title = f"free bar of {bar.cells[0]} x {bar.cells[1]} x {bar.cells[2]} cells, {of}"
    plot_transfers(courses, plot, f"Transfer losses: {title}")
    _show(
        console,
        f"{title}, {count} steps of {step:g} s; tet mesh of the same cells: {tets:.4g} Hz",
        [one for one, _ in found],
    )
    show_files(console, {"table": csv, "plot": plot})
    if as_json:
        losses = [asdict(one) for one, _ in found]
        print_json({"csv": str(csv), "plot": str(plot), "of": of, "frequency_of_tets": tets, "transfers": losses})


def _cells(text: str) -> tuple[int, int, int]:
    from supple.errors import SuppleError
    from supple.wording import in_digits

    found = [in_digits(word) for word in text.split(",")]
    if len(found) != 3 or min(found) < 1 or found[0] < 3:
        raise SuppleError(f"--cells: found '{text}'; give three whole numbers, the first at least 3, such as 10,2,2")
    along, across, up = found
    return along, across, up


def _methods(chosen: str, of: str, bar: FreeBar) -> dict[str, Mpm | PointBudget]:
    """Label -> mpm with that transfer; options that do not belong to the transfer belong to mpm and its budget."""
    from supple.budget.points import PointBudget
    from supple.cli.analyse.methods import method, split, words
    from supple.errors import SuppleError
    from supple.integrators.points.mpm import ONE_STEP, Mpm
    from supple.points import TRANSFERS
    from supple.wording import suggestion

    if of not in ONE_STEP:
        raise SuppleError(f"--of: unknown method '{of}'; known: {', '.join(ONE_STEP)}")
    made: dict[str, Mpm | PointBudget] = {}
    for word in words(chosen):
        name, pairs = split(word, OPTION)
        if name not in TRANSFERS.names():
            raise SuppleError(f"{OPTION}: unknown transfer '{name}'{suggestion(name, TRANSFERS.names())}")
        options = _options(name, pairs)
        given = [f"cell={bar.cell}", f"of.name={of}", f"transfer.name={name}", *options]
        one = method(f"mpm:{','.join(given)}", OPTION)
        if not isinstance(one, Mpm | PointBudget):
            raise SuppleError(f"{OPTION}: found '{word}'; the study supports only mpm, alone or in a budget")
        made[word] = one
    return made


def _options(name: str, pairs: list[str]) -> list[str]:
    """Options of a transfer below its key of mpm; others unchanged."""
    from dataclasses import fields

    from supple.errors import SuppleError
    from supple.points import TRANSFERS

    made: Any = TRANSFERS[name]
    own = [field.name for field in fields(made)]
    found = []
    for pair in pairs:
        key = pair.partition("=")[0].strip()
        if key not in own and key.partition(".")[0] not in OF_MPM:
            raise SuppleError(f"{OPTION}: {name} has no option '{key}'; known: {', '.join([*own, *OF_MPM])}")
        found.append(f"transfer.{pair}" if key in own else pair)
    return found


def _runs(
    methods: dict[str, Mpm | PointBudget], bar: FreeBar, h: float, steps: int, console: Console
) -> list[tuple[TransferLoss, TransferCourse | None]]:
    """All runs, with a progress bar over steps; steps that a stopped run did not take count as done."""
    from supple.analysis.transfers import transfer_losses
    from supple.cli.analyse.output import progress

    found: list[tuple[TransferLoss, TransferCourse | None]] = []
    taken = 0
    with progress(console, "transfers", steps * len(methods)) as show:

        def stepped() -> None:
            nonlocal taken
            taken += 1
            show(taken, list(methods)[min(len(found), len(methods) - 1)])

        for one in transfer_losses(methods, bar, h, steps, stepped):
            found.append(one)
            taken = steps * len(found)
            show(taken, one[0].transfer)
    return found


def _columns(course: TransferCourse, tets: float) -> dict[str, Any]:
    return {**vars(course), "amplitude": course.amplitude(tets)}


def _rows(label: str, course: dict[str, Any]) -> list[dict[str, Any]]:
    columns = (course[name].tolist() for name in COLUMNS[1:])
    return [dict(zip(COLUMNS, (label, *values), strict=True)) for values in zip(*columns, strict=True)]


def _show(console: Console, title: str, found: list[TransferLoss]) -> None:
    from supple.cli.analyse.output import show_table

    heads = ("transfer", "energy lost / vibration", "amplitude", "dP / P", "dL / L", "frequency [Hz]", "cpu s")
    cells = []
    for one in found:
        frequency = "-" if one.frequency != one.frequency else f"{one.frequency:.3f}"
        shown = [_part(one.energy_lost), f"{one.amplitude:.2f}", f"{one.momentum_lost:.0e}"]
        shown += [f"{one.angular_momentum_lost:.0e}", frequency, f"{one.cpu_seconds:.3g}"]
        cells.append([one.transfer, *(["failed", *[""] * 5] if one.failure else shown)])
    show_table(console, f"{title}; amplitude: last fifth over first", heads, cells)
    for one in found:
        if one.failure:
            console.print(f"{one.transfer}: {one.failure}", markup=False)


def _part(value: float) -> str:
    """Two decimals, or a power of ten where these would be 0.00."""
    return f"{value:.2f}" if abs(value) >= 0.005 else f"{value:.0e}"
