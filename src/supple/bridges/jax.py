"""A run as a function of JAX arrays (float64, CPU): `pip install 'supple[jax]'`, and jax_enable_x64.

run = ArrayRun(model, supple.AVF(), 1 / 60, 60, ("bar.mu",))
x1, v1 = simulated(run)(x0, v0, mu)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from supple.bridges.runs import ArrayRun


def simulated(run: ArrayRun) -> Callable[..., tuple[jax.Array, jax.Array]]:
    """Arguments of the run -> last positions and velocities (n, 3); supports `jax.grad`, `jax.vjp` and `jax.jit`."""
    state = jax.ShapeDtypeStruct(run.shapes()[0], np.float64)

    def computed(*given: Any) -> tuple[np.ndarray, np.ndarray]:
        found = run.forward(*(np.asarray(a) for a in given))
        assert found.last is not None
        return found.last.x, found.last.v

    def pulled(given: Any, bars: Any) -> tuple[np.ndarray, ...]:
        found = run.forward(*(np.asarray(a) for a in given))  # JAX keeps only arrays, so the run is repeated
        return run.backward(found, *(np.asarray(b) for b in bars))

    @jax.custom_vjp
    def last(*given: jax.Array) -> tuple[jax.Array, jax.Array]:
        return jax.pure_callback(computed, (state, state), *given)

    def forward(*given: jax.Array) -> tuple[tuple[jax.Array, jax.Array], tuple[jax.Array, ...]]:
        return last(*given), given

    def backward(given: tuple[jax.Array, ...], bars: tuple[jax.Array, jax.Array]) -> tuple[jax.Array, ...]:
        shapes = tuple(jax.ShapeDtypeStruct(a.shape, np.float64) for a in given)
        return jax.pure_callback(pulled, shapes, given, bars)

    last.defvjp(forward, backward)
    return last
