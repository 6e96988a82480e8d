"""Layout of the derivatives of stages with constraints in one matrix.

Unknowns are the positions and kappa = nu - mu, mu (equations: multipliers.py). In conserving stages w = h v1 is added,
only at constrained vertices: elsewhere it follows from x. With the rows of positions plus those of w, -1/2 of those of
w, and half of the rates less the constraints themselves, the matrix is symmetric up to changes within a step:
    [ A + M + (nu - mu - mu) g''   (mu g'' - M)/2   gbar^T   psi^T/2 - gbar^T ]
    [ (mu g'' - M)/2               M/4              0        gbar^T/2         ]
    [ G                            0                0        0                ]
    [ (g'' w)/2 - G                G/2              0        0                ]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from supple.dynamics.system import System
from supple.linalg.pattern import SymmetricPattern
from supple.solvers.saddle.entries import Entries
from supple.solvers.saddle.unheld import Derivative
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.solvers.multipliers import Point, Problem


class Layout:
    """Positions of the entries for one system; `half`: pattern of all couplings between vertices, including constraints."""

    def __init__(self, system: System, half: SymmetricPattern, conserving: bool) -> None:
        N, J = 3 * len(system.free), len(system.constraints)
        self.conserving, self.mass = conserving, float(system.mass[system.free].mean())
        unknown = np.full((system.n, 3), -1, dtype=np.int64)
        unknown[system.free] = np.arange(N).reshape(-1, 3)
        self.held = touched(system) if conserving else np.empty(0, dtype=np.int32)
        own, later = unknown[self.held].ravel(), np.full((system.n, 3), -1, dtype=np.int64)
        later[self.held] = N + np.arange(len(own)).reshape(-1, 3)
        row, column = np.repeat(np.arange(N), np.diff(half.indptr)), half.indices
        self._off = row != column
        places = [(row, column), (column[self._off], row[self._off])]
        if conserving:
            after = later[self.held].ravel()
            places += [(own, own), (own, after), (after, own), (after, after)]
        first = self.first = N + len(own)
        for kind, span in system.constraints:
            x, w = (numbers[kind.vertices].reshape(len(kind.vertices), -1) for numbers in (unknown, later))
            stencils = kind.curved[0]
            c, cw = (numbers[stencils].reshape(len(stencils), -1) for numbers in (unknown, later))
            j = first + np.arange(span.start, span.stop)[:, None]
            places += [(c[:, :, None], c[:, None, :]), (x, j), (j, x)]
            if conserving:
                places += [(c[:, :, None], cw[:, None, :]), (cw[:, :, None], c[:, None, :])]
                places += [(x, J + j), (J + j, x), (w, J + j), (J + j, w)]
        self.entries = Entries(first + (2 * J if conserving else J), places)
        self.diagonal = self.entries.diagonal[:N]
        self._held_mass = np.repeat(system.mass[self.held], 3)

    def values(self, problem: Problem, now: Point, unheld: Derivative, symmetric: Array) -> Array:
        """Entries at an iterate; `symmetric`: that part of the derivative in the pattern of this layout."""
        constraints, M = problem.system.constraints, self._held_mass
        values = [symmetric, symmetric[self._off]]
        if self.conserving:
            values += [M, -0.5 * M, -0.5 * M, 0.25 * M]
        curved = problem.reactions.hessians(constraints, now.x)
        for k, (kind, span) in enumerate(constraints):
            # both borders have the size of a mass: rows are mbar times distances, multipliers are in mbar times distance
            unit = self.mass * problem.measure[span, None]
            column, row = (unit * each.reshape(len(each), -1) for each in (now.gradients[k], kind.gradients(now.x)))
            owners = kind.curved[1]
            nu, mu = now.nu[span][owners, None, None], now.mu[span][owners, None, None]
            values += [(nu - 2.0 * mu) * curved[k], column, row]
            if self.conserving:
                rate, psi = (each.reshape(len(row), -1) for each in (kind.turned(now.x, now.w), now.psi[k]))
                values += [0.5 * mu * curved[k]] * 2
                values += [0.5 * unit * psi - column, 0.5 * unit * rate - row, 0.5 * column, 0.5 * row]
        return self.entries.sum(values, [self._block(*each) for each in unheld.blocks])

    def missed(self, problem: Problem, now: Point) -> Array:
        """The equations in the order of the rows."""
        J, free = len(problem.system.constraints), problem.system.free
        off = self.mass * now.off
        if not self.conserving:
            return np.concatenate([now.momentum[free].ravel(), off])
        both = (now.momentum + now.velocity)[free].ravel()
        return np.concatenate([both, -0.5 * now.velocity[self.held].ravel(), off[:J], 0.5 * off[J:] - off[:J]])

    def moves(self, problem: Problem, y: Array) -> tuple[Array, Array, Array, Array]:
        """Changes of x, w, nu and mu from a solution."""
        system, unit = problem.system, self.mass * problem.measure
        N, J = 3 * len(system.free), len(system.constraints)
        dx, dw = np.zeros((2, system.n, 3))
        dx[system.free] = y[:N].reshape(-1, 3)
        if not self.conserving:
            return dx, dw, unit * y[N:], np.zeros(J)
        kappa, mu = unit * y[-2 * J : -J], unit * y[-J:]
        dw[self.held] = y[N : -2 * J].reshape(-1, 3)
        return dx, dw, kappa + mu, mu

    def _block(self, elements: Ints, matrices: Array) -> tuple[np.ndarray, Array]:
        """Slots and values of element matrices."""
        m, k = elements.shape
        known = (elements[:, :, None] >= 0) & (elements[:, None, :] >= 0)
        i, j = np.broadcast_arrays(elements[:, :, None], elements[:, None, :])
        rows = 3 * i[known].astype(np.int64)[:, None] + np.arange(3)
        slots = self.entries.find(rows, 3 * j[known].astype(np.int64)[:, None])[:, :, None] + np.arange(3)
        numbers = matrices.reshape(m, k, 3, k, 3).transpose(0, 1, 3, 2, 4)[known]
        return slots.ravel(), numbers.ravel()


def touched(system: System) -> Ints:
    """Free vertices with constraints, ascending."""
    found = np.unique(np.concatenate([kind.vertices.ravel() for kind in system.constraints.kinds]))
    return np.intersect1d(found, system.free).astype(np.int32)


def stencils(system: System) -> list[Ints]:
    """(p, c) unknown indices of the vertices coupled by second derivatives of constraints, -1 where prescribed."""
    unknown = np.full(system.n, -1, dtype=np.int32)
    unknown[system.free] = np.arange(len(system.free))
    return [unknown[kind.curved[0]] for kind in system.constraints.kinds]
