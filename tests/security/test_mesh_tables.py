"""Tables of mesh files: no number wraps round, no part is lost, and no product of two lists fills the memory."""

import base64
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from supple.errors import MeshError
from supple.mesh import counted, exchange
from supple.mesh.formats import read_mesh

NODES = "1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n"
TET = "1 4 2 1 1 1 2 3 4\n"


def gmsh(folder: Path, nodes: str = NODES, elements: str = TET, before: str = "", after: str = "") -> Path:
    path = folder / "a.msh"
    path.write_text(
        f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{before}$Nodes\n{nodes.count(chr(10))}\n{nodes}$EndNodes\n"
        f"$Elements\n{elements.count(chr(10))}\n{elements}$EndElements\n{after}"
    )
    return path


@pytest.mark.parametrize("number", ["0", "-1", "-2"])
def test_a_negative_number_is_no_node(number: str, tmp_path: Path) -> None:
    """It counted from the end of a table, and gave a tet with another corner."""
    assert len(read_mesh(gmsh(tmp_path, elements=TET + "2 4 2 1 1 2 3 4 5\n")).tets) == 2
    with pytest.raises(MeshError, match=r"a\.msh: .* a number below the first one"):
        read_mesh(gmsh(tmp_path, elements=TET + f"2 4 2 1 1 2 3 4 {number}\n"))
    with pytest.raises(MeshError, match=r"a\.msh: .* a number below the first one"):
        read_mesh(gmsh(tmp_path, nodes=NODES.replace("5 1 1 1", f"{number} 1 1 1")))


def test_two_nodes_of_one_number_are_refused(tmp_path: Path) -> None:
    """The second one replaced the first."""
    with pytest.raises(MeshError, match="two nodes have the same number"):
        read_mesh(gmsh(tmp_path, nodes=NODES.replace("5 1 1 1", "3 1 1 1")))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 4 2 1 1 2 3 4", "line 15: element 2, a tetra with 2 tags, has 8 numbers instead of 9"),
        ("2 4 2 1 1 2 3 4 5 1", "line 15: element 2, a tetra with 2 tags, has 10 numbers instead of 9"),
        ("2 4 -1 2 3 4", "line 15: element 2 has -1 tags"),
        ("2 4", "line 15: found 2 numbers; an element has at least 3"),
        ("", "line 15: found 0 numbers"),
    ],
)
def test_lines_of_elements_have_all_their_numbers(line: str, said: str, tmp_path: Path) -> None:
    """The last numbers were the corners, whatever came before: a tag, or the number of the element."""
    with pytest.raises(MeshError, match=rf"a\.msh: .*{said}"):
        read_mesh(gmsh(tmp_path, elements=f"{TET}{line}\n"))


def test_names_of_many_blocks_are_found_at_once(tmp_path: Path) -> None:
    """Each name was searched for in each block: 20,000 of both took a minute and 3 GB."""
    n = 4000
    names = "".join(f'2 {k + 1} "a{k}"\n' for k in range(n))
    kinds = "".join(f"{k + 1} {'2 2' if k % 2 else '1 2'} {k + 1} 1 1 2{' 3' if k % 2 else ''}\n" for k in range(n))
    mesh = read_mesh(gmsh(tmp_path, elements=kinds, before=f"$PhysicalNames\n{n}\n{names}$EndPhysicalNames\n"))
    assert len(mesh.groups) == n
    assert [len(mesh.groups[f"a{k}"]) for k in range(4)] == [0, 3, 0, 3]


def test_members_of_groups_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MOST_MEMBERS", 10)
    names = "".join(f'3 1 "a{k}"\n' for k in range(100))
    with pytest.raises(MeshError, match=r"a\.msh: its groups have more than 10 members"):
        read_mesh(gmsh(tmp_path, before=f"$PhysicalNames\n100\n{names}$EndPhysicalNames\n"))


def vtu(folder: Path, pieces: str) -> Path:
    path = folder / "a.vtu"
    path.write_text(
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt32" '
        f'compressor="vtkZLibDataCompressor"><UnstructuredGrid>{pieces}</UnstructuredGrid></VTKFile>'
    )
    return path


def piece(connectivity: str, offsets: str, types: str, data: str = "", form: str = "ascii") -> str:
    count = len(types.split()) if form == "ascii" else 2000
    return (
        f'<Piece NumberOfPoints="4" NumberOfCells="{count}"><Points><DataArray type="Float64" NumberOfComponents="3" '
        'format="ascii">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells>'
        f'<DataArray type="Int64" Name="connectivity" format="{form}">{connectivity}</DataArray>'
        f'<DataArray type="Int64" Name="offsets" format="{form}">{offsets}</DataArray>'
        f'<DataArray type="UInt8" Name="types" format="{form}">{types}</DataArray></Cells><CellData>{data}</CellData></Piece>'
    )


def test_ends_of_cells_are_in_order(tmp_path: Path) -> None:
    """Ends that run backwards gave cells the corners of others."""
    assert len(read_mesh(vtu(tmp_path, piece("0 1 2 0 1 2 3", "3 7", "5 10"))).tets) == 1
    for ends, kinds in (("2 7", "5 10"), ("7 3", "10 5"), ("4 7", "5 10"), ("3 6", "5 10"), ("-1 7", "5 10")):
        with pytest.raises(MeshError, match=r"cells end at|corners, and a type with"):
            read_mesh(vtu(tmp_path, piece("0 1 2 0 1 2 3", ends, kinds)))


def test_no_piece_is_lost(tmp_path: Path) -> None:
    """meshio keeps the cells of the last piece."""
    with pytest.raises(MeshError, match="its cells are in 2 pieces; merge them"):
        read_mesh(vtu(tmp_path, piece("0 1 2 3", "4", "10") + piece("0 1 2", "3", "5")))


def packed(array: np.ndarray) -> str:
    raw = array.tobytes()
    data = zlib.compress(raw, 9)
    head = struct.pack("<4I", 1, len(raw), len(raw), len(data))
    return base64.b64encode(head).decode() + base64.b64encode(data).decode()


def test_arrays_times_blocks_are_bounded(tmp_path: Path) -> None:
    """10,000 packed arrays for 10,000 blocks of cells: 1.4 MB took minutes and more than 5 GB."""
    types = np.where(np.arange(2000) % 2, 5, 10).astype(np.uint8)
    sizes = np.where(types == 5, 3, 4)
    corners = np.concatenate([np.arange(size) for size in sizes])
    zeros = f'<DataArray type="UInt8" Name="a%d" format="binary">{packed(np.zeros(2000, np.uint8))}</DataArray>'
    arrays = [packed(corners), packed(np.cumsum(sizes)), packed(types)]
    few = read_mesh(vtu(tmp_path, piece(*arrays, zeros % 0, "binary")))
    assert (len(few.tets), list(few.tags)) == (1000, ["a0"])
    many = "".join(zeros % k for k in range(counted.SPLITS // 2000))
    with pytest.raises(MeshError, match=r"500 arrays for \d+ blocks of cells; sort its cells"):
        read_mesh(vtu(tmp_path, piece(*arrays, many, "binary")))
