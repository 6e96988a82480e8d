"""Semi-implicit and exponential methods as their papers write them: dense matrices in (x, v), no elimination, no modes' algebra.

Only for small bodies with held, unmoved vertices; u is a vector of all free coordinates, then all free velocities.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import expm

from builders import dense
from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.state import State
from supple.dynamics.system import System


def phi1(A: np.ndarray) -> np.ndarray:
    """phi_1(A) = A^-1 (e^A - I), also for singular A."""
    n = len(A)
    big = np.zeros((2 * n, 2 * n))
    big[:n, :n], big[:n, n:] = A, np.eye(n)
    return expm(big)[:n, n:]


@dataclass(frozen=True)
class Phase:
    """A system as u' = F(u)."""

    system: System
    held: np.ndarray
    """Positions of all vertices, for the held ones."""

    def vector(self, state: State) -> np.ndarray:
        return np.concatenate([state.x[self.system.free].ravel(), state.v[self.system.free].ravel()])

    def state(self, u: np.ndarray) -> State:
        x, v = self.held.copy(), np.zeros_like(self.held)
        x[self.system.free], v[self.system.free] = u.reshape(2, -1, 3)
        return State(0.0, x, v)

    def F(self, u: np.ndarray) -> np.ndarray:
        state = self.state(u)
        return np.concatenate(
            [state.v[self.system.free].ravel(), self.system.acceleration(state)[self.system.free].ravel()]
        )

    def J(self, u: np.ndarray) -> np.ndarray:
        linearised = Linearised(self.system, self.state(u))
        mass = self.system.unknown_mass[:, None]
        n = len(mass)
        J = np.zeros((2 * n, 2 * n))
        J[:n, n:] = np.eye(n)
        J[n:, :n] = -dense(self.system, linearised.stiffness) / mass
        if linearised.damping is not None:
            J[n:, n:] = -dense(self.system, linearised.damping) / mass
        return J


@dataclass(frozen=True)
class Low:
    """The split by modes: rows of X are M-orthonormal shapes over the free coordinates."""

    X: np.ndarray
    mass: np.ndarray

    @property
    def P(self) -> np.ndarray:
        return self.X.T @ (self.X * self.mass)

    def G(self, F: np.ndarray) -> np.ndarray:
        return np.concatenate([self.P @ part for part in np.split(F, 2)])

    def J(self, J: np.ndarray) -> np.ndarray:
        """J_G = P_2 J P_2: [0 P; -X K_r X^T M  -X D_r X^T M]."""
        P2 = np.kron(np.eye(2), self.P)
        return P2 @ J @ P2
