"""`supple sweep`: run one scene with many values, on all cores or on a cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from supple.cli.options import sweep as options

if TYPE_CHECKING:
    from rich.console import Console

    from supple.sweeps.campaign import Campaign
    from supple.sweeps.plan import Plan


def sweep(
    scene: options.Scene = None,
    vary: options.Vary = None,
    together: options.Paired = False,
    sample: options.Sample = None,
    sampling: options.Sampling = None,
    seed: options.Seed = None,
    measure: options.Measured = None,
    settings: options.Settings = None,
    steps: options.Steps = None,
    workers: options.Workers = None,
    threads: options.Threads = None,
    scheduler: options.Scheduler = None,
    collecting: options.Collecting = False,
    out: options.Out = None,
    overwrite: options.Overwrite = False,
    resume: options.Resume = None,
    retry_failed: options.Again = False,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    as_json: options.AsJson = False,
) -> None:
    """Run a scene for many values of its keys; writes run folders, a manifest and a table."""
    from supple.cli.output import new_console
    from supple.interruption.words import keeping

    console = new_console(as_json)
    design = {"together": together or None, "sample": sample, "sampling": sampling, "seed": seed}
    given = {**design, "measure": measure, "steps": steps, "threads": threads}
    if resume is not None:
        others = scene, vary, settings, out, overwrite or None, dry_run or None, *given.values()
        campaign = _opened(resume, any(other is not None for other in others))
    else:
        plan = _plan(scene, vary or [], settings or [], given)
        if dry_run:
            _list(plan, console, as_json)
            return
        campaign = _new(plan, out, overwrite, yes, console)
    with keeping(f"finished runs are kept; continue with: supple sweep --resume {campaign.folder}"):
        try:
            _compute(campaign, workers, scheduler, retry_failed, collecting, console)
        finally:
            _told(campaign, console, as_json)


def _opened(folder: Path, beside: bool) -> Campaign:
    from supple.errors import SuppleError
    from supple.sweeps.campaign import open_campaign

    if beside:
        raise SuppleError(
            "--resume: scene, values, measures and folder are those of the sweep; omit them with --resume"
        )
    return open_campaign(folder)


def _told(campaign: Campaign, console: Console, as_json: bool) -> None:
    """Table on the terminal, in files, and as JSON."""
    from supple.cli.output import print_json
    from supple.cli.results.sweep import show_sweep
    from supple.sweeps.table import columns_of, write_tables

    columns = columns_of(campaign.manifest.rows, [measure.name for measure in campaign.plan.measures])
    files = write_tables(campaign.folder, columns)
    show_sweep(campaign, console)
    console.print("\n".join(f"table        {file}" for file in files), markup=False)
    if as_json:
        print_json({"folder": str(campaign.folder), "table": columns})


def _plan(scene: str | None, vary: list[str], settings: list[str], given: dict[str, Any]) -> Plan:
    """The plan from a scene and options, or from a sweep file whose keys the options override."""
    from supple.errors import SuppleError
    from supple.sweeps.axes import parse_axis
    from supple.sweeps.designs import make_design
    from supple.sweeps.measures import make_measures
    from supple.sweeps.plan import Base, Plan
    from supple.sweeps.sweep_file import is_sweep_file, read_sweep_file

    if scene is None:
        raise SuppleError(
            "sweep: give a scene and the values to vary, such as: supple sweep jelly --vary time.step=0.01,0.02"
        )
    if is_sweep_file(scene):
        if vary:
            raise SuppleError(
                f"{scene}: a sweep file already specifies the varied values; omit --vary, or give the scene itself"
            )
        return read_sweep_file(Path(scene), settings, given)
    design = make_design(bool(given["together"]), given["sample"], given["sampling"], given["seed"])
    axes = tuple(parse_axis(text) for text in vary)
    measures = make_measures(given["measure"])
    return Plan(Base.of_file(scene, settings), axes, design, measures, given["steps"], given["threads"] or 1)


def _new(plan: Plan, out: Path | None, overwrite: bool, yes: bool, console: Console) -> Campaign:
    """Check all variants, with a progress bar if there are many, before a folder is created."""
    from rich.progress import track

    from supple.recording.files import free_path
    from supple.sweeps.campaign import new_sweep

    count = len(plan.variants)
    for _ in track(plan.check(yes), "checking", total=count, console=console, transient=True):
        pass
    folder = out if out is not None else free_path(Path("runs"), f"{Path(plan.base.source).stem}-sweep")
    return new_sweep(plan, folder, overwrite)


def _compute(
    campaign: Campaign, workers: int | None, scheduler: str | None, again: bool, collecting: bool, console: Console
) -> None:
    """Compute the remaining runs."""
    from supple.sweeps.farm import open_farm
    from supple.sweeps.show import shown

    if not campaign.left(again):
        console.print(f"{campaign.folder}: all runs are done; --retry-failed repeats failed ones", markup=False)
        return
    with open_farm(workers, campaign.plan.threads, scheduler) as farm:
        if farm.dashboard:
            console.print(f"dashboard    {farm.dashboard}", markup=False)
        with shown(campaign, farm, True, console) as told:
            campaign.go(farm, told, again, collecting)


def _list(plan: Plan, console: Console, as_json: bool) -> None:
    from supple.cli.output import print_json
    from supple.sweeps.plan import label

    for _ in plan.check(many=True):
        pass
    for variant in plan.variants:
        console.print(f"{variant.index:5d}  {label(variant.values)}", markup=False)
    console.print(f"{len(plan.variants)} runs", markup=False)
    if as_json:
        print_json({"runs": [variant.values for variant in plan.variants]})
