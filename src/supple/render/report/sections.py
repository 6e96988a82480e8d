"""The text and tables of a page: overview, ledger, method, scene, timings, notes.

Every table has a column for each run, so one run and several share one format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from supple.escaping import markup as escape
from supple.recording.folder import RunStatus
from supple.render.report.account import Account
from supple.render.report.figures import Figures
from supple.render.report.markup import DASH, Row, folded, listing, number, paragraph, table
from supple.render.report.scene_rows import option_rows, scene_groups, scene_rows

Numbers = Sequence[Figures | None]


def standing(account: Account, run: Figures | None) -> str:
    """Progress and end of the run, in one sentence."""
    done = "before its first row" if run is None else f"after {_count(run.steps, 'step')}, {run.time:.4g} s of motion"
    of = f" of {account.duration:.4g} s" if run and account.duration > run.time * (1 + 1e-9) else ""
    return f"{account.status.value}, {done}{of}"


def warnings(accounts: Sequence[Account], names: Sequence[str], runs: Numbers) -> str:
    """Warnings to read before trusting the curves."""
    found = []
    for account, name, run in zip(accounts, names, runs, strict=True):
        who = f"{name}: " if len(accounts) > 1 else ""
        if account.status is not RunStatus.FINISHED:
            found.append(f"{who}{standing(account, run)}. The page shows the data recorded until then.")
        if run and run.pieces:
            found.append(
                f"{who}{_count(run.pieces, 'row')} of the history are substeps of steps that failed at full length."
            )
    return "\n".join(paragraph(text, "warning") for text in found)


def cards(account: Account, run: Figures | None) -> str:
    """Key figures of a single run."""
    if run is None:
        return ""
    shown = {
        "method": account.method,
        "steps": number(run.steps, digits=12),
        "step h": number(account.h, "s", 3),
        "motion": number(run.time, "s"),
        "drift, at most": number(run.drift, digits=2),
        "iterations per step": number(run.iterations / run.steps if run.steps else None, digits=3),
        "wall time": number(run.wall, "s", 3),
    }
    inner = "".join(f"<div><dt>{escape(key)}</dt><dd>{escape(value)}</dd></div>" for key, value in shown.items())
    return f'<dl class="cards">{inner}</dl>'


def comparison(accounts: Sequence[Account], names: Sequence[str], runs: Numbers) -> str:
    """Several runs side by side."""
    rows: list[Row] = [
        ("method", [account.method for account in accounts]),
        ("step h [s]", [number(account.h) for account in accounts]),
        ("how it ended", [account.status.value for account in accounts]),
        run_row("steps", runs, lambda r: number(r.steps, digits=12)),
        run_row("motion [s]", runs, lambda r: number(r.time)),
        run_row("wall time of the steps [s]", runs, lambda r: number(r.wall, digits=3)),
        run_row("iterations", runs, lambda r: number(r.iterations, digits=12)),
        run_row("iterations per step", runs, lambda r: number(r.iterations / r.steps if r.steps else None, digits=3)),
        run_row("drift: max |energy residual| / energy", runs, lambda r: number(r.drift, digits=3)),
        run_row("energy kept: 1 + (H(end) - H(0)) / energy", runs, lambda r: number(r.kept, digits=4)),
        run_row("rows of failed steps taken in substeps", runs, lambda r: number(r.pieces, digits=12)),
        run_row("doubtful steps", runs, lambda r: number(r.doubtful, digits=12)),
    ]
    return table("Energy: initial energy, or energy supplied by gravity and scripts", names, rows)


def method(accounts: Sequence[Account], names: Sequence[str]) -> str:
    """Properties of each integrator, and the options of the run."""

    def fact(name: str, text: Callable[[Account], str]) -> Row:
        return name, [DASH if account.facts is None else text(account) for account in accounts]

    rows: list[Row] = [
        ("integrator", [account.method for account in accounts]),
        fact("order", lambda a: str(a.facts.order) if a.facts else ""),
        fact("solves per step", lambda a: str(a.facts.solves) if a.facts else ""),
        fact("stability", lambda a: a.facts.stability if a.facts else ""),
        fact("numerical damping", lambda a: a.facts.damping if a.facts else ""),
        fact("conserves", lambda a: ", ".join(a.facts.conserves) or "nothing" if a.facts else ""),
        fact("recommended use", lambda a: a.facts.choose if a.facts else ""),
        *option_rows([account.scene for account in accounts]),
    ]
    return table("Properties stated by the method, and the options of this run", names if len(names) > 1 else [], rows)


def scene(accounts: Sequence[Account], names: Sequence[str]) -> str:
    """All values of the run; several scenes show their differences first."""
    if len(accounts) == 1:
        groups = scene_groups(accounts[0].scene)
        tables = "\n".join(table(name, [], rows) for name, rows in groups.items())
        return paragraph("scene.toml as it was run, in SI units.", "quiet") + f'<div class="tables">\n{tables}\n</div>'
    rows = scene_rows([account.scene for account in accounts])
    different = [row for row in rows if len(set(row[1])) > 1]
    apart = table("Values that differ", names, different) or paragraph("The scenes differ in their method only.")
    return apart + folded(
        "All values of the scenes", table("scene.toml as it was run, SI units", names, rows, mark=True)
    )


def timings(accounts: Sequence[Account], names: Sequence[str], runs: Numbers) -> str:
    """Wall time by activity."""

    def beside(account: Account, run: Figures | None) -> str:
        # the clock of the record counts whole seconds
        if run is None or account.elapsed is None or account.elapsed < 1.0:
            return DASH
        rest = max(0.0, account.elapsed - run.wall)
        return f"{rest:.0f} s of {account.elapsed:.0f} s"

    rows = [
        run_row("all steps [s]", runs, lambda r: number(r.wall, digits=4)),
        run_row("per step, mean [s]", runs, lambda r: number(r.wall / r.steps if r.steps else None, digits=3)),
        run_row("per step, median [s]", runs, lambda r: number(r.wall_median, digits=3)),
        run_row("slowest step [s]", runs, lambda r: f"{number(r.wall_most, digits=3)} (step {r.slowest})"),
        run_row(
            "wall time per second of motion [s]", runs, lambda r: number(r.wall / r.time if r.time else None, digits=3)
        ),
        ("recording and output, of total wall time", list(map(beside, accounts, runs))),
        run_row("Newton iterations", runs, lambda r: number(r.iterations, digits=12)),
        run_row("factorisations", runs, lambda r: number(r.factorisations, digits=12)),
        run_row("line search steps", runs, lambda r: number(r.searches, digits=12)),
        ("started", [_moment(account.record.get("started")) for account in accounts]),
        ("ended", [_moment(account.record.get("ended")) for account in accounts]),
    ]
    return table("Wall time and work of the solver", names if len(names) > 1 else [], rows)


def notes(accounts: Sequence[Account], names: Sequence[str]) -> str:
    """Notes of each run."""
    if len(accounts) == 1:
        return listing(accounts[0].notes)
    return "".join(
        f"<h3>{escape(name)}</h3>{listing(account.notes)}"
        for account, name in zip(accounts, names, strict=True)
        if account.notes
    )


def run_row(name: str, runs: Numbers, text: Callable[[Figures], str]) -> Row:
    """A row with a cell for each run; a run without figures has none."""
    return name, [DASH if run is None else text(run) for run in runs]


def _moment(text: object) -> str:
    return str(text).replace("T", " ").replace("+00:00", " UTC") if text else DASH


def _count(number_of: int, noun: str) -> str:
    return f"{number_of} {noun}{'' if number_of == 1 else 's'}"
