"""The points at which a stage evaluates a potential, with their weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.types import Array


@dataclass(frozen=True)
class Samples:
    """q configurations at once: the stage requires sum_q energy_q V(x_q), sum_q force_q V'(x_q), sum_q curvature_q V''(x_q)."""

    x: Array
    """(q, n, 3) configurations."""
    energy: Array
    """(q,) weights of the value."""
    force: Array
    """(q,) weights of the gradient."""
    curvature: Array
    """(q,) weights of the Hessian."""


def one_sample(x: Array) -> Samples:
    """The potential itself at one configuration."""
    one = np.ones(1)
    return Samples(x[None], one, one, one)
