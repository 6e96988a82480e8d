"""PC2, the point cache of 3ds Max that Blender's Mesh Cache modifier reads; little-endian."""

from __future__ import annotations

import struct

from supple.export import FORMATS
from supple.export.formats.caches import PointCache
from supple.export.sequence import Body, Sequence


@FORMATS("pc2")
class Pc2(PointCache):
    title = "PC2 point cache with its OBJ: Blender, 3ds Max"
    suffixes = (".pc2",)

    def header(self, sequence: Sequence, body: Body) -> bytes:
        # signature, version, points, first frame, frames between two samples, samples
        return struct.pack("<12siiffi", b"POINTCACHE2", 1, body.n, sequence.first, 1.0, len(sequence))
