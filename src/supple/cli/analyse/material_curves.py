"""Curves of solids on the command line: table, notes, files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.materials.curves import MaterialCurves
    from supple.materials.material import Material

COLUMNS = ("material", "mode", "amount", "stress", "curvature", "acoustic")
RANGES = {"stable": "not stable", "elliptic": "not elliptic", "defined": "no stress"}
NAMED = 5
"""Number of solids above which the title only counts them."""


def curve_solids(
    console: Console, solids: Mapping[str, Material], modes: str | None, stretch: str | None, axis: str,
    files: Mapping[str, Path],
) -> dict[str, Any]:  # fmt: skip
    """Compute and show the curves, write points and plot."""
    from supple.analysis.materials.curves import material_curves
    from supple.analysis.materials.figure import draw
    from supple.cli.analyse.output import write_csv

    chosen, span = _modes(modes), _span(stretch)
    found = {label: material_curves(one, chosen, span, axis) for label, one in solids.items()}
    write_csv(files["table"], COLUMNS, _rows(found))
    draw(found, files["plot"], ", ".join(found) if len(found) < NAMED else f"{len(found)} materials")
    _show(console, found)
    return {"materials": [_facts(label, one) for label, one in found.items()]}


def _modes(text: str | None) -> tuple[str, ...]:
    from supple.analysis.materials.loading import SHOWN, find_loading

    if text is None:
        return SHOWN
    words = tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
    return tuple(find_loading(word).name for word in words) or SHOWN


def _span(text: str | None) -> tuple[float, float]:
    from supple.analysis.materials.curves import check_stretch
    from supple.errors import SuppleError

    try:
        low, high = (float(word) for word in (text or "0.4:2.5").split(":"))
    except ValueError:
        raise SuppleError(f"--stretch: found '{text}'; give LOW:HIGH, such as 0.4:2.5") from None
    check_stretch((low, high))
    return low, high


def _rows(found: Mapping[str, MaterialCurves]) -> list[dict[str, Any]]:
    rows = []
    for label, one in found.items():
        for mode, c in one.curves.items():
            columns = zip(c.amount.tolist(), c.stress.tolist(), c.curvature.tolist(), c.acoustic.tolist(), strict=True)
            rows += [dict(zip(COLUMNS, (label, mode, *values), strict=True)) for values in columns]
    return rows


def _show(console: Console, found: Mapping[str, MaterialCurves]) -> None:
    """A table of moduli, and one line for each stable range that ends within the curves."""
    from supple.analysis.materials.loading import find_axis
    from supple.cli.analyse.output import show_table

    rows, notes = [], []
    for label, one in found.items():
        k = find_axis(one.axis)
        degree = "no polynomial" if one.material.degree is None else str(one.material.degree)
        rest = one.rest
        values = [f"{v:.6g}" for v in (rest.young[0, k], rest.poisson[0, k], rest.shear[0], rest.bulk[0])]
        rows.append([label, *values, degree, *(_range(c, "stable") for c in one.curves.values())])
        notes += _notes(label, one)
    modes = [f"stable, {mode}" for one in list(found.values())[:1] for mode in one.curves]
    heads = ("material", "E [Pa]", "nu", "shear [Pa]", "bulk [Pa]", "degree", *modes)
    show_table(console, "moduli at rest, and the stretches where the energy density is convex", heads, rows)
    for note in notes:
        console.print(note, markup=False)


def _range(curve: Any, kind: str) -> str:
    low, high = getattr(curve, kind)
    return "all" if curve.is_whole((low, high)) else f"{low:.4g} to {high:.4g}"


def _notes(label: str, one: MaterialCurves) -> list[str]:
    """Limits of ellipticity and of the domain of the energy density."""
    notes = []
    for mode, c in one.curves.items():
        edges = (float(c.amount[0]), float(c.amount[-1]))
        for kind in ("elliptic", "defined"):
            for side, end, edge in zip(("below", "above"), getattr(c, kind), edges, strict=True):
                if end != edge and not (kind == "elliptic" and end in c.defined):
                    notes.append(f"{label}, {mode}: {RANGES[kind]} {side} {end:.4g}")
    if not one.rest.isotropic:
        notes.append(f"{label}: not isotropic; E and nu are measured along {one.axis}")
    return notes


def _facts(label: str, one: MaterialCurves) -> dict[str, Any]:
    from supple.analysis.materials.loading import find_axis

    k = find_axis(one.axis)
    return {
        "material": label,
        "young": float(one.rest.young[0, k]),
        "poisson": float(one.rest.poisson[0, k]),
        "shear": float(one.rest.shear[0]),
        "bulk": float(one.rest.bulk[0]),
        "isotropic": one.rest.isotropic,
        "stiffness": one.rest.stiffness[0].tolist(),
        "degree": one.material.degree,
        "modes": {mode: {kind: list(getattr(c, kind)) for kind in RANGES} for mode, c in one.curves.items()},
    }
