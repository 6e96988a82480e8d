"""Vertex selection by position, and its syntax on the command line."""

from __future__ import annotations

from pydantic import ValidationError

from supple.errors import SuppleError, did_you_mean
from supple.mesh.mesh import Mesh
from supple.model.selection import Selection, box_text
from supple.scene.text.problems import problems
from supple.scene.text.registry_models import options_model

TABLE = options_model(Selection)
KINDS = {
    "box": ("x0,y0,z0,x1,y1,z1", (6,)),
    "sphere": ("x,y,z,radius", (4,)),
    "plane": ("x,y,z,nx,ny,nz", (6,)),
    "nearest": ("x,y,z or nearest:x,y,z:count", (3, 4)),
    "vertices": ("3,17,20", ()),
    "expression": ("X < 0.1 and Y > 0", ()),
}
"""Forms after `name=`: text after the colon, and its numbers of values."""


def with_picked(mesh: Mesh, words: list[str]) -> Mesh:
    """The mesh with the groups of `--group name=kind:...`; empty groups are refused."""
    groups = {}
    for text in words:
        name, selection = read_group(text)
        groups[name] = selection.of(mesh, f"--group {name}")
        if not len(groups[name]):
            raise SuppleError(
                f"--group: '{text}' contains none of the {mesh.n} vertices; the mesh fills {box_text(mesh)}"
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
        made: Selection = TABLE.model_validate({kind: _table(kind, rest, text)}).make()
        return name, made
    except ValidationError as error:
        raise SuppleError("\n".join(f"--group: '{text}': {line}" for line in problems(error, TABLE))) from None


def _table(kind: str, rest: str, text: str) -> object:
    """The equivalent table of a scene file."""
    if kind == "expression":
        return rest.strip()
    form, counts = KINDS[kind]
    try:
        numbers = [float(word) for word in rest.replace(":", ",").split(",")]
    except ValueError:
        numbers = []
    if not numbers or (counts and len(numbers) not in counts):
        raise SuppleError(f"--group: found '{text}'; {kind} is followed by numbers: {kind}:{form}")
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
    """An integer as int, so 3 is accepted, and 3.5, NaN and infinities are refused."""
    return int(number) if number.is_integer() else number
