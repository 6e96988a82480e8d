# SPDX-License-Identifier: GPL-3.0-or-later
"""The inside of soft bodies: meshes of tets that supple makes, and their vertices that pins hold."""

from pathlib import Path

import numpy as np
from mathutils.kdtree import KDTree

from ..messages import Refusal

NEAR = 24
"""Tets whose centres are looked at around a point."""
SLACK = 0.05
"""Part of a tet by which a point may lie outside of it."""


def read_tets(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and tets (m, 4) of a Medit file in text."""
    words = path.read_text(encoding="utf-8").split()
    return _block(path, words, "Vertices", 3, float), _block(path, words, "Tetrahedra", 4, int) - 1


def _block(path: Path, words: list[str], name: str, width: int, kind: type) -> np.ndarray:
    if name not in words:
        raise Refusal(f"{path}: no {name}; delete the file and simulate again")
    at = words.index(name)
    count = int(words[at + 1])
    rows = words[at + 2 : at + 2 + count * (width + 1)]  # each row ends with a number for its region
    return np.array([kind(word) for word in rows], dtype=kind).reshape(count, width + 1)[:, :width]


def held(vertices: np.ndarray, tets: np.ndarray, surface: np.ndarray, pinned: np.ndarray, core: bool) -> np.ndarray:
    """Vertices of tets that carry pinned vertices of the surface; with a core also those that are nearest to them.

    A pinned vertex at p = sum w_i x_i follows the rig if all corners x_i of its tet do.
    """
    chosen = np.zeros(len(vertices), dtype=bool)
    chosen[_corners(vertices, tets, surface[pinned])] = True
    if core:
        tree = _tree(surface)
        nearest = np.array([tree.find(x)[1] for x in vertices])
        chosen |= pinned[nearest]
    return np.flatnonzero(chosen)


def _corners(vertices: np.ndarray, tets: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Corners of the tets that hold the points, or of the nearest ones."""
    x = vertices[tets]
    tree = _tree(x.mean(axis=1))
    inverse = np.linalg.inv(np.swapaxes(x[:, 1:] - x[:, :1], 1, 2))
    found = []
    for point in points:
        near = np.array([k for _, k, _ in tree.find_n(point, NEAR)])
        rest = np.einsum("tij,tj->ti", inverse[near], point - x[near, 0])
        least = np.minimum(rest.min(axis=1), 1.0 - rest.sum(axis=1))
        found.append(near[(least > -SLACK) | (least == least.max())])
    return np.unique(tets[np.concatenate(found)])


def _tree(points: np.ndarray) -> KDTree:
    tree = KDTree(len(points))
    for k, x in enumerate(points):
        tree.insert(x, k)
    tree.balance()
    return tree
