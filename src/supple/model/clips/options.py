"""Scene options for motion from a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from supple.checks import checked
from supple.errors import SuppleError
from supple.values import Positive

Match = Literal["index", "nearest", "barycentric"]
OF_SKELETONS = ("skeleton", "joint", "weights", "rest")


@checked
@dataclass(frozen=True, kw_only=True)
class FromFile:
    """Keys of a motion from a file."""

    file: str | None = None
    """Path of a file with motion, relative to the folder of the scene file: .abc, .usd, .usda, .usdc, .glb, .gltf, .pc2, .mdd,
    .npz, or "frames/*.obj"."""
    object: str | None = None
    """Object of the file to follow, by its name or path; required if there are several."""
    match: Match | None = None
    """Matching of vertices: same index, nearest vertex of the first frame, or a point of the nearest triangle. If
    absent, by index if the counts agree."""
    tolerance: Positive | None = None
    """Permitted distance of a vertex from its target at the start [m]; a thousandth of the longest side if absent."""
    fps: Positive | None = None
    """Frames per second, overriding the file; required for .pc2 and .obj, which have none."""
    scale: Positive | None = None
    """Factor on the lengths of the file, in addition to its declared unit [-]."""
    up: Literal["x", "y", "z"] | None = None
    """Up axis of the file, overriding its declaration; rotated to the up axis of the scene."""
    lead_in: Positive | None = None
    """Time in which vertices move from their initial positions to the first frame, which is delayed accordingly [s]."""
    jumps: Literal["refuse", "allow"] = "refuse"
    """Treatment of a file in which a vertex jumps between frames."""
    skeleton: str | None = None
    """Path or name of a skeleton of the file; the only one if absent."""
    joint: str | None = None
    """Skeleton joint that the vertices follow rigidly."""
    weights: Literal["nearest", "file"] | None = None
    """Vertices follow several joints: each the nearest bone, or with the weights of the skin `object` at the nearest point."""
    rest: Literal["bind", "first"] | None = None
    """Pose of the skeleton at which vertices start: the bind pose of the skin (default), or the first frame."""

    @property
    def follows_joints(self) -> bool:
        """Whether joints of a skeleton are followed."""
        return self.joint is not None or self.weights is not None

    def check_file(self) -> None:
        """Reject incompatible keys."""
        given = [key for key in _KEYS if getattr(self, key) is not None and getattr(self, key) != _USUAL.get(key)]
        if self.file is None:
            if given:
                raise SuppleError(f"{given[0]} is for motion from a file; give file, or leave it out")
            return
        if self.joint is not None and self.weights is not None:
            raise SuppleError("give either joint, for one joint, or weights, for several; found both")
        alone = [key for key in OF_SKELETONS if key in given]
        if alone and not self.follows_joints:
            raise SuppleError(f'{alone[0]} is for skeletons: give joint = "...", or weights = "file" or "nearest"')
        if self.follows_joints:
            wrong = [key for key in ("match", "fps", *(() if self.weights == "file" else ("object",))) if key in given]
            if wrong:
                raise SuppleError(
                    f"{wrong[0]} is for motion of an object, but joints of a skeleton are given: leave it out"
                )
        elif self.lead_in is not None and self.match in ("nearest", "barycentric"):
            raise SuppleError(
                f"lead_in: match = '{self.match}' compares positions at the start, so the first frame must be there; take "
                'match = "index", or leave lead_in out'
            )


_USUAL = {"jumps": "refuse"}
_KEYS = tuple(key for key in FromFile.__dataclass_fields__ if key != "file")
