"""The faces of the models that a run was made from, in its folder as `NAME.model.npz`.

A run records positions of vertices. The polygons, texture coordinates and names of the model that a body or obstacle came
from are kept beside them. A surface has the vertices of its model. A solid carries its model along as a skin: each vertex
of the skin has its place in a tet, p = sum w_i x_i with constant weights w.
"""

from __future__ import annotations

import io
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote
from zipfile import BadZipFile

import numpy as np

from supple.errors import RecordError
from supple.mesh.faces.polygons import Finish, Labels, Polygons
from supple.types import Array, Ints

ARRAYS = ("counts", "corners", "uv", "uv_corners", "smooth")
NAMES = ("objects", "groups", "materials")


@dataclass(frozen=True, eq=False)
class ModelFaces:
    """The faces of a model; of a skin also the corners (k, 4) of the tet that holds each vertex, and their weights (k, 4)."""

    polygons: Polygons
    tets: Ints | None = None
    """They count vertices of the body; None: the vertices of the faces are those of the body."""
    weights: Array | None = None


def model_file(body: str) -> str:
    """What the folder of a run calls the file; slashes and the like are written as %2F."""
    return f"{quote(body, safe=' ')}.model.npz"


def model_bytes(model: ModelFaces) -> bytes:
    """The content of the file."""
    polygons = model.polygons
    arrays = {name: getattr(polygons, name) for name in ARRAYS}
    labels = {name: getattr(polygons, name) for name in NAMES}
    arrays |= {name: label.of for name, label in labels.items()}
    if model.tets is not None and model.weights is not None:
        arrays |= {"tets": model.tets, "weights": model.weights}
    words = {
        "names": {name: list(label.names) for name, label in labels.items()},
        "finishes": {name: asdict(finish) for name, finish in polygons.finishes.items()},
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
        with np.load(path) as data:
            words = json.loads(str(data["words"]))
            counts, corners, uv, uv_corners, smooth = (data[name] for name in ARRAYS)
            objects, groups, materials = (Labels(tuple(words["names"][name]), data[name]) for name in NAMES)
            finishes = {name: _finish(**finish) for name, finish in words["finishes"].items()}
            polygons = Polygons(counts, corners, uv, uv_corners, smooth, objects, groups, materials, finishes)
            bound = "tets" in data.files
            return ModelFaces(polygons, data["tets"], data["weights"]) if bound else ModelFaces(polygons)
    except (OSError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise RecordError(f"{path}: cannot be read ({error}); remove it to go without the model's faces") from error


def _finish(colour: list[float] | None, texture: str | None) -> Finish:
    return Finish(None if colour is None else (colour[0], colour[1], colour[2]), texture)
