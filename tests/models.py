"""Models as artists make them, written as OBJ text: seams, quads, large faces, several objects and materials."""

from pathlib import Path

import numpy as np


def jar(rings: int = 8, around: int = 12, radius: float = 0.1, height: float = 0.3) -> str:
    """A jar of quads with a lid: two objects, three materials, one texture seam along the side, polygons as ends.

    The side is one grid of texture coordinates, so that the vertices of its seam have two of them. The ends are polygons
    with as many corners as the jar has around; the lid stands apart above the jar.
    """
    lines = ["# a jar", "mtllib jar.mtl"]
    angle = 2 * np.pi * np.arange(around) / around
    for ring in range(rings + 1):
        y = height * ring / rings
        r = radius * (1.0 + 0.3 * np.sin(np.pi * ring / rings))
        lines += [f"v {r * np.cos(a):.9f} {y:.9f} {r * np.sin(a):.9f}" for a in angle]
    lines += [f"vt {i / around:.6f} {ring / rings:.6f}" for ring in range(rings + 1) for i in range(around + 1)]
    lines += [f"vn {np.cos(a):.6f} 0 {np.sin(a):.6f}" for a in angle] + ["vn 0 -1 0", "vn 0 1 0"]
    lines += ["o jar", "g side", "usemtl glass"]
    for ring in range(rings):
        for i in range(around):
            corners = [(ring, i), (ring + 1, i), (ring + 1, i + 1), (ring, i + 1)]
            lines.append("f " + " ".join(_corner(r, k, around) for r, k in corners))
    down, up = around + 1, around + 2
    lines += ["g bottom", "usemtl ground glass"]
    lines.append("f " + " ".join(f"{i + 1}//{down}" for i in range(around)))
    lines += ["g top", "f " + " ".join(f"{rings * around + i + 1}//{up}" for i in reversed(range(around)))]
    lines += ["o lid", "g lid", "usemtl cork"]
    low, high = height * 1.1, height * 1.2
    square = [(-radius, -radius), (radius, -radius), (radius, radius), (-radius, radius)]
    lines += [f"v {x:.9f} {y:.9f} {z:.9f}" for y in (low, high) for x, z in square]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    for quad in (
        (-8, -7, -6, -5),
        (-1, -2, -3, -4),
        (-4, -3, -7, -8),
        (-3, -2, -6, -7),
        (-2, -1, -5, -6),
        (-1, -4, -8, -5),
    ):
        lines.append("f " + " ".join(f"{v}/{t}" for v, t in zip(quad, (-4, -3, -2, -1), strict=True)))
    return "\n".join(lines) + "\n"


MATERIALS = """newmtl glass
Kd 0.2 0.5 0.8
map_Kd -s 1 1 1 label.png
newmtl ground glass
Kd 0.7 0.8 0.8
newmtl cork
Kd 0.6 0.4 0.2
"""


def write_jar(folder: Path, **options: float) -> Path:
    """The jar and its materials in a folder."""
    (folder / "jar.mtl").write_text(MATERIALS)
    (folder / "jar.obj").write_text(jar(**options))
    return folder / "jar.obj"


def _corner(ring: int, i: int, around: int) -> str:
    """Vertex, texture coordinate and normal of a corner of the side; i = around is the seam."""
    return f"{ring * around + i % around + 1}/{ring * (around + 1) + i + 1}/{i % around + 1}"
