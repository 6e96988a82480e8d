"""The mesh of a glTF node: its primitives as one object, with morph targets and weights of joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from supple.clips.gltf.document import Document
from supple.clips.room import demand_room
from supple.errors import SuppleError
from supple.types import Array, Ints

POINTS, LINES, LINE_LOOP, LINE_STRIP, TRIANGLES, STRIP, FAN = range(7)


@dataclass(frozen=True, eq=False)
class Shape:
    """Vertices at rest, in the coordinates of the node."""

    rest: Array
    triangles: Ints
    edges: Ints
    targets: Array
    """(m, n, 3) displacements of each morph target."""
    joints: np.ndarray | None
    """(n, k)"""
    weights: Array | None


def shape_of(document: Document, mesh: int) -> Shape:
    """All primitives of a mesh; those with the same vertices share them."""
    primitives = document.list("meshes")[mesh].get("primitives", [])
    firsts: dict[int, int] = {}
    blocks: list[dict[str, Any]] = []
    triangles, edges, n = [np.empty((0, 3), np.int64)], [np.empty((0, 2), np.int64)], 0
    for primitive in primitives:
        if "POSITION" not in primitive.get("attributes", {}):
            continue
        number = primitive["attributes"]["POSITION"]
        count = len(document.accessor(number))
        if number not in firsts:
            firsts[number] = n
            blocks.append(primitive)
            n += count
        corners = (
            document.accessor(primitive["indices"])[:, 0].astype(np.int64)
            if "indices" in primitive
            else np.arange(count)
        )
        document.take(len(corners))
        if len(corners) and not 0 <= corners.min() <= corners.max() < count:
            raise SuppleError(f"{document.path.name}: a face names vertex {corners.max()} of {count}; export it again")
        t, e = _cells(corners + firsts[number], primitive.get("mode", TRIANGLES))
        triangles.append(t)
        edges.append(e)
    if not blocks:
        raise SuppleError(f"{document.path.name}: mesh {mesh} has no vertices; export it again")
    rest = np.concatenate([document.floats(p["attributes"]["POSITION"], 3) for p in blocks])
    joints, weights = _influences(document, blocks)
    cells = np.concatenate(triangles).astype(np.int32), np.concatenate(edges).astype(np.int32)
    return Shape(rest, *cells, _targets(document, blocks), joints, weights)


def _cells(corners: np.ndarray, mode: int) -> tuple[np.ndarray, np.ndarray]:
    none = np.empty((0, 3), np.int64), np.empty((0, 2), np.int64)
    if mode == TRIANGLES:
        return corners[: len(corners) // 3 * 3].reshape(-1, 3), none[1]
    if mode in (STRIP, FAN):
        k = np.arange(max(len(corners) - 2, 0))
        if mode == FAN:
            return corners[np.stack([k * 0, k + 1, k + 2], axis=1)], none[1]
        return corners[np.stack([k, k + 1 + k % 2, k + 2 - k % 2], axis=1)], none[1]
    if mode == LINES:
        return none[0], corners[: len(corners) // 2 * 2].reshape(-1, 2)
    if mode in (LINE_LOOP, LINE_STRIP):
        after = np.roll(corners, -1) if mode == LINE_LOOP else corners[1:]
        return none[0], np.stack([corners[: len(after)], after], axis=1)
    return none


def _targets(document: Document, blocks: list[dict[str, Any]]) -> Array:
    count = max(len(p.get("targets", ())) for p in blocks)
    sizes = [len(document.accessor(p["attributes"]["POSITION"])) for p in blocks]
    demand_room(document.path.name, count, sum(sizes))
    made = np.zeros((count, sum(sizes), 3))
    first = 0
    for primitive, size in zip(blocks, sizes, strict=True):
        for k, target in enumerate(primitive.get("targets", ())):
            if "POSITION" in target:
                added = document.floats(target["POSITION"], 3)
                if len(added) != size:
                    raise SuppleError(
                        f"{document.path.name}: morph target {k} has {len(added)} vertices, its mesh has {size}; export it again"
                    )
                made[k, first : first + size] = added
        first += size
    return made


def _influences(document: Document, blocks: list[dict[str, Any]]) -> tuple[np.ndarray | None, Array | None]:
    """Joints and weights (n, k), which add up to one; None if a primitive has none."""
    if any("JOINTS_0" not in p["attributes"] or "WEIGHTS_0" not in p["attributes"] for p in blocks):
        return None, None
    sets = [k for k in range(8) if all({f"JOINTS_{k}", f"WEIGHTS_{k}"} <= p["attributes"].keys() for p in blocks)]
    for p in blocks:
        names = [f"{word}_{k}" for k in sets for word in ("JOINTS", "WEIGHTS")]
        sizes = {document.accessor(p["attributes"][name]).shape for name in names}
        if sizes != {(len(document.accessor(p["attributes"]["POSITION"])), 4)}:
            raise SuppleError(f"{document.path.name}: joints and weights do not fit the vertices; export it again")
    joints = np.concatenate(
        [np.hstack([document.accessor(p["attributes"][f"JOINTS_{k}"]) for k in sets]) for p in blocks]
    ).astype(np.int64)
    weights = np.concatenate(
        [np.hstack([document.floats(p["attributes"][f"WEIGHTS_{k}"]) for k in sets]) for p in blocks]
    )
    total = weights.sum(axis=1, keepdims=True)
    return joints, np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
