"""The source of a motion: the clip of an object, or the rig of a skeleton."""

from __future__ import annotations

from supple.clips.clip import Clip
from supple.clips.reading import open_clip_file, read_clip, read_rig
from supple.clips.rig import Rig
from supple.model.clips.options import FromFile
from supple.model.source import MeshFile


def own_mesh(options: FromFile, source: MeshFile | None) -> MeshFile | None:
    """The file of the mesh, if it is also the followed file: it defines the object, the unit and the up axis."""
    return source if source is not None and source.file == options.file else None


def clip_of(options: FromFile, source: MeshFile | None) -> tuple[Clip, str]:
    """The clip, and a message about a jump, or an empty string."""
    own = own_mesh(options, source)
    return read_clip(str(options.file), options.object or (own.object if own else None))


def rig_of(options: FromFile) -> Rig:
    """The joints, with the weights of a skin if requested."""
    wanted = None
    if options.weights == "file":
        wanted = open_clip_file(str(options.file)).find_object(options.object)
    return read_rig(str(options.file), options.skeleton, wanted)


def read_followed(options: FromFile, source: MeshFile | None = None) -> Clip | Rig:
    """The clip or the rig; `source`: origin of the mesh."""
    return rig_of(options) if options.follows_joints else clip_of(options, source)[0]
