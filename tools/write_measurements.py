"""Rewrites the comparison with peers in docs/develop/measurements.md from the sitting kept in the repository.

    python tools/write_measurements.py [SITTING.json]

The section is between `<!-- sitting -->` and `<!-- end of sitting -->`; all figures were measured in one sitting.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "develop" / "measurements.md"
SITTING = ROOT / "benchmarks" / "peers" / "sitting.json"
BLOCK = re.compile(r"(<!-- sitting -->\n).*?(<!-- end of sitting -->)", re.DOTALL)
Row = dict[str, Any]

TITLES = {
    "bar": "Hanging bar of {cells:,} tets, {steps} steps of 1/30 s; drop of the free end",
    "cloth": "Cloth of {cells:,} triangles swinging from two corners, {steps} steps of 1/30 s; height of the free edge",
    "pile": "Pile of twenty soft bodies, {cells:,} tets, {steps} steps of 1/100 s; final height of the centre, depth below "
    "the floor, vertices inside other bodies",
    "stretch": "Bar of {cells:,} tets stretched by 1.5 and released, {steps} steps of 1/30 s",
}
NAMES = {
    "mujoco": "MuJoCo",
    "newton": "Newton",
    "pybullet": "PyBullet",
    "polyfem": "PolyFEM",
    "uipc": "libuipc",
    "sofa": "SOFA",
}


def written(sitting: dict[str, Any]) -> str:
    """The section: machine, meaning of the columns, one table per workload and size."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in sitting["rows"]:
        groups.setdefault((row["workload"], row["size"]), []).append(row)
    return "\n".join([said(sitting), *(part(workload, rows) for (workload, _), rows in groups.items()), ""])


def said(sitting: dict[str, Any]) -> str:
    of = sitting["machine"]
    pins = ", ".join(pin.replace("==", " ") for pins in sitting["versions"].values() for pin in pins[:1])
    return (
        f"{of['cpu']}, {of['cores']} cores, {of['memory_gib']:g} GiB, {of['system']}, Python {of['python']}; "
        f"{sitting['date']}, {sitting['minutes']:g} minutes; before the first run, {sitting['busy_before']:.2f} cores "
        f"were busy and the load was {sitting['load_before']:.2f}. "
        f"Versions: {pins}.\n\nAll rows were measured in one run. Do not compare results of two runs: the speed of "
        "the machine differs.\n"
    )


def part(workload: str, rows: list[Row]) -> str:
    """The table of a workload, rows that ran first."""
    ran = [row for row in rows if "seconds_per_step" in row and not reference(row)]
    best = {law_of(row): row["tip"] for row in rows if reference(row) and "tip" in row}
    others = [row for row in rows if row not in ran and not reference(row)]
    title = TITLES[workload].format(cells=rows[0]["cells"], steps=max((row["steps"] for row in ran), default=0))
    head = [
        "",
        "substeps",
        "law",
        "time per step [ms]",
        "first step [ms]",
        "residual",
        "energy kept",
        *tail(workload),
        "remark",
    ]
    lines = [[*cells(row), *observed(workload, row, best), row.get("note", "")] for row in ran]
    return f"**{title}**\n\n{table(head, lines)}{missing(others)}"


def reference(row: Row) -> bool:
    return str(row["method"]).startswith("reference")


def law_of(row: Row) -> str:
    return str(row.get("law", ""))


def tail(workload: str) -> list[str]:
    return {
        "bar": ["drop [m]", "error of the drop [mm]"],
        "cloth": ["height [m]"],
        "pile": ["height [m]", "depth [mm]", "vertices in others"],
        "stretch": ["length [m]"],
    }[workload]


def cells(row: Row) -> list[str]:
    name = f"{NAMES.get(row['peer'], row['peer'])}, {row['method']}"
    times = [milliseconds(row["seconds_per_step"]), milliseconds(row["first_step_seconds"])]
    return [name, str(row["substeps"]), law_of(row) or "own", *times, small(row.get("residual")), kept(row)]


def observed(workload: str, row: Row, best: dict[str, list[float]]) -> list[str]:
    """Visible result; empty for a run that did not reach its end."""
    if row["status"] != "done":
        return ["-"] * len(tail(workload))
    x, _, z = row["tip"]
    if workload == "bar":
        right = best.get(law_of(row))
        apart = sum((a - b) ** 2 for a, b in zip(row["tip"], right, strict=True)) ** 0.5 if right else None
        return [f"{0.5 - z:.3f}", "-" if apart is None else f"{1e3 * apart:.3g}"]
    if workload == "pile":
        return [f"{z:.3f}", f"{1e3 * row['depth']:.2g}", str(row["inside"])]
    return [f"{z:.3f}" if workload == "cloth" else f"{x:.3f}"]


def milliseconds(seconds: float) -> str:
    value = 1e3 * seconds
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def small(value: float | None) -> str:
    return "-" if value is None else f"{value:.1e}".replace("e-0", "e-").replace("e+00", "")


def kept(row: Row) -> str:
    """Near 1, the deviation is shown."""
    value = row.get("energy_kept")
    if value is None or row["status"] != "done":
        return "-"
    if abs(value - 1) < 5e-4:
        return f"1 {'-' if value < 1 else '+'} {abs(value - 1):.0e}".replace("e-0", "e-") if value != 1 else "1"
    return f"{value:.3f}" if 1e-3 <= value < 1e3 else f"{value:.0e}"


def table(head: list[str], lines: Iterable[list[str]]) -> str:
    rows = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |\n" for row in rows)


def missing(rows: list[Row]) -> str:
    """Peers without figures, and why; those with the same reason together."""
    if not rows:
        return ""
    words = []
    for row in rows:
        name = NAMES.get(row["peer"], row["peer"]) + (f", {row['method']}" if row["method"] != "-" else "")
        words.append(f"{name}: {row.get('note') or row['status']}")
    return "\nNot measured:\n\n" + "".join(f"- {entry}.\n" for entry in words)


def current(text: str, sitting: dict[str, Any]) -> str:
    """The page with the section of the sitting."""
    return BLOCK.sub(lambda found: f"{found[1]}{written(sitting)}{found[2]}", text)


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else SITTING
    sitting = json.loads(file.read_text(encoding="utf-8"))
    PAGE.write_text(current(PAGE.read_text(encoding="utf-8"), sitting), encoding="utf-8")


if __name__ == "__main__":
    main()
