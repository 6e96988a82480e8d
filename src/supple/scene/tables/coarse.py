"""Bodies that `supple coarsen` has made: `mesh = { coarse = "wheel.npz" }` with `material = { name = "coarse" }`.

Tets, tensors and masses are those of the file, which the scene names relative to its own folder. A run keeps a copy of the file
as BODY.coarse.npz in its folder, beside the copy of the scene: it is found there when the named file is not, so that a run can
go on, and its fine surface be shown, wherever the folder is moved.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from supple.coarsening.coarse_body import CoarseBody, load_coarse_body
from supple.energies.corotational.term import Corotational
from supple.energies.term import EnergyTerm
from supple.errors import SuppleError
from supple.recording.fine_skins import file_name
from supple.scene.tables.fields import Positive
from supple.scene.text.registry_models import Table
from supple.types import Array, Ints

if TYPE_CHECKING:
    from supple.scene.tables.scene import Scene


class CoarseFile(Table):
    """A body that `supple coarsen` has written."""

    coarse: str
    """Path of the .npz file, relative to the folder of the scene file."""


class CoarseMaterial(Table):
    """What the file of a coarse body says, with or without frames that turn with the tets."""

    name: Literal["coarse"]
    """Energy volume/2 e : C : e with the tensor C of each tet; only with `mesh.coarse`, whose masses are taken, too."""
    law: Literal["corotational", "linear"] = "corotational"
    """e = sym(R^T F) - I with the rotation R of F, for bodies that turn; or e = sym(F) - I, quadratic, for small rotations."""
    factor: Positive = 1.0
    """Factor on the tensors of the file [-]."""


def coarse_file(table: CoarseFile, folder: Path, body: str) -> Path:
    """The file of a coarse body: the named one, or the copy in the folder of a run."""
    named, copied = folder / table.coarse, folder / file_name(body)
    return copied if copied.is_file() and not named.is_file() else named


def coarse_copies(scene: Scene) -> dict[str, bytes]:
    """What a run keeps of the coarse bodies of a scene: name and content of each file."""
    tables = [(body.name, body.mesh) for body in scene.body]
    return {
        file_name(name): coarse_file(mesh, scene.folder, name).read_bytes()
        for name, mesh in tables
        if isinstance(mesh, CoarseFile)
    }


def load_body(table: CoarseFile, folder: Path, body: str) -> CoarseBody:
    """The coarse body that a scene in `folder` names."""
    return load_coarse_body(coarse_file(table, folder, body))


def coarse_term(material: CoarseMaterial, body: CoarseBody, vertices: Array, tets: Ints) -> EnergyTerm:
    """The elastic term of a coarse body, its tets numbered among all vertices of a scene."""
    term = Corotational(vertices, tets, material.factor * body.stiffness)
    return term if material.law == "corotational" else term.with_frames(np.tile(np.eye(3), (len(tets), 1, 1)))


def check_pair(mesh: object, material: object) -> None:
    """A coarse mesh and a coarse material belong together."""
    if isinstance(mesh, CoarseFile) and not isinstance(material, CoarseMaterial):
        raise SuppleError(
            f'the tensors of {mesh.coarse} are the material; take {{ name = "coarse" }}, with law = "corotational" or "linear"'
        )
    if isinstance(material, CoarseMaterial) and not isinstance(mesh, CoarseFile):
        raise SuppleError(
            "'coarse' is for bodies that `supple coarsen` has made; give mesh = { coarse = \"FILE.npz\" }"
        )
