"""Fibre directions: a vector for the whole body, components as expressions of position, or a vector per tet."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from supple.errors import WrongOption
from supple.formulas.places.fields import UNPLACED, VectorOfPlace, varies
from supple.materials.variables import direction
from supple.types import Array
from supple.values import Check


def _direction(vector: Any) -> Any:
    if not isinstance(vector, np.ndarray) and not any(vector):
        raise ValueError("a direction must not be zero, found [0, 0, 0]")
    return vector


Fibre = Annotated[VectorOfPlace, Check(_direction)]
"""A direction at rest; its length is ignored."""


def components(label: str, key: str, value: Any) -> dict[str, float | Array]:
    """The three constants of a law for a direction: its unit vector."""
    if varies(value):
        raise WrongOption(label, key, UNPLACED)
    vectors = np.asarray(value, dtype=np.float64)
    if vectors.ndim > 2 or vectors.shape[-1:] != (3,):
        raise WrongOption(label, key, f"must be one vector or one per tet, (m, 3), found shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise WrongOption(label, key, "must be finite")
    vectors = vectors / np.where(largest := np.abs(vectors).max(axis=-1, keepdims=True), largest, 1.0)
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    zero = np.flatnonzero(length == 0.0)
    if zero.size:
        where = f" of tet {zero[0]}" if vectors.ndim == 2 else ""
        raise WrongOption(label, key, f"the direction{where} must not be zero, found [0, 0, 0]")
    unit = vectors / length
    if vectors.ndim == 1:
        return {name: float(unit[k]) for k, name in enumerate(direction(key))}
    return {name: np.ascontiguousarray(unit[:, k]) for k, name in enumerate(direction(key))}
