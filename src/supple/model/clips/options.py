"""What a scene says about motion from a file."""

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
    """Keys of a motion that comes from a file."""

    file: str | None = None
    """Path of a file with motion, relative to the folder of the scene file: .abc, .usd, .usda, .usdc, .glb, .gltf, .pc2, .mdd,
    .npz, or "frames/*.obj"."""
    object: str | None = None
    """Which object of the file is followed, by its name or path; needed if there are several."""
    match: Match | None = None
    """Which vertex follows which: of the same number, the nearest one of the first frame, or a point of the nearest triangle.
    If absent, by number where the counts agree."""
    tolerance: Positive | None = None
    """How far a vertex may be from what it follows when the run begins [m]; a thousandth of the longest side if absent."""
    fps: Positive | None = None
    """Frames per second, before the clock of the file; needed for .pc2 and .obj, which have none."""
    scale: Positive | None = None
    """Factor on the lengths of the file, beside the unit that it states [-]."""
    up: Literal["x", "y", "z"] | None = None
    """Axis that points up in the file, before what it states; turned to that of the scene."""
    lead_in: Positive | None = None
    """Time in which vertices go from where they start to the first frame, which comes so much later [s]."""
    jumps: Literal["refuse", "allow"] = "refuse"
    """What happens to a file in which a vertex leaps from one frame to the next."""
    skeleton: str | None = None
    """Path or name of a skeleton of the file; the only one if absent."""
    joint: str | None = None
    """Joint of a skeleton that vertices follow rigidly."""
    weights: Literal["nearest", "file"] | None = None
    """Vertices follow several joints: each the nearest bone, or as the skin `object` of the file does at the nearest place."""
    rest: Literal["bind", "first"] | None = None
    """Pose of the skeleton in which vertices start: that in which the skin was bound, as if absent, or the first frame."""

    @property
    def follows_joints(self) -> bool:
        """Whether it is joints of a skeleton that are followed."""
        return self.joint is not None or self.weights is not None

    def check_file(self) -> None:
        """Refuse keys that do not go together."""
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
                    f"{wrong[0]} is for motion of an object, found it with joints of a skeleton: leave it out"
                )
        elif self.lead_in is not None and self.match in ("nearest", "barycentric"):
            raise SuppleError(
                f"lead_in: match = '{self.match}' compares positions at the start, so that the first frame must be there; take "
                'match = "index", or leave lead_in out'
            )


_USUAL = {"jumps": "refuse"}
_KEYS = tuple(key for key in FromFile.__dataclass_fields__ if key != "file")
