"""The faces of the source models of a run, in its folder as `NAME.model.npz`.

A run records positions of vertices. The polygons, texture coordinates and names of the model that a body or obstacle came
from are kept beside them. A surface has the vertices of its model. A model is embedded in its solid: each vertex of the model
is at p = sum w_i x_i of vertices of the solid, with constant weights w (mesh/embedding/binding.py).
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from scipy.sparse import csr_array

from supple.arrays import Archive
from supple.errors import RecordError
from supple.mesh.embedding.cover import Carried
from supple.mesh.faces.polygons import Finish, Labels, Polygons
from supple.mesh.faces.triangulate import triangulated
from supple.types import Array, Ints

ARRAYS = ("counts", "corners", "uv", "uv_corners", "smooth")
NAMES = ("objects", "groups", "materials")


@dataclass(frozen=True, eq=False)
class ModelFaces:
    """The faces of a model, and its embedding in a solid."""

    polygons: Polygons
    matrix: csr_array | None = None
    """(k, n): positions of the body -> positions of the vertices of the faces; None: identical to those of the body."""
    rest: Array | None = None
    """(k, 3) rest positions of an embedded model [m]."""
    edges: Ints | None = None
    """(e, 2) lines of an embedded model."""
    everywhere: bool = False
    """Whether all pictures and files show it instead of the body; otherwise only surface exports do."""

    def cover(self) -> Carried:
        """The model as the display surface of its body."""
        if self.matrix is None or self.rest is None:
            raise TypeError("this model is the body itself")
        places, _ = triangulated(self.rest, self.polygons.counts, self.polygons.corners)
        edges = np.empty((0, 2), dtype=np.int32) if self.edges is None else self.edges
        return Carried(self.matrix, self.polygons.corners[places], edges)


def model_file(body: str) -> str:
    """File name in the folder of a run; slashes are escaped as %2F."""
    return f"{quote(body, safe=' ')}.model.npz"


def model_bytes(model: ModelFaces) -> bytes:
    """The content of the file."""
    polygons = model.polygons
    arrays = {name: getattr(polygons, name) for name in ARRAYS}
    labels = {name: getattr(polygons, name) for name in NAMES}
    arrays |= {name: label.of for name, label in labels.items()}
    if model.matrix is not None:
        m = model.matrix
        arrays |= {"starts": m.indptr, "columns": m.indices, "weights": m.data, "bound": np.array(m.shape[1])}
    arrays |= {name: value for name in ("rest", "edges") if (value := getattr(model, name)) is not None}
    words = {
        "names": {name: list(label.names) for name, label in labels.items()},
        "finishes": {name: asdict(finish) for name, finish in polygons.finishes.items()},
        "everywhere": model.everywhere,
    }
    file = io.BytesIO()
    np.savez_compressed(file, words=np.array(json.dumps(words)), **arrays)
    return file.getvalue()


def load_model(folder: Path, body: str) -> ModelFaces | None:
    """The model of a body of a run; None if it has none."""
    path = folder / model_file(body)
    if not path.is_file():
        return None
    try:
        with Archive(path) as data:
            words = json.loads(str(data["words"]))
            counts, corners, uv, uv_corners, smooth = (data[name] for name in ARRAYS)
            objects, groups, materials = (Labels(tuple(words["names"][name]), data[name]) for name in NAMES)
            finishes = {name: _finish(**finish) for name, finish in words["finishes"].items()}
            polygons = Polygons(counts, corners, uv, uv_corners, smooth, objects, groups, materials, finishes)
            rest, edges = (data.get(name) for name in ("rest", "edges"))
            return ModelFaces(polygons, _matrix(data), rest, edges, bool(words.get("everywhere", False)))
    except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise RecordError(
            f"{path}: cannot be read ({error}); remove it to continue without the model's faces"
        ) from error


def load_cover(folder: Path, body: str) -> Carried | None:
    """The display surface of a body of a run; None if it is shown by its own elements."""
    model = load_model(folder, body)
    return model.cover() if model is not None and model.everywhere else None


def _matrix(data: Any) -> csr_array | None:
    if "starts" in data:
        starts, shape = data["starts"], (len(data["starts"]) - 1, int(data["bound"]))
        return csr_array((data["weights"], data["columns"], starts), shape=shape)
    if "tets" not in data:
        return None
    tets, weights = data["tets"], data["weights"]  # as runs before version 2 kept it
    shape = len(tets), int(tets.max(initial=-1)) + 1
    return csr_array((weights.ravel(), tets.ravel(), np.arange(len(tets) + 1) * 4), shape=shape)


def _finish(colour: list[float] | None, texture: str | None) -> Finish:
    return Finish(None if colour is None else (colour[0], colour[1], colour[2]), texture)
