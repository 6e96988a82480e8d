"""`supple analyse material`: stress curves of solids, their stable ranges, and constants fitted to measured data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from supple.cli.analyse.study import AsJson, Settings

Solids: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="NAME|FORMULA|SCENE:BODY...",
        help="Registered materials, energy-density formulas, or bodies of scenes.",
    ),
]
Constants: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE",
        help="A constant, such as Jm=30, or gent.Jm=30 for one of several; with --fit an initial guess; repeatable.",
    ),
]
Young: TypeAlias = Annotated[
    float | None, typer.Option(help="Young's modulus at rest of all solids [Pa]; default: 1e6.")
]
Poisson: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Poisson's ratio at rest of all solids; default: 0.45, with --fit 0.4995."),
]
Modes: TypeAlias = Annotated[
    str | None,
    typer.Option(
        help="Tests: uniaxial, biaxial, pure-shear, shear, volumetric, comma-separated; with --fit the test of a file that "
        "names none."
    ),
]
Stretch: TypeAlias = Annotated[
    str | None, typer.Option(metavar="LOW:HIGH", help="Range of stretches and of J; 0.4:2.5 by default.")
]
Axis: TypeAlias = Annotated[str, typer.Option(help="Loading axis in the rest shape: x, y or z.")]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Fit the constants to a CSV of measurements: stretch, nominal stress, mode."),
]
Fixed: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="With --fit: a known constant, such as bulk=2e9; repeatable."),
]


def material(
    solids: Solids,
    constant: Constants = None,
    young: Young = None,
    poisson: Poisson = None,
    mode: Modes = None,
    stretch: Stretch = None,
    axis: Axis = "x",
    fit: Data = None,
    fixed: Fixed = None,
    settings: Settings = None,
    csv: Annotated[Path, typer.Option(help="File for the curves.")] = Path("material.csv"),
    plot: Annotated[Path, typer.Option(help="File for the plot (png, svg, pdf).")] = Path("material.png"),
    as_json: AsJson = False,
) -> None:
    """Draw stress curves of solids and their stable ranges, or fit their constants to measured data."""
    from supple.cli.analyse.given import read_given
    from supple.cli.analyse.material_curves import curve_solids
    from supple.cli.analyse.material_fit import fit_solids
    from supple.cli.analyse.output import check_results, show_files
    from supple.cli.analyse.subjects import read_subjects
    from supple.cli.output import new_console, print_json

    console = new_console(as_json)
    check_results(csv, plot, inputs=[fit] if fit else [])
    _check_together(fit, young, stretch, fixed)
    subjects = read_subjects(solids, settings or [])
    given, known = read_given("--constant", constant), read_given("--fixed", fixed)
    for options in (given, known):
        options.demand_used({s.label: s.names for s in subjects})
    files = {"table": csv, "plot": plot}
    if fit is not None:
        document = fit_solids(console, subjects, fit, given, known, poisson, mode or "uniaxial", axis, files)
    else:
        members = {s.label: s.member(given.of(s.label, s.names), young, poisson) for s in subjects}
        document = curve_solids(console, members, mode, stretch, axis, files)
    show_files(console, files)
    if as_json:
        print_json({"csv": str(csv), "plot": str(plot), **document})


def _check_together(fit: Path | None, young: float | None, stretch: str | None, fixed: list[str] | None) -> None:
    """Refuse options that would be ignored."""
    from supple.errors import SuppleError

    if fit is None and fixed:
        raise SuppleError("--fixed: requires --fit; for a curve, give constants with --constant")
    for option, value in (("--young", young), ("--stretch", stretch)):
        if fit is not None and value is not None:
            raise SuppleError(f"{option}: follows from the data of --fit; leave it out")
