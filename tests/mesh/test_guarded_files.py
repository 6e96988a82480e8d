"""Small files that announce much, or end where a reader waits for more, are refused at once and by name."""

import lzma
import tracemalloc
import zlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fuzz.files.bombs import endless, mesh_bombs
from fuzz.files.mesh_samples import VTK
from supple.errors import MeshError
from supple.mesh import counted
from supple.mesh.formats import read_mesh

ANNOUNCED = [
    "count0.off",
    "faces0.off",
    "count0.ply",
    "binary0.ply",
    "nodes0.msh",
    "nodes40.msh",
    "points0.vtk",
    "grid0.vtk",
]


@pytest.mark.parametrize("name", [*sorted(endless()), *ANNOUNCED])
def test_what_a_file_announces_takes_no_memory(name: str, tmp_path: Path) -> None:
    """Without a limit on the memory of the process: the count is compared with the file, not with the machine."""
    path = tmp_path / name
    path.write_bytes(mesh_bombs()[name])
    tracemalloc.start()
    try:
        with pytest.raises(MeshError, match=name):
            read_mesh(path)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


def test_grids_of_moderate_size_are_read(tmp_path: Path) -> None:
    path = tmp_path / "grid.vtk"
    path.write_bytes(
        b"# vtk DataFile Version 3.0\na\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS 300 200 1\nORIGIN 0 0 0\nSPACING 1 1 1\n"
    )
    assert read_mesh(path).n == 60_000


def test_counts_are_free_outside_of_a_reader(tmp_path: Path) -> None:
    """Programs that use meshio themselves see plain numpy."""
    path = tmp_path / "a.vtk"
    path.write_bytes(VTK)
    assert read_mesh(path).n == 5
    arrays = counted.Arrays()
    assert len(arrays.arange(counted.SPARE // 1000)) == counted.SPARE // 1000
    with counted.counted(path), pytest.raises(ValueError, match=f"has {len(VTK)} bytes"):
        arrays.empty((counted.SPARE, 3))
    assert arrays.float64 is np.float64


@pytest.mark.parametrize("plain", [zlib, lzma], ids=["zlib", "lzma"])
def test_blocks_unpack_to_a_limit(plain: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks, path = counted.Blocks(plain), tmp_path / "a"
    path.write_bytes(b"")
    packed = blocks.compress(bytes(1000))
    monkeypatch.setattr(counted, "UNPACKED", 2500)
    with counted.counted(path):
        assert blocks.decompress(packed) == blocks.decompress(packed) == bytes(1000)
        with pytest.raises(ValueError, match="unpack to more than 2,500 bytes"):
            blocks.decompress(packed)
    with counted.counted(path), pytest.raises(ValueError, match="cut off"):
        blocks.decompress(packed[:-3])
    assert blocks.decompress(packed) == bytes(1000)
