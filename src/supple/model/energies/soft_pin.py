"""Springs of rest length zero that pull vertices to their initial positions, or along with a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from supple.constraints.motion import Script
from supple.energies.drive import DrivenConstants
from supple.energies.springs.anchor import Anchors
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.formulas.curves import PositiveChanging, changes
from supple.model.changing.drives import at, driven
from supple.model.clips.following import driven_vertices
from supple.model.energies.energy import ENERGIES, Energy
from supple.model.motion import Moves
from supple.model.placed import Placed
from supple.model.places import place
from supple.types import Array, Ints


@ENERGIES("soft-pin")
@dataclass(frozen=True)
class SoftPin(Energy):
    """A compliant pin: a spring from each vertex to its initial position, or to a scripted position."""

    vertices: str
    """`body`, or `body.group`."""
    stiffness: PositiveChanging
    """Stiffness of each spring [N/m]; over time, pins can be tightened, loosened and released."""
    motion: Moves | None = None
    """Motion of the anchor points; they are fixed if absent."""

    def terms(self, placed: Sequence[Placed], x: Array, path: str) -> Iterable[EnergyTerm]:
        vertices, part = place(self.vertices, placed, f"{path}.vertices")
        script = None if self.motion is None else self._script(self.motion, part, vertices, f"{path}.motion")

        def values(t: float) -> dict[str, Array]:
            stiffness, points = np.zeros(len(x)), x.copy()
            stiffness[vertices] = at(self, t).stiffness
            if script is not None:
                points[vertices] = script.position(x[vertices], t)
            return {"stiffness": stiffness, "points": points}

        now = values(0.0)
        moves = script is not None or changes(self.stiffness)
        drive = DrivenConstants(f"soft-pin.{self.vertices}", values) if moves else None
        yield driven(Anchors(now["points"], now["stiffness"]), drive)

    def _script(self, motion: Moves, part: Placed, vertices: Ints, path: str) -> Script:
        try:
            return motion.script(driven_vertices(part, self.vertices, vertices - np.int32(part.first)))
        except SuppleError as error:
            raise SceneError(f"{path}: {error}") from None
