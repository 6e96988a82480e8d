"""Animated translations, rotations and scales of glTF nodes: steps, lines and cubic splines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from supple.render.cameras.gltf_file import GltfFile
from supple.types import Array


@dataclass(frozen=True)
class Curve:
    """Values of one property at keys; beyond the ends they stay."""

    times: Array
    values: Array
    """(k, w); of a cubic spline (k, 3, w): tangent before, value, tangent behind."""
    kind: str
    """STEP, LINEAR or CUBICSPLINE."""
    turns: bool
    """Whether the values are quaternions."""

    def at(self, t: float) -> Array:
        """(w,) the value at time t."""
        last = len(self.times) - 1
        k = int(np.clip(np.searchsorted(self.times, t, side="right") - 1, 0, max(last - 1, 0)))
        plain = self.values[:, 1] if self.kind == "CUBICSPLINE" else self.values
        if last == 0 or t <= self.times[0]:
            return plain[0]
        if t >= self.times[last]:
            return plain[last]
        a, b = plain[k], plain[k + 1]
        h = float(self.times[k + 1] - self.times[k])
        s = (t - float(self.times[k])) / h
        if self.kind == "STEP":
            return a
        if self.kind == "CUBICSPLINE":
            out, into = self.values[k, 2], self.values[k + 1, 0]
            m = (2 * s**3 - 3 * s**2 + 1) * a + h * (s**3 - 2 * s**2 + s) * out
            return np.asarray(m + (-2 * s**3 + 3 * s**2) * b + h * (s**3 - s**2) * into)
        return _slerp(a, b, s) if self.turns else (1 - s) * a + s * b


def read_curves(file: GltfFile) -> dict[tuple[int, str], Curve]:
    """By node and property; where several animations move the same, the first one counts."""
    found: dict[tuple[int, str], Curve] = {}
    for animation in file.table("animations"):
        for channel in animation.get("channels", ()):
            target, sampler = channel.get("target", {}), animation["samplers"][channel["sampler"]]
            key = int(target.get("node", -1)), str(target.get("path", ""))
            if key in found or key[1] not in ("translation", "rotation", "scale"):
                continue
            times, values = file.accessor(sampler["input"])[:, 0], file.accessor(sampler["output"])
            kind = str(sampler.get("interpolation", "LINEAR"))
            if kind == "CUBICSPLINE":
                values = values.reshape(len(times), 3, -1)
            found[key] = Curve(times, values, kind, key[1] == "rotation")
    return found


def _slerp(a: Array, b: Array, s: float) -> Array:
    cosine = float(a @ b)
    if cosine < 0:  # the shorter way around
        b, cosine = -b, -cosine
    angle = np.arccos(min(cosine, 1.0))
    if angle < 1e-6:
        return np.asarray((1 - s) * a + s * b)
    return np.asarray((np.sin((1 - s) * angle) * a + np.sin(s * angle) * b) / np.sin(angle))
