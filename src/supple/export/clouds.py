"""Point clouds as surfaces, for formats with a mesh in each frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from supple.export.sequence import Body, Instant, Sequence
from supple.recording.clouds import cloud_surface
from supple.recording.playback import Singles


class Clouds:
    """Builds the surfaces frame by frame, and counts isolated points outside them."""

    def __init__(self, sequence: Sequence) -> None:
        self._sequence = sequence
        self.names = [body.name for body in sequence.bodies if body.cloud]
        self._strays = dict.fromkeys(self.names, 0)

    def surface(self, k: int, frame: Instant) -> tuple[Body, Singles]:
        """Surface of body k, which is a cloud, and its vertices."""
        return self._surface(self._sequence.bodies[k], frame.poses[k].x)

    def shown(self, frame: Instant) -> list[tuple[Body, Singles]]:
        """All bodies, with surfaces instead of clouds, and their vertices."""
        both = zip(self._sequence.bodies, frame.poses, strict=True)
        return [self._surface(body, pose.x) if body.cloud else (body, pose.x) for body, pose in both]

    def notes(self) -> list[str]:
        """Notes on points omitted by the surfaces."""
        return [
            f"{name}: written as the surface around its points; up to {count} isolated points are omitted"
            for name, count in self._strays.items()
            if count
        ]

    def _surface(self, body: Body, x: Singles) -> tuple[Body, Singles]:
        found = cloud_surface(x.astype(np.float64), body.spacing * self._sequence.scale)
        self._strays[body.name] = max(self._strays[body.name], len(found.strays))
        wrapped = replace(body, n=len(found.points), faces=found.faces, closed=True, spacing=0.0)
        return wrapped, found.points.astype(np.float32)
