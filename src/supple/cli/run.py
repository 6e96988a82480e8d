"""`supple run`: simulate a scene into a folder, with a progress bar."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.options import direct, ending

if TYPE_CHECKING:
    from rich.console import Console

    from supple.loop import Frame
    from supple.recording.folder import RunFolder, RunStatus
    from supple.runs.job import Job
    from supple.runs.stopping.guard import Guard


def run(
    scene: Annotated[
        str | None, typer.Argument(help="Name of a shipped scene, a .toml file, or a USD stage.", show_default="jelly")
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeatable.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing run in the folder.")] = False,
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Continue the run in FOLDER after its last checkpoint.")
    ] = None,
    separate: ending.Separate = False,
    with_report: ending.WithReport = False,
    strict: ending.Strict = False,
    time_limit: ending.TimeLimit = None,
    memory_limit: ending.MemoryLimit = None,
    check: ending.Check = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
    stiffer: direct.Stiffer = None,
    softer: direct.Softer = None,
    floppier: direct.Floppier = None,
    heavier: direct.Heavier = None,
    livelier: direct.Livelier = None,
    stops_sooner: direct.StopsSooner = None,
    bouncier: direct.Bouncier = None,
    settle: direct.Settle = None,
    speed: direct.Speed = None,
) -> None:
    """Simulate a scene; writes animation, energy history and plot into a folder, and checks [expect]."""
    from supple.cli.output import new_console, told_expectations
    from supple.errors import SuppleError
    from supple.runs.stopping.budget import Budget
    from supple.runs.stopping.carrying import building
    from supple.runs.stopping.guard import Guard

    console = new_console(as_json)
    words = {"stiffer": stiffer, "softer": softer, "floppier": floppier, "heavier": heavier, "livelier": livelier}
    words |= {"stops_sooner": stops_sooner, "bouncier": bouncier, "settle": settle}
    settings = [*(settings or []), *direct.as_settings(words, speed)]
    if resume is not None and (scene or settings or out is not None or overwrite or separate or strict):
        raise SuppleError("--resume: the scene and the folder are those of the run; add only --steps or limits")
    settings += ["solver.strict=true"] if strict else []

    def begin() -> Job | RunFolder:
        if resume is not None:
            return _continued(resume, steps, check, console)
        return _new("jelly" if scene is None else scene, settings, steps, out, overwrite, separate, check, console)

    with Guard(Budget.of(time_limit, memory_limit, option=True)) as guard:
        summary = _reported(building(begin, guard), guard, with_report, console)
        finished = summary["status"] == "finished"
        summary["expectations"] = told_expectations(Path(summary["folder"]), console) if finished else []
    _leave(summary, check, as_json)


def _leave(summary: dict[str, Any], check: bool, as_json: bool) -> None:
    """Print the last line, and set the exit code."""
    from supple.cli.output import print_json
    from supple.runs.stopping.guard import INTERRUPTED, LIMITED

    if as_json:
        print_json(summary)
    if summary["status"] != "finished":
        raise typer.Exit(LIMITED if summary.get("limit") else INTERRUPTED)
    if check and not all(verdict["held"] for verdict in summary["expectations"]):
        raise typer.Exit(1)


def _new(
    scene: str,
    settings: list[str],
    steps: int | None,
    out: Path | None,
    overwrite: bool,
    separate: bool,
    check: bool,
    console: Console,
) -> Job:
    from supple.cli.output import demand_expectations
    from supple.recording.files import free_path
    from supple.runs.run import start_run
    from supple.scene.text.load import load_scene

    loaded = load_scene(scene, settings)
    if check:
        demand_expectations(loaded, scene)
    if separate:
        from supple.runs.separate import apart

        loaded, moved = apart(loaded)
        for line in moved:
            console.print(line, markup=False)
    return start_run(loaded, out or free_path(Path("runs"), Path(scene).stem), steps, overwrite)


def _continued(folder: Path, steps: int | None, check: bool, console: Console) -> Job | RunFolder:
    """The run, or its folder if it is complete."""
    from supple.cli.output import demand_expectations
    from supple.recording.folder import RunFolder
    from supple.runs.run import nothing_left, resume_run
    from supple.scene.text.load import load_scene

    if check:
        demand_expectations(load_scene(RunFolder.open(folder).scene), str(folder))
    if nothing_left(folder, steps):
        console.print(f"{folder}: this run is already complete; --steps N extends it", markup=False)
        return RunFolder.open(folder)
    return resume_run(folder, steps)


def _reported(begun: Job | RunFolder, guard: Guard, wanted: bool, console: Console) -> dict[str, Any]:
    """Run, then write the page if requested, especially for a failed run."""
    from supple.cli.report import report_beside
    from supple.errors import SuppleError
    from supple.recording.folder import RunFolder, RunStatus

    folder = begun if isinstance(begun, RunFolder) else begun.folder
    try:
        if isinstance(begun, RunFolder):
            summary = report(folder, RunStatus.FINISHED, console)
        else:
            summary = carry_out(begun, console, guard)
    except SuppleError:
        with suppress(SuppleError):  # the reason for the stop takes precedence
            if wanted:
                console.print(f"report       {report_beside(folder)}", markup=False)
        raise
    if wanted:
        summary["report"] = str(report_beside(folder))
        console.print(f"report       {summary['report']}", markup=False)
    return summary


def carry_out(job: Job, console: Console, guard: Guard | None = None) -> dict[str, Any]:
    """Run with a progress bar until the end, a limit, Ctrl-C or an error; the folder is usable in each case."""
    from supple.cli.output import NotesShown
    from supple.runs.bars import frame_bar
    from supple.runs.stopping.carrying import taken
    from supple.runs.stopping.guard import Guard

    for note in job.notes:
        console.print(note, markup=False)
    with ExitStack() as stack:
        show = stack.enter_context(frame_bar(job.name, job.steps, job.progress.whole_steps, console))
        guard = guard or stack.enter_context(Guard())

        notes = NotesShown(console, job.folder.log)

        def told(frame: Frame) -> None:
            show(frame, job.progress.whole_steps)
            notes.add(frame.note)

        try:
            end = taken(job, guard, told)
        except BaseException:
            stack.close()  # the bar
            where = f"; the results so far are in {job.folder.path}" if job.folder.path.exists() else ""
            console.print(f"stopped after step {job.progress.step}{where}", markup=False)
            raise
    for complaint in end.complaints:
        console.print(complaint, markup=False)
    if end.limit:
        console.print(f"{end.limit} after step {job.progress.step}", markup=False)
    summary = report(job.folder, end.status, console)
    return summary | ({"limit": end.limit} if end.limit else {})


def report(folder: RunFolder, status: RunStatus, console: Console) -> dict[str, Any]:
    """Print and return the summary of the run."""
    from supple.recording.folder import RunStatus
    from supple.runs.summary import summarise

    word = status.name.lower()
    summary = {"status": word, "folder": str(folder.path), **summarise(folder)}
    count = summary["steps"]
    console.print(
        f"{word} after {count} step{'' if count == 1 else 's'}, {summary['time']:.3f} s of motion in "
        f"{summary['wall_seconds']:.1f} s; energy residual {summary['residual']:+.2e} J, "
        f"at most {summary['relative_residual']:.1e} of the energy in play",
        markup=False,
    )
    if summary["exceptional_steps"]:
        lost = f"; {summary['rescued']:.2g} J were lost in these steps" if summary["rescued"] else ""
        console.print(
            f"{summary['exceptional_steps']} steps violate a guarantee of the integrator{lost}: see {folder.log}",
            markup=False,
        )
    doubtful = summary["doubtful_steps"]
    if doubtful:
        console.print(
            f"{doubtful} step{' is' if doubtful == 1 else 's are'} doubtful: the energy residual exceeds the bound from the "
            f"method's own figures; see {folder.log}",
            markup=False,
        )
    squeezed = {
        "inverted": summary["inverted_elements"],
        "below a tenth of their rest volume": summary["crushed_elements"],
    }
    worst = [f"{count} tets {what}" for what, count in squeezed.items() if count]
    if worst:
        console.print(f"at worst {' and '.join(worst)}, see history.csv", markup=False)
    console.print(f"animation    {folder.animation}  (opens in ParaView)", markup=False)
    console.print(f"energy plot  {folder.energy_plot}", markup=False)
    if status is RunStatus.INTERRUPTED:
        console.print(f"continue with: supple run --resume {folder.path}", markup=False)
    return summary
