"""A group that follows joints of a skeleton: one joint rigidly, the nearest bones, or the weights of a skin."""

from __future__ import annotations

import numpy as np

from supple.clips.interpolation import Frames
from supple.clips.rig import Rig
from supple.clips.sampling import blended
from supple.clips.space import Placement
from supple.errors import SuppleError
from supple.model.clips.driven import Driven
from supple.model.clips.followed import rig_of
from supple.model.clips.joints import Skinned, packed
from supple.model.clips.matching import Limit, by_place
from supple.model.clips.options import FromFile
from supple.model.clips.script import FileScript, check_size, rate_text
from supple.types import Array


def rig_script(options: FromFile, driven: Driven, window: tuple[float, float]) -> FileScript:
    """The script; `window`: start and end of the clip [s]."""
    rig, space_text = _placed(options, driven)
    skin_rest = None if rig.skin is None else rig.skin.rest
    bind = rig.poses[0] if options.rest == "first" else rig.bind
    now = _inverse(rig.bind, rig.file) @ rig.poses[0]
    if rig.skin is not None and skin_rest is not None and options.rest == "first":
        skin_rest = blended(skin_rest, now, rig.skin.joints, rig.skin.weights)
    joints, weights, far = _influences(options, driven, rig, bind, skin_rest)
    points = _at_bind(driven.start, now, joints, weights, rig.file) if options.rest == "first" else driven.start
    used, joints = np.unique(joints, return_inverse=True)
    joints = joints.reshape(weights.shape)
    local = _local(points, _inverse(rig.bind[used], rig.file), joints)
    poses, times = rig.poses[:, used], rig.times - rig.times[0]
    if options.lead_in is not None:
        poses = np.concatenate([poses[:1] if options.rest == "first" else rig.bind[used][None], poses])
        times = np.append(0.0, times + options.lead_in)
    rows = packed(poses)
    frames = Frames(times, lambda k: rows[k], rest_first=window[0] > 0 or options.lead_in is not None)
    source = Skinned(local, joints, weights, frames)
    offset = driven.start - source.at(0.0)[0]
    size = float(np.ptp(rig.bind[:, 3, :3], axis=0).max())
    Limit(options.tolerance, driven).check(np.linalg.norm(offset, axis=1), rig.file, size, _remedy(options))
    what = f"joint '{options.joint}'" if options.joint else f"{len(used)} joints"
    note = f"{rig.file}: {rate_text(rig.times, len(rig))}, {space_text}; '{driven.name}' follows {what} of '{rig.name}'{far}"
    return FileScript(source, offset, window, (note,))


def _placed(options: FromFile, driven: Driven) -> tuple[Rig, str]:
    found = rig_of(options)
    placement = Placement.of(found.space, driven.up, options.scale, options.up)
    rig = found.placed(placement)
    if len(rig.joints) > 1:
        size = float(np.ptp(rig.bind[:, 3, :3], axis=0).max())
        check_size(rig.file, rig.name, size, placement.scale, options.scale)
    return rig, placement.text(found.space, driven.up, options.up)


def _influences(
    options: FromFile, driven: Driven, rig: Rig, bind: Array, skin_rest: Array | None
) -> tuple[np.ndarray, Array, str]:
    """Joints, weights, and a note on the match."""
    k = len(driven.numbers)
    if options.joint is not None:
        return np.full((k, 1), rig.number(options.joint)), np.ones((k, 1)), ""
    if skin_rest is None or rig.skin is None:
        return _nearest_bones(driven.start, bind[:, 3, :3], rig.parents)[:, None], np.ones((k, 1)), ""
    rows, distance = by_place(skin_rest, driven)
    size = float(np.ptp(skin_rest, axis=0).max())
    remedy = "place the body on the skin as it was bound, or allow more with tolerance"
    worst = Limit(options.tolerance, driven).check(distance, rig.file, size, remedy)
    weights = rig.skin.weights[rows]
    loose = np.flatnonzero(weights.sum(axis=1) == 0)
    if len(loose):
        raise SuppleError(
            f"{rig.file}: vertex {rows[loose[0]]} of '{rig.skin.name}' is not bound to any joint; give it weights"
        )
    return rig.skin.joints[rows], weights, f" with the weights of '{rig.skin.name}', at most {worst:.2g} m away"


def _nearest_bones(points: Array, heads: Array, parents: tuple[int, ...]) -> np.ndarray:
    """(k,) joints whose bones, from the joint to its children, are nearest."""
    inner = {parent for parent in parents if parent >= 0}
    # end joints first, and bones from below: if two are equally near, the lower one is meant
    bones = [(k, k) for k in range(len(parents)) if k not in inner]
    bones += [(parent, child) for child, parent in reversed(list(enumerate(parents))) if parent >= 0]
    owners, ends = [owner for owner, _ in bones], [(heads[owner], heads[child]) for owner, child in bones]
    distance = np.empty((len(points), len(owners)))
    for column, (p, q) in enumerate(ends):
        side = q - p
        square = float(side @ side)
        s = np.clip((points - p) @ side / square, 0.0, 1.0) if square > 0 else np.zeros(len(points))
        distance[:, column] = np.linalg.norm(points - p - s[:, None] * side, axis=1)
    near = distance <= distance.min(axis=1, keepdims=True) * (1.0 + 1e-9)
    return np.array(owners)[near.argmax(axis=1)]


def _local(points: Array, inverse: Array, joints: np.ndarray) -> Array:
    """(k, i, 3) points in the coordinates of the joints."""
    made: Array = np.einsum("ki,kaij->kaj", points, inverse[joints][:, :, :3, :3]) + inverse[joints][:, :, 3, :3]
    return made


def _inverse(matrices: Array, file: object) -> Array:
    try:
        return np.asarray(np.linalg.inv(matrices), dtype=np.float64)
    except np.linalg.LinAlgError:
        raise SuppleError(
            f"{file}: a joint has a scale of 0, so nothing can follow it; give it a scale above 0"
        ) from None


def _at_bind(points: Array, now: Array, joints: np.ndarray, weights: Array, file: object) -> Array:
    """Positions at the bind pose of points of the first frame."""
    mixed = np.einsum("ka,kaij->kij", weights, now[joints])
    back = _inverse(mixed, file)
    made: Array = np.einsum("ki,kij->kj", points, back[:, :3, :3]) + back[:, 3, :3]
    return made


def _remedy(options: FromFile) -> str:
    if options.rest == "first":
        return "place the body at the pose of the skeleton in the first frame"
    return (
        'the skeleton does not start in the bind pose of the skin: ease into it with lead_in = 1.0, or take rest = "first" '
        "for a body posed as in the first frame"
    )
