"""Tiny meshes and images in every format that is read, by hand or by the writers of the package."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh

OBJ = b"""mtllib a.mtl
o first
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.5 0.5 1.5
vt 0 0
vt 1 0.5
vn 0 0 1
g side
usemtl red
f 1/1/1 2/2/1 3/1/1 4/2/1
o second
f 1 2 5
f -1//1 -2//1 -3//1
f 1 2 3 4 5
l 1 5 3
"""
MTL = b"newmtl red\nKd 1 0 0\nmap_Kd -s 1 1 1 picture.png\nnewmtl blue\nKd 0 0 1\n"
OFF = b"OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n"
MEDIT = b"""MeshVersionFormatted 2
Dimension 3
Vertices
5
0 0 0 0
1 0 0 0
0 1 0 0
0 0 1 0
1 1 1 0
Triangles
1
1 2 3 7
Tetrahedra
2
1 2 3 4 1
2 3 4 5 2
End
"""
STL = b"""solid a
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 1 0
endloop
endfacet
facet normal 0 0 1
outer loop
vertex 1 0 0
vertex 1 1 0
vertex 0 1 0
endloop
endfacet
endsolid a
"""
PLY = b"""ply
format ascii 1.0
comment by hand
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
end_header
0 0 0
1 0 0
0 1 0
0 0 1
3 0 1 2
3 0 2 3
"""
MSH2 = b"""$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
2 1 "clamp"
3 2 "core"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 1 1 1
$EndNodes
$Elements
3
1 2 2 1 1 1 2 3
2 4 2 2 1 1 2 3 4
3 4 2 2 1 2 3 4 5
$EndElements
"""
MSH4 = b"""$MeshFormat
4.1 0 8
$EndMeshFormat
$Entities
0 0 0 1
1 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
1 1 1 1
3 1 4 1
1 1 2 3 4
$EndElements
"""
VTK = b"""# vtk DataFile Version 3.0
by hand
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 1 0 0 0 1 0 0 0 1 1 1 1
CELLS 3 14
4 0 1 2 3
4 1 2 3 4
3 0 1 2
CELL_TYPES 3
10 10 5
POINT_DATA 5
SCALARS group:a double 1
LOOKUP_TABLE default
1 0 0 1 0
CELL_DATA 3
SCALARS part int 1
LOOKUP_TABLE default
1 2 3
"""
VTU = b"""<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian" header_type="UInt32">
<UnstructuredGrid><Piece NumberOfPoints="4" NumberOfCells="1">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points>
<Cells>
<DataArray type="Int64" Name="connectivity" format="ascii">0 1 2 3</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">4</DataArray>
<DataArray type="Int64" Name="types" format="ascii">10</DataArray>
</Cells>
</Piece></UnstructuredGrid></VTKFile>
"""
USDA = b"""#usda 1.0
(
    metersPerUnit = 1
    upAxis = "Y"
)
def Xform "World"
{
    double3 xformOp:translate = (0, 1, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Mesh "Sheet"
    {
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
            interpolation = "vertex"
        )
    }
}
"""
VOLUME = b"""#usda 1.0
(
    metersPerUnit = 0.01
    startTimeCode = 1
    endTimeCode = 2
    upAxis = "Z"
)
def TetMesh "Block"
{
    point3f[] points.timeSamples = { 1: [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)] }
    vector3f[] velocities = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
    int4[] tetVertexIndices = [(0, 1, 2, 3), (1, 2, 3, 4)]
    point3f[] physics:restShapePoints = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
    double3 xformOp:scale = (2, 2, 2)
    uniform token[] xformOpOrder = ["xformOp:scale"]
    def GeomSubset "core"
    {
        uniform token elementType = "tetrahedron"
        int[] indices = [1]
    }
    def GeomSubset "left"
    {
        uniform token elementType = "point"
        int[] indices = [0, 2]
    }
}
"""
ROPE = b"""#usda 1.0
def BasisCurves "Rope"
{
    uniform token type = "linear"
    uniform token wrap = "periodic"
    int[] curveVertexCounts = [3, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0)]
}
"""
TEXTS = {
    "hand.obj": OBJ, "hand.off": OFF, "hand.mesh": MEDIT, "hand.stl": STL, "hand.ply": PLY, "hand.msh": MSH2,
    "hand4.msh": MSH4, "hand.vtk": VTK, "hand.vtu": VTU, "hand.usda": USDA,
    "volume.usda": VOLUME, "rope.usda": ROPE,
}  # fmt: skip


def block() -> Mesh:
    """Six tets of a cube, with groups and tags."""
    x = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
    tets = np.array([[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]])
    edges = np.array([[0, 7], [1, 2]])
    return Mesh(
        x, edges=edges, tets=tets, groups={"left": [0, 1]}, edge_groups={"long": [0]}, tags={"part": np.arange(6)}
    )


def samples() -> dict[str, bytes]:
    """Name and content of each file; `a.mtl` belongs to the OBJ."""
    found = dict(TEXTS)
    with TemporaryDirectory() as name:
        for suffix in (".msh", ".vtk", ".vtu", ".mesh", ".ply", ".off", ".stl"):
            path = Path(name) / f"own{suffix}"
            write_mesh(block(), path)
            found[path.name] = path.read_bytes()
        found["own.usdc"] = _crate(Path(name))
    image = io.BytesIO()
    np.save(image, np.arange(24, dtype=np.uint8).reshape(2, 3, 4))
    return {**found, "image.npy": image.getvalue(), "slices.png": _picture()}


def _crate(folder: Path) -> bytes:
    from pxr import Sdf

    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.ImportFromString(USDA.decode())
    layer.Export(str(folder / "own.usdc"))
    return (folder / "own.usdc").read_bytes()


def _picture() -> bytes:
    from PIL import Image

    made = io.BytesIO()
    Image.fromarray(np.arange(12, dtype=np.uint8).reshape(3, 4)).save(made, "PNG")
    return made.getvalue()
