"""Vertices given as `body` or `body.group`, and nearest points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from supple.errors import SceneError, did_you_mean
from supple.model.placed import Placed
from supple.types import Array, Ints


def place(name: str, parts: Sequence[Placed], path: str) -> tuple[Ints, Placed]:
    """The vertices given by `body` or `body.group`, and the body."""
    known = {part.name: part for part in parts}
    body, _, group = name.rpartition(".") if "." in name and name not in known else (name, "", "")
    if body not in known:
        raise SceneError(f"{path}: unknown body '{body}'{did_you_mean(body, known)} known: {', '.join(known)}")
    part = known[body]
    if not group:
        return part.numbers, part
    groups = part.mesh.groups
    if group not in groups:
        listed = ", ".join(sorted(groups)) or "none"
        raise SceneError(f"{path}: unknown group '{group}' of '{body}'{did_you_mean(group, groups)} known: {listed}")
    if not len(groups[group]):
        raise SceneError(f"{path}: group '{group}' of '{body}' has no vertices")
    return groups[group] + np.int32(part.first), part


def nearest_vertices(points: Array, others: Array) -> Ints:
    """(p,) index of the nearest of the others for each point."""
    from scipy.spatial import cKDTree

    return np.asarray(cKDTree(others).query(points)[1], dtype=np.int32)
