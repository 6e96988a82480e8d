"""Mesh files made by hand to hurt: huge counts, entities, members that name other files."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import zlib
from functools import cache

from fuzz.files.mesh_samples import MSH2, MSH4, OFF, PLY, VTK, VTU

HUGE = (b"1000000000000", b"2000000000", b"-5", b"99999999999999999999999")
ENTITIES = b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "' + b"x" * 50 + b'">'


@cache
def mesh_bombs() -> dict[str, bytes]:
    """Name and content; contents that begin as gzip does are to be unpacked first."""
    found: dict[str, bytes] = {}
    for k, count in enumerate(HUGE):
        found[f"count{k}.off"] = OFF.replace(b"4 4 6", count + b" 4 6")
        found[f"faces{k}.off"] = OFF.replace(b"4 4 6", b"4 " + count + b" 6")
        found[f"count{k}.ply"] = PLY.replace(b"vertex 4", b"vertex " + count)
        found[f"faces{k}.ply"] = PLY.replace(b"face 2", b"face " + count)
        found[f"binary{k}.ply"] = found[f"count{k}.ply"].replace(b"ascii", b"binary_little_endian")
        found[f"nodes{k}.msh"] = MSH2.replace(b"$Nodes\n5", b"$Nodes\n" + count)
        found[f"elements{k}.msh"] = MSH2.replace(b"$Elements\n3", b"$Elements\n" + count)
        found[f"nodes4{k}.msh"] = MSH4.replace(b"3 1 0 4", b"3 1 0 " + count).replace(
            b"1 4 1 4", b"1 " + count + b" 1 4"
        )
        found[f"points{k}.vtk"] = VTK.replace(b"POINTS 5", b"POINTS " + count)
        found[f"cells{k}.vtk"] = VTK.replace(b"CELLS 3 14", b"CELLS " + count + b" 14")
        found[f"types{k}.vtk"] = VTK.replace(b"CELL_TYPES 3", b"CELL_TYPES " + count)
        found[f"points{k}.vtu"] = VTU.replace(b'Points="4"', b'Points="' + count + b'"')
        found[f"index{k}.vtu"] = VTU.replace(b">0 1 2 3<", b">0 1 2 " + count[:18] + b"<")
        found[f"grid{k}.vtk"] = (
            b"# vtk DataFile Version 3.0\na\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS " + count + b" " + count
            + b" 2\nORIGIN 0 0 0\nSPACING 1 1 1\n"
        )  # fmt: skip
    found["count.stl"] = b"\0" * 80 + struct.pack("<I", 0xFFFFFFFF) + b"\0" * 50
    found["short.stl"] = b"\0" * 80
    found["medit.mesh"] = b"MeshVersionFormatted 2\nDimension 3\nVertices\n2000000000\n0 0 0 0\nEnd\n"
    found["medit-dim.mesh"] = b"MeshVersionFormatted 2\nDimension 2000000000\nVertices\n2\n0 0 0 0\nEnd\n"
    found["power.obj"] = b"v 0 0 0\n" * 3 + b"f 1 2 " + b"9" * 5000 + b"\n"
    found["ring.obj"] = _ring()
    found["laughs.vtu"] = _laughs()
    found["outside.vtu"] = VTU.replace(
        b"?>\n", b'?>\n<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n', 1
    ).replace(b">0 1 2 3<", b">&e;<")
    found["deep.vtu"] = b"<VTKFile>" + b"<a>" * 200_000
    found["zlib.vtu"] = _compressed()
    found |= endless() | {"lzma.vtu": _compressed("LZMA")}
    found["shape.npy"] = _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (100000, 100000, 1000), }")
    found["negative.npy"] = _npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2, 3), }")
    found["pickle.npy"] = _npy("{'descr': '|O', 'fortran_order': False, 'shape': (1, 1, 1), }")
    found["record.npy"] = _npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1, 1, 1), }", b"\0" * 8)
    found["literal.npy"] = _npy("(" * 3000)
    found["zeros.npy"] = _npy("{'descr': '<V0', 'fortran_order': False, 'shape': (100000, 100000, 10000), }")
    found["slices.png"] = _png(200_000, 200_000)
    return found | multiplied()


def multiplied() -> dict[str, bytes]:
    """Parts that repeat or share others: the work grows with the product of their numbers."""
    names = b"".join(b'2 %d "a%d"\n' % (k, k) for k in range(1, 20_001))
    kinds = b"".join(
        b"%d %s %d 1 1 2%s\n" % (k, b"2 2" if k % 2 else b"1 2", k, b" 3" * (k % 2)) for k in range(1, 20_001)
    )
    points = b"".join(b"v %d %d %d\n" % (k % 97, k * k % 89, k % 7) for k in range(1, 2001))
    ring = b"f " + b" ".join(b"%d" % k for k in range(1, 2001)) + b"\n"
    words = b"g " + b" ".join(b"a%d" % k for k in range(100_000)) + b"\n"
    twice = b'def "a%d"\n{\n def "l" (references = </a%d>)\n {\n }\n def "r" (references = </a%d>)\n {\n }\n}\n'
    return {
        "names.msh": MSH2.replace(b"$Nodes", b"$PhysicalNames\n20000\n" + names + b"$EndPhysicalNames\n$Nodes", 1).split(
            b"$Elements"
        )[0] + b"$Elements\n20000\n" + kinds + b"$EndElements\n",
        "libraries.obj": b"mtllib a.mtl\n" * 100_000 + points + ring,
        "rings.obj": points + ring * 200,
        "words.obj": points + words + b"".join(b"f %d %d %d\n" % (k, k + 1, k + 2) for k in range(1, 1998)) * 10,
        "doubled.usda": b'#usda 1.0\ndef "a0"\n{\n}\n' + b"".join(twice % (k, k - 1, k - 1) for k in range(1, 25)),
    }  # fmt: skip


def endless() -> dict[str, bytes]:
    """Counts that fit into memory and take minutes, lines that never come, sizes that lead backwards."""
    many = b"100000000"
    binary = b"$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n" + many + b"\n" + b"\0" * 500
    data = b"$NodeData\n" + many + b"\n"
    uneven = VTU.replace(b'header_type="UInt32"', b'header_type="Int64"').replace(
        b"</UnstructuredGrid>",
        b'</UnstructuredGrid><AppendedData encoding="raw">_' + struct.pack("<q", -8) + b"\xff" * 8 + b"</AppendedData>",
    )
    faces = b'<DataArray type="Int64" Name="faces" format="ascii">99999999999 -1 -1</DataArray>'
    many_faces = VTU.replace(b">10<", b">42<").replace(
        b"</Cells>", faces + b'<DataArray type="Int64" Name="faceoffsets" format="ascii">3</DataArray></Cells>'
    )
    return {
        "nodes.msh": binary, "data.msh": MSH2 + data, "data4.msh": MSH4 + data,
        "blocks.msh": MSH4.replace(b"$Entities", b'$PhysicalNames\n1\n3 1 "a"\n$EndPhysicalNames\n$Entities').replace(
            b"$Elements\n1 1", b"$Elements\n" + many + b" 1"
        ),
        "warned.msh": b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$" + b"[/a]9" * 100_000 + b"\n",
        "required.mesh": b"MeshVersionFormatted 2\nDimension 3\nRequiredVertices\n" + many + b"000\n",
        "list.ply": PLY[: PLY.index(b"0 0 0")].replace(b"ascii", b"binary_little_endian").replace(b"face 2", b"face " + many)
        + b"\0" * 99,
        "polygon.vtk": VTK.replace(b"10 10 5", b"7 7 7").replace(b"3 0 1 2", b"2147483647 0 1 2"),
        "lines.vtk": b"# vtk DataFile Version 3.0\na\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS " + many
        + b" 1 1\nORIGIN 0 0 0\nSPACING 1 1 1\n",
        "backwards.vtu": uneven, "polyhedra.vtu": many_faces,
        "utf16.vtu": _laughs().decode().replace("?>", ' encoding="utf-16"?>', 1).encode("utf-16"),
    }  # fmt: skip


def _ring() -> bytes:
    """One face of very many corners that cannot be a fan."""
    lines = [f"v {k % 97} {k * k % 89} {k % 7}" for k in range(3000)]
    return "\n".join([*lines, "f " + " ".join(map(str, range(1, 3001)))]).encode()


def _laughs() -> bytes:
    """Ten entities that each name the one before ten times."""
    rows = ['<!ENTITY a0 "lol">'] + [f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 11)]
    return VTU.replace(b"?>\n", f"?>\n<!DOCTYPE z [{''.join(rows)}]>\n".encode(), 1).replace(b">0 1 2 3<", b">&a10;<")


def _compressed(kind: str = "ZLib") -> bytes:
    """An array whose blocks unpack to far more than the file has."""
    import base64

    block = zlib.compress(b"\0" * (1 << 28), 9) if kind == "ZLib" else lzma.compress(b"\0" * (1 << 28), preset=0)
    head = struct.pack("<4I", 1, 1 << 28, 1 << 28, len(block))
    text = base64.b64encode(head) + base64.b64encode(block)
    made = VTU.replace(b"<VTKFile ", b'<VTKFile compressor="vtk' + kind.encode() + b'DataCompressor" ').replace(
        b'format="ascii">0 0 0 1 0 0 0 1 0 0 0 1<', b'format="binary">' + text + b"<"
    )
    return gzip.compress(made)


def _npy(head: str, data: bytes = b"") -> bytes:
    text = head.encode().ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data


def _png(width: int, height: int) -> bytes:
    """A picture that would have that size, in a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    made = io.BytesIO()
    made.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)))
    made.write(chunk(b"IDAT", zlib.compress(b"\0" * 1000)) + chunk(b"IEND", b""))
    return made.getvalue()
