"""Animations of glTF: translations, rotations, scales and weights of nodes by their keys, and nodes in the world.

LINEAR rotates along the shortest path (slerp), STEP holds until the next key, CUBICSPLINE has tangents. Transforms act
on row vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from supple.clips.checks import check_times
from supple.clips.gltf.document import Document
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

    @cached_property
    def channels(self) -> dict[tuple[int, str], Channel]:
        """Channels by node and property; of several animations, the earlier one takes precedence."""
        found: dict[tuple[int, str], Channel] = {}
        for animation in self.document.list("animations"):
            for channel in animation.get("channels", ()):
                target = channel.get("target", {})
                if "node" in target:
                    sampler = animation["samplers"][channel["sampler"]]
                    found.setdefault((target["node"], target["path"]), self._channel(sampler, target["path"]))
        return found

    def _channel(self, sampler: dict[str, Any], path: str) -> Channel:
        times = self.document.floats(sampler["input"], 1)[:, 0]
        values, kind = self.document.floats(sampler["output"]), sampler.get("interpolation", "LINEAR")
        if not len(times):
            raise SuppleError(f"{self.document.path.name}: an animation has no keys; export it again")
        check_times(self.document.path.name, "animation", times)
        parts = 3 if kind == "CUBICSPLINE" else 1
        width, rest = divmod(values.size, parts * len(times))
        if rest or width != WIDTHS.get(path, width) or not np.isfinite(values).all():
            raise SuppleError(
                f"{self.document.path.name}: {values.size} numbers do not fit the {len(times)} keys of a {path} or are not finite"
            )
        values = values.reshape(len(times), parts, -1) if parts == 3 else values.reshape(len(times), -1)
        return Channel(times, values, kind, path == "rotation")

    def above(self, node: int) -> list[int]:
        """A node and all above it."""
        found = [node]
        while found[-1] in self.parents:
            found.append(self.parents[found[-1]])
            if len(found) > len(self.nodes):
                raise SuppleError(f"{self.document.path.name}: its nodes are children of themselves; export it again")
        return found

    def keys(self, nodes: list[int], paths: tuple[str, ...]) -> Array:
        """Sample times: all keys of some nodes, and frames between them where values are not linear."""
        own = [self.channels[key] for node in nodes for path in paths if (key := (node, path)) in self.channels]
        moving = [channel for channel in own if len(channel.times) > 1]
        if not moving:
            return np.zeros(1)
        keys = np.concatenate([channel.times for channel in moving])
        bent = any(channel.interpolation != "LINEAR" for channel in moving)
        turning = any(channel.turns for channel in moving)
        return filled(keys, FRAME, self.document.path.name, always=bent) if bent or turning else np.unique(keys)

    def local(self, node: int, t: float) -> Array:
        """(4, 4) from a node to the one above it."""
        table = self.nodes[node]
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

    def world(self, node: int, t: float) -> Array:
        """(4, 4) from a node to the world."""
        made = np.eye(4)
        for k in self.above(node):
            made = made @ self.local(k, t)
        return made

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
        return found


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
