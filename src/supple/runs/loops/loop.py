"""`supple loop`: finds a section of a run, closes its seam, and writes it as a folder for display and export."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import RecordError, SuppleError
from supple.interruption.placing import put, remove, under_way
from supple.interruption.signals import held
from supple.recording.animation import AnimationWriter, repack
from supple.recording.files import trouble
from supple.recording.film import LOOP
from supple.recording.folder import LOCK, RunFolder, RunStatus
from supple.recording.playback import Animation, open_animation
from supple.runs.loops.piece import Piece, blended, make_piece, moment_at
from supple.runs.loops.recurrence import NEAR, features, find_recurrence
from supple.types import Array

VERTICES, FRAMES = 1000, 1200
"""Largest number of frames searched for recurrences."""
SHORTEST, WINDOW, BLEND = 0.1, 0.1, 0.25
"""Default lengths over that of the run: shortest section, its cross-fade, and the cross-fade without a recurrence."""
FEWEST = 6
"""Smallest number of frames of a section."""


@dataclass(frozen=True)
class Wish:
    """Options of a loop; None: the default [s]."""

    shortest: float | None = None
    longest: float | None = None
    window: float | None = None
    start: float | None = None
    stop: float | None = None
    blend_only: bool = False


@dataclass(frozen=True)
class Loop:
    """A section of a run, and how well it closes."""

    piece: Piece
    frames: int
    """Frames per period; the frame after the last is the first."""
    gap: float | None
    """Gap of the recurrence, over the motion of the section; None if none was searched."""
    seam: float
    speed_seam: float
    """Largest distance [m] and difference of velocities [m/s] of a vertex between the two recorded ends."""
    closed: float
    closed_speed: float
    """The same for the written section."""

    @property
    def recurs(self) -> bool:
        """Whether the run nearly recurs; otherwise the cross-fade alone closes the loop."""
        return self.gap is not None and self.gap <= NEAR


def find_piece(animation: Animation, wish: Wish) -> tuple[Piece, float | None]:
    """The section to repeat, and its gap before closing."""
    times = _times(animation, wish)
    whole, step = float(times[-1] - times[0]), float(np.median(np.diff(times)))
    window = wish.window if wish.window is not None else max(WINDOW * whole, 2 * step)
    shortest = wish.shortest if wish.shortest is not None else max(SHORTEST * whole, FEWEST * step)
    longest = wish.longest if wish.longest is not None else whole - window
    _check(wish, shortest, longest, window, whole)
    gap = None
    if not wish.blend_only:
        chosen = np.unique(np.linspace(0, len(times) - 1, min(len(times), FRAMES)).astype(int))
        z = _features(animation, times[chosen])
        found = find_recurrence(z, times[chosen], shortest, longest, window)
        if found is None:
            raise SuppleError(
                f"{animation.path}: contains no motion for {shortest:.3g} to {longest:.3g} s, so there is no loop"
            )
        gap = found.gap
        if gap <= NEAR:
            begin, end = float(times[chosen][found.i]), float(times[chosen][found.j])
            end = _refined(animation, begin, end, step, times)
            return make_piece(begin, end, min(window, 0.5 * (end - begin)), times), gap
    # the longest section with preceding motion to fade into
    fade = wish.window if wish.window is not None else BLEND * whole
    longest = step * max(1, int(min(whole - fade, wish.longest if wish.longest is not None else whole) / step + 1e-6))
    end = float(times[-1])
    return make_piece(end - longest, end, min(fade, longest), times), gap


def make_loop(run: Path, out: Path, wish: Wish, overwrite: bool = False) -> Loop:
    """Write the section as a run folder, with the scene and the models of the run."""
    source = RunFolder.open(run)
    RunFolder.check(out, overwrite)
    if out.resolve() == run.resolve():
        raise SuppleError(f"--to {out}: is the run itself; choose another folder")
    with open_animation(source.animation) as animation:
        if len(animation) <= FEWEST:
            raise RecordError(f"{animation.path}: has {len(animation)} frames; a loop requires more than {FEWEST}")
        piece, gap = find_piece(animation, wish)
        seams = _seams(animation, piece)
        step = float(np.median(np.diff(animation.times)))
        count = max(FEWEST, round(piece.period / step))
        with _beside(out, overwrite) as new, RunFolder.create(new) as folder:
            _keep(source, folder)
            _write(animation, piece, count, step, folder)
            closed = _closed(folder)
            loop = Loop(piece, count, gap, *seams, *closed)
            folder.log.write_text(f"{sentence(loop)}\nof {source.path.resolve().name}\n", encoding="utf-8")
            folder.mark(RunStatus.FINISHED)
    return loop


@contextmanager
def _beside(out: Path, overwrite: bool) -> Iterator[Path]:
    """A folder whose files move to `out` when they are complete; foreign files there stay."""
    new = out.with_name(f".part-{out.name}")
    remove(new)
    with under_way(new):
        yield new
        with held():
            if not out.exists():
                put(new, out)
                return
            with RunFolder.create(out, overwrite):
                for file in [path for path in new.rglob("*") if path.is_file() and path.name != LOCK]:
                    place = out / file.relative_to(new)
                    place.parent.mkdir(exist_ok=True)
                    put(file, place)


def sentence(loop: Loop) -> str:
    """The loop in one line: section, recurrence and seam."""
    piece = loop.piece
    how = (
        f"recurs within {100 * (loop.gap or 0):.2g} % of its motion"
        if loop.recurs
        else "cross-fade only" + ("" if loop.gap is None else f" (best recurrence: {100 * loop.gap:.2g} % off)")
    )
    return (
        f"{piece.begin:.4g} to {piece.end:.4g} s, {piece.period:.4g} s: {how}; seam {loop.seam:.3g} m and "
        f"{loop.speed_seam:.3g} m/s, closed over {piece.window:.3g} s to {loop.closed:.3g} m and {loop.closed_speed:.3g} m/s"
    )


def summary(loop: Loop) -> dict[str, Any]:
    """The result as figures."""
    piece = loop.piece
    return {
        "begin": piece.begin,
        "end": piece.end,
        "period": piece.period,
        "window": piece.window,
        "frames": loop.frames,
        "recurs": loop.recurs,
        "gap": loop.gap,
        "seam_before": [loop.seam, loop.speed_seam],
        "seam_after": [loop.closed, loop.closed_speed],
    }


def _times(animation: Animation, wish: Wish) -> Array:
    first, last = float(animation.times[0]), float(animation.times[-1])
    start, stop = first if wish.start is None else wish.start, last if wish.stop is None else wish.stop
    if not first <= start < stop <= last:
        raise SuppleError(f"--start, --stop: found {start:g} to {stop:g} s, but the run covers {first:g} to {last:g} s")
    times = animation.times[(animation.times >= start) & (animation.times <= stop)]
    if len(times) <= FEWEST:
        raise SuppleError(f"--start, --stop: {len(times)} frames lie between them; a loop requires more than {FEWEST}")
    return times


def _check(wish: Wish, shortest: float, longest: float, window: float, whole: float) -> None:
    for option, value in (("--shortest", wish.shortest), ("--longest", wish.longest), ("--window", wish.window)):
        if value is not None and not 0 < value < whole:
            raise SuppleError(f"{option}: found {value:g} s; give more than 0 and less than the {whole:g} s of the run")
    if shortest + window > whole * (1 + 1e-9):
        raise SuppleError(
            f"--shortest, --window: a section of {shortest:.3g} s and a cross-fade of {window:.3g} s are longer than the "
            f"{whole:g} s of the run; shorten one, or run longer"
        )
    if shortest > longest:
        raise SuppleError(
            f"--shortest, --longest: {shortest:.3g} to {longest:.3g} s is an empty range; swap or widen them"
        )


def _features(animation: Animation, times: Array) -> Array:
    rows = np.unique(np.linspace(0, animation.vertices - 1, min(animation.vertices, VERTICES)).astype(int))
    frames = [int(np.searchsorted(animation.times, t)) for t in times]
    x, v = (
        np.stack([np.asarray(read(k), dtype=float)[rows] for k in frames])
        for read in (animation.points, animation.velocities)
    )
    if not np.isfinite(x).all() or not np.isfinite(v).all():
        raise RecordError(f"{animation.path}: some positions are not finite; choose a part with --start and --stop")
    return features(x, v)


def _refined(animation: Animation, begin: float, end: float, step: float, times: Array) -> float:
    """The end near a frame with the motion most similar to the beginning: periods are not multiples of frames."""
    from scipy.optimize import minimize_scalar

    first = moment_at(animation, begin)
    x, v = first.x.astype(float), first.v.astype(float)
    speed = float(np.sqrt(np.mean(v * v))) or 1.0
    spread = max(float(np.sqrt(np.mean((moment_at(animation, (begin + end) / 2).x - x) ** 2))), 1e-12)

    def gap(t: float) -> float:
        other = moment_at(animation, t)
        return float(np.mean((other.x - x) ** 2)) / spread**2 + float(np.mean((other.v - v) ** 2)) / speed**2

    low, high = max(end - step, begin + step), min(end + step, float(times[-1]))
    found = minimize_scalar(gap, bounds=(low, high), method="bounded", options={"xatol": 1e-6 * step})
    return float(found.x) if found.fun < gap(end) else end


def _seams(animation: Animation, piece: Piece) -> tuple[float, float]:
    a, b = moment_at(animation, piece.begin), moment_at(animation, piece.end)
    return _largest(a.x, b.x), _largest(a.v, b.v)


def _closed(folder: RunFolder) -> tuple[float, float]:
    with open_animation(folder.animation) as written:
        return (
            _largest(written.points(0), written.points(-1)),
            _largest(written.velocities(0), written.velocities(-1)),
        )


def _largest(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.linalg.norm(a.astype(float) - b, axis=1).max())


def _keep(source: RunFolder, folder: RunFolder) -> None:
    """The scene, and the display files of its bodies."""
    text = source.scene.read_text(encoding="utf-8") if source.scene.is_file() else ""
    names = [file for file in source.path.iterdir() if file.is_file()]
    kept = [f for f in names if f == source.scene or f.name.endswith((".coarse.npz", ".model.npz")) or f'/{f.name}"' in text
            or f'"{f.name}"' in text]  # fmt: skip
    for file in kept:
        try:
            shutil.copyfile(file, folder.path / file.name)
        except OSError as error:
            raise trouble(folder.path / file.name, "write", error) from error


def _write(animation: Animation, piece: Piece, count: int, step: float, folder: RunFolder) -> None:
    """Frames at the rate of the run: a period that is not a multiple is stretched by less than half a frame."""
    stretch = piece.period / (count * step)
    metadata = {**animation.metadata, LOOP: count * step}
    writer = AnimationWriter.create(folder.animation, animation.cells, animation.vertices, count + 1, metadata)
    try:
        first = blended(animation, piece, 0.0)
        for k in range(count):
            now = first if k == 0 else blended(animation, piece, k * piece.period / count)
            writer.record(piece.begin + k * step, now.x, stretch * now.v, now.energy)
        writer.record(piece.begin + count * step, first.x, stretch * first.v, first.energy)
    finally:
        writer.close()
    repack(folder.animation)
