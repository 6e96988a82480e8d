"""A loss as a function of scaled unknowns: runs of the scene, and their results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from supple.damping.rayleigh import StiffnessDamping
from supple.dynamics.state import State
from supple.errors import SuppleError
from supple.fits.family import Family, twins_of
from supple.fits.fields import by_elements
from supple.fits.losses.losses import Loss
from supple.fits.losses.parts import Part, Roughness
from supple.fits.losses.prepared import Own, Prepared, Seen, Setting
from supple.fits.solving.journal import Journal, packed, unpacked
from supple.fits.solving.priors import make_priors
from supple.fits.solving.sweeping import derivative, jacobian
from supple.fits.solving.trial import Ran, Trial
from supple.fits.unknowns import Variables
from supple.loop import Frame
from supple.sensitivity.record import record
from supple.sensitivity.refusals import refuse
from supple.sensitivity.twins import Twin
from supple.types import Array

CLAMPED = (
    "rayleigh damping: its matrices are clamped where an element is compressed, and derivatives have kinks there; "
    "viscosity is exact"
)


@dataclass(frozen=True)
class Piece:
    """A prepared part of the loss that observes runs, and its weight."""

    weight: float
    prepared: Prepared


class Problem:
    """The loss on runs of a family of scenes."""

    def __init__(self, family: Family, loss: Loss, keep: int | Literal["all"] = "all") -> None:
        self.family, self.loss, self.keep = family, loss, keep
        self.names = list(family.starts)
        self.base = family.built(family.starts, None)
        self.counts = {key: len(self.base.model.bodies[f.body].mesh.tets) for key, f in family.fields.items()}
        numbers = [family.unknowns[name].at(value) for name, value in family.starts.items()]
        for key, field in family.fields.items():
            numbers += [family.unknowns[key].at(field.start)] * self.counts[key]
        self.variables = Variables(tuple(numbers))
        setup = self.base.setup
        refuse(self.base.model.system, setup.method)
        self.setting = Setting(self.base.model, setup.h, setup.steps)
        runs = [(one.weight, one.part) for one in loss.parts if isinstance(one.part, Part)]
        self.pieces = [Piece(weight, part.prepared(self.setting)) for weight, part in runs]
        self.own: list[tuple[float, Own]] = [
            (one.weight, one.part) for one in loss.parts if not isinstance(one.part, Part | Roughness)
        ]
        self.priors = make_priors(loss.parts, family, self.counts, self.base.model)
        self.stricter = 1.0
        """Factor on the weights of roughness."""
        self.runs = 0
        """Number of computed runs."""
        self.inexact: set[str] = set()
        self.journal: Journal | None = None
        """Journal of earlier and new results."""

    @property
    def squares(self) -> bool:
        """Whether it is a sum of squares, apart from priors."""
        return not self.own and all(piece.prepared.squared and piece.weight > 0.0 for piece in self.pieces)

    @property
    def start(self) -> Array:
        return np.zeros(len(self.variables.all))

    @property
    def notes(self) -> list[str]:
        said = [note for piece in self.pieces for note in piece.prepared.notes]
        dampers = self.base.model.system.dissipation.terms
        return [*said, CLAMPED] if any(isinstance(term, StiffnessDamping) for term in dampers) else said

    def values(self, z: Array) -> dict[str, float]:
        return dict(zip(self.names, self.variables.values(z), strict=False))

    def z(self, values: Mapping[str, float]) -> Array:
        """The variables of some values; unknowns with a value for each element at their start."""
        found = self.start
        for k, (name, variable) in enumerate(zip(self.names, self.variables.all, strict=False)):
            found[k] = variable.z(values[name])
        return found

    def fields(self, z: Array) -> dict[str, Array]:
        rest = np.array(self.variables.values(z)[len(self.names) :])
        ends = np.cumsum([0, *self.counts.values()])
        return {key: rest[a:b] for key, a, b in zip(self.counts, ends, ends[1:], strict=False)}

    def trial(self, z: Array, steps: int | None = None) -> Trial:
        """The run for some variables, over a given number of steps."""
        values, fields, steps = self.values(z), self.fields(z), steps or self.setting.steps
        trial = Trial(np.array(z), values, fields, steps, partial(self._ran, values, fields, steps))
        self.runs += 1
        kept = self._recalled("trial", trial)
        if kept is None:
            self._evaluate(trial)
            return trial
        if "failed" in kept:
            raise SuppleError(kept["failed"])
        trial.value, trial.prior = kept["value"], self._prior_rows(trial.z)[0]
        trial.residuals = unpacked(kept["residuals"]) if kept["residuals"] else None
        return trial

    def _ran(self, values: dict[str, float], fields: dict[str, Array], steps: int) -> Ran:
        built = self.family.built(values, self.base.model, fields)
        system = built.model.system
        seen = [Seen(self.setting.h) for _ in self.pieces]
        own = 0.0

        def look(frame: Frame) -> None:
            nonlocal own
            for piece, kept in zip(self.pieces, seen, strict=True):
                kept.times.append(frame.state.t)
                if piece.prepared.needs(frame.state.t):
                    kept.values[frame.step] = piece.prepared.watched.value(system, frame.state)
            own += sum(weight * _value(function, frame.step, frame.state) for weight, function in self.own)

        found = record(
            built.model, built.setup.method, h=self.setting.h, steps=steps, keep=self.keep,
            solver=built.setup.solver, each=look,
        )  # fmt: skip
        return Ran(built, found, seen, own)

    def _evaluate(self, trial: Trial) -> None:
        """Run a trial, and store its result."""
        try:
            total, rows = trial.ran.own, []
        except SuppleError as problem:
            self._keep({"failed": str(problem)}, "trial", trial)
            raise
        for piece, seen in zip(self.pieces, trial.ran.seen, strict=True):
            r = piece.prepared.residuals(seen)
            total += piece.weight * float(r @ r if piece.prepared.squared else r.sum())
            rows.append(math.sqrt(abs(piece.weight)) * r)
        trial.prior, _ = self._prior_rows(trial.z)
        total += float(trial.prior @ trial.prior)
        trial.value = total if math.isfinite(total) else math.inf
        if self.squares:
            trial.residuals = np.concatenate(rows) if rows else np.zeros(0)
        residuals = None if trial.residuals is None else packed(trial.residuals)
        self._keep({"value": trial.value, "residuals": residuals}, "trial", trial)

    def _recalled(self, what: str, trial: Trial) -> Any:
        return None if self.journal is None else self.journal.recall(what, trial.z, trial.steps, self.stricter)

    def _keep(self, result: Any, what: str, trial: Trial) -> None:
        if self.journal is not None:
            self.journal.keep(result, what, trial.z, trial.steps, self.stricter)

    def twins(self, trial: Trial) -> list[Twin]:
        units = {name: variable.unit for name, variable in zip(self.names, self.variables.all, strict=False)}
        return twins_of(self.family, trial.values, trial.built.model, units, trial.fields)

    def rows_jacobian(self, trial: Trial) -> Array:
        """(N + q, p) derivatives of all rows with respect to the variables, with tangents."""
        return np.concatenate([self.jacobian(trial), self._prior_rows(trial.z)[1] * self.variables.slopes(trial.z)])

    def jacobian(self, trial: Trial) -> Array:
        """(N, p) derivatives of the residuals with respect to the variables, with tangents."""
        kept = self._recalled("jacobian", trial)
        if kept is not None:
            return unpacked(kept)
        pieces = [(piece.weight, piece.prepared) for piece in self.pieces]
        columns = jacobian(trial.record, pieces, trial.ran.seen, self.twins(trial)) * self.variables.slopes(trial.z)
        self._keep(packed(columns), "jacobian", trial)
        return columns

    def gradient(self, trial: Trial) -> Array:
        """(p,) derivatives of the value with respect to the variables, with adjoints."""
        return self.by_values(trial) * self.variables.slopes(trial.z)

    def by_values(self, trial: Trial) -> Array:
        """(p,) derivatives of the value with respect to the parameters, then to element values."""
        kept = self._recalled("gradient", trial)
        if kept is not None:
            self.inexact.update(kept["inexact"])
            return unpacked(kept["by"])
        pieces = [(piece.weight, piece.prepared) for piece in self.pieces]
        bars = derivative(trial.record, pieces, trial.ran.seen, self.own, self.twins(trial), bool(self.counts))
        self.inexact.update(bars.inexact)
        found = [np.array([bars.keys[name] for name in self.names])]
        found += [by_elements(field, trial.built.model, bars) for field in self.family.fields.values()]
        r, J = self._prior_rows(trial.z)
        by: Array = np.concatenate(found) + 2.0 * r @ J
        self._keep({"by": packed(by), "inexact": sorted(bars.inexact)}, "gradient", trial)
        return by

    def _prior_rows(self, z: Array) -> tuple[Array, Array]:
        """Residuals of all priors, and their derivatives with respect to all parameters."""
        numbers = np.array(self.variables.values(z))
        rows = [prior.rows(numbers, self.stricter) for prior in self.priors]
        residuals = np.concatenate([np.zeros(0), *(r for r, _ in rows)])
        return residuals, np.concatenate([np.zeros((0, len(numbers))), *(J for _, J in rows)])


def _value(function: Own, index: int, state: State) -> float:
    share = function(index, state)
    if share is None:
        return 0.0
    if not hasattr(share, "value"):
        raise SuppleError(
            f"loss: the function returned {type(share).__name__}; return supple.Share(value, x, v), or None"
        )
    return float(share.value)
