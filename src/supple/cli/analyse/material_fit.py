"""`supple analyse material --fit`: constants of several solids from one file, ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from supple.analysis.materials.data import Measured
    from supple.analysis.materials.fitting import Fit
    from supple.cli.analyse.given import Given
    from supple.cli.analyse.subjects import Subject

COLUMNS = ("material", "mode", "amount", "measured", "computed")
DIGITS = 6


def fit_solids(
    console: Console, subjects: Sequence[Subject], file: Path, given: Given, fixed: Given, poisson: float | None,
    mode: str, axis: str, files: Mapping[str, Path],
) -> dict[str, Any]:  # fmt: skip
    """Fit all solids, show them best first, and write points and plot."""
    from supple.analysis.materials.data import read_stress_data
    from supple.analysis.materials.family import family
    from supple.analysis.materials.fitting import NoFit, fit_family, rank
    from supple.analysis.materials.loading import find_loading
    from supple.cli.analyse.output import progress, write_csv

    data = read_stress_data(file, find_loading(mode).name)
    fits: list[Fit] = []
    failures: list[NoFit] = []
    with progress(console, "fits", len(subjects)) as show:
        for k, subject in enumerate(subjects):
            show(k, subject.label)
            known = fixed.of(subject.label, subject.names)
            start = given.of(subject.label, subject.names)
            if isinstance(subject.law, str):
                start = _demanded(subject, start | known)
            try:
                fits.append(fit_family(family(subject.law, start, subject.label), data, known, poisson, axis))
            except NoFit as failure:
                failures.append(failure)
        show(len(subjects), "")
    if not fits:
        raise failures[0]
    ranked = rank(fits)
    texts = {subject.label: subject.law for subject in subjects if isinstance(subject.law, str)}
    _show(console, ranked, data, texts)
    for one in failures:
        console.print(str(one), markup=False)
    write_csv(files["table"], COLUMNS, _rows(ranked, data, axis))
    _draw(ranked, data, axis, files["plot"], file.name)
    return {"fits": [_facts(fit, texts) for fit in ranked], "failures": [str(one) for one in failures]}


def _demanded(subject: Subject, start: dict[str, float]) -> dict[str, float]:
    from supple.errors import SuppleError

    if subject.made is not None:
        raise SuppleError(f"{subject.label}: its material is a formula; give --fit the formula itself")
    if missing := [name for name in subject.names if name not in start]:
        raise SuppleError(
            f"{subject.label}: no initial guess for {', '.join(missing)}; give --constant {missing[0]}=1e5, or --fixed"
        )
    return {name: start[name] for name in subject.names}


def _show(console: Console, fits: Sequence[Fit], data: Mapping[str, Measured], texts: Mapping[str, str]) -> None:
    from supple.cli.analyse.output import show_table

    points = ", ".join(f"{len(measured.amount)} {mode}" for mode, measured in data.items())
    rows = [
        [fit.label, str(len(fit.values)), f"{fit.r2:.5f}", f"{fit.rms:.4g}", f"{fit.aic:.1f}", f"{fit.agreeing}"]
        for fit in fits
    ]
    heads = ("material", "constants", "R^2", "rms [Pa]", "AIC", "starts that agree")
    show_table(console, f"fits to {points} points, best first", heads, rows)
    for fit in fits:
        found = [_found(name, value, fit.errors[name]) for name, value in fit.values.items()]
        held = [f"{name} = {value:.5g} held" for name, value in fit.held.items()]
        console.print(f"{fit.label}: {', '.join(found + held)}", markup=False)
    for fit in fits:
        console.print(snippet(fit, texts), markup=False)


def _found(name: str, value: float, error: float) -> str:
    """A constant with its standard error; an error as large as the value means that the data do not determine it."""
    open_ = "" if error < abs(value) else " (not determined by the data)"
    return f"{name} = {value:.5g} ± {error:.2g}{open_}"


def snippet(fit: Fit, texts: Mapping[str, str]) -> str:
    """The material as a line of a scene."""
    from supple.wording import inline

    table: dict[str, Any] = {"name": fit.material.name}
    if fit.label in texts:
        table = {"name": "formula", "energy": texts[fit.label]}
    both = {**fit.held, **fit.values}
    order = sorted(both, key=list(fit.names).index)
    return f"material = {inline(table | {name: float(f'{both[name]:.{DIGITS}g}') for name in order})}"


def _rows(fits: Sequence[Fit], data: Mapping[str, Measured], axis: str) -> list[dict[str, Any]]:
    from supple.analysis.materials.data import points_of
    from supple.analysis.materials.problem import stresses

    rows = []
    for fit in fits:
        computed = stresses(fit.material, data, axis).tolist()
        for (mode, amount, measured), value in zip(points_of(data), computed, strict=True):
            rows.append(dict(zip(COLUMNS, (fit.label, mode, amount, measured, value), strict=True)))
    return rows


def _draw(fits: Sequence[Fit], data: Mapping[str, Measured], axis: str, plot: Path, name: str) -> None:
    """Curves over the measured range of each mode."""
    from supple.analysis.materials.curves import MaterialCurves, curve, points_about
    from supple.analysis.materials.figure import draw
    from supple.analysis.materials.loading import LOADINGS

    found = {}
    for fit in fits:
        curves = {
            mode: curve(fit.material, LOADINGS[mode], points_about(LOADINGS[mode], m.amount), axis)
            for mode, m in data.items()
        }
        found[fit.label] = MaterialCurves(fit.material, fit.material.at_rest(), axis, curves)
    draw(found, plot, f"fits to {name}", data)


def _facts(fit: Fit, texts: Mapping[str, str]) -> dict[str, Any]:
    return {
        "material": fit.label,
        "constants": dict(fit.values),
        "errors": dict(fit.errors),
        "held": dict(fit.held),
        "points": fit.points,
        "r2": fit.r2,
        "rms": fit.rms,
        "aic": fit.aic,
        "scene": snippet(fit, texts),
    }
