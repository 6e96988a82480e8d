"""The splitting of a body's motion into a few low modes, treated exponentially, and the rest.

X (M-orthonormal modes), P = X X^T M; for u = (x, v):  G = P F, H = F - G, and with K_r = X^T K X, D_r = X^T D'' X
    J_G = [0  P; -X K_r X^T M  -X D_r X^T M],  J_H = J - J_G
For true modes of the present K (and a D'' with the same modes) J_G J_H = 0, (I - c J_H)^-1 is the identity on span X and
(I - c J)^-1 on its complement. For modes found at an earlier configuration the formulas still hold with K_r, but the
velocity matrix is no longer symmetric,
    S = A - Y X^T M,  A = M + c D'' + c^2 K,  Y = c^2 K X + c M X D_r,
and is solved with the factorisation of A and a correction of rank s (Sherman, Morrison and Woodbury).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes, RitzModes
from supple.dynamics.step import Tools
from supple.errors import StepRejected
from supple.integrators.phase import Implicit
from supple.types import Array

SAME_MODES = 1e-10
"""Damping that maps the modes out of their span by less than this has the same modes."""


class Splitting:
    """Low modes of one linearised system."""

    def __init__(self, linearised: Linearised, modes: Modes, image: Array | None = None) -> None:
        """`image` is K X for modes computed at another configuration, None for modes of this one."""
        self.linearised = linearised
        self.modes = modes
        self._image = image
        self._weighted = linearised.system.mass[:, None] * modes.vectors
        self._damping: Array | None = None
        if linearised.damping is not None:
            damped = np.array([linearised.damp(x) for x in modes.vectors]).reshape(modes.vectors.shape)  # or no modes
            self._damping = np.tensordot(modes.vectors, damped, axes=((1, 2), (1, 2)))
            missed = np.abs(damped - np.tensordot(self._damping.T, self._weighted, axes=1)).max(initial=0.0)
            if self._image is None and missed > SAME_MODES * np.abs(damped).max(initial=0.0):
                self._image = modes.values[:, None, None] * self._weighted

    @classmethod
    def of_ritz(cls, linearised: Linearised, ritz: RitzModes) -> Splitting:
        """The splitting with an earlier subspace."""
        return cls(linearised, ritz.modes, ritz.image)

    def below(self, limit: float) -> Splitting:
        """Only modes whose angular frequency is below a limit [1/s]."""
        keep = self.modes.values < limit * limit
        if keep.all():
            return self
        image = None if self._image is None else self._image[keep]
        return Splitting(self.linearised, Modes(self.modes.vectors[keep], self.modes.values[keep]), image)

    def coordinates(self, r: Array) -> Array:
        """X^T M r of (..., n, 3)."""
        return np.tensordot(r, self._weighted, axes=((-2, -1), (1, 2)))

    def low(self, r: Array) -> Array:
        """P r: the part in the span of the modes."""
        return np.tensordot(self.coordinates(r), self.modes.vectors, axes=1)

    def flow(self, F: Array, t: float) -> Array:
        """t phi_1(t J_G) G of F = (v, a): the motion of the low modes in the time t on their own."""
        p, r = self.coordinates(F)
        if self._damping is not None:
            moved = _damped_flow(self.modes.values, self._damping, p, r, t)
        else:
            S, C = _oscillation(self.modes.values, t)
            moved = np.stack([S * p + C * r, S * r - self.modes.values * C * p])
        return np.tensordot(moved, self.modes.vectors, axes=1)

    def coupling(self, d: Array) -> Array:
        """P J (I - P) d: the effect of a motion d of the rest on the low modes; zero for true modes."""
        out = np.zeros_like(d)
        if self._image is not None:
            x, v = d - self.low(d)
            force = self.linearised.stiff(x) + self.linearised.damp(v)
            out[1] = -self.low(force / self.linearised.system.mass[:, None])
        return out

    def implicit(self, c: float, tools: Tools) -> Callable[[Array], Array]:
        """(I - c J_H)^-1, with one factorisation of M + c D'' + c^2 K."""
        solve = tools.factor(self.linearised.shifted(c))
        plain = Implicit(self.linearised, solve, c)
        if self._image is None:

            def complement(r: Array) -> Array:
                low = self.low(r)
                w = plain(r - low)
                return low + w - self.low(w)

            return complement
        Y = c * c * self._image
        if self._damping is not None:
            Y += c * np.tensordot(self._damping.T, self._weighted, axes=1)
        Z = solve(Y)
        small = np.eye(len(Z)) - self.coordinates(Z).T  # I - X^T M Z
        mass, stiff, values = self.linearised.system.mass[:, None], self.linearised.stiff, self.modes.values

        def corrected(r: Array) -> Array:
            reduced = np.tensordot(values * self.coordinates(r[0]), self._weighted, axes=1)
            t = solve(mass * r[1] - c * (stiff(r[0]) - reduced))
            v = t + np.tensordot(np.linalg.solve(small, self.coordinates(t)), Z, axes=1)
            return np.stack([r[0] + c * (v - self.low(v)), v])

        return corrected


def _oscillation(values: Array, t: float) -> tuple[Array, Array]:
    """sin(wt)/w and (1 - cos wt)/w^2 for w^2 = values; hyperbolic where these are negative, t and t^2/2 at 0."""
    w = np.sqrt(np.abs(values))
    x, half = w * t, 0.5 * w * t
    with np.errstate(over="ignore"):
        sine = np.where(values < 0.0, _over(np.sinh, x), _over(np.sin, x))
        half_sine = np.where(values < 0.0, _over(np.sinh, half), _over(np.sin, half))
    return t * sine, 0.5 * t * t * half_sine**2


def _over(function: Callable[[Array], Array], x: Array) -> Array:
    """function(x)/x, 1 at 0."""
    safe = np.where(x == 0.0, 1.0, x)
    return np.where(x == 0.0, 1.0, function(safe) / safe)


def _damped_flow(values: Array, damping: Array, p: Array, r: Array, t: float) -> Array:
    """The same with modal damping, which may couple modes: exponential of the reduced matrix, of size 2s + 1."""
    from scipy.linalg import expm

    s = len(values)
    big = np.zeros((2 * s + 1, 2 * s + 1))
    big[:s, s : 2 * s] = np.eye(s)
    big[s : 2 * s, :s] = -np.diag(values)
    big[s : 2 * s, s : 2 * s] = -damping
    big[:s, -1], big[s : 2 * s, -1] = p, r
    if not np.isfinite(big).all():
        raise StepRejected("the exponential of the low modes is not finite; use a smaller time.step")
    return expm(t * big)[: 2 * s, -1].reshape(2, s)
