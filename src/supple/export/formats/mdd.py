"""MDD, the point cache of LightWave that Blender's Mesh Cache modifier reads; big-endian.

Frame number k is at k / fps seconds.
"""

from __future__ import annotations

import struct

import numpy as np

from supple.export import FORMATS
from supple.export.formats.caches import PointCache
from supple.export.sequence import Body, Sequence


@FORMATS("mdd")
class Mdd(PointCache):
    title = "MDD point cache with its OBJ: Blender, LightWave"
    suffixes = (".mdd",)
    kind = ">f4"

    def header(self, sequence: Sequence, body: Body) -> bytes:
        times = np.array(sequence.numbers, dtype=np.float64) / sequence.fps
        return struct.pack(">ii", len(sequence), body.n) + times.astype(">f4").tobytes()
