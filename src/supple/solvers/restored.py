"""Arrays of solvers from a checkpoint, which may be of untrusted origin: native code follows them without checks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from supple.linalg.pattern import SymmetricPattern
from supple.types import Array


def grown_keys(memory: Mapping[str, Array], base: SymmetricPattern) -> np.ndarray:
    """Keys of blocks that contact added to a pattern; a ValueError names those outside its matrix."""
    keys = np.asarray(memory["grown"])
    if keys.ndim != 1 or keys.dtype != np.int64 or (len(keys) and not 0 <= keys.min() <= keys.max() < base.n**2):
        raise ValueError(f"grown has blocks outside a matrix of {base.n} vertices")
    return np.unique(keys)


def entries(memory: Mapping[str, Array], name: str, count: int) -> Array:
    """Entries of a matrix with `count` of them; a ValueError states another number."""
    found = np.asarray(memory[name])
    if found.shape != (count,) or found.dtype != np.float64:
        raise ValueError(f"{name} has {found.dtype} entries of the shape {found.shape}; its matrix has {count} entries")
    return np.array(found)


def rows(memory: Mapping[str, Array], name: str, count: int) -> Array:
    """Positions (count, 3); a ValueError states another shape."""
    found = np.asarray(memory[name])
    if found.shape != (count, 3) or found.dtype != np.float64:
        raise ValueError(f"{name} has {found.dtype} entries of the shape {found.shape}; {count} vertices are free")
    return np.array(found)
