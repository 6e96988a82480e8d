"""`supple warm`: compile kernels ahead of the first run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console


def warm(
    workers: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one per core")] = None,
    missing: Annotated[bool, typer.Option("--missing", help="Do nothing if all kernels are compiled already.")] = False,
) -> None:
    """Compile all kernels: of scenes, materials, methods, contact, solvers, pictures and coarsening. Later runs start
    without compiling."""
    import time

    from rich.console import Console

    from supple import kernel_cache
    from supple.errors import SuppleError
    from supple.interruption.words import keeping

    kernel_cache.choose()
    began, before = time.perf_counter(), kernel_cache.kept()
    if before.folder is None:
        raise SuppleError("warm: no cache folder for kernels is available; set one with NUMBA_CACHE_DIR")
    console = Console(highlight=False, soft_wrap=True)
    if missing and before.warm:
        console.print(f"all kernels are compiled; {before.kernels} are cached in {before.folder}", markup=False)
        return
    with keeping("compiled kernels are kept; `supple warm` compiles the others"):
        problems = _compile(console, workers)
    for problem in problems:
        console.print(problem, markup=False)
    if problems:
        raise SuppleError(f"warm: {len(problems)} of the trials failed, see above; the others are compiled")
    kernel_cache.mark_warm()
    after = kernel_cache.kept()
    console.print(
        f"compiled {after.kernels - before.kernels} kernels in {time.perf_counter() - began:.0f} s; "
        f"{after.kernels} are cached in {after.folder}",
        markup=False,
    )


def _compile(console: Console, workers: int | None) -> list[str]:
    """Run all trials with a progress bar; returns the problems."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from supple.runs.trials.listing import all_trials
    from supple.runs.trials.running import run_trials

    trials, problems = all_trials(), []
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("compiling kernels", total=len(trials))
        for trial, problem in run_trials(trials, workers):
            problems += [problem] if problem else []
            bar.update(task, advance=1, description=f"compiling kernels: {trial.name}")
    return problems
