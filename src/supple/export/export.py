"""Export of a film: selection, preparation for a format, and writing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from supple.errors import RecordError
from supple.export import FORMATS
from supple.export.format import Format
from supple.export.modelled import by_objects, modelled
from supple.export.physics.physics import Physics
from supple.export.selection import chosen_parts, chosen_times, surface_body, tets_of, whole_body
from supple.export.sequence import Body, Instant, Sequence
from supple.export.skin import skinned
from supple.export.staging import check_free, staged
from supple.mesh.embedding.binding import bind
from supple.mesh.embedding.fit import check_fit, check_surface
from supple.mesh.mesh import Mesh
from supple.recording.film import Film
from supple.recording.parts import Part
from supple.types import Array

Watch = Callable[[Iterable[Instant], int], Iterable[Instant]]
"""Passes the frames on, with their number, and may show progress."""

SMALLEST_UNIT = 1e-12
"""Picometres and their inverse: coordinates of files have single precision and stay within its range."""


def unwatched(frames: Iterable[Instant], count: int) -> Iterable[Instant]:
    """No progress display."""
    return frames


@dataclass(frozen=True)
class Skin:
    """A fine surface for a solid body; it fits the body at rest."""

    where: str
    mesh: Mesh
    rest: Array
    """(n, 3) rest positions of all vertices of the film [m]."""


@dataclass(frozen=True)
class Choice:
    """Selection from a film; None: everything as recorded."""

    fps: float | None = None
    start: float | None = None
    stop: float | None = None
    body: str | None = None
    skin: Skin | None = None
    scale: float = 1.0
    """Length units per metre."""
    first: int = 1
    """Number of the first frame."""
    energy_colours: bool = False
    models: bool = True
    """Whether a solid that was filled or has a skin is exported as the surface of its model."""
    obstacles: bool = True
    """Whether obstacles are written too."""
    physics: Physics | None = None
    """The set-up to write with the motion."""


@dataclass(frozen=True)
class Exported:
    """Files of an export, with its duration and remarks."""

    paths: tuple[Path, ...]
    sequence: Sequence
    seconds: float
    notes: tuple[str, ...]


def find_format(name: str) -> Format:
    """The format of that name."""
    return FORMATS.find(name)()


def known_suffixes() -> dict[str, str]:
    """Name of the format for each suffix of a file."""
    return {suffix: name for name in FORMATS.names() for suffix in FORMATS.find(name).suffixes}


def export(
    film: Film, form: Format, out: Path, choice: Choice, overwrite: bool = False, watch: Watch = unwatched
) -> Exported:
    """Write a film; `watch` receives the frames."""
    began = time.perf_counter()
    sequence, notes = prepare(film, form, choice)
    paths = form.outputs(form.named(out), sequence)
    check_free(paths, overwrite)
    with staged(paths, overwrite) as names:
        notes += form.write(sequence, watch(sequence.frames(), len(sequence)), names)
    return Exported(paths, sequence, time.perf_counter() - began, tuple(notes))


def prepare(film: Film, form: Format, choice: Choice) -> tuple[Sequence, list[str]]:
    """The sequence for a format, and notes on conversions."""
    if not SMALLEST_UNIT <= choice.scale <= 1.0 / SMALLEST_UNIT:
        raise RecordError(
            f"--scale: found {choice.scale:g}; give length units per metre from {SMALLEST_UNIT:g} to {1.0 / SMALLEST_UNIT:g}, "
            "such as 100 for centimetres"
        )
    times, fps, notes = chosen_times(film, choice.fps, choice.start, choice.stop, form.even)
    bodies, said = _bodies(film, form, choice)
    notes += said
    title = film.path.absolute().parent.name
    if choice.physics is not None and not form.physics:
        raise RecordError(f"--physics: the format {form.name} does not support it; use --to usd")
    sequence = Sequence(
        film, title, bodies, times, fps, choice.first, choice.scale,
        energy_colours=choice.energy_colours, physics=choice.physics,
    )  # fmt: skip
    if choice.energy_colours and not form.colours:
        notes.append(f"the format {form.name} does not support changing colours; --colour energy has no effect")
        sequence = replace(sequence, energy_colours=False)
    if film.up not in form.ups:
        sequence = sequence.turned(form.ups[0])
        notes.append(
            f"the run has {film.up} up, which the format {form.name} does not support; rotated so that {sequence.up} is up"
        )
    return sequence, notes


def _bodies(film: Film, form: Format, choice: Choice) -> tuple[tuple[Body, ...], list[str]]:
    parts, notes = _without_shapes(chosen_parts(film, choice.body, choice.obstacles), form)
    _check_clouds(parts, form)
    body = whole_body if form.whole else surface_body
    bodies = [body(film, part) if form.whole else modelled(film, part, body, choice.models) for part in parts]
    if choice.skin is not None:
        wearer = _wearer(film, parts)
        worn, said = _worn(film, wearer, choice.skin)
        notes += said
        bodies = [worn if part is wearer else other for part, other in zip(parts, bodies, strict=True)]
    return tuple(bodies) if form.whole else by_objects(bodies, film), notes


def _without_shapes(parts: list[Part], form: Format) -> tuple[list[Part], list[str]]:
    """The parts supported by the format, and notes on the others."""
    shapes = [part.name for part in parts if part.still]
    if form.shapes or not shapes:
        return parts, []
    left = [part for part in parts if not part.still]
    words = f"the format {form.name} supports moving parts only; omitted: {', '.join(shapes)}"
    if not left:
        raise RecordError(f"--body: {words}; use another format, such as obj")
    return left, [words]


def _check_clouds(parts: list[Part], form: Format) -> None:
    clouds = [part.name for part in parts if part.cloud]
    if clouds and not form.clouds:
        raise RecordError(
            f"--to {form.name}: {', '.join(clouds)}: the surface of a point cloud changes its triangles between "
            "frames, but this format stores one set; use usd or abc for points, obj or glb for surfaces"
            + ("; or choose another body with --body" if len(clouds) < len(parts) else "")
        )


def _wearer(film: Film, parts: list[Part]) -> Part:
    solids = [part for part in parts if len(tets_of(film, part))]
    if not solids:
        raise RecordError("--skin: a skin is bound to tets, and the chosen bodies have none; export without it")
    if len(solids) > 1:
        raise RecordError(
            f"--skin: there are several solids ({', '.join(part.name for part in solids)}); choose one with --body"
        )
    return solids[0]


def _worn(film: Film, part: Part, skin: Skin) -> tuple[Body, list[str]]:
    if len(skin.rest) != film.recorded:
        raise RecordError(
            f"{film.path}: has {film.recorded} vertices, but the scene now has {len(skin.rest)}: "
            "scene or mesh file were changed after the run; undo that, or run again"
        )
    check_surface(skin.where, skin.mesh)
    first, end = part.span
    size = float(np.linalg.norm(np.ptp(skin.rest[first:end], axis=0)))
    binding = bind(skin.mesh.vertices, skin.rest, tets_of(film, part))
    return skinned(part, skin.mesh, binding), check_fit(skin.where, binding, size)
