"""`supple run`: a scene into a folder, with a progress bar."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from supple.scene.run import Run


def run(
    scene: Annotated[str, typer.Argument(help="Name of a shipped scene, or a path to a .toml file.")] = "jelly",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change a value of the scene; repeats.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="Number of steps, instead of time.duration.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: a new one in runs/.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the run that is in the folder.")] = False,
    resume: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Continue the run in FOLDER after its last checkpoint.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document on the last line.")] = False,
) -> None:
    """Simulate a scene; writes animation, energy history and plot into a folder."""
    import json

    from rich.console import Console

    from supple.errors import SuppleError
    from supple.linalg.compiling import on_first_compile
    from supple.scene.load import load_scene
    from supple.scene.run import resume_run, start_run

    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    on_first_compile(lambda: console.print("compiling kernels, once on this machine for each material ..."))
    if resume is not None:
        if settings or out is not None or overwrite:
            raise SuppleError("--resume: the scene and the folder are those of the run; give only --steps beside it")
        job = resume_run(resume, steps)
    else:
        loaded = load_scene(scene, settings or [])
        job = start_run(loaded, out if out is not None else free_folder(scene), steps, overwrite)
    summary = carry_out(job, console)
    if as_json:
        print(json.dumps(summary))
    if summary["status"] == "interrupted":
        raise typer.Exit(130)


def free_folder(scene: str) -> Path:
    """runs/NAME, or runs/NAME-2, -3 ... whichever is new."""
    base = Path("runs") / Path(scene).stem
    folder, k = base, 1
    while folder.exists():
        k += 1
        folder = base.with_name(f"{base.name}-{k}")
    return folder


def carry_out(job: Run, console: Console) -> dict[str, Any]:
    """Run with a progress bar to the end, to Ctrl-C or to an error; the folder is usable in each case."""
    from supple.errors import SuppleError
    from supple.recording.folder import RunStatus

    for note in job.notes:
        console.print(note, markup=False)
    status = RunStatus.FINISHED
    try:
        with stop_requests() as asked, progress_bar(console, job) as show:
            for frame in job.frames():
                show(frame)
                if frame.note:
                    console.print(frame.note, markup=False)
                if asked:
                    status = RunStatus.INTERRUPTED
                    break
    except SuppleError as problem:
        job.finish(RunStatus.FAILED)
        raise type_of_failure(problem, job) from problem
    except BaseException:
        job.finish(RunStatus.FAILED)
        raise
    job.finish(status)
    return report(job, console, status.name.lower())


def type_of_failure(problem: Exception, job: Run) -> Exception:
    """The problem, with what is left of the run."""
    from supple.errors import SuppleError

    return SuppleError(
        f"{problem}\nthe run stopped after step {job.progress.step}; what was computed is in {job.folder.path}"
    )


@contextmanager
def stop_requests() -> Iterator[list[int]]:
    """The first Ctrl-C or SIGTERM asks the loop to stop after the current step, the second one interrupts."""
    asked: list[int] = []
    old = {}

    def ask(number: int, _: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)

    for number in (signal.SIGINT, signal.SIGTERM):
        old[number] = signal.signal(number, ask)
    try:
        yield asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


@contextmanager
def progress_bar(console: Console, job: Run) -> Iterator[Any]:
    """A bar with time, energy residue and iterations."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        name = f"{job.scene.title or job.scene.source} [{job.scene.integrator.made_from.name}]"
        task = bar.add_task(name.replace("[", "(").replace("]", ")"), total=job.steps, state="")

        def show(frame: Any) -> None:
            scale = max(frame.ledger.energies.scale, abs(frame.ledger.initial)) or 1.0
            state = f"t {frame.state.t:.3f} s, drift {frame.ledger.residue / scale:+.1e}, {frame.solve.iterations} its"
            bar.update(task, completed=job.progress.whole_steps, state=state)

        yield show


def report(job: Run, console: Console, status: str) -> dict[str, Any]:
    """What the run came to; printed and returned."""
    from supple.scene.summary import summarise

    summary = {"status": status, "folder": str(job.folder.path), **summarise(job.folder)}
    console.print(
        f"{status} after {summary['steps']} steps, {summary['time']:.3f} s of motion in {summary['wall_seconds']:.1f} s; "
        f"energy residue {summary['residue']:+.2e} J, {summary['relative_residue']:.1e} of the energy in play",
        markup=False,
    )
    console.print(f"animation    {job.folder.animation}  (opens in ParaView)", markup=False)
    console.print(f"energy plot  {job.folder.energy_plot}", markup=False)
    if status == "interrupted":
        console.print(f"continue with: supple run --resume {job.folder.path}", markup=False)
    return summary
