"""From the keys of a motion to the script of its vertices."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from supple.clips.interpolation import Frames
from supple.clips.space import Placement
from supple.errors import SuppleError
from supple.model.clips.driven import Driven
from supple.model.clips.followed import clip_of, own_mesh
from supple.model.clips.matching import Limit, bound_to, by_number, by_place
from supple.model.clips.options import FromFile
from supple.model.clips.rig_script import rig_script
from supple.model.clips.script import FileScript, Followed, OnTriangles, check_size, rate_text
from supple.types import Array


def file_script(options: FromFile, driven: Driven | None, start: float | None, stop: float | None) -> FileScript:
    """The script of a motion with `file`; start, stop: start and end of the clip [s]."""
    if driven is None:
        raise SuppleError(
            "file: motion from a file is for groups of bodies and for obstacles with a mesh; use keyframes here"
        )
    window = start or 0.0, math.inf if stop is None else stop
    return (
        rig_script(options, driven, window) if options.follows_joints else _PointScript(options, driven, window).made()
    )


class _PointScript:
    """A script that follows the vertices or triangles of an object."""

    def __init__(self, options: FromFile, driven: Driven, window: tuple[float, float]) -> None:
        self.options, self.driven, self.window = options, driven, window
        own = own_mesh(options, driven.source)
        self.of_own_mesh = own is not None
        self.scale = options.scale if options.scale is not None or own is None else _stated(own.scale)
        self.file_up = options.up or (own.up if own else None)
        self.clip, self.jump = clip_of(options, driven.source)
        if self.jump and options.jumps == "refuse":
            raise SuppleError(f'{self.jump}; repair the file, or accept it with jumps = "allow"')
        self.placement = Placement.of(self.clip.space, driven.up, self.scale, self.file_up)
        self.first = self.placement(self.clip.frame(0))
        self.size = float(np.ptp(self.first, axis=0).max())
        check_size(self.clip.file, self.clip.name, self.size, self.placement.scale, self.scale)
        self.limit = Limit(options.tolerance, driven)

    def made(self) -> FileScript:
        match = self._match()
        if match == "barycentric":
            source, offset, said = self._on_triangles()
        else:
            rows, said = self._rows(match)
            source, offset = self._on_vertices(rows)
        clip, driven = self.clip, self.driven
        times = clip.seconds(self.options.fps)
        space = self.placement.text(clip.space, driven.up, self.file_up)
        note = f"{clip.file}: {rate_text(times, len(clip))}, {space}; '{driven.name}' follows '{clip.name}' {said}"
        notes = (note, f"warning: {self.jump}") if self.jump else (note,)
        return FileScript(source, offset, self.window, notes)

    def _match(self) -> str:
        if self.options.match is not None:
            return self.options.match
        fits = self.clip.n in (self.driven.total, len(self.driven.numbers))
        # a mesh from the same file may have lost unused vertices
        return "index" if fits or not self.of_own_mesh else "nearest"

    def _rows(self, match: str) -> tuple[np.ndarray, str]:
        if match == "index":
            return by_number(self.clip, self.driven), "by index"
        rows, distance = by_place(self.first, self.driven)
        remedy = 'place the body on the first frame, allow more with tolerance, or take match = "barycentric"'
        worst = self.limit.check(distance, self.clip.file, self.size, remedy)
        return rows, f"by position, at most {worst:.2g} m away"

    def _on_vertices(self, rows: np.ndarray) -> tuple[Followed, Array]:
        options, driven, clip, placement = self.options, self.driven, self.clip, self.placement

        def frame(k: int) -> Array:
            return placement(np.ascontiguousarray(clip.positions[k][rows], dtype=np.float64))

        times = clip.seconds(options.fps)
        if options.lead_in is None:
            offset = driven.start - frame(0)
            remedy = "place the body there, or move it there gradually with lead_in = 1.0"
            self.limit.check(np.linalg.norm(offset, axis=1), clip.file, self.size, remedy)
            return self._frames(times, frame), offset

        def led(k: int) -> Array:
            return driven.start if k == 0 else frame(k - 1)

        return self._frames(np.append(0.0, times + options.lead_in), led), np.zeros_like(driven.start)

    def _on_triangles(self) -> tuple[Followed, Array, str]:
        clip, placement, driven = self.clip, self.placement, self.driven
        if clip.faces is None or not len(clip.faces):
            raise SuppleError(f'{clip.file}: \'{clip.name}\' has no faces; take match = "nearest" or "index"')
        try:
            bound, distance = bound_to(driven.start, self.first, clip.faces.triangles(self.first))
        except SuppleError as error:
            raise SuppleError(f"{clip.file}: '{clip.name}': {error}") from None
        far = float(distance.max())
        if self.options.tolerance is not None or far > self.size:
            allowed = Limit(self.options.tolerance or self.size, driven)
            allowed.check(
                distance, clip.file, self.size, "place the body on the first frame, or allow more with tolerance"
            )
        used, corners = np.unique(bound.corners, return_inverse=True)

        def frame(k: int) -> Array:
            return placement(np.ascontiguousarray(clip.positions[k][used], dtype=np.float64))

        own = type(bound)(corners.reshape(-1, 3).astype(np.int32), bound.weights, bound.offsets)
        source = OnTriangles(self._frames(clip.seconds(self.options.fps), frame), own)
        return source, driven.start - source.at(0.0)[0], f"by triangles, at most {far:.2g} m away"

    def _frames(self, times: Array, frame: Callable[[int], Array]) -> Frames:
        return Frames(times, frame, rest_first=self.window[0] > 0 or self.options.lead_in is not None)


def _stated(scale: float) -> float | None:
    """The scale of a mesh; None if it was not given."""
    return None if scale == 1.0 else scale
