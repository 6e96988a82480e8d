"""Location of the failure of exceptional steps: body, vertex, and nearby obstacle."""

from __future__ import annotations

from supple.loop import Frame
from supple.model.model import Model
from supple.runs.notes.noted import noted
from supple.types import Array


class TroubleWatch:
    """Names the location of the worst vertex of each such step."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def told(self, frame: Frame) -> Frame:
        """The frame with the location in its note, if it has one."""
        return frame if frame.trouble is None else noted(frame, self._place(frame.trouble, frame.state.x))

    def _place(self, vertex: int, x: Array) -> str:
        part = self._model.owner(vertex)
        where = ", ".join(f"{c:.4g}" for c in x[vertex])
        near = min(self._distances(vertex, x), default=None)
        beside = f", {near[0]:.3g} m from '{near[1]}'" if near is not None else ""
        return f"worst at vertex {vertex - part.first} of '{part.name}' at ({where}){beside}"

    def _distances(self, vertex: int, x: Array) -> list[tuple[float, str]]:
        """Gaps between the vertex and each shape that it can touch [m], with the shape's name."""
        found = []
        for obstacle, term in self._model.contact.shapes:
            gaps = term.gaps_of(vertex, x)
            if len(gaps):
                found.append((float(gaps.min()), obstacle.name))
        return found
