"""Bodies exported with the faces of their source models, each object of a model separately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from scipy.sparse import csr_array

from supple.errors import RecordError
from supple.export.sequence import Body
from supple.mesh.faces.triangulate import triangulated
from supple.recording.film import Film
from supple.recording.models import ModelFaces, load_model
from supple.recording.parts import Part
from supple.recording.playback import Singles
from supple.types import Ints


def modelled(film: Film, part: Part, body: Callable[[Film, Part], Body], skins: bool) -> Body:
    """A body with the faces of its model; a solid is shown by its skin if `skins` are requested."""
    plain = body(film, part)
    model = load_model(film.path.parent, part.name)
    if model is None or (part.name in film.fine and not model.everywhere):
        return plain
    if part.name in film.fine:
        return _worn(film, part, model)
    if model.matrix is None:
        _check(film, part, model, plain.n)
        return replace(plain, polygons=model.polygons)
    return _skin(film, part, model) if skins else plain


def by_objects(bodies: Iterable[Body], film: Film) -> tuple[Body, ...]:
    """Each object of a model as a separate body under its own name; duplicates are prefixed with the body name."""
    found = [piece for body in bodies for piece in _objects(body, film)]
    often = Counter(own for _, own in found)
    return tuple(
        replace(piece, name=own if often[own] == 1 or own == piece.name else f"{piece.name}_{own}")
        for piece, own in found
    )


def _objects(body: Body, film: Film) -> list[tuple[Body, str]]:
    """The parts of a body, and their names in the model."""
    polygons = body.polygons
    if polygons is None or not polygons.objects.used_names():
        return [(body, body.name)]
    labels = polygons.objects
    names = [labels.names[k] if k >= 0 else body.name for k in labels.used()]
    if len(names) == 1:
        return [(body, names[0])]
    x = body.pick(film.frame(0).x)
    return [(_cut(body, labels.of == k, x), name) for k, name in zip(labels.used(), names, strict=True)]


def _cut(body: Body, faces: np.ndarray, x: Singles) -> Body:
    """Some faces of a body with their vertices, which begin at x, and the loose edges between them."""
    assert body.polygons is not None
    kept = body.polygons.kept(faces)
    rows = np.unique(kept.corners)
    number = np.full(body.n, -1, dtype=np.int32)
    number[rows] = np.arange(len(rows), dtype=np.int32)
    mine = kept.renumbered(number)
    places, _ = triangulated(x[rows].astype(np.float64), mine.counts, mine.corners)
    edges = number[body.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    pick = partial(_some, body.pick, rows)
    return replace(body, n=len(rows), faces=mine.corners[places], edges=edges, pick=pick, polygons=mine)


def _worn(film: Film, part: Part, model: ModelFaces) -> Body:
    """A surface already shown by the film: all its vertices, including those without a face."""
    first, end = part.span
    return _faces(film, part, model, end - first, partial(_span, first, end))


def _skin(film: Film, part: Part, model: ModelFaces) -> Body:
    assert model.matrix is not None
    first, end = part.span
    k, bound = model.matrix.shape
    if bound > end - first:
        _refuse(film, part)
    own = model.matrix
    matrix = csr_array((own.data, own.indices.astype(np.int64) + first, own.indptr), shape=(k, film.vertices))
    return _faces(film, part, model, k, partial(_mapped, matrix))


def _faces(film: Film, part: Part, model: ModelFaces, n: int, pick: Callable[[Singles], Singles]) -> Body:
    polygons = model.polygons
    if int(polygons.corners.max(initial=-1)) >= n:
        _refuse(film, part)
    rest = pick(film.frame(0).x).astype(np.float64) if model.rest is None else model.rest
    places, _ = triangulated(rest, polygons.counts, polygons.corners)
    no_tets = np.empty((0, 4), dtype=np.int32)
    edges = np.empty((0, 2), dtype=np.int32) if model.edges is None else model.edges
    faces = polygons.corners[places]
    return Body(part.name, n, faces, edges, no_tets, False, pick, part.colour, part.obstacle, polygons=polygons)


def _check(film: Film, part: Part, model: ModelFaces, n: int) -> None:
    """The vertices of the faces must be those of the body."""
    first, end = part.span
    if n != end - first or int(model.polygons.corners.max(initial=-1)) >= n:
        _refuse(film, part)


def _refuse(film: Film, part: Part) -> None:
    raise RecordError(
        f"{film.path.parent}: the model of '{part.name}' does not fit its recorded vertices: it was changed after the run; "
        "restore the old file, or remove it to export without the model's faces"
    )


def _some(pick: Callable[[Singles], Singles], rows: Ints, values: Singles) -> Singles:
    return pick(values)[rows]


def _span(first: int, end: int, values: Singles) -> Singles:
    return values[first:end]


def _mapped(matrix: csr_array, values: Singles) -> Singles:
    return np.ascontiguousarray(matrix @ values.astype(np.float64), dtype=np.float32)
