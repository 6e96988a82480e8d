"""Reverse sweep of one step: from adjoints of its results to adjoints of its inputs.

A bar (adjoint) is the derivative of the loss with respect to a vector. For a stage R(x) = 0 with H = dR/dx, which is symmetric:
    H lam = xb on free vertices, 0 elsewhere;   yb += inertia M lam;   bb_q -= s_q V''(p_q) lam;   thetab -= lam . dR/dtheta
    prescribed rows of x: xb - sum_q s_q c_q V''(p_q) lam goes to the script
For a force a = M^-1 grad V(p):
    mu = M^-1 ab;   pb += V''(p) mu;   thetab += ab . da/dtheta
Where damping follows the step (its place is (1 - c) x0 + c x), dR/dx has a part that is not symmetric. The equation for lam is
then solved iteratively, with the same contraction as the step itself.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.system import System
from supple.energies.instant import Instant
from supple.energies.roles.frozen import FrozenInSteps
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.integrators.method import Method
from supple.sensitivity.bordered import BorderedStage
from supple.sensitivity.equations import EquationStep
from supple.sensitivity.frozen import clamped, follows, pulled_places
from supple.sensitivity.instants import instant_of
from supple.sensitivity.linear import StageMatrix
from supple.sensitivity.looking import View, views
from supple.sensitivity.rehearsal.program import Drive, EquationSolve, Force, Free, Instruction, Place, Row, Solve
from supple.sensitivity.replay import Played, averaged, chosen, during
from supple.sensitivity.rounds import settled
from supple.sensitivity.sums import Sums
from supple.types import Array

SETTLED = 1e-13
"""Change per round, relative to the largest entry, at which a repeated solve has converged."""


class StepBack:
    """The reverse sweep of one step."""

    def __init__(self, played: Played, method: Method, matrix: StageMatrix, sums: Sums) -> None:
        self.played, self.sums = played, sums
        self._method, self._matrix = method, matrix
        self._bars = [np.zeros_like(value) for value in played.values]
        self._place = np.zeros_like(played.values[0])
        self._neighbours: dict[int, System] = {}
        self._places_of_terms = {id(term): k for k, term in enumerate(played.system.potential.terms)}

    def take(self, outputs: dict[str, Array]) -> dict[str, Array]:
        """Adjoints of the inputs by name, from those of the results."""
        program = self.played.step.program
        for name, bar in outputs.items():
            self._spread(program.outputs[name], bar)
        for k in reversed(range(len(program.instructions))):
            symbol = len(program.inputs) + k
            if self._bars[symbol].any():
                self._back(program.instructions[k], symbol)
        self._unfreeze()
        return dict(zip(program.inputs, self._bars, strict=False))

    def _spread(self, row: Row, bar: Array) -> None:
        for symbol, factor in row:
            self._bars[symbol] += factor * bar

    def _back(self, instruction: Instruction, symbol: int) -> None:
        bar, t, free = self._bars[symbol], self.played.t, self.played.system.on_free
        match instruction:
            case Solve():
                self._solve(instruction, symbol)
            case EquationSolve():
                self._equation(instruction, symbol)
            case Force():
                self._force(instruction, symbol)
            case Free(row):
                self._spread(row, free(bar))
            case Place(row, time):
                self._spread(row, free(bar))
                self.sums.add_script("place", t + time, bar)
            case Drive(row, time):
                self._spread(row, free(bar))
                self.sums.add_script("drive", t + time, bar)

    # -- stages ------------------------------------------------------------------------------------------------------

    def _solve(self, asked: Solve, symbol: int) -> None:
        played, x, bar = self.played, self.played.values[symbol], self._bars[symbol]
        found, objective = views(played, asked, x), played.stage(asked, x)
        bordered = BorderedStage(played.system, objective, x) if asked.constrained else None
        own = np.zeros_like(x)
        if bordered is None:
            self._matrix.at(objective, x)
            lam = self._multiplier(asked, found, symbol)
        else:
            lam, eta = bordered.solve(bar)
            own += bordered.product(lam, eta)
            self.sums.add_change(-lam, bordered.forces)
            self.sums.add_numbers(-eta, bordered.values)
        self._spread(asked.target, asked.inertia * played.system.mass[:, None] * lam)
        for view in found:
            own += view.product(view.weights * view.scales, lam)
            self._offsets(view, lam)
            if view.closed is not None:  # the mean over a step is symmetric in its ends
                exchanged = averaged(view.closed, x).product(one_sample(played.of(view.start)), lam)
                self._spread(view.start, -view.weights.sum() * exchanged)
            if view.velocities:
                self._places(view.weighted(view.weights), -lam, asked.middle, symbol)
        self.sums.add_script("place", played.t + asked.time, bar - own)
        self.sums.add_change(-lam, lambda s: self._residual(asked, x, self._near(s)))
        if self.sums.fields:
            self.sums.mass -= asked.inertia * np.einsum("ni,ni->n", lam, x - played.of(asked.target))
            for view in found:
                self._pull(view, asked, lam)

    def _offsets(self, view: View, lam: Array) -> None:
        """Adjoints of the symbols that the samples of a view depend on; equal rows share one product."""
        done: dict[bytes, Array] = {}
        for symbol, factors in view.symbols().items():
            weights = view.weights * factors
            size = np.abs(weights).max()
            if not size:
                continue
            key = np.round(weights / size, 14).tobytes()
            if key not in done:
                done[key] = view.product(weights / size, lam)
            self._bars[symbol] -= size * done[key]

    def _multiplier(self, asked: Solve, found: list[View], symbol: int) -> Array:
        """lam with (dR/dx)^T lam = xb."""
        bar = self._bars[symbol]
        lam = self._matrix.solve(bar)
        share = dict(asked.middle or ()).get(symbol, 0.0)
        view = next((v for v in found if v.velocities), None)
        if not share or view is None:
            return lam
        at, samples, system = instant_of(self.played, asked.middle), view.weighted(view.weights), self.played.system

        def again(y: Array) -> Array:
            return self._matrix.solve(bar - share * pulled_places(system, at, samples, y, following=True).place)

        return settled(lam, again, SETTLED)

    def _residual(self, asked: Solve, x: Array, system: System) -> Array:
        """R of a neighbouring system at the same positions."""
        objective = self.played.stage(asked, x, system)
        return objective.evaluate(x).gradient

    def _pull(self, view: View, asked: Solve, lam: Array) -> None:
        """Adjoints of constants and rest positions of the terms of a stage."""
        samples = view.weighted(view.weights)
        if view.velocities:
            self._pull_dissipation(samples, lam, -1.0, instant_of(self.played, asked.middle))
        elif view.closed is None:  # contact has no constants of its own: they are parameters of the world
            self._pull_potential(view.potential.terms, samples, lam, -1.0)

    # -- forces ------------------------------------------------------------------------------------------------------

    def _force(self, asked: Force, symbol: int) -> None:
        played, bar, a = self.played, self._bars[symbol], self.played.values[symbol]
        mu = bar / played.system.mass[:, None]
        samples = one_sample(played.of(asked.point))
        if asked.terms is None:
            potential = played.dissipation_at(asked)
            self._places(samples, mu, asked.place, symbol, asked)
        else:
            potential = chosen(played.system.potential, asked.terms)
        self._spread(asked.point, potential.product(samples, mu))
        self.sums.add_change(bar, lambda s: played.force(asked, self._near(s)))
        if not self.sums.fields:
            return
        self.sums.mass -= np.einsum("ni,ni->n", a, mu)
        if asked.terms is None:
            self._pull_dissipation(samples, mu, 1.0, instant_of(played, asked.place, asked))
        else:
            self._pull_potential(potential.terms, samples, mu, 1.0)

    def _equation(self, asked: EquationSolve, symbol: int) -> None:
        """A step that solves an equation (equations.py)."""
        played, x = self.played, self.played.values[symbol]
        step = EquationStep(played, asked, x)
        lam = step.multiplier(self._bars[symbol])
        self._spread(asked.target, played.system.mass[:, None] * lam)
        self._spread(asked.x0, -step.start_product(lam))
        self.sums.add_script("place", played.t + asked.time, self._bars[symbol] - step.end_product(lam))
        if step.dissipation_samples is not None and played.system.dissipation.changes:
            self._whole_step(step.dissipation_samples, -lam, False if step.follows else None)
        self.sums.add_change(-lam, lambda s: step.residual(self._near(s)))
        if self.sums.fields:
            self.sums.mass -= np.einsum("ni,ni->n", lam, x - played.of(asked.target))
            for term, pulled in step.pulls(lam):
                self.sums.add_pulled("potential", self._places_of_terms[id(term)], pulled, -1.0)
                if "rest" not in pulled and term.group == "elastic":
                    self.sums.inexact.add(
                        f"{type(term).__name__}: rest positions are omitted in steps that solve an equation"
                    )
            if step.dissipation_samples is not None:
                self._pull_dissipation(step.dissipation_samples, lam, -1.0, step.frozen_at())

    # -- what is frozen in the step ----------------------------------------------------------------------------------

    def _places(self, samples: Samples, mu: Array, place: Row | None, symbol: int, force: Force | None = None) -> None:
        """Adjoints of mu . grad D with respect to the configurations at which dissipation is frozen."""
        system = self.played.system
        if not system.dissipation.changes:
            return
        if force is not None and force.place is not None and not force.middle:
            found = pulled_places(system, instant_of(self.played, None, force), samples, mu, None)
            self._spread(force.place, found.place)
            self._spread(force.point, found.v)
            self._bars[0] += found.x0
            return
        self._whole_step(samples, mu, None if place is None else False)
        if place is not None:
            found = pulled_places(system, instant_of(self.played, place), samples, mu, following=True)
            self._bars[0] += found.x0
            self._bars[1] += found.v
            self._spread(tuple((k, c) for k, c in place if k != symbol), found.place)

    def _whole_step(self, samples: Samples, mu: Array, following: bool | None) -> None:
        """The same for terms frozen at one configuration for the whole step."""
        at = instant_of(self.played, None)
        found = pulled_places(self.played.system, at, samples, mu, following)
        self._place += found.place
        self._bars[0] += found.x0
        self._bars[1] += found.v
        for name in clamped(self.played.system, at):
            self.sums.inexact.add(
                f"{name}: element matrices were clamped, so derivatives have kinks; viscosity has none"
            )

    def _unfreeze(self) -> None:
        """Propagate the adjoint of the frozen configuration: place = x0 + f h v0 on free vertices, the script elsewhere."""
        played, f = self.played, self._method.freezes_at
        if f is None or not self._place.any():
            return
        free = played.system.on_free(self._place)
        self._bars[0] += free
        self._bars[1] += f * played.h * free
        self.sums.add_script("place", played.t + f * played.h, self._place)

    # -- numbers of terms --------------------------------------------------------------------------------------------

    def _pull_potential(self, terms: tuple[EnergyTerm, ...], samples: Samples, mu: Array, sign: float) -> None:
        for term in terms:
            self.sums.add_pulled("potential", self._places_of_terms[id(term)], term.pull(samples, mu), sign)

    def _pull_dissipation(self, samples: Samples, mu: Array, sign: float, at: Instant) -> None:
        base = instant_of(self.played, None)
        for k, term in enumerate(self.played.system.dissipation.terms):
            if isinstance(term, FrozenInSteps):
                pulled = term.pull_frozen(at if follows(term) else base, samples, mu)
            else:
                pulled = term.pull(samples, mu)
            self.sums.add_pulled("dissipation", k, pulled, sign)

    # -- neighbouring systems ----------------------------------------------------------------------------------------

    def _near(self, system: System) -> System:
        """A neighbouring system during this step."""
        if id(system) not in self._neighbours:
            self._neighbours[id(system)] = during(system, self._method, self.played.step)
        return self._neighbours[id(system)]
