"""Reading an animation back: reserved or compact, of a finished, running or killed run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import numpy.typing as npt

from supple.checks import checked_call
from supple.errors import RecordError
from supple.recording import vtkhdf
from supple.recording.cells import Cells
from supple.recording.clock import SPEED, FilmClock
from supple.recording.reading import checksums
from supple.recording.reading.layout import check_layout
from supple.types import Array

if TYPE_CHECKING:
    import h5py

Singles = npt.NDArray[np.float32]


class Animation:
    """The frames of a file: `times` (s), and for each frame the data of every vertex. Counts from 0; -1 is the last."""

    def __init__(self, path: Path, file: h5py.File) -> None:
        self.path = path
        self._file = file
        root = file["VTKHDF"]
        self._root = root
        check_layout(root, path.stat().st_size)
        steps = root["Steps"]
        self.times: Array = vtkhdf.recorded_times(steps)
        self.vertices = int(root["NumberOfPoints"][0])
        self.cells = Cells(root["Connectivity"][:], root["Offsets"][:], root["Types"][:])
        self.metadata: dict[str, str | float] = {
            key: value if isinstance(value, str) else _number(value)
            for key, value in (file[vtkhdf.METADATA].attrs.items() if vtkhdf.METADATA in file else ())
        }
        if self.metadata.get("up", "y") not in ("x", "y", "z"):
            raise ValueError(f"its axis up is '{str(self.metadata['up'])[:40]}'; expected x, y or z")
        self.fields = vtkhdf.fields_of(root)
        """Path of each array -> values per vertex."""
        self._checksums = checksums.table(file, len(self), len(self.fields))
        self.reserved = len(steps["PointOffsets"]) if root["Points"].chunks is None else 0
        """Capacity in frames; 0 in the compact form, where none can be added in place."""

    def __len__(self) -> int:
        return len(self.times)

    @property
    def simulated(self) -> Array:
        """(f,) simulated times [s]; `times` are film times."""
        if SPEED not in self.metadata:
            return np.array(self.times)
        clock = FilmClock.read(self.metadata[SPEED])
        return np.array([clock.simulated(float(film)) for film in self.times])

    def points(self, k: int) -> Singles:
        """Positions (n,3), m."""
        return self.field("Points", k)

    def velocities(self, k: int) -> Singles:
        """Velocities (n,3), m/s."""
        return self.field("PointData/velocity", k)

    def energies(self, k: int) -> Singles:
        """Strain energy density (n,), J/m^3."""
        return self.field("PointData/energy", k)

    def deformations(self, k: int) -> Singles | None:
        """Deformation gradients of material points (n,3,3), if recorded."""
        [name] = vtkhdf.DEFORMATION
        return self.field(name, k).reshape(-1, 3, 3) if name in self.fields else None

    def field(self, name: str, k: int) -> Singles:
        """One of `fields` at frame k."""
        if not -len(self) <= k < len(self):
            raise IndexError(f"{self.path}: found frame {k}, but there are {len(self)} frames")
        first = (k % len(self)) * self.vertices
        try:
            rows: Singles = self._root[name][first : first + self.vertices]
            if self._checksums is not None:
                recorded = int(self._checksums[k % len(self), list(self.fields).index(name)])
                if not checksums.fits(rows, recorded):
                    raise OSError("its bytes do not match their checksum")
        except (OSError, RuntimeError) as error:
            raise RecordError(
                f"{self.path}: frame {k} of {name} is damaged ({error}); take another copy, or run again with --overwrite"
            ) from error
        return rows

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _number(value: object) -> float:
    found = np.asarray(value)
    return float(found) if found.ndim == 0 and found.dtype.kind in "iuf" else float("nan")


@checked_call
def open_animation(path: str | os.PathLike[str]) -> Animation:
    """The animation in `path`; raises RecordError with the problem of the file otherwise."""
    path = Path(path)
    if not path.is_file():
        raise RecordError(f"{path}: no such file; a run writes its animation into its folder as animation.vtkhdf")
    try:
        file = vtkhdf.open_file(path, "r")
    except OSError as error:
        raise RecordError(f"{path}: not a readable HDF5 file ({error}); expected an animation of a run") from error
    try:
        return Animation(path, file)
    except (KeyError, OSError, ValueError, RuntimeError) as error:  # the last one is of damaged tables of arrays
        file.close()
        raise RecordError(
            f"{path}: an HDF5 file, but not a VTKHDF animation with time steps ({error}); expected one of a run"
        ) from error
