"""The animation of a run, frame by frame: written so that a kill at any moment loses no recorded frame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import RecordError
from supple.interruption.signals import held
from supple.recording import vtkhdf
from supple.recording.cells import Cells
from supple.recording.files import replace, trouble
from supple.recording.playback import Animation, open_animation
from supple.recording.quiet_file import QuietFile
from supple.recording.reading import checksums
from supple.types import Array

Floats = npt.NDArray[np.floating[Any]]

REPACKED = 64
"""Frames that are copied at once into a compact file."""


class AnimationWriter:
    """Overwrites bytes in a reserved file; when `record` returns, the frame survives a kill of the process.

    The arrays are written to their known offsets, bypassing HDF5, before anything refers to the new frame: a full disk fails
    there, and the file stays unchanged.
    """

    def __init__(self, path: Path) -> None:
        """Open a file in the reserved form; use `create` or `reopen`."""
        self.path = path
        self._open()

    def _open(self) -> None:
        with held():  # HDF5 calls the file object, which must not raise
            self._open_file()

    def _open_file(self) -> None:
        self._disk = QuietFile(self.path, new=False)
        try:
            self._open_arrays()
        except (
            KeyError,
            OSError,
            ValueError,
            RuntimeError,
        ) as error:  # HDF5 tolerates more damage in files it only reads
            self._disk.close()
            raise RecordError(
                f"{self.path}: is damaged and cannot be continued ({error}); take another copy, or run again with --overwrite"
            ) from error

    def _open_arrays(self) -> None:
        self._file = vtkhdf.open_file(self._disk, "r+")
        root = self._file["VTKHDF"]
        self._steps, self._values = root["Steps"], root["Steps/Values"]
        self._fields = vtkhdf.fields_of(root)
        self._places = [(root[name].id.get_offset(), width) for name, width in self._fields.items()]
        self.vertices = int(root["NumberOfPoints"][0])
        self.reserved = int(root["Steps/PointOffsets"].shape[0])
        self._count = len(vtkhdf.recorded_times(self._steps))
        sums = checksums.table(self._file, self.reserved, len(self._fields))
        self._sums = None if sums is None else sums.id.get_offset()

    @classmethod
    def create(
        cls,
        path: Path,
        cells: Cells,
        vertices: int,
        frames: int,
        metadata: Mapping[str, str | float],
        deformation: bool = False,
    ) -> AnimationWriter:
        """A new file with room for `frames` frames (more cost a copy). `deformation`: whether frames contain the
        deformation gradients of material points."""
        fields = vtkhdf.FIELDS | (vtkhdf.DEFORMATION if deformation else {})
        with vtkhdf.new_file(path) as file:
            vtkhdf.lay_out(file, cells, vertices, max(frames, 1), metadata, reserved=True, fields=fields)
            checksums.reserve(file, max(frames, 1), len(fields))
        return cls(path)

    @classmethod
    def reopen(cls, path: Path, keep: int, frames: int = 0) -> AnimationWriter:
        """Continue after frame `keep` - 1, discarding later frames. `frames`: expected total number."""
        with open_animation(path) as animation:
            _demand_frames(animation, keep)
            reserved = animation.reserved
        room = max(frames, keep, 1)
        if reserved < room:
            _enlarge(path, keep, room)
        writer = cls(path)
        try:
            writer._cut(keep)
        except OSError as error:
            writer.close()
            raise trouble(path, "write", error) from error
        return writer

    def __len__(self) -> int:
        return self._count

    def record(self, t: float, x: Floats, v: Floats, energy: Floats, F: Floats | None = None) -> None:
        """Add a frame: time (s), positions (n,3) (m), velocities (n,3) (m/s), energy density (n,) (J/m^3), and deformation
        gradients (n,3,3) if the file has them."""
        given = (x, v, energy) if F is None else (x, v, energy, F.reshape(-1, 9))
        rows = [self._row(name, a) for name, a in zip(self._fields, given, strict=True)]
        k = self._count
        if k == self.reserved:
            self._make_room()
        try:
            for (place, width), row in zip(self._places, rows, strict=True):
                self._disk.put_at(place + k * self.vertices * width * 4, row.data)
            if self._sums is not None:
                sums = checksums.row(rows)
                self._disk.put_at(self._sums + k * sums.nbytes, sums.data)
            with held():
                self._commit(k, t)
        except OSError as error:
            raise trouble(self.path, f"write frame {k}", error) from error

    def digest(self) -> str:
        """Of the times of all frames and the data of the last one, for the checkpoint; see `check_frames`."""
        last, rows = self._count - 1, []
        if self._count:
            sizes = [(place, self.vertices * width * 4) for place, width in self._places]
            rows = [self._disk.get_at(place + last * size, size) for place, size in sizes]
        return _digest(self._values[: self._count], rows)

    def sync(self) -> None:
        """Flush all frames to the disk; to be called before a checkpoint that counts them."""
        try:
            self._disk.sync()
        except OSError as error:
            raise trouble(self.path, "write", error) from error

    def close(self) -> None:
        """Close the file; closing twice is harmless."""
        with held():
            if self._file:
                self._file.close()
            self._disk.close()

    def _row(self, name: str, values: Floats) -> npt.NDArray[np.float32]:
        width = self._fields[name]
        shape = (self.vertices, width) if width > 1 else (self.vertices,)
        if values.shape != shape:
            raise RecordError(f"{self.path}: {name} of a frame has shape {values.shape}, expected {shape}")
        with np.errstate(over="ignore"):  # a diverging run may leave the range of float32
            return np.ascontiguousarray(values, dtype="<f4")

    def _commit(self, k: int, t: float) -> None:
        # NSteps before Values, each flushed before the next: see vtkhdf for the order.
        self._steps.attrs.modify("NSteps", np.int64(k + 1))
        self._file.flush()
        self._values.resize(k + 1, axis=0)
        self._values[k] = t
        self._file.flush()
        self._disk.check()
        self._count = k + 1

    def _cut(self, keep: int) -> None:
        self._values.resize(max(keep, 1), axis=0)
        if keep == 0:
            self._values[0] = np.nan
        self._file.flush()
        self._steps.attrs.modify("NSteps", np.int64(max(keep, 1)))
        self._file.flush()
        self._disk.check()
        self._count = keep

    def _make_room(self) -> None:
        """Copy to a reservation of twice the size."""
        self.close()
        try:
            _enlarge(self.path, self._count, 2 * self._count)
        finally:
            self._open()


def check_frames(path: Path, keep: int, vertices: int, digest: str | None) -> None:
    """Refuse an animation that does not have the first `keep` frames of a checkpoint with this digest; only the last of
    them is read. Checkpoints of earlier versions have no digest."""
    with open_animation(path) as animation:
        _demand_frames(animation, keep)
        rows = [animation.field(name, keep - 1).tobytes() for name in animation.fields] if keep else []
        fits = digest is None or digest == _digest(animation.times[:keep], rows)
        if animation.vertices != vertices or not fits:
            raise RecordError(
                f"{path}: its {animation.vertices} vertices in {keep} frames are not those of the checkpoint; the file was "
                "changed or damaged since, or is of another run: put it back as the run wrote it, or run again with --overwrite"
            )


def _demand_frames(animation: Animation, keep: int) -> None:
    if keep > len(animation):
        raise RecordError(
            f"{animation.path}: has {len(animation)} frames, but the checkpoint was made after {keep}; "
            "the file was changed or damaged since: run again with --overwrite"
        )


def _digest(times: Array, rows: Iterable[bytes]) -> str:
    total = blake2b(times.tobytes(), digest_size=16)
    for data in rows:
        total.update(data)
    return total.hexdigest()


def repack(path: Path) -> None:
    """Replace a reserved file by a compact, compressed one with the same frames; a file without frames is unchanged."""
    with open_animation(path) as old:
        if not len(old):
            return
    with open_animation(path) as old, vtkhdf.new_file(path) as file:
        n, frames = old.vertices, len(old)
        vtkhdf.lay_out(file, old.cells, n, frames, old.metadata, reserved=False, fields=old.fields)
        checksums.reserve(file, frames, len(old.fields))
        root, sums = file["VTKHDF"], file[checksums.PLACE]
        root["Steps/Values"][:] = old.times
        for first in range(0, frames, REPACKED):
            some = range(first, min(first + REPACKED, frames))
            for column, name in enumerate(old.fields):
                rows = [old.field(name, k) for k in some]
                root[name][first * n : some.stop * n] = np.concatenate(rows)
                sums[first : some.stop, column] = [checksums.checksum(frame) for frame in rows]


def _enlarge(path: Path, keep: int, frames: int) -> None:
    """Copy the first `keep` frames into a reservation for `frames`, which then replaces the file."""
    new = path.with_name(path.name + ".larger")
    try:
        with open_animation(path) as old:
            deformation = not vtkhdf.DEFORMATION.keys().isdisjoint(old.fields)
            writer = AnimationWriter.create(new, old.cells, old.vertices, frames, old.metadata, deformation)
            try:
                for k in range(keep):
                    given = old.points(k), old.velocities(k), old.energies(k), old.deformations(k)
                    writer.record(float(old.times[k]), *given)
            finally:
                writer.close()
        replace(new, path)
    finally:
        new.unlink(missing_ok=True)


__all__ = ["Animation", "AnimationWriter", "open_animation", "repack"]
