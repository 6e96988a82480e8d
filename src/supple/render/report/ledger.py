"""The ledger of a page: sources and sinks of energy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from supple.render.report.figures import KINDS, Figures
from supple.render.report.markup import DASH, Row, number, table
from supple.render.report.sections import Numbers, run_row


def ledger(names: Sequence[str], runs: Numbers) -> str:
    """Sources and sinks of energy."""
    hardens = any(run.grid.get("hardening") for run in runs if run)
    springs = any(run.springs for run in runs if run)
    rows = [
        run_row("total at the start [J]", runs, lambda r: number(r.start["total"], digits=7)),
        run_row("+ work of scripts and wind [J]", runs, lambda r: number(r.external_work, digits=7)),
        run_row("- dissipated on purpose [J]", runs, lambda r: number(r.dissipated, digits=7)),
        *([run_row("+ hardening of material points [J]", runs, partial(_on_the_grid, "hardening"))] if hardens else []),
        run_row("+ created or lost by the numerics: energy residual [J]", runs, lambda r: number(r.residual, digits=4)),
        *([run_row("of which temporary springs [J]", runs, _springs)] if springs else []),
        run_row("= total at the end [J]", runs, lambda r: number(r.end["total"], digits=7)),
        run_row("energy in play [J]", runs, lambda r: number(r.scale, digits=7)),
        run_row("energy residual / energy in play [-]", runs, lambda r: number(r.residual / r.scale, digits=3)),
        *([run_row("steps with a doubtful residual", runs, _doubtful)] if any(r.doubtful for r in runs if r) else []),
    ]
    heads = list(names) if len(names) > 1 else []
    return table("Balance over the whole run", heads, rows) + _grid(heads, runs) + _kinds(names, runs)


def _grid(heads: Sequence[str], runs: Numbers) -> str:
    """Energy created and lost by material-point steps, if any."""
    if not any(run.grid for run in runs if run):
        return ""
    parts = {
        "transfer": "residual: between particles and nodes [J]",
        "force": "residual: forces along the steps of the nodes [J]",
        "collided": "residual: nodes stopped by obstacles [J]",
        "restored": "residual: restored by the budget [J]",
        "plastic": "dissipated: plastic flow, signed [J]",
    }
    return table(
        "Material-point steps",
        heads,
        [run_row(text, runs, partial(_on_the_grid, name)) for name, text in parts.items()],
    )


def _doubtful(run: Figures) -> str:
    return number(run.doubtful, digits=12)


def _springs(run: Figures) -> str:
    return number(run.springs, digits=4)


def _on_the_grid(name: str, run: Figures) -> str:
    return number(run.grid.get(name), digits=7) if run.grid else DASH


def _kinds(names: Sequence[str], runs: Numbers) -> str:
    if len(runs) > 1:
        rows = [run_row(f"{kind} [J]", runs, partial(_at_the_end, kind)) for kind in KINDS]
        return table("Energies at the end", names, rows)
    run = runs[0]
    if run is None:
        return ""
    cells: list[Row] = [
        (
            f"{kind} [J]",
            [number(v, digits=7) for v in (run.start[kind], run.end[kind], run.end[kind] - run.start[kind])],
        )
        for kind in KINDS
    ]
    return table("Energies by kind", ("start", "end", "change"), cells)


def _at_the_end(kind: str, run: Figures) -> str:
    return number(run.end[kind], digits=5)
