"""Attachments as pins, motions, soft pins and springs between bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from supple.errors import SceneError
from supple.mesh.measure import edge_lengths
from supple.mesh.stages.points import start_state
from supple.mesh.stages.stage import Stage, placed
from supple.mesh.topology import unique_edges
from supple.scene.stages.deformables import Deformable
from supple.scene.stages.motions import motion_of
from supple.scene.stages.own import own_keys
from supple.scene.stages.places import corners_of, nearest_corners
from supple.scene.stages.sites import EARLIER, Joint, joints
from supple.types import Array, Ints

READ_TYPES = frozenset(EARLIER)
HARD = 100.0
"""Stiffness of a spring that represents a rigid joint, over that of an element of the stiffer body."""
APART = 1e-3
"""Gap between the two sides of an attachment above which a note is issued, as a fraction of the body size."""
Table = dict[str, Any]


@dataclass
class Joined:
    """Additional tables, and the names of bodies attached to each other."""

    tables: dict[str, list[Table]] = field(default_factory=dict)
    pairs: set[frozenset[str]] = field(default_factory=set)


def attach(stage: Stage, bodies: Sequence[Deformable], tables: Mapping[str, Table], notes: list[str]) -> Joined:
    """Add pins and motions to the tables of bodies, keyed by the path of their geometry; returns the other tables."""
    known = {path: body for body in bodies for path in (str(body.root.GetPath()), body.path)}
    work = _Work(stage, known, tables, notes)
    for joint in joints(stage, notes):
        work.add(joint)
    return work.joined


class _Work:
    def __init__(
        self, stage: Stage, known: Mapping[str, Deformable], tables: Mapping[str, Table], notes: list[str]
    ) -> None:
        self.stage, self.known, self.tables, self.notes = stage, known, tables, notes
        self.joined = Joined()
        self._held: dict[str, set[int]] = {}
        """Vertices of each body that are already pinned or moved."""

    def add(self, joint: Joint) -> None:
        one, other = (self.known.get(site.path) for site in (joint.one, joint.other))
        if one is None:
            self.notes.append(f"{joint.path}: {joint.one.path} is not a simulated body; the attachment is omitted")
            return
        corners, weights = corners_of(joint.one, one, joint.path)
        vertices = nearest_corners(corners, weights)
        if joint.one.kind != "point":
            self.notes.append(f"{joint.path}: sites of type '{joint.one.kind}' are attached by their nearest vertex")
        if joint.damped and math.isfinite(joint.stiffness):
            self.notes.append(f"{joint.path}: its damping is ignored")
        if joint.other.kind == "xform":
            self._to_frame(joint, one, vertices)
        elif other is None:
            self.notes.append(f"{joint.path}: {joint.other.path} is not a simulated body; the attachment is omitted")
        else:
            self._to_body(joint, one, other, vertices)

    def _to_frame(self, joint: Joint, body: Deformable, vertices: Ints) -> None:
        frame = self.stage.prim(joint.other.path)
        x = start_state(self.stage, body.prim)[0]
        if len(joint.other.coords):
            sites = placed(joint.other.coords, self.stage.frame(frame, self.stage.start))
            self._remark_gap(
                joint, body, np.linalg.norm(x[vertices] - sites, axis=1), "fixed at their initial positions"
            )
        motion = own_keys(joint.prim, "motion") or motion_of(self.stage, frame, self.notes)
        if joint.stiffness == 0.0:
            self.notes.append(f"{joint.path}: its stiffness is 0; it is omitted")
        elif math.isfinite(joint.stiffness):
            group = self._group(body, joint, vertices)
            soft = {"name": "soft-pin", "vertices": f"{body.name}.{group}", "stiffness": joint.stiffness}
            self.joined.tables.setdefault("energy", []).append(soft | ({"motion": motion} if motion else {}))
        else:
            self._hold(joint, body, vertices, motion)

    def _hold(self, joint: Joint, body: Deformable, vertices: Ints, motion: Table | None) -> None:
        held = self._held.setdefault(body.path, set())
        new = [v for v in dict.fromkeys(vertices.tolist()) if v not in held]
        if len(new) < len(set(vertices.tolist())):
            self.notes.append(
                f"{joint.path}: {len(set(vertices.tolist())) - len(new)} vertices are already fixed by another attachment"
            )
        if not new:
            return
        held.update(new)
        table, group = self.tables[body.path], self._group(body, joint, np.array(new))
        if motion is None:
            table.setdefault("pin", []).append(group)
        else:
            table.setdefault("motion", []).append({"group": group, **motion})

    def _to_body(self, joint: Joint, one: Deformable, other: Deformable, vertices: Ints) -> None:
        corners, weights = corners_of(joint.other, other, joint.path)
        (x, _), (y, _) = (start_state(self.stage, body.prim) for body in (one, other))
        gap = np.linalg.norm(x[vertices] - np.einsum("kc,kci->ki", weights, y[corners]), axis=1)
        self._remark_gap(joint, one, gap, "pulled together by springs")
        stiffness = joint.stiffness
        if math.isinf(stiffness):
            stiffness = float(f"{HARD * max(self._own_stiffness(one), self._own_stiffness(other)):.3g}")
            self.notes.append(
                f"{joint.path}: bodies are joined by springs; {stiffness:g} N/m each represent a rigid joint"
            )
        shared: Table = {"stiffness": stiffness, "rest_length": 0.0}
        if joint.other.kind == "face":
            group = self._group(other, joint, np.unique(corners), "to")
            rows = [(vertices, group, {"onto": "surface"})]
        else:
            if joint.other.kind != "point":
                self.notes.append(
                    f"{joint.path}: sites of type '{joint.other.kind}' are attached by their nearest vertex"
                )
                shared["rest_length"] = "initial"
            rows = self._pairs(joint, other, vertices, nearest_corners(corners, weights), x, y)
        for own, group, more in rows:
            mine = self._group(one, joint, own)
            springs = {"vertices": f"{one.name}.{mine}", "to": f"{other.name}.{group}", **shared, **more}
            self.joined.tables.setdefault("attachment", []).append(springs)
        self.joined.pairs.add(frozenset({one.name, other.name}))

    def _pairs(
        self, joint: Joint, other: Deformable, own: Ints, partners: Ints, x: Array, y: Array
    ) -> list[tuple[Ints, str, Table]]:
        """One table if every vertex is paired with its nearest partner, as a scene joins groups; otherwise one per pair."""
        distance = np.linalg.norm(x[own][:, None] - y[partners][None], axis=2)
        nearest = (np.diagonal(distance) <= distance.min(axis=1)).all()
        if nearest and len(set(partners.tolist())) == len(set(own.tolist())) == len(own):
            return [(own, self._group(other, joint, partners, "to"), {})]
        return [(own[k : k + 1], self._group(other, joint, partners[k : k + 1], "to"), {}) for k in range(len(own))]

    def _group(self, body: Deformable, joint: Joint, vertices: Ints, word: str = "") -> str:
        """Name of a new group of the body."""
        groups = self.tables[body.path].setdefault("groups", {})
        base = f"{joint.prim.GetName()}{f'-{word}' if word else ''}"
        name, k = base, 1
        while name in groups or name in body.mesh.groups:
            k += 1
            name = f"{base}-{k}"
        groups[name] = {"vertices": [int(v) for v in vertices]}
        return name

    def _own_stiffness(self, body: Deformable) -> float:
        """Stiffness of one of its elements [N/m]."""
        table, mesh = self.tables[body.path], body.mesh
        edges = (
            mesh.edges
            if body.kind == "curves"
            else unique_edges(mesh.tets if body.kind == "volume" else mesh.triangles)
        )
        length = float(np.median(edge_lengths(mesh.vertices, edges)))
        law = table["material"] if isinstance(table["material"], dict) else {}
        young = float(law.get("young") or law.get("young_warp") or 1e6)
        if body.kind == "volume":
            return young * length
        if body.kind == "surface":
            return young * float(table["thickness"])
        axial = law.get("axial") or young * math.pi * float(table["thickness"]) ** 2 / 4.0
        return float(axial) / length

    def _remark_gap(self, joint: Joint, body: Deformable, gap: Array, what: str) -> None:
        if not np.isfinite(gap).all():
            raise SceneError(f"{joint.path}: its sites are not finite")
        size = float(np.ptp(body.mesh.vertices, axis=0).max())
        if gap.max() > APART * size:
            self.notes.append(
                f"{joint.path}: its two sides are initially up to {gap.max():.3g} m apart; vertices are {what}"
            )
