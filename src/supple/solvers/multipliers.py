"""The equations of stages with constraints, for positions, multipliers and, in conserving steps, velocities.

Plain, unknowns x and nu_j = s lam_j:
    r = grad Phi(x) + sum_j nu_j gbar_j = 0,  g(x) = 0

Conserving (discrete gradients of the constraints and of their rates, after Gear, Gupta and Leimkuhler 1985 and Gonzalez
1999), unknowns x, w = h v1, nu_j and mu_j, with psi_j = mean of g_j''(x_c) w_c along the step:
    grad Phi(x) + sum_j [ (nu_j - mu_j) gbar_j + mu_j/2 psi_j ] = 0,  g(x) = 0
    M (x - x0 - (h v0 + w)/2) - sum_j mu_j gbar_j = 0,                G(x) w = 0  (`strides` of constraints that move)
Both g and its rate keep their value along discrete gradients, so that neither multiplier does work. Without the second line
the velocities that g forbids turn their sign in every step and never decay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.dynamics.reactions import Reactions, forces, pull
from supple.dynamics.stage import Stage, StageObjective
from supple.dynamics.system import System
from supple.dynamics.tangent import slopes
from supple.linalg.reduce import dot, largest
from supple.linalg.square import both_halves
from supple.solvers.entries import Entries
from supple.types import Array


@dataclass(frozen=True)
class Point:
    """An iterate, and what is missed there."""

    x: Array
    w: Array
    """(n, 3) h v1; not used in plain stages."""
    nu: Array
    """(J,)"""
    mu: Array
    """(J,)"""
    momentum: Array
    """(n, 3) first equation, zero on prescribed vertices."""
    velocity: Array
    """(n, 3) that of the velocities, likewise."""
    scale: float
    """Largest entry of any single part of them."""
    off: Array
    """(J,) or (2 J,) constraints, and their rates times h, as distances [m]."""
    merit: float
    gradients: list[Array]
    psi: list[Array]


class Layout:
    """Places of the entries of the matrix for one system."""

    def __init__(self, system: System, conserving: bool) -> None:
        half, N, J = system.pattern, 3 * len(system.free), len(system.constraints)
        self.conserving, self.mass = conserving, float(system.mass[system.free].mean())
        self._both = both_halves(half)
        unknown = np.full((system.n, 3), -1, dtype=np.int64)
        unknown[system.free] = np.arange(N).reshape(-1, 3)
        row, column = _mirrored(half.indptr, half.indices)
        own, first = np.arange(N), 2 * N if conserving else N
        places = [(row, column)]
        if conserving:
            places += [(N + own, own), (N + own, N + own)]
        for kind, span in system.constraints:
            e = unknown[kind.vertices].reshape(len(kind.vertices), -1)
            j = first + np.arange(span.start, span.stop)[:, None]
            shifted = np.where(e >= 0, N + e, -1)
            stencils = kind.curved[0]
            c = unknown[stencils].reshape(len(stencils), -1)
            later = np.where(c >= 0, N + c, -1)
            places += [(c[:, :, None], c[:, None, :]), (e, j), (j, e)]
            if conserving:
                places += [(c[:, :, None], later[:, None, :]), (later[:, :, None], c[:, None, :])]
                places += [(e, J + j), (shifted, J + j), (J + j, e), (J + j, shifted)]
        self.matrix = Entries(first + (2 * J if conserving else J), places)

    def factor(self, problem: Problem, hessian: Array, now: Point) -> None:
        """Lay the derivatives at an iterate into the matrix."""
        system, reactions = problem.system, problem.reactions
        M = np.repeat(system.mass[system.free], 3)
        values = [hessian[self._both], *((M, -0.5 * M) if self.conserving else ())]
        curved = reactions.hessians(system.constraints, now.x)
        for k, (kind, span) in enumerate(system.constraints):
            # both borders have the size of a mass: rows are mbar times distances, multipliers are in mbar times distance
            unit = self.mass * problem.measure[span, None]
            column, row = (unit * each.reshape(len(each), -1) for each in (now.gradients[k], kind.gradients(now.x)))
            owners = kind.curved[1]
            nu, mu = now.nu[span][owners, None, None], now.mu[span][owners, None, None]
            values += [(nu - mu) * curved[k], column, row]
            if self.conserving:
                rate = kind.turned(now.x, now.w).reshape(len(row), -1)
                values += [0.5 * mu * curved[k], -mu * curved[k]]
                values += [0.5 * unit * now.psi[k].reshape(len(row), -1) - column, -column, unit * rate, row]
        self.matrix.factor(values)


class Problem:
    """The equations of one stage."""

    def __init__(self, system: System, stage: Stage, reactions: Reactions, layout: Layout) -> None:
        self.system, self.reactions, self.layout = system, reactions, layout
        self.objective = StageObjective(system, stage)
        self.measure = 1.0 / slopes(system, reactions.x0)
        """(J,) distance for a unit of g [m]."""
        self.size = max(largest(stage.origin), largest(stage.start))
        self.floor = 0.0
        """What rounding error makes of the momentum equation, once its derivative is known [kg m]."""

    def at(self, x: Array, w: Array, nu: Array, mu: Array) -> Point:
        """What is missed with these unknowns."""
        system, constraints, n = self.system, self.system.constraints, self.system.n
        gradients = self.reactions.gradients(constraints, x)
        evaluation = self.objective.evaluate(x)
        parts = [pull(constraints, gradients, nu - mu, n)]
        off, velocity, psi = self.measure * constraints.values(x), np.zeros_like(x), []
        if self.reactions.moves is not None:
            w0 = self.reactions.moves[0]
            psi = self._psi(x, w0, w)
            parts.append(pull(constraints, psi, 0.5 * mu, n))
            d = x - self.reactions.x0 - 0.5 * (w0 + w)
            velocity = system.on_free(system.mass[:, None] * d - pull(constraints, gradients, mu, n))
            off = np.concatenate([off, self.measure * self._rates(x, w)])
        parts = [system.on_free(part) for part in parts]
        momentum = evaluation.gradient + sum(parts)
        missed = sum(dot(r / system.mass[:, None], r) for r in (momentum, velocity))
        merit = missed + self.layout.mass * float(off @ off)
        scale = max(evaluation.scale, *map(largest, parts))
        return Point(x, w, nu, mu, momentum, velocity, scale, off, merit, gradients, psi)

    def moved(self, now: Point, hessian: Array) -> tuple[Array, Array, Array, Array]:
        """Newton's step of all unknowns."""
        system, unit = self.system, self.layout.mass * self.measure
        N, J = 3 * len(system.free), len(system.constraints)
        self.layout.factor(self, hessian, now)
        missed = [now.momentum, *([now.velocity] if self.layout.conserving else [])]
        rhs = np.concatenate([*(r[system.free].ravel() for r in missed), self.layout.mass * now.off])
        y = self.layout.matrix.solve(-rhs)
        dx, dw = np.zeros_like(now.x), np.zeros_like(now.x)
        dx[system.free] = y[:N].reshape(-1, 3)
        if not self.layout.conserving:
            return dx, dw, unit * y[N:], np.zeros(J)
        dw[system.free] = y[N : 2 * N].reshape(-1, 3)
        return dx, dw, unit * y[2 * N : 2 * N + J], unit * y[2 * N + J :]

    def outcome(self, now: Point) -> tuple[Array, Array]:
        """(n, 3) mean of what constraints add to grad V, and (J,) forces [N]."""
        constraints, s, n = self.system.constraints, self.reactions.weight, self.system.n
        reaction = pull(constraints, now.gradients, now.nu / s, n)
        if now.psi:
            reaction += pull(constraints, now.psi, 0.5 * now.mu / s, n)
        return reaction, forces(now.gradients, now.nu / s)

    def _psi(self, x: Array, w0: Array, w: Array) -> list[Array]:
        """(m, k, 3) mean of g'' w along the step, for each kind."""
        found = []
        for kind in self.system.constraints.kinds:
            total = np.zeros((*kind.vertices.shape, 3))
            for c, weight in self.reactions.nodes(kind):
                total += weight * kind.turned(self.reactions.between(c, x), (1.0 - c) * w0 + c * w)
            found.append(total)
        return found

    def _rates(self, x: Array, w: Array) -> Array:
        """(J,) G(x) w, less what constraints that move ask for."""
        constraints = self.system.constraints
        found = [(kind.gradients(x) * w[kind.vertices]).sum(axis=(1, 2)) for kind in constraints.kinds]
        return np.asarray(np.concatenate(found) - constraints.strides)


def _mirrored(indptr: np.ndarray, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of all entries of a symmetric matrix, row by row, from those of its upper triangle."""
    row, column = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices.astype(np.int64)
    off = row != column
    rows, columns = np.concatenate([row, column[off]]), np.concatenate([column, row[off]])
    order = np.lexsort((columns, rows))
    return rows[order], columns[order]
