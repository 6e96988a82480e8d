"""Animations of glTF: translations, rotations, scales and weights of nodes by their keys, and nodes in the world.

LINEAR rotates along the shortest path (slerp), STEP holds until the next key, CUBICSPLINE has tangents. Transforms act
on row vectors.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from supple.clips.checks import check_times
from supple.clips.gltf.document import Document
from supple.clips.room import demand_work
from supple.clips.sampling import filled
from supple.errors import SuppleError
from supple.types import Array

FRAME = 1.0 / 24.0
"""Spacing of samples where values are not linear between keys [s]."""
WIDTHS = {"translation": 3, "rotation": 4, "scale": 3}


@dataclass(frozen=True, eq=False)
class Channel:
    """One property of one node over time."""

    times: Array
    values: Array
    """(keys, w), or (keys, 3, w) with the tangents before and after."""
    interpolation: str
    turns: bool
    """Whether it is a rotation."""

    def at(self, t: float) -> Array:
        """(w,) at a time; held before the first and after the last key."""
        times, cubic = self.times, self.interpolation == "CUBICSPLINE"
        values = self.values[:, 1] if cubic else self.values
        k = int(np.searchsorted(times, t, side="right")) - 1
        if k < 0 or k >= len(times) - 1:
            return values[0] if k < 0 else values[-1]
        h = times[k + 1] - times[k]
        s = (t - times[k]) / h
        if self.interpolation == "STEP":
            return values[k]
        if not cubic:
            return slerp(values[k], values[k + 1], s) if self.turns else (1.0 - s) * values[k] + s * values[k + 1]
        p, q = h * self.values[k, 2], h * self.values[k + 1, 0]
        rise = values[k + 1] - values[k]
        made: Array = values[k] + s * (p + s * ((3.0 * rise - 2.0 * p - q) + s * (p + q - 2.0 * rise)))
        return made / (np.linalg.norm(made) or 1.0) if self.turns else made


class Motion:
    """The animations of a document, and node transforms."""

    def __init__(self, document: Document) -> None:
        self.document, self.nodes = document, document.list("nodes")
        self.parents = {child: k for k, node in enumerate(self.nodes) for child in node.get("children", ())}

        self._made: dict[tuple[int, int, str, str], Channel] = {}
        self._times: dict[int, Array] = {}
        self._spent = 0
        """Transforms computed so far, for all objects."""

    @cached_property
    def channels(self) -> dict[tuple[int, str], Channel]:
        """Channels by node and property; of several animations, the earlier one takes precedence."""
        found: dict[tuple[int, str], Channel] = {}
        for animation in self.document.list("animations"):
            for channel in animation.get("channels", ()):
                target = channel.get("target", {})
                if "node" in target and (key := (target["node"], target["path"])) not in found:
                    found[key] = self._channel(animation["samplers"][channel["sampler"]], target["path"])
        return found

    def _channel(self, sampler: dict[str, Any], path: str) -> Channel:
        """Many channels may share their keys and values, which are read once."""
        kind = sampler.get("interpolation", "LINEAR")
        key = (sampler["input"], sampler["output"], kind, path)
        if key not in self._made:
            self._made[key] = self._read(self._keys(sampler["input"]), sampler["output"], kind, path)
        return self._made[key]

    def _keys(self, accessor: int) -> Array:
        if accessor not in self._times:
            times = self.document.floats(accessor, 1)[:, 0]
            if not len(times):
                raise SuppleError(f"{self.document.path.name}: an animation has no keys; export it again")
            check_times(self.document.path.name, "animation", times)
            self._times[accessor] = times
        return self._times[accessor]

    def _read(self, times: Array, output: int, kind: str, path: str) -> Channel:
        values = self.document.floats(output)
        parts = 3 if kind == "CUBICSPLINE" else 1
        width, rest = divmod(values.size, parts * len(times))
        if rest or width != WIDTHS.get(path, width) or not np.isfinite(values).all():
            raise SuppleError(
                f"{self.document.path.name}: {values.size} numbers do not fit the {len(times)} keys of a {path} or are not finite"
            )
        values = values.reshape(len(times), parts, -1) if parts == 3 else values.reshape(len(times), -1)
        return Channel(times, values, kind, path == "rotation")

    def _demand_tree(self) -> None:
        """Reject nodes that are children of themselves."""
        done: set[int] = set()
        for node in self.parents:
            way: dict[int, None] = {}
            at: int | None = node
            while at is not None and at not in done:
                if at in way:
                    raise SuppleError(
                        f"{self.document.path.name}: its nodes are children of themselves; export it again"
                    )
                way[at] = None
                at = self.parents.get(at)
            done |= way.keys()

    def above(self, nodes: list[int]) -> list[int]:
        """Some nodes and all above them, sorted."""
        found: set[int] = set()
        for node in nodes:
            found.update(self._way(node, found))
        return sorted(found)

    def nearest(self, nodes: list[int]) -> list[int]:
        """For each node, the index of the nearest one above it; -1 for none."""
        index = {node: k for k, node in reversed(list(enumerate(nodes)))}
        found = {-1: -1}
        self.above(nodes)  # no circles
        for node in nodes:
            way, at = [], self.parents.get(node, -1)
            while at not in index and at not in found:
                way.append(at)
                at = self.parents.get(at, -1)
            found |= dict.fromkeys(way, index[at] if at in index else found[at])
        above = [self.parents.get(node, -1) for node in nodes]
        return [index[k] if k in index else found[k] for k in above]

    def keys(self, nodes: list[int], paths: tuple[str, ...]) -> Array:
        """Sample times: all keys of some nodes, and frames between them where values are not linear."""
        own = [self.channels[key] for node in nodes for path in paths if (key := (node, path)) in self.channels]
        moving = [channel for channel in own if len(channel.times) > 1]
        if not moving:
            return np.zeros(1)
        keys = np.concatenate(list({id(channel.times): channel.times for channel in moving}.values()))
        bent = any(channel.interpolation != "LINEAR" for channel in moving)
        turning = any(channel.turns for channel in moving)
        return filled(keys, FRAME, self.document.path.name, always=bent) if bent or turning else np.unique(keys)

    def local(self, node: int, t: float) -> Array:
        """(4, 4) from a node to the one above it."""
        table = self.nodes[node]
        self._spent += 1
        demand_work(self.document.path.name, self._spent, 1, 0)
        if "matrix" in table:
            return np.array(table["matrix"], dtype=np.float64).reshape(4, 4)
        usual = {"translation": [0.0] * 3, "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0] * 3}
        now = {
            key: self.channels[node, key].at(t)
            if (node, key) in self.channels
            else np.array(table.get(key, value), float)
            for key, value in usual.items()
        }
        made = np.eye(4)
        made[:3, :3] = now["scale"][:, None] * rotation(now["rotation"])
        made[3, :3] = now["translation"]
        return made

    def world(self, node: int, t: float, known: dict[int, Array] | None = None) -> Array:
        """(4, 4) from a node to the world; `known`, if given, has the transforms at this time so far, and is extended."""
        known = {} if known is None else known
        for k in reversed(self._way(node, known)):
            above = self.parents.get(k)
            known[k] = self.local(k, t) if above is None else self.local(k, t) @ known[above]
        return known[node]

    def _way(self, node: int, known: Container[int]) -> list[int]:
        """A node and those above it, up to the first known one; a `SuppleError` if they go round in a circle."""
        found: dict[int, None] = {}
        at: int | None = node
        while at is not None and at not in known:
            if at in found:
                raise SuppleError(f"{self.document.path.name}: its nodes are children of themselves; export it again")
            found[at] = None
            at = self.parents.get(at)
        return list(found)

    def weights(self, node: int, t: float, count: int) -> Array:
        """(count,) weights of the morph targets of a node's mesh."""
        if (node, "weights") in self.channels:
            found = self.channels[node, "weights"].at(t)
        else:
            table = self.nodes[node]
            mesh = self.document.json["meshes"][table["mesh"]]
            found = np.array(table.get("weights", mesh.get("weights", [0.0] * count)), dtype=np.float64)
        if len(found) < count:
            raise SuppleError(
                f"{self.document.path.name}: {len(found)} weights for {count} morph targets; export it again"
            )
        return found[:count]


def rotation(q: Array) -> Array:
    """(3, 3) for row vectors, from a quaternion x, y, z, w."""
    x, y, z, w = q / (np.linalg.norm(q) or 1.0)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
            [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
            [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def slerp(a: Array, b: Array, s: float) -> Array:
    """Interpolation between two quaternions along the shorter path."""
    cosine = float(a @ b)
    b, cosine = (-b, -cosine) if cosine < 0 else (b, cosine)
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-6:
        return (1.0 - s) * a + s * b
    made: Array = (np.sin((1.0 - s) * angle) * a + np.sin(s * angle) * b) / np.sin(angle)
    return made
