"""Constants of a solid from measured stresses, by least squares.

    minimise sum over points (computed - measured stress)^2
Several starts are used, the first from the slope of the data at small strains, the others random around it; they
are the same in every run. Standard errors follow from the Jacobian at the minimum. AIC = n log(RSS/n) + 2 k compares laws with
different numbers k of constants over n points: the lowest is the best.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.analysis.materials.data import StressData, points_of
from supple.analysis.materials.family import COMPRESSIBLE, INCOMPRESSIBLE, VOLUMETRIC, Constant, Family, family, is_name
from supple.analysis.materials.loading import find_axis
from supple.analysis.materials.problem import UNDEFINED, Problem, first_modulus
from supple.errors import SuppleError
from supple.materials.material import Material
from supple.types import Array

STARTS, AGREEING = 8, 3
"""Largest number of starts, and how many must reach the lowest minimum before the others are skipped."""
SPREAD = 2.0
"""Range of the other starts, in the variables of `Constant`: a factor of e^2 for positive constants."""
SAME = 1e-4


class NoFit(SuppleError):
    """A law that cannot reproduce the data."""


@dataclass(frozen=True)
class Fit:
    """A solid with the constants found."""

    label: str
    material: Material
    names: tuple[str, ...]
    """Values of all its constants, in order."""
    values: Mapping[str, float]
    """Constants found."""
    errors: Mapping[str, float]
    """Their standard errors; NaN if the data do not determine them."""
    held: Mapping[str, float]
    """Fixed constants."""
    points: int
    r2: float
    """Explained fraction of the variance of the stresses."""
    rms: float
    """Root mean square of the differences [Pa]."""
    aic: float
    agreeing: int
    """Number of starts that converged here."""


def fit_material(
    law: str | type[Material],
    data: StressData,
    start: Mapping[str, float] | None = None,
    fixed: Mapping[str, float] | None = None,
    poisson: float | None = None,
    axis: str = "x",
) -> Fit:
    """The best-fitting solid of a law: a registered one by its name or class, or a formula.

    `start`: initial guesses, required for the constants of a formula. `fixed`: known constants. Without volumetric data,
    constants such as the bulk modulus are fixed so that Poisson's ratio is `poisson`, 0.4995 if None.
    """
    given = {**(start or {}), **(fixed or {})} if isinstance(law, str) and not is_name(law) else start
    return fit_family(family(law, given), data, fixed or {}, poisson, axis)


def fit_family(
    law: Family, data: StressData, fixed: Mapping[str, float], poisson: float | None = None, axis: str = "x"
) -> Fit:
    """The same for a family of solids."""
    find_axis(axis)
    if not data:
        raise SuppleError("data: no points")
    constants = _first(law, data, poisson)
    if unknown := sorted(set(fixed) - set(constants)):
        raise SuppleError(f"{law.label}: unknown constant {', '.join(unknown)}; known: {', '.join(constants)}")
    held = {name: c.guess for name, c in constants.items() if name in VOLUMETRIC and "volumetric" not in data}
    held |= fixed
    open_ = {name: c for name, c in constants.items() if name not in held}
    count = sum(1 for _ in points_of(data))
    if not open_:
        raise SuppleError(f"{law.label}: all its constants are fixed; leave one free")
    if count <= len(open_):
        raise SuppleError(
            f"{law.label}: {count} points cannot determine {len(open_)} constants; give more points, or fix some constants"
        )
    return _best(Problem(law, data, open_, held, axis))


def rank(fits: Sequence[Fit]) -> list[Fit]:
    """Sorted by AIC, best first."""
    return sorted(fits, key=lambda fit: fit.aic)


def _first(law: Family, data: StressData, poisson: float | None) -> dict[str, Constant]:
    """Constants matching the initial modulus of the data."""
    free = not set(law.names) & set(VOLUMETRIC)
    nu = poisson if poisson is not None else COMPRESSIBLE if free else INCOMPRESSIBLE
    return law.constants(first_modulus(data), nu)


def _best(problem: Problem) -> Fit:
    from scipy.optimize import least_squares

    low, high = np.array([c.bounds for c in problem.open.values()]).T
    found: list[Any] = []
    for start in _starts(low, high):
        found.append(least_squares(problem.residuals, start, bounds=(low, high), x_scale="jac", max_nfev=200))
        costs = np.array([one.cost for one in found])
        if (costs <= costs.min() * (1 + SAME) + 1e-20).sum() >= AGREEING:
            break
    best = min(found, key=lambda one: one.cost)
    if not best.cost < 0.5 * UNDEFINED**2:
        raise NoFit(
            f"{problem.family.label}: no constants were found for which it has stresses at all points of the data; "
            "fix some of them near expected values, or omit points"
        )
    return _judged(problem, best, int((costs <= best.cost * (1 + SAME) + 1e-20).sum()))


def _starts(low: Array, high: Array) -> Iterator[Array]:
    rng = np.random.default_rng(17)
    span = 1e-6 * np.maximum(np.minimum(high - low, 1.0), 1e-6)
    yield np.clip(np.zeros(len(low)), low + span, high - span)
    for _ in range(STARTS - 1):
        yield np.clip(rng.uniform(-SPREAD, SPREAD, len(low)), low + span, high - span)


def _judged(problem: Problem, best: Any, agreeing: int) -> Fit:
    n, k = len(problem.measured), len(problem.open)
    rss = float(2 * best.cost * problem.size**2)
    values = problem.values(best.x)
    slopes = np.array([c.slope(v) for c, v in zip(problem.open.values(), best.x.tolist(), strict=True)])
    try:
        covariance = np.linalg.inv(best.jac.T @ best.jac) * 2 * best.cost / (n - k)
        errors = np.abs(slopes) * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    except np.linalg.LinAlgError:
        errors = np.full(k, np.nan)
    spread = float(np.square(problem.measured - problem.measured.mean()).sum())
    return Fit(
        label=problem.family.label,
        material=problem.material(best.x),
        names=problem.family.names,
        values=values,
        errors=dict(zip(values, errors.tolist(), strict=True)),
        held=problem.held,
        points=n,
        r2=1 - rss / spread if spread else float("nan"),
        rms=(rss / n) ** 0.5,
        aic=n * float(np.log(max(rss / n, 1e-300))) + 2 * k,
        agreeing=agreeing,
    )
