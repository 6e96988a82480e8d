"""Which vertices of a surface may meet: not those of one patch, nor those of two parts that are blind to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.types import Ints


@dataclass(frozen=True, eq=False)
class Meeting:
    """For each vertex: a patch, within which nothing meets, and the part that it belongs to."""

    patches: Ints
    """(n,) those of all obstacles have one number, and those of a body without self-contact."""
    parts: Ints
    """(n,) numbers of bodies and obstacles; all corners of a triangle have the same."""
    blind: npt.NDArray[np.bool_]
    """(p, p) whether two parts never meet; symmetric."""

    @classmethod
    def of(cls, patches: Ints) -> Meeting:
        """Patches alone decide."""
        return cls(np.ascontiguousarray(patches, np.int32), np.zeros(len(patches), np.int32), np.zeros((1, 1), bool))

    def at(self, vertices: Ints) -> Meeting:
        """The same for some of the vertices."""
        patches, parts = (np.ascontiguousarray(own[vertices], dtype=np.int32) for own in (self.patches, self.parts))
        return Meeting(patches, parts, self.blind)

    def apart(self) -> list[tuple[npt.NDArray[np.bool_], Ints]]:
        """Sets of vertices (n,) with patches (n,) for each, such that two vertices may meet if they may in any of the sets: what
        knows patches only can look at one set after the other."""
        if not self.blind.any():
            return [(np.ones(len(self.patches), dtype=bool), self.patches)]
        partial = np.asarray(self.blind.any(axis=1))
        sets = [(~partial[self.parts], self.patches)]
        for part in np.flatnonzero(partial):
            others = self.patches.max() + 1
            seen = ~self.blind[part][self.parts]
            sets.append((seen, np.where(self.parts == part, self.patches, others).astype(np.int32)))
        return sets
