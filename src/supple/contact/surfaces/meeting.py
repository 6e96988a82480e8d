"""Which vertices of a surface may touch: not within one patch, nor between two parts that ignore each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from supple.types import Ints


@dataclass(frozen=True, eq=False)
class Meeting:
    """For each vertex: its patch, within which there is no contact, and its part."""

    patches: Ints
    """(n,) all obstacles share one patch, and so do all vertices of a body without self-contact."""
    parts: Ints
    """(n,) indices of bodies and obstacles; all corners of a triangle share one."""
    blind: npt.NDArray[np.bool_]
    """(p, p) whether two parts never touch; symmetric."""

    @classmethod
    def of(cls, patches: Ints) -> Meeting:
        """Patches alone decide."""
        return cls(np.ascontiguousarray(patches, np.int32), np.zeros(len(patches), np.int32), np.zeros((1, 1), bool))

    def at(self, vertices: Ints) -> Meeting:
        """The same for some of the vertices."""
        patches, parts = (np.ascontiguousarray(own[vertices], dtype=np.int32) for own in (self.patches, self.parts))
        return Meeting(patches, parts, self.blind)

    def apart(self) -> list[tuple[npt.NDArray[np.bool_], Ints]]:
        """Sets of vertices (n,) with patches (n,) for each, such that two vertices may touch if they may in any set.

        A search that supports only patches can thus process one set after the other.
        """
        if not self.blind.any():
            return [(np.ones(len(self.patches), dtype=bool), self.patches)]
        partial = np.asarray(self.blind.any(axis=1))
        sets = [(~partial[self.parts], self.patches)]
        for part in np.flatnonzero(partial):
            others = self.patches.max() + 1
            seen = ~self.blind[part][self.parts]
            sets.append((seen, np.where(self.parts == part, self.patches, others).astype(np.int32)))
        return sets
