"""A rig: the joints of a skeleton, frame by frame, and the weights of a skin bound to them.

Transforms act on row vectors, from the coordinates of a joint to the world of the file.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from supple.clips.checks import check_times
from supple.clips.space import Placement, Space
from supple.errors import SuppleError, did_you_mean
from supple.mesh.doctor import FARTHEST
from supple.types import Array


@dataclass(frozen=True, eq=False)
class Skin:
    """Rest positions (n, 3) of an object at the bind pose, in the world, and joints and weights (n, k) of each vertex."""

    name: str
    rest: Array
    joints: np.ndarray
    weights: Array


@dataclass(frozen=True, eq=False)
class Rig:
    """Joints in motion, in the units and axes of the file."""

    file: str
    name: str
    joints: tuple[str, ...]
    parents: tuple[int, ...]
    """Index of the parent of each joint, -1 for none."""
    bind: Array
    """(J, 4, 4) joint transforms in the bind pose."""
    times: Array
    """(frames,) [s]"""
    poses: Array
    """(frames, J, 4, 4)"""
    skin: Skin | None = None
    space: Space = field(default_factory=Space)

    def __len__(self) -> int:
        return len(self.times)

    def checked(self) -> Rig:
        """The same, checked; a rig without frames or with values that are not finite is an error."""
        check_times(self.file, self.name, self.times)
        every = (self.bind, self.poses)
        if not all((np.abs(matrices) <= FARTHEST).all() for matrices in every):
            what = f"beyond {FARTHEST:g}" if all(np.isfinite(matrices).all() for matrices in every) else "not finite"
            raise SuppleError(f"{self.file}: transforms of the joints of '{self.name}' are {what}; export it again")
        flat = np.flatnonzero(np.abs(np.linalg.det(self.bind[:, :3, :3])) < 1e-30)
        if len(flat):
            raise SuppleError(
                f"{self.file}: the bind transform of joint '{self.joints[flat[0]]}' of '{self.name}' has no inverse"
            )
        return self

    def number(self, joint: str) -> int:
        """Index of a joint: by its whole path, or its last component if unique."""
        if joint in self.joints:
            return self.joints.index(joint)
        short = [name.split("/")[-1] for name in self.joints]
        if short.count(joint) == 1:
            return short.index(joint)
        if short.count(joint) > 1:
            several = [name for name, word in zip(self.joints, short, strict=True) if word == joint]
            raise SuppleError(f"{self.file}: joint '{joint}' may be any of {', '.join(several)}; give the whole path")
        raise SuppleError(
            f"{self.file}: skeleton '{self.name}' has no joint '{joint}'{did_you_mean(joint, [*self.joints, *short])} "
            f"known: {', '.join(short)}"
        )

    def placed(self, placement: Placement) -> Rig:
        """The same in metres along the axes of a scene."""
        skin = None if self.skin is None else replace(self.skin, rest=placement(self.skin.rest))
        return replace(self, bind=placement.matrices(self.bind), poses=placement.matrices(self.poses), skin=skin)
