"""Pleats: rest angles of the hinges along marked edges of a cloth or shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeAlias

import numpy as np
from annotated_types import Gt, Len, Lt

from supple.checks import checked
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending
from supple.energies.drive import DrivenConstants
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError, did_you_mean
from supple.formulas.curves import OVER_TIME, at_time, changes
from supple.mesh.mesh import Mesh
from supple.model.changing.drives import driven
from supple.types import Array, Ints
from supple.values import Positive, Vector

if TYPE_CHECKING:
    from supple.model.placed import Placed

NEAR = 0.05
"""Permitted distance of an edge's ends from a line, in lengths of the edge."""

Line: TypeAlias = Annotated[tuple[Vector, ...], Len(2, 2)]
"""Two points [m]."""


@checked
@dataclass(frozen=True)
class Pleat:
    """Folds in a cloth: hinges with a non-zero rest angle."""

    angle: Annotated[float, Gt(-180), Lt(180), OVER_TIME]
    """Rest angle between both sides: 0 flat, 90 a right angle; may grow over time. Viewed against the normals,
    positive angles form a ridge, negative ones a furrow [degrees]."""
    along: str | Annotated[tuple[Line, ...], Len(1)]
    """Edges between vertices of a group (or an edge group of the mesh), or on lines: `[[[0, 0, 0], [1, 0, 0]], ...]`, in rest
    coordinates [m]."""
    alternate: bool = False
    """Whether every second line folds the other way."""
    stiffness: Positive = 1.0
    """Factor on the stiffness of these hinges [-]."""

    def on(self, term: EnergyTerm, placed: Placed) -> EnergyTerm:
        """A bending term with these folds."""
        assert isinstance(term, DihedralBending | FormulaBending)
        sign = self._signs(term.elements - np.int32(placed.first), placed.mesh)
        base = term.rest_angle.copy()
        if self.stiffness != 1.0:
            if not isinstance(term, DihedralBending):
                raise SuppleError(
                    "stiffness: a user-defined energy has its stiffness in the formula; leave it out here"
                )
            term = term.with_constant("stiffness", np.where(sign != 0.0, self.stiffness, 1.0) * term.stiffness)
        name = "rest_angle" if isinstance(term, DihedralBending) else "theta0"

        def values(t: float) -> dict[str, Array]:
            return {name: base + np.radians(at_time(self.angle, t, "pleat.angle")) * sign}

        now = term.folded(values(0.0)[name])
        return driven(now, DrivenConstants(f"{placed.name}.pleats", values) if changes(self.angle) else None)

    def _signs(self, hinges: Ints, mesh: Mesh) -> Array:
        """(m,) 1 or -1 for folded hinges (m, 4), by the sign of their angles; 0 for others."""
        found = np.zeros(len(hinges))
        for k, chosen in enumerate(self._chosen(hinges, mesh)):
            found[chosen] = -1.0 if self.alternate and k % 2 else 1.0
        return found * _orientation(hinges, mesh.triangles)

    def _chosen(self, hinges: Ints, mesh: Mesh) -> list[Array]:
        """The hinges on each line; a group counts as one line."""
        if isinstance(self.along, str):
            return [_in_group(self.along, hinges, mesh)]
        chosen = []
        for k, (a, b) in enumerate(self.along):
            on = _on_line(np.asarray(a), np.asarray(b), mesh.vertices[hinges[:, :2]])
            if not on.any():
                raise SuppleError(
                    f"along[{k}]: no inner edge of the mesh lies on the line from {list(a)} to {list(b)}; pleats follow edges, "
                    "so lines must run along rows of them"
                )
            chosen.append(on)
        return chosen


def _in_group(name: str, hinges: Ints, mesh: Mesh) -> Array:
    ends = np.sort(hinges[:, :2], axis=1)
    if name in mesh.edge_groups:
        marked = {tuple(edge) for edge in np.sort(mesh.edges[mesh.edge_groups[name]], axis=1).tolist()}
        on = np.array([tuple(edge) in marked for edge in ends.tolist()])
    elif name in mesh.groups:
        on = np.asarray(np.isin(ends, mesh.groups[name]).all(axis=1))
    else:
        known = sorted({*mesh.groups, *mesh.edge_groups})
        raise SuppleError(
            f"along: unknown group '{name}'{did_you_mean(name, known)} known: {', '.join(known) or 'none'}"
        )
    if not on.any():
        raise SuppleError(f"along: no inner edge of the mesh has both ends in '{name}'")
    return on


def _on_line(a: Array, b: Array, edges: Array) -> Array:
    """Whether edges (m, 2, 3) lie between a and b on their line."""
    way = b - a
    square = float(way @ way)
    if square == 0.0:
        raise SuppleError(f"along: a line needs two different points, found {a.tolist()} twice")
    length = np.linalg.norm(edges[:, 1] - edges[:, 0], axis=1)
    near = NEAR * length[:, None]
    s = np.einsum("mci,i->mc", edges - a, way) / square
    foot = a + np.clip(s, 0.0, 1.0)[:, :, None] * way
    return np.asarray((np.linalg.norm(edges - foot, axis=2) <= near).all(axis=1))


def _orientation(hinges: Ints, triangles: Ints) -> Array:
    """(m,) 1 where the first opposite corner belongs to the triangle that runs from the first end to the second, else -1."""
    n = int(triangles.max()) + 1
    sides = triangles[:, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]].reshape(-1, 3).astype(np.int64)
    known = np.sort((sides[:, 0] * n + sides[:, 1]) * n + sides[:, 2])
    own = hinges.astype(np.int64)
    key = (own[:, 0] * n + own[:, 1]) * n + own[:, 2]
    place = np.minimum(np.searchsorted(known, key), len(known) - 1)
    return np.where(known[place] == key, 1.0, -1.0)
