"""Parts of solids by place, image and tag; tags through files; holes; the shapes that scenes with regions use."""

from pathlib import Path

import meshio
import numpy as np
import pytest
from PIL import Image

from supple.errors import MeshError
from supple.mesh.carving import kept_tets, pieces, without_crumbs
from supple.mesh.formats import load_mesh, write_mesh
from supple.mesh.images import read_voxels
from supple.mesh.measure import quality, tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.regions import OUTSIDE, Balls, Layers, TubeRegion, Voxels, centres, tagged
from supple.mesh.shapes.organ import Organ
from supple.mesh.shapes.round import Cylinder
from supple.mesh.shapes.solid import Bar, Cube

RNG = np.random.default_rng(9)
POINTS = RNG.uniform(-1.0, 1.0, (2000, 3))


def test_layers_come_in_turn_and_end() -> None:
    layers = Layers(2, -0.5, np.array([0.1, 0.2, 0.3]), 2)
    z = np.array([-0.6, -0.5, -0.45, -0.35, -0.15, 0.09, 0.11])
    points = np.stack([0 * z, 0 * z, z], axis=1)
    assert layers.parts(points).tolist() == [OUTSIDE, 0, 0, 1, 0, 0, OUTSIDE]


def test_a_tube_tapers_and_has_round_ends() -> None:
    tube = TubeRegion(np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]]), np.array([0.4, 0.2]))
    s = np.clip(POINTS[:, 0] + 0.5, 0.0, 1.0)
    away = np.linalg.norm(POINTS - np.stack([s - 0.5, 0 * s, 0 * s], axis=1), axis=1)
    wanted = away <= 0.4 - 0.2 * s
    assert 0 < wanted.sum() < len(POINTS)
    assert ((tube.parts(POINTS) == 0) == wanted).all()
    point = TubeRegion(np.zeros((2, 3)), np.array([0.5, 0.5]))
    assert (point.parts(POINTS) == Balls(np.zeros((1, 3)), np.array([0.5])).parts(POINTS)).all()


def test_an_image_is_looked_up_voxel_by_voxel() -> None:
    values = np.arange(24).reshape(2, 3, 4)
    image = Voxels(values, np.zeros(3), np.array([2.0, 3.0, 4.0]), tuple(range(24)))
    middle = np.stack(np.meshgrid(*(np.arange(n) + 0.5 for n in values.shape), indexing="ij"), axis=-1).reshape(-1, 3)
    assert image.parts(middle).tolist() == list(range(24))
    assert image.parts(np.array([[2.0, 3.0, 4.0], [2.1, 1.0, 1.0]])).tolist() == [23, OUTSIDE]
    with pytest.raises(MeshError, match=r"no material for 7, which 1 tets have \(first: 7\); known: 0, 1"):
        Voxels(values, np.zeros(3), np.array([2.0, 3.0, 4.0]), tuple(k for k in range(24) if k != 7)).parts(middle)


def test_images_from_an_array_and_from_slices_are_the_same(tmp_path: Path) -> None:
    values = RNG.integers(0, 4, (5, 3, 2))
    np.save(tmp_path / "image.npy", values)
    (tmp_path / "slices").mkdir()
    for k in range(2):
        Image.fromarray(values[:, ::-1, k].T.astype(np.uint8)).save(tmp_path / "slices" / f"{k:03}.png")
    assert (read_voxels(tmp_path / "image.npy") == values).all()
    assert (read_voxels(tmp_path / "slices") == values).all()
    Image.fromarray(np.zeros((2, 2), np.uint8)).save(tmp_path / "slices" / "002.png")
    with pytest.raises(MeshError, match=r"002\.png: has 2 x 2 pixels, but 000\.png has 5 x 3"):
        read_voxels(tmp_path / "slices")
    np.save(tmp_path / "half.npy", values + 0.5)
    with pytest.raises(MeshError, match="voxels are integers"):
        read_voxels(tmp_path / "half.npy")


@pytest.mark.parametrize(("extension", "name"), [(".msh", "gmsh:physical"), (".mesh", "medit:ref"), (".vtu", "part")])
def test_tags_travel_with_files(tmp_path: Path, extension: str, name: str) -> None:
    mesh = Cube(cells=2).mesh()
    numbers = np.arange(len(mesh.tets)) % 3 + 1
    tagged_mesh = Mesh(mesh.vertices, tets=mesh.tets, tags={"part": numbers})
    assert write_mesh(tagged_mesh, tmp_path / f"cube{extension}") == []
    found, _ = load_mesh(tmp_path / f"cube{extension}")
    assert tagged(found, None)[0] == name
    assert (tagged(found, None)[1] == numbers).all()


def test_a_physical_volume_is_a_tag_of_its_own(tmp_path: Path) -> None:
    mesh = Cube(cells=1).mesh()
    data = meshio.Mesh(mesh.vertices, [("tetra", mesh.tets.astype(np.int64))])
    data.cell_data = {"gmsh:physical": [np.array([4, 4, 7, 7, 7])], "gmsh:geometrical": [np.ones(5, dtype=np.int32)]}
    data.field_data = {"vein": np.array([7, 3])}
    meshio.gmsh.write(str(tmp_path / "cube.msh"), data, fmt_version="2.2", binary=True)
    found, _ = load_mesh(tmp_path / "cube.msh")
    assert found.tags["vein"].tolist() == [0, 0, 1, 1, 1]
    with pytest.raises(MeshError, match=r"no array 'artery'; tags of this mesh: .*gmsh:physical"):
        tagged(found, "artery")


def test_holes_take_their_vertices_and_crumbs_along() -> None:
    mesh = Bar(cells=(8, 4, 4), size=(8.0, 4.0, 4.0)).mesh()
    mesh = Mesh(mesh.vertices, tets=mesh.tets, groups=mesh.groups, tags={"number": np.arange(len(mesh.tets))})
    x = centres(mesh)[:, 0]
    lone = np.arange(len(mesh.tets)) == len(mesh.tets) - 1
    cut, crumbs = without_crumbs(kept_tets(mesh, (x < 4.0) | lone))
    assert crumbs == 1
    assert (x[cut.tags["number"]] < 4.0).all()
    assert len(cut.tets) == len(mesh.tets) // 2
    assert (cut.n, len(cut.groups["left"]), len(cut.groups["right"])) == (125, 25, 0)
    assert (tet_volumes(cut.vertices, cut.tets) > 0).all()
    halves = kept_tets(mesh, (x < 3.0) | (x > 5.0))
    assert set(pieces(halves)) == {0, 1}
    assert without_crumbs(halves)[1] == 0
    with pytest.raises(MeshError, match="all tets are removed"):
        kept_tets(mesh, np.zeros(len(mesh.tets), dtype=bool))


def test_tags_are_checked() -> None:
    mesh = Cube(cells=1).mesh()
    with pytest.raises(MeshError, match=r"tags\['part'\]: found shape \(3,\); give one whole number for each of the 5"):
        Mesh(mesh.vertices, tets=mesh.tets, tags={"part": [1, 2, 3]})


def test_cylinders_and_organs_fill_what_they_should() -> None:
    coarse, fine = (Cylinder(radius=0.2, height=0.1, rings=r).mesh() for r in (4, 8))
    assert (len(coarse.tets), len(fine.tets)) == (18 * 16 * 2, 18 * 64 * 4)
    volumes = [tet_volumes(m.vertices, m.tets).sum() / (np.pi * 0.2**2 * 0.1) for m in (coarse, fine)]
    # n-gons of n = 24 and 48 corners: n sin(2 pi/n) / (2 pi)
    assert volumes == pytest.approx([np.sin(np.pi / 12) / (np.pi / 12), np.sin(np.pi / 24) / (np.pi / 24)], rel=1e-12)
    organ = Organ(resolution=8).mesh()
    assert len(organ.tets) == 20 * 8**3
    assert quality(organ.vertices, organ.tets).min() > 0.1
