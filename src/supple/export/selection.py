"""Selection of bodies, obstacles and times for an export."""

from __future__ import annotations

from functools import partial

import numpy as np

from supple.contact.obstacles.half_space import HalfSpace
from supple.errors import RecordError, did_you_mean
from supple.export.sequence import Body
from supple.recording.film import NEARLY, Film
from supple.recording.parts import Part
from supple.recording.playback import Singles
from supple.types import Array, Ints


def chosen_parts(film: Film, name: str | None, obstacles: bool = True) -> list[Part]:
    """All visible bodies, optionally with all obstacles; or the body or obstacle of that name."""
    shown = [part for part in film.parts if len(part.vertices)]
    if name is None:
        return [part for part in shown if obstacles or not part.obstacle]
    known = [part.name for part in shown]
    if name not in known:
        hint = did_you_mean(name, known)
        raise RecordError(f"--body: unknown body '{name}'{hint} known: {', '.join(known)}")
    return [part for part in shown if part.name == name]


def surface_body(film: Film, part: Part) -> Body:
    """Visible geometry of a body."""
    closed = part.name in film.closed or (bool(len(tets_of(film, part))) and not len(_own(film, part, 3)))
    return _body(film, part, len(part.vertices), (part.faces, part.edges, _none(4)), closed, part.vertices)


def whole_body(film: Film, part: Part) -> Body:
    """All vertices and cells of a body."""
    first, end = part.span
    tets, faces, edges = (_own(film, part, corners) - np.int32(first) for corners in (4, 3, 2))
    rows = np.arange(first, end, dtype=np.int32)
    closed = part.name in film.closed or not len(faces)
    return _body(film, part, end - first, (faces, edges, tets), closed, rows)


def _body(film: Film, part: Part, n: int, cells: tuple[Ints, Ints, Ints], closed: bool, rows: Ints) -> Body:
    closed = closed or (part.shape is not None and not isinstance(part.shape, HalfSpace))
    spacing = film.spacing(part) if part.cloud else 0.0
    pick = partial(_rows, rows)
    return Body(part.name, n, *cells, closed, pick, part.colour, part.obstacle, part.still, spacing=spacing)


def tets_of(film: Film, part: Part) -> Ints:
    """The tets of a body; with vertex indices of the film."""
    return _own(film, part, 4)


def chosen_times(
    film: Film, fps: float | None, start: float | None, stop: float | None, even: bool
) -> tuple[Array, float, list[str]]:
    """Times [s], frames per second, and notes. Without `fps` the recorded frames, unless even ones are required."""
    if fps is not None and not 0 < fps < np.inf:
        raise RecordError(f"--fps: found {fps:g}; give frames per second above 0, such as 24")
    times = film.sample(fps, start, stop)
    if not len(times):
        raise RecordError(f"{film.path}: no frame was recorded from {start:g} to {stop:g} s; resample with --fps")
    if fps is not None:
        return times, fps, []
    gaps = np.diff(film.times)
    usual = float(np.median(gaps)) if len(gaps) else 1 / 24
    if len(times) > 1 and np.ptp(np.diff(times)) > 10 * NEARLY * usual:
        if not even:
            return times, (len(times) - 1) / float(times[-1] - times[0]), []
        rate = _round(1 / usual)
        note = f"the recorded frames are not evenly spaced; resampled at {rate:g} fps (set by --fps)"
        return film.sample(rate, start, stop), rate, [note]
    return times, _round(1 / usual), []


def _round(rate: float) -> float:
    """A rate that differs from an integer only by round-off becomes that integer."""
    return float(round(rate)) if abs(rate - round(rate)) < 10 * NEARLY * rate else rate


def _own(film: Film, part: Part, corners: int) -> Ints:
    cells = film.cells.of_type(corners)
    first, end = part.span
    return cells[(cells[:, 0] >= first) & (cells[:, 0] < end)].astype(np.int32)


def _rows(rows: Ints, values: Singles) -> Singles:
    return values[rows]


def _none(corners: int) -> Ints:
    return np.empty((0, corners), dtype=np.int32)
