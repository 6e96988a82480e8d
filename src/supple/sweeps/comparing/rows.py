"""Table of a comparison: one row per run, from the run folders."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from supple.errors import RecordError, SuppleError
from supple.escaping import cell
from supple.recording.files import replace_bytes, trouble
from supple.recording.folder import RunFolder, RunStatus
from supple.recording.history import read_history
from supple.render.plots.energy import plot_comparison
from supple.runs.judge import Verdict, judge
from supple.runs.summary import summarise, wall_per_frame
from supple.sweeps.campaign import Campaign
from supple.sweeps.comparing.compared import INTEGRATOR
from supple.sweeps.manifest import Manifest, Row

COLUMNS = (
    "integrator",
    "status",
    "steps",
    "energy_end_over_start",
    "relative_residual",
    "expectations_held",
    "newton_iterations",
    "factorisations",
    "wall_seconds",
    "seconds_per_frame",
)
TABLE, PLOT = "comparison.csv", "energy.png"
FRAMES = 60
"""Frames per second of motion, for the wall time per frame."""


def compared_rows(campaign: Campaign) -> list[dict[str, Any]]:
    """Figures of each run by COLUMNS, and varied values by key; diverged runs are included."""
    manifest, names = campaign.manifest, campaign.plan.names
    rows = [_row(manifest, row, name) for row, name in zip(manifest.rows, names, strict=True)]
    if not any("total_start" in row for row in rows):
        raise SuppleError(
            "\n".join(f"{name}: {row.error}" for row, name in zip(manifest.rows, names, strict=True) if row.error)
        )
    return rows


def _row(manifest: Manifest, row: Row, name: str) -> dict[str, Any]:
    start: dict[str, Any] = dict.fromkeys(COLUMNS)
    try:
        folder = RunFolder.open(manifest.folder / row.folder)
        summary = {"status": folder.status.name.lower(), "folder": str(folder.path), **summarise(folder)}
    except RecordError:  # refused before its first step
        return {**start, "integrator": name, "status": row.state.value, "folder": str(manifest.folder / row.folder)}
    verdicts = _verdicts(folder)
    ratio = summary["total_end"] / summary["total_start"] if summary["total_start"] else None
    return {
        "integrator": name, **summary, "energy_end_over_start": ratio, "seconds_per_frame": wall_per_frame(folder, FRAMES),
        "expectations": [verdict.table for verdict in verdicts],
        "expectations_held": f"{sum(v.passes for v in verdicts)} of {len(verdicts)}" if verdicts else None,
    }  # fmt: skip


def _verdicts(folder: RunFolder) -> list[Verdict]:
    """Verdicts on the expectations; only a finished run can be judged."""
    return judge(folder.path) if folder.status is RunStatus.FINISHED else []


def write_comparison(campaign: Campaign, rows: list[dict[str, Any]], title: str) -> tuple[Path, Path]:
    """One energy plot and one table."""
    folder = campaign.folder
    plot_comparison(histories_of(rows), folder / PLOT, title, shared=same_bodies(campaign))
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS, extrasaction="ignore")
    writer.writeheader()
    writer.writerows({name: cell(value) for name, value in row.items()} for row in rows)
    try:
        replace_bytes(folder / TABLE, text.getvalue().encode())
    except OSError as error:
        raise trouble(folder / TABLE, "write", error) from error
    return folder / PLOT, folder / TABLE


def histories_of(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Histories of started runs, by name."""
    return {
        row["integrator"]: read_history(RunFolder.open(Path(row["folder"])).history)
        for row in rows
        if "total_start" in row
    }


def same_bodies(campaign: Campaign) -> bool:
    """Whether only methods differ, so all runs share one energy scale."""
    return all(axis.key.startswith(INTEGRATOR) for axis in campaign.plan.axes)
