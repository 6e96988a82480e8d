"""USD stages: opened, searched for prims, and their units and frames of reference.

Positions in a stage are in units of `metersPerUnit`, in the frame of their prim. Results are in metres, in the frame of
the stage. Axes are unchanged: a scene made from a stage with z up has z up.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from supple.errors import BackendMissing, MeshError, did_you_mean
from supple.mesh.doctor import FARTHEST
from supple.mesh.stages.references import check_references, check_used
from supple.mesh.stages.tried import plain
from supple.types import Array

SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
SHOWN = 8
"""Number of prims that a message names."""


def is_stage(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a USD stage, by its name."""
    return Path(path).suffix.lower() in SUFFIXES


@dataclass(frozen=True)
class Units:
    """The units of a stage."""

    metres: float
    """Per unit of length."""
    kilograms: float
    """Per unit of mass."""

    def si(self, length: int = 0, mass: int = 0) -> float:
        """Conversion factor to SI for a quantity with these powers of length and mass; times are in seconds."""
        return self.metres**length * self.kilograms**mass


@dataclass(frozen=True, eq=False)
class Stage:
    """An open stage."""

    path: Path
    usd: Any
    """The `Usd.Stage`."""
    units: Units
    up: str
    """x, y or z."""

    def prims(self) -> Iterator[Any]:
        """All active, defined prims, including those of instances, parents first."""
        from pxr import Usd

        yield from Usd.PrimRange.Stage(self.usd, Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate))

    def prim(self, name: str) -> Any:
        """A prim by its path, or by its name if only one prim, or only one with a shape, has it. Exporters often give a
        mesh the name of the transform above it."""
        if name.startswith("/"):
            from pxr import Sdf

            found = self.usd.GetPrimAtPath(name) if Sdf.Path.IsValidPathString(name) else None
            if found:
                return found
        else:
            from pxr import UsdGeom

            named = [prim for prim in self.prims() if prim.GetName() == name]
            shaped = [prim for prim in named if prim.IsA(UsdGeom.Gprim)]
            for alone in (named, shaped):
                if len(alone) == 1:
                    return alone[0]
            if named:
                raise MeshError(f"{self.path}: {len(named)} prims are called '{name}'; give a path: {listed(named)}")
        near = did_you_mean(name, [str(prim.GetPath()) for prim in self.prims()])
        raise MeshError(f"{self.path}: no prim '{name}'{near} its geometry: {listed(self._geometry) or 'none'}")

    @property
    def _geometry(self) -> list[Any]:
        from pxr import UsdGeom

        return [prim for prim in self.prims() if prim.IsA(UsdGeom.Gprim)]

    @property
    def start(self) -> Any:
        """The time code at which a run begins; the default one if the stage specifies none."""
        from pxr import Usd

        usd = self.usd
        return Usd.TimeCode(usd.GetStartTimeCode()) if usd.HasAuthoredTimeCodeRange() else Usd.TimeCode.Default()

    def frame(self, prim: Any, when: Any) -> Array:
        """(4, 4) M of the prim at a time code: a row (x, 1) in its units becomes (x, 1) M in metres of the stage."""
        from pxr import UsdGeom

        made = np.array(UsdGeom.XformCache(when).GetLocalToWorldTransform(prim), dtype=np.float64)
        if not (np.abs(made) <= FARTHEST).all():
            raise MeshError(
                f"{self.path}: the transform of {prim.GetPath()} is not finite, or beyond {FARTHEST:g}; export it again"
            )
        made[:, :3] *= self.units.metres
        return made


def open_stage(path: str | os.PathLike[str]) -> Stage:
    """The stage in a file; a `MeshError` states why it cannot be read."""
    path = Path(path)
    if not path.is_file():
        what = "is a folder, not a file" if path.is_dir() else "no such file"
        raise MeshError(f"{path}: {what}; check the name, and the folder that it is relative to")
    try:
        from pxr import Usd, UsdGeom, UsdPhysics
    except ImportError as error:
        raise BackendMissing(
            f'{path}: USD files need usd-core, which cannot be imported ({error}); install it with: pip install "supple[usd]"'
        ) from error
    with refusing(path):
        check_references(path)
        usd = Usd.Stage.Open(str(path))
        check_used(path, usd)
        usd.Reload()  # layers that this process has read before may have changed
    metres, kilograms = UsdGeom.GetStageMetersPerUnit(usd), UsdPhysics.GetStageKilogramsPerUnit(usd)
    for name, value in (("metersPerUnit", metres), ("kilogramsPerUnit", kilograms)):
        if not 0.0 < value < np.inf:
            raise MeshError(f"{path}: {name} is {value:g}; it must be a number above 0")
    return Stage(path, usd, Units(metres, kilograms), UsdGeom.GetStageUpAxis(usd).lower())


@contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Whatever pxr reports while a stage is read, as a `MeshError`."""
    from pxr import Tf

    try:
        yield
    except Tf.ErrorException as error:
        try:
            said = str(error)
        except UnicodeDecodeError:  # pxr quotes bytes of the file that are no text
            said = ""
        raise MeshError(f"{path}: cannot be read as USD: {plain(said)}; export it again") from error


def reversed_faces(counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Corner indices for faces with these corner counts, every face reversed."""
    ends = np.cumsum(counts, dtype=np.int64)
    return np.repeat(2 * ends - counts - 1, counts) - np.arange(int(ends[-1]) if len(ends) else 0)


def placed(points: Array, frame: Array) -> Array:
    """(n, 3) points in the frame."""
    with np.errstate(all="ignore"):  # coordinates may be anything: the doctor sees them later
        made: Array = points @ frame[:3, :3] + frame[3, :3]
    return made


def listed(prims: list[Any]) -> str:
    """Paths of the first few prims."""
    more = ", ..." if len(prims) > SHOWN else ""
    return ", ".join(str(prim.GetPath()) for prim in prims[:SHOWN]) + more
