"""Vertices of a mesh picked by where they are, and the words in which a command asks for them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from supple.errors import SceneError, SuppleError, did_you_mean
from supple.formulas.expressions import Expression
from supple.mesh.mesh import Mesh
from supple.scene.tables.geometry import Selection
from supple.scene.text.problems import problems
from supple.types import Ints

KINDS = {
    "box": ("x0,y0,z0,x1,y1,z1", (6,)),
    "sphere": ("x,y,z,radius", (4,)),
    "plane": ("x,y,z,nx,ny,nz", (6,)),
    "nearest": ("x,y,z or nearest:x,y,z:count", (3, 4)),
    "vertices": ("3,17,20", ()),
    "expression": ("X < 0.1 and Y > 0", ()),
}
"""What may stand behind `name=`: what follows the colon, and how many numbers that are."""


def picked(selection: Selection, mesh: Mesh, path: str) -> Ints:
    """Vertices that a selection holds, ascending; `path` says where it stands."""
    X = mesh.vertices
    if selection.box is not None:
        low, high = (np.asarray(corner) for corner in selection.box)
        return _where(((low <= X) & (high >= X)).all(axis=1))
    if selection.sphere is not None:
        return _where(np.linalg.norm(X - np.asarray(selection.sphere.centre), axis=1) <= selection.sphere.radius)
    if selection.plane is not None:
        return _where((X - np.asarray(selection.plane.point)) @ np.asarray(selection.plane.normal) >= 0)
    if selection.expression is not None:
        return _where(Expression(selection.expression).holds(X))
    if selection.nearest is not None:
        count = selection.nearest.count
        if count > mesh.n:
            raise SceneError(f"{path}.nearest.count: the body has {mesh.n} vertices, found {count}")
        distance = np.linalg.norm(X - np.asarray(selection.nearest.point), axis=1)
        return np.sort(np.argsort(distance, kind="stable")[:count]).astype(np.int32)
    numbers = np.asarray(selection.vertices, dtype=np.int64)
    if numbers.max(initial=0) >= mesh.n:
        raise SceneError(f"{path}.vertices: the body has {mesh.n} vertices, found number {numbers.max()}")
    return np.unique(numbers).astype(np.int32)


def box_text(mesh: Mesh) -> str:
    """Extent of a mesh as text: [0, 1] x [0, 2] x [0, 1]."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    return " x ".join(f"[{a:g}, {b:g}]" for a, b in zip(low, high, strict=True))


def with_picked(mesh: Mesh, words: list[str]) -> Mesh:
    """The mesh with the groups that `--group name=kind:...` asks for; an empty one is refused."""
    groups = {}
    for text in words:
        name, selection = read_group(text)
        groups[name] = picked(selection, mesh, f"--group {name}")
        if not len(groups[name]):
            raise SuppleError(
                f"--group: '{text}' holds none of the {mesh.n} vertices; compare it with the mesh, which fills {box_text(mesh)}"
            )
    return mesh.with_groups(groups)


def read_group(text: str) -> tuple[str, Selection]:
    """Name and selection in `name=kind:...`."""
    name, equals, asked = text.partition("=")
    kind, colon, rest = asked.partition(":")
    name, kind = name.strip(), kind.strip()
    forms = ", ".join(f"name={word}:{form}" for word, (form, _) in KINDS.items())
    if not (name and equals and colon and rest.strip()):
        raise SuppleError(f"--group: found '{text}'; give one of {forms}")
    if kind not in KINDS:
        raise SuppleError(
            f"--group: '{text}' has the unknown kind '{kind}'{did_you_mean(kind, KINDS)} give one of {forms}"
        )
    try:
        return name, Selection.model_validate({kind: _table(kind, rest, text)})
    except ValidationError as error:
        raise SuppleError("\n".join(f"--group: '{text}': {line}" for line in problems(error, Selection))) from None


def _table(kind: str, rest: str, text: str) -> object:
    """What a scene file would say."""
    if kind == "expression":
        return rest.strip()
    form, counts = KINDS[kind]
    try:
        numbers = [float(word) for word in rest.replace(":", ",").split(",")]
    except ValueError:
        numbers = []
    if not numbers or (counts and len(numbers) not in counts):
        raise SuppleError(f"--group: found '{text}'; behind {kind} stand numbers: {kind}:{form}")
    a, b = numbers[:3], numbers[3:]
    match kind:
        case "box":
            return [a, b]
        case "sphere":
            return {"centre": a, "radius": b[0]}
        case "plane":
            return {"point": a, "normal": b}
        case "nearest":
            return {"point": a, **({"count": _whole(b[0])} if b else {})}
    return [_whole(number) for number in numbers]


def _whole(number: float) -> float | int:
    """A whole number as such, so that 3 is one and 3.5 is refused."""
    return int(number) if number == int(number) else number


def _where(mask: npt.ArrayLike) -> Ints:
    return np.flatnonzero(np.asarray(mask)).astype(np.int32)
