"""Tets that invert or lose most of their volume during a run: reported at the first occurrence."""

from __future__ import annotations

from supple.loop import Frame
from supple.mesh.squeezed import LEAST, Volumes
from supple.model.model import Model
from supple.runs.notes.noted import noted

SAFE = "stable-neo-hookean"
"""The material that best resists volume loss under compression."""


class SqueezeWatch:
    """Watches every frame of a run until both are reported."""

    def __init__(self, model: Model) -> None:
        self._volumes = Volumes(model.mesh)
        self._model = model
        self._tets = model.mesh.tets
        self._untold = {"inverted", "crushed"} if model.mesh.is_solid else set()

    def told(self, frame: Frame) -> Frame:
        """The frame with a note if tets are inverted or crushed for the first time."""
        if not self._untold:
            return frame
        found = self._volumes.count(frame.state.x)
        new = {kind for kind in self._untold if getattr(found, kind)}
        if not new:
            return frame
        self._untold -= new
        counts = [f"{found.inverted} tets are inverted"] if "inverted" in new else []
        counts += [f"{found.crushed} tets have less than {LEAST:.0%} of their volume"] if "crushed" in new else []
        return noted(
            frame, f"t = {frame.state.t:g} s: {' and '.join(counts)} (of {len(self._tets)}); {self._where(frame)}"
        )

    def _where(self, frame: Frame) -> str:
        """The worst tet, and a remedy."""
        tet, J = self._volumes.worst(frame.state.x)
        vertex = int(self._tets[tet, 0])
        part = self._model.owner(vertex)
        first = sum(len(p.mesh.tets) for p in self._model.placed if p.first < part.first)
        remedy = "a stiffer material, a smaller time.step, or a mesh without slivers there"
        if not part.is_obstacle and part.body.material.name != SAFE:
            remedy = f"{SAFE} instead of {part.body.material.name}, or {remedy}"
        return f"the worst is tet {tet - first} of '{part.name}' with det F = {J:.2g}: use {remedy}"
