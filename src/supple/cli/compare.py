"""`supple compare`: one scene with several integrators or values, or several scenes, side by side: a sweep with names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.runs.job import Job
    from supple.sweeps.campaign import Campaign
    from supple.sweeps.comparing.compared import Chosen
    from supple.sweeps.plan import Plan

SHORT = {
    "integrator": "run",
    "energy_end_over_start": "H/H start",
    "relative_residual": "residual",
    "expectations_held": "expect",
    "newton_iterations": "its",
    "factorisations": "factors",
    "wall_seconds": "wall s",
    "seconds_per_frame": "s/frame",
}
"""Headings of the table on the terminal."""
USUAL = "avf,backward-euler,bdf2,tr-bdf2,midpoint"
TITLE = "H: total energy; residual: energy created or lost by the numerics; s/frame: wall time for 1/60 s of motion"


def compare(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCENE...", help="Names of shipped scenes, or paths to .toml files.", show_default="jelly"
        ),
    ] = None,
    integrators: Annotated[
        str | None,
        typer.Option(
            help="Names, separated by commas; options as backward-euler:budget=true, mpm:transfer=flip. Default: "
            f"{USUAL}; every transfer for material points; with several scenes or --vary the integrator of each scene."
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUES", help="V1,V2,... or START:STOP:COUNT[:log]; repeatable."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")] = None,
    quantity: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Also plot a column of history.csv, or `potential`: elastic, gravity and other energy; repeatable.",
        ),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; default: this one, runs in sequence.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace earlier runs in the folder.")] = False,
    resume: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Continue the comparison in FOLDER.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Run a scene with several integrators or values, or several scenes; writes an energy plot and a table."""
    from supple.cli.output import new_console, print_json
    from supple.interruption.words import keeping
    from supple.sweeps.comparing.quantities import check_quantities

    wanted = check_quantities(quantity or [])
    console = new_console(as_json)
    if resume is not None:
        campaign = _opened(resume, bool(scenes or integrators or vary or settings or steps or out or overwrite))
    else:
        plan = _plan(scenes or ["jelly"], integrators, vary or [], settings or [], steps, workers)
        campaign = _new(plan, out, overwrite)
    with keeping(f"finished runs are kept; continue with: supple compare --resume {campaign.folder}"):
        _compute(campaign, workers, console)
        found = _written(campaign, wanted, console)
    if as_json:
        print_json(found)


def _written(campaign: Campaign, quantities: list[str], console: Console) -> dict[str, Any]:
    """Table and plots of the finished runs; returned for JSON."""
    from supple.sweeps.comparing.quantities import write_quantities
    from supple.sweeps.comparing.rows import compared_rows, write_comparison

    rows, title = compared_rows(campaign), _title(campaign.plan)
    plot, table = write_comparison(campaign, rows, title)
    _show(rows, console)
    console.print(f"energy plot  {plot}\ntable        {table}", markup=False)
    drawn = write_quantities(campaign, rows, quantities, title)
    for name, file in drawn.items():
        console.print(f"{name:12} {file}", markup=False)
    plots = {name: str(file) for name, file in drawn.items()}
    return {"folder": str(campaign.folder), "runs": rows, "plots": plots}


def _stem(names: list[str]) -> str:
    """Common label of several scenes: the shared first words of their names, or all names."""
    stems = [Path(name).stem for name in names]
    if len(stems) == 1:
        return stems[0]
    shared = []
    for words in zip(*(stem.split("-") for stem in stems), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return "-".join(shared or stems)


def _plan(
    scenes: list[str],
    integrators: str | None,
    vary: list[str],
    settings: list[str],
    steps: int | None,
    workers: int | None,
) -> Plan:
    from supple.linalg.threads import cores
    from supple.sweeps.axes import parse_axis
    from supple.sweeps.comparing.compared import compared

    axes = [parse_axis(text) for text in vary]
    if integrators is None and len(scenes) == 1 and not axes:
        integrators = _usual(scenes[0], settings)
    threads = 0 if workers is None or workers == 1 else max(1, cores() // workers)
    chosen = [] if integrators is None else _chosen(integrators)
    return compared(scenes, chosen, axes, settings, steps, threads)


def _chosen(integrators: str) -> list[Chosen]:
    from supple.cli.analyse.methods import OPTION, split, words
    from supple.sweeps.comparing.compared import Chosen

    named = ((word, *split(word, OPTION)) for word in words(integrators))
    return [Chosen(word, name, tuple(options)) for word, name, options in named]


def _usual(scene: str, settings: list[str]) -> str:
    """Default integrators of a comparison."""
    from supple.integrators import INTEGRATORS
    from supple.points import TRANSFERS
    from supple.scene.text.load import load_scene

    name = load_scene(scene, settings).integrator.name
    cls = INTEGRATORS.lookup(name)
    if cls is not None and cls.moves_points:
        return ",".join(f"{name}:transfer={transfer}" for transfer in TRANSFERS.names())
    return USUAL


def _new(plan: Plan, out: Path | None, overwrite: bool) -> Campaign:
    """The comparison, fully checked before the first run begins."""
    from supple.recording.files import free_path
    from supple.sweeps.campaign import new_sweep

    for _ in plan.check():
        pass
    return new_sweep(
        plan, out if out is not None else free_path(Path("runs"), f"{_together(plan)}-compared"), overwrite
    )


def _opened(folder: Path, beside: bool) -> Campaign:
    from supple.errors import SuppleError
    from supple.sweeps.campaign import open_campaign

    if beside:
        raise SuppleError("--resume: scenes, values and folder are those of the comparison; omit them with --resume")
    campaign = open_campaign(folder)
    if not campaign.plan.names:
        raise SuppleError(f"{folder}: is a sweep, not a comparison; continue with: supple sweep --resume {folder}")
    return campaign


def _compute(campaign: Campaign, workers: int | None, console: Console) -> None:
    """Compute the remaining runs."""
    from supple.sweeps.comparing.alone import Alone
    from supple.sweeps.farm import open_farm
    from supple.sweeps.manifest import Row, State
    from supple.sweeps.show import shown

    def told(row: Row) -> None:
        if row.state is State.FAILED:
            console.print(f"{campaign.plan.names[row.index]}: {row.error}", markup=False)

    if workers is None or workers == 1:
        campaign.go(Alone(lambda job, _: _taken(job, console)), told)
    else:
        with open_farm(workers, campaign.plan.threads) as farm, shown(campaign, farm, True, console) as seen:
            campaign.go(farm, seen)


def _taken(job: Job, console: Console) -> None:
    """One run with its own progress bar."""
    from supple.cli.run import carry_out
    from supple.interruption.signals import Interrupted

    if carry_out(job, console)["status"] == "interrupted":
        raise Interrupted


def _together(plan: Plan) -> str:
    return _stem([base.source for base in (plan.base, *plan.others.values())])


def _title(plan: Plan) -> str:
    first = None if plan.others else plan.scene(plan.variants[0]).title
    return first or _together(plan)


def _show(rows: list[dict[str, Any]], console: Console) -> None:
    from supple.cli.analyse.output import show_table
    from supple.sweeps.comparing.rows import COLUMNS

    def text(value: Any) -> str:
        return "-" if value is None else f"{value:.3g}" if isinstance(value, float) else str(value)

    heads = [SHORT.get(column, column) for column in COLUMNS]
    show_table(console, TITLE, heads, [[text(row[column]) for column in COLUMNS] for row in rows])
