"""`supple analyse material`: stress curves of solids, where they are stable, and constants from measured data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supple.cli.analyse.study import AsJson, Settings

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.materials.curves import MaterialCurves

COLUMNS = ("material", "mode", "amount", "stress", "curvature", "acoustic")
RANGES = {"stable": "not stable", "elliptic": "not elliptic", "defined": "no stress"}


def material(
    solids: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME|FORMULA|SCENE:BODY...",
            help="Registered materials, formulas of an energy density, or bodies of scenes.",
        ),
    ],
    constant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="A constant, such as Jm=30, or gent.Jm=30 for one of several; with --fit a first guess; repeats.",
        ),
    ] = None,
    young: Annotated[
        float | None, typer.Option(help="Young's modulus at rest of all of them [Pa]; 1e6 if nothing is given.")
    ] = None,
    poisson: Annotated[
        float | None, typer.Option(help="Poisson's ratio at rest of all of them; 0.45 if nothing is given.")
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            help="Tests: uniaxial, biaxial, pure-shear, shear, volumetric, by commas; with --fit that of a file without modes."
        ),
    ] = None,
    stretch: Annotated[
        str | None, typer.Option(metavar="LOW:HIGH", help="Range of stretches and of J; 0.4:2.5 if absent.")
    ] = None,
    axis: Annotated[str, typer.Option(help="Axis of the rest shape that is pulled: x, y or z.")] = "x",
    fit: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="CSV of measured points (stretch, nominal stress, mode): find the constants."
        ),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="With --fit: a constant that is known, such as bulk=2e9; repeats."),
    ] = None,
    settings: Settings = None,
    csv: Annotated[Path, typer.Option(help="File for the curves.")] = Path("material.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot (png, svg, pdf).")] = Path("material.png"),
    as_json: AsJson = False,
) -> None:
    """Draw stress curves of solids and show where they are stable, or find their constants from measured data."""
    from supple.analysis.materials.curves import material_curves
    from supple.analysis.materials.figure import draw
    from supple.cli.analyse.material_fit import fit_solids
    from supple.cli.analyse.output import check_places, show_files, write_csv
    from supple.cli.analyse.subjects import read_given, read_subjects
    from supple.cli.output import new_console, print_json
    from supple.errors import SuppleError

    console = new_console(as_json)
    check_places(csv, plot)
    subjects, given = read_subjects(solids, settings or []), read_given("--constant", constant)
    given.demand_used({s.label: s.names for s in subjects})
    files = {"table": csv, "plot": plot}
    if fit is not None:
        if young is not None or stretch is not None:
            option = "--young" if young is not None else "--stretch"
            raise SuppleError(f"{option}: follows from the data of --fit; leave it out")
        fixed_ = read_given("--fixed", fixed)
        fixed_.demand_used({s.label: s.names for s in subjects})
        document = fit_solids(console, subjects, fit, given, fixed_, poisson, mode or "uniaxial", axis, files)
    else:
        if fixed:
            raise SuppleError("--fixed: goes with --fit; for a curve, give constants by --constant")
        chosen, span = _modes(mode), _span(stretch)
        members = {s.label: s.member(given.of(s.label, s.names), young, poisson) for s in subjects}
        found = {label: material_curves(one, chosen, span, axis) for label, one in members.items()}
        write_csv(csv, COLUMNS, _rows(found))
        draw(found, plot, ", ".join(found) if len(found) < 5 else f"{len(found)} materials")
        show_curves(console, found)
        document = {"materials": [_facts(label, one) for label, one in found.items()]}
    show_files(console, files)
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), **document})


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


def show_curves(console: Console, found: Mapping[str, MaterialCurves]) -> None:
    """A table of moduli, and a line for each range that ends within the curves."""
    from supple.analysis.materials.loading import find_axis
    from supple.cli.analyse.output import show_table

    rows, notes = [], []
    for label, one in found.items():
        k = find_axis(one.axis)
        degree = "no polynomial" if one.material.degree is None else str(one.material.degree)
        values = [f"{v:.6g}" for v in (one.rest.young(k), one.rest.poisson(k), one.rest.shear, one.rest.bulk)]
        rows.append([label, *values, degree, *(_range(c, "stable") for c in one.curves.values())])
        notes += _notes(label, one)
    modes = [f"stable, {mode}" for one in list(found.values())[:1] for mode in one.curves]
    heads = ("material", "E [Pa]", "nu", "shear [Pa]", "bulk [Pa]", "degree", *modes)
    show_table(console, "moduli at rest, and where the density is convex in the stretch", heads, rows)
    for note in notes:
        console.print(note, markup=False)


def _range(curve: Any, kind: str) -> str:
    low, high = getattr(curve, kind)
    return "all" if curve.is_whole((low, high)) else f"{low:.4g} to {high:.4g}"


def _notes(label: str, one: MaterialCurves) -> list[str]:
    """Ends of ellipticity and of the density."""
    notes = []
    for mode, c in one.curves.items():
        edges = (float(c.amount[0]), float(c.amount[-1]))
        for kind in ("elliptic", "defined"):
            for side, end, edge in zip(("below", "above"), getattr(c, kind), edges, strict=True):
                if end != edge and not (kind == "elliptic" and end in c.defined):
                    notes.append(f"{label}, {mode}: {RANGES[kind]} {side} {end:.4g}")
    if not one.rest.isotropic:
        notes.append(f"{label}: not isotropic; E and nu are those along {one.axis}")
    return notes


def _facts(label: str, one: MaterialCurves) -> dict[str, Any]:
    from supple.analysis.materials.loading import find_axis

    k = find_axis(one.axis)
    return {
        "material": label,
        "young": one.rest.young(k),
        "poisson": one.rest.poisson(k),
        "shear": one.rest.shear,
        "bulk": one.rest.bulk,
        "isotropic": one.rest.isotropic,
        "stiffness": one.rest.stiffness.tolist(),
        "degree": one.material.degree,
        "modes": {mode: {kind: list(getattr(c, kind)) for kind in RANGES} for mode, c in one.curves.items()},
    }
