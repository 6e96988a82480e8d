"""Fits: values of a scene's parameters for which its motion meets an objective."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from supple.errors import SuppleError, did_you_mean
from supple.fits.family import Family, OwnFamily, SceneFamily
from supple.fits.losses.losses import Loss, as_loss
from supple.fits.losses.parts import Follow, chosen, of_group
from supple.fits.losses.prepared import Own
from supple.fits.results.certainty import Certainty, certainty
from supple.fits.results.remarks import damping_remarks, is_stiffness, observed_frequency, stiffness_factor
from supple.fits.results.result import FitResult, Followed, Row
from supple.fits.solving.gauss_newton import Stop
from supple.fits.solving.horizons import Report, Solved, solve
from supple.fits.solving.journal import Journal
from supple.fits.solving.problem import Problem
from supple.fits.solving.trial import Trial
from supple.fits.unknowns import Unknown, as_unknowns
from supple.model.world import World
from supple.runs.running import as_scene
from supple.scene.tables.scene import Scene
from supple.scene.tables.setup import Setup
from supple.types import Array

Source = Setup | Scene | str | os.PathLike[str] | Callable[[dict[str, float]], Setup]


class Fit:
    """A search for parameters of a scene.

        fit = supple.Fit("cantilever.toml", unknowns=["body[0].material.young:log"], loss=supple.follow("right", "tip.csv"))
        value, gradient = fit.value_and_gradient()
        result = fit.solve()

    source: a scene by its name or path, a set-up, or a function from values of the unknowns to a set-up.
    unknowns: `Unknown`s, or their text `KEY[:log][:LOW,HIGH]`. loss: `follow`, `hit`, `pose`, `energy_at`, `highest`, weighted
    sums of these, or a function (step, state) -> `Share`. settings: `KEY=VALUE`, as in `supple run --set`. keep: "all"
    states of a run, or a checkpoint every n steps.
    """

    def __init__(
        self,
        source: Source,
        unknowns: Sequence[Unknown | str],
        loss: Loss | Own,
        *,
        settings: Sequence[str] = (),
        keep: int | Literal["all"] = "all",
    ) -> None:
        self.loss = as_loss(loss)
        self.family = _family(source, as_unknowns(unknowns), settings)
        self.problem = Problem(self.family, self.loss, keep)

    @property
    def starts(self) -> dict[str, float]:
        """Values of the unknowns at the start."""
        return dict(self.family.starts)

    def value_and_gradient(
        self, values: Mapping[str, float | Array] | None = None
    ) -> tuple[float, dict[str, float | Array]]:
        """The loss at some values of the unknowns, by default at the start, and its derivatives; arrays (m,) for
        unknowns with a value per element."""
        given = {name: np.array([value]) for name, value in self.starts.items()}
        given |= {key: np.full(self.problem.counts[key], field.start) for key, field in self.family.fields.items()}
        for name, value in (values or {}).items():
            if name not in given:
                raise SuppleError(
                    f"values: {name} is not an unknown{did_you_mean(name, given)} unknowns: {', '.join(given)}"
                )
            given[name] = np.broadcast_to(np.asarray(value, dtype=float), given[name].shape)
        numbers = np.concatenate(list(given.values()))
        pairs = zip(self.problem.variables.all, numbers.tolist(), strict=True)
        trial = self.problem.trial(np.array([variable.z(value) for variable, value in pairs]))
        found = self.problem.by_values(trial)
        ends = np.cumsum([0, *(len(one) for one in given.values())])
        parts = {name: found[a:b] for name, a, b in zip(given, ends, ends[1:], strict=False)}
        return trial.value, {k: part if k in self.family.fields else float(part[0]) for k, part in parts.items()}

    def solve(
        self,
        max_steps: int = 40,
        *,
        horizons: Sequence[float] = (0.25, 0.5, 1.0),
        told: Callable[[Report], None] | None = None,
        journal: Journal | None = None,
    ) -> FitResult:
        """The best values. max_steps: of the search over the full duration. horizons: fractions of the duration fitted in
        sequence. told: called after each step of the search. journal: stores trials, and recalls those of a killed
        search. Ctrl-C stops with the best values so far."""
        count = 0
        self.problem.journal = journal

        def tell(report: Report) -> None:
            nonlocal count
            count += report.step > 0
            if told is not None:
                told(report)

        solved = solve(self.problem, Stop(max_steps), tell, tuple(horizons))
        return self._result(solved, count)

    def _result(self, solved: Solved, count: int) -> FitResult:
        problem, best = self.problem, solved.best
        sure = self._certainty(solved)
        rows = [
            Row(name, self.family.starts[name], best.values[name], error, self._corrected(name, best))
            for name, error in zip(problem.names, sure.errors.tolist(), strict=True)
        ]
        squares = problem.squares
        units = {piece.prepared.watched.unit for piece in problem.pieces}
        scene, files = self.family.text(best.values, best.fields)
        return FitResult(
            best.values, tuple(rows), best.value, solved.first.value, best.rms,
            units.pop() if squares and len(units) == 1 else "", sure.correlation,
            (*self._remarks(solved, best), *sure.open), problem.runs, count, solved.method, solved.interrupted,
            scene, best.fields, files, self._paths(solved), self.loss.target,
        )  # fmt: skip

    def _certainty(self, solved: Solved) -> Certainty:
        problem, best = self.problem, solved.best
        p = len(problem.names)
        if best.residuals is None or solved.interrupted or not solved.method.startswith("Gauss"):
            return Certainty(np.full(p, np.nan), np.full((p, p), np.nan))
        slopes = problem.variables.slopes(best.z)
        return certainty(problem.jacobian(best), best.residuals, problem.names, list(best.values.values()), slopes)

    def _corrected(self, name: str, best: Trial) -> float | None:
        factor = self._factor(best)
        if factor is None or not isinstance(self.family, SceneFamily) or not is_stiffness(name):
            return None
        return best.values[name] / factor

    def _factor(self, best: Trial) -> float | None:
        if self.loss.target is None:
            return None
        w = observed_frequency(self.loss.target)
        return stiffness_factor(best.built.setup.method, self.problem.setting.h, w)

    def _remarks(self, solved: Solved, best: Trial) -> list[str]:
        setup = best.built.setup
        keys = self.problem.names if isinstance(self.family, SceneFamily) else []
        said = [*self.problem.notes, *damping_remarks(setup.method, keys, setup.h), *sorted(self.problem.inexact)]
        factor = self._factor(best)
        if factor is not None and any(map(is_stiffness, keys)):
            said.append(
                f"corrected: {setup.method.name} at a step of {setup.h:.4g} s lowers frequencies, so a fitted stiffness is "
                f"{factor:.4f} times the true one at the frequency of the target"
            )
        if self.problem.counts and not self.problem.priors:
            said.append(
                f"{', '.join(self.problem.counts)}: one motion hardly determines single elements; keep neighbours similar with "
                "roughness(KEY) in the loss"
            )
        low, high = self.problem.variables.bounds
        for name, z, a, b in zip(self.problem.names, best.z, low, high, strict=False):
            if z <= a or z >= b:
                said.append(f"{name}: ends at its bound {best.values[name]:g}")
        if solved.interrupted:
            over = "the full duration" if solved.whole else f"the first {best.record.times[-1]:.4g} s"
            said.append(f"interrupted: these are the best values so far, over {over}")
        return said

    def _paths(self, solved: Solved) -> tuple[Followed, ...]:
        """Target, start and fit of the first followed group."""
        part = next((one.part for one in self.loss.parts if isinstance(one.part, Follow)), None)
        if part is None:
            return ()
        vertices = chosen(self.problem.setting, part.group)
        goals = of_group(part.target, vertices, self.problem.setting.model.mesh.n, part.each)
        found = [Followed("target", part.target.times, goals.mean(axis=1) if goals.ndim == 3 else goals)]
        for label, trial in (("start", solved.first), ("fit", solved.best)):
            x = np.array([state.x[vertices].mean(axis=0) for state in trial.record.states])
            found.append(Followed(label, np.array(trial.record.times), x))
        return tuple(found)


def _family(source: Source, unknowns: tuple[Unknown, ...], settings: Sequence[str]) -> Family:
    if callable(source) and not isinstance(source, Setup | Scene | World):
        return OwnFamily(source, unknowns)
    if isinstance(source, World):
        raise SuppleError("fit: a world alone has no method and no steps; give a Setup, or a scene by its name or path")
    solver = source.solver if isinstance(source, Setup) else None
    scene = source if isinstance(source, Scene) else as_scene(source, solver=solver, settings=settings)
    return SceneFamily(scene, unknowns)
