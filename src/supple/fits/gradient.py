"""Derivative of a quantity of a run with respect to parameters of its scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from supple.checks import checked_call
from supple.errors import SuppleError
from supple.fits.fit import Fit, Source
from supple.fits.losses.losses import Loss, Weighted
from supple.fits.losses.quantities import parse_quantity
from supple.fits.solving.horizons import MOST
from supple.fits.unknowns import Unknown

RELATIVE = 1e-4
"""Relative change of a parameter for a finite-difference check."""


@dataclass(frozen=True)
class Gradient:
    """A quantity and its derivatives."""

    quantity: str
    """Name of the quantity."""
    unit: str
    """SI unit of the quantity."""
    value: float
    """Value of the quantity, in `unit`."""
    keys: dict[str, float]
    """Values of the parameters."""
    derivatives: dict[str, float]
    """Derivative with respect to each parameter, by key, in `unit` over the unit of the key."""
    differences: dict[str, float] = field(default_factory=dict)
    """The same by central differences of entire runs, if requested."""
    notes: tuple[str, ...] = ()
    """Warnings and remarks."""

    @property
    def elasticities(self) -> dict[str, float | None]:
        """theta/q dq/dtheta: relative change of the quantity over that of the parameter; None where the quantity is 0."""
        q = self.value
        return {name: d * self.keys[name] / q + 0.0 if q else None for name, d in self.derivatives.items()}

    @property
    def errors(self) -> dict[str, float]:
        """Relative differences between derivatives and central differences."""
        found = {}
        for name, other in self.differences.items():
            size = max(abs(other), abs(self.derivatives[name]))
            found[name] = abs(self.derivatives[name] - other) / size if size else 0.0
        return found


@checked_call
def gradient(
    source: Source,
    of: str,
    by: Sequence[str],
    *,
    settings: Sequence[str] = (),
    keep: int | Literal["all"] = "all",
    check: bool = False,
) -> Gradient:
    """Derivatives of a quantity such as "tip.y@1.0" or "elastic@0.5" with respect to parameters of a scene.

    check: also central differences of entire runs, two runs per parameter.
    """
    quantity = parse_quantity(of)
    fit = Fit(source, [Unknown(key) for key in by], Loss((Weighted(1.0, quantity),)), settings=settings, keep=keep)
    problem = fit.problem
    trial = problem.trial(problem.start)
    if len(problem.names) <= MOST:
        slopes = problem.jacobian(trial)[0] / problem.variables.slopes(trial.z)
    else:
        slopes = problem.by_values(trial)
    differences = _differences(fit) if check else {}
    notes = (*problem.notes, *sorted(problem.inexact))
    unit = problem.pieces[0].prepared.watched.unit
    derivatives = dict(zip(problem.names, slopes.tolist(), strict=True))
    return Gradient(str(quantity), unit, trial.value, trial.values, derivatives, differences, notes)


def _differences(fit: Fit) -> dict[str, float]:
    problem = fit.problem
    found = {}
    for k, (name, variable) in enumerate(zip(problem.names, problem.variables.all, strict=True)):
        e = RELATIVE * (abs(variable.start) or variable.unit)
        sides = []
        for sign in (1.0, -1.0):
            z = np.zeros(len(problem.names))
            z[k] = sign * e / variable.unit
            sides.append(problem.trial(z).value)
        found[name] = (sides[0] - sides[1]) / (2.0 * e)
        if not np.isfinite(found[name]):
            raise SuppleError(f"{name}: the neighbouring run gave no finite value, so no difference can be checked")
    return found
