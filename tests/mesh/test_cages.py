"""Cages: tets around surfaces of any quality."""

import tracemalloc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from supple.cli import main
from supple.errors import MeshError, SuppleError
from supple.mesh.cages.cage import Cage, Caged, caged
from supple.mesh.cages.inside import winding
from supple.mesh.cages.joining import bridged, firmly, pieces
from supple.mesh.cages.lattice import lattice_around, touched
from supple.mesh.carving import pieces as tet_pieces
from supple.mesh.formats import read_mesh, write_mesh
from supple.mesh.measure import quality, tet_volumes
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles, half_edges, surface


def lathe(profile: np.ndarray, around: int = 24, centre: tuple = (0.0, 0.0, 0.0)) -> Mesh:
    """A profile (p, 2) of radius and height turned about y; open at both ends."""
    angle = 2 * np.pi * np.arange(around) / around
    x = np.stack(
        [profile[:, :1] * np.cos(angle), np.repeat(profile[:, 1:], around, axis=1), -profile[:, :1] * np.sin(angle)], -1
    )
    i, j = np.meshgrid(np.arange(len(profile) - 1), np.arange(around), indexing="ij")
    a, b = i * around + j, i * around + (j + 1) % around
    quads = np.stack([a, b, b + around, a + around], -1).reshape(-1, 4)
    return Mesh(
        x.reshape(-1, 3) + centre, triangles=np.concatenate([quads[:, :3], quads[:, [0, 2, 3]]]).astype(np.int32)
    )


def ball(radius: float = 1.0, centre: tuple = (0.0, 0.0, 0.0), until: float = 0.98) -> Mesh:
    """A sphere with a hole at each end, a small one below."""
    theta = np.linspace(0.02, until, 16) * np.pi
    return lathe(np.stack([radius * np.sin(theta), radius * np.cos(theta)], axis=1)[::-1], centre=centre)


def together(*meshes: Mesh) -> Mesh:
    firsts = np.cumsum([0, *(mesh.n for mesh in meshes)])
    triangles = [mesh.triangles + np.int32(first) for mesh, first in zip(meshes, firsts, strict=False)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), triangles=np.concatenate(triangles))


def fan() -> Mesh:
    """Three sheets that meet in one edge, and a vertex by itself."""
    x = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [-0.5, 0, 0.8], [-0.5, 0, -0.8], [0.3, 0.5, 0.4]], dtype=float)
    return Mesh(x, triangles=np.array([[0, 1, 2], [0, 1, 3], [0, 1, 4]], dtype=np.int32))


def sheet() -> Mesh:
    x = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], dtype=float)
    return Mesh(x, triangles=np.array([[0, 1, 2], [0, 2, 3]], dtype=np.int32))


SURFACES = {
    "ball": ball(),
    "bowl": ball(until=0.6),
    "sheet": sheet(),
    "fan": fan(),
    "crossing": together(ball(), ball(0.6, (0.9, 0.0, 0.0))),
    "apart": together(ball(), ball(0.3, (2.1, 0.7, 0.2)), ball(0.2, (-1.5, -0.9, 0.5))),
}


def sound(made: Caged) -> None:
    mesh = made.mesh
    assert tet_volumes(mesh.vertices, mesh.tets).min() > 0
    edges = np.sort(half_edges(boundary_triangles(mesh.tets)), axis=1)
    assert (np.unique(edges, axis=0, return_counts=True)[1] % 2 == 0).all()  # closed: tets fit together


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("cells", [1, 5, 9])
def test_a_cage_holds_its_surface_in_one_piece(name: str, cells: int) -> None:
    made = caged(SURFACES[name], Cage(cells=cells))
    sound(made)
    assert made.binding.outside.max() == 0.0
    assert tet_pieces(made.mesh).max() == 0
    assert made.parts == 1
    assert quality(made.mesh.vertices, made.mesh.tets).min() > 0.7
    np.testing.assert_allclose(made.binding.matrix @ made.mesh.vertices, SURFACES[name].vertices, atol=1e-12)


@pytest.mark.parametrize(("name", "cells"), [("ball", 8), ("bowl", 6), ("crossing", 6), ("fan", 6)])
def test_smoothing_keeps_to_the_surface(name: str, cells: int) -> None:
    plain, smooth = caged(SURFACES[name], Cage(cells=cells)), caged(SURFACES[name], Cage(cells=cells, smooth=True))
    sound(smooth)
    assert np.array_equal(plain.mesh.tets, smooth.mesh.tets)
    assert quality(smooth.mesh.vertices, smooth.mesh.tets).min() > 0.2
    assert smooth.binding.outside.max() < 0.15 * smooth.size
    volumes = [tet_volumes(m.mesh.vertices, m.mesh.tets).sum() for m in (smooth, plain)]
    assert volumes[0] < 0.9 * volumes[1]


def test_holes_narrower_than_a_cell_do_not_leak() -> None:
    made = {
        rule: caged(SURFACES["ball"], Cage(cells=10, inside=rule)).cells for rule in ("hollow", "enclosed", "winding")
    }
    assert made["hollow"] < made["enclosed"] == made["winding"]


def test_wide_holes_are_filled_by_the_winding_number() -> None:
    bowl = ball(until=0.7)
    made = {rule: caged(bowl, Cage(cells=12, inside=rule)).cells for rule in ("hollow", "enclosed", "winding")}
    assert made["hollow"] == made["enclosed"] < made["winding"]


def test_winding_numbers_are_those_of_the_solid_angle() -> None:
    bowl = ball(until=0.7)
    lattice = lattice_around(bowl.vertices, 0.18)
    w = winding(lattice, bowl.vertices[bowl.triangles])
    shell = lattice.flags(touched(lattice, bowl.vertices[bowl.triangles])[0])
    cells = np.argwhere(~shell)
    points = lattice.low + (cells + 0.5) * lattice.size
    a, b, c = (bowl.vertices[bowl.triangles[:, k]][None] - points[:, None] for k in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    dots = [(p * q).sum(axis=2) for p, q in ((a, b), (b, c), (c, a))]
    det = (a * np.cross(b, c)).sum(axis=2)
    exact = np.arctan2(det, la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb).sum(axis=1) / (2 * np.pi)
    assert np.abs(w[tuple(cells.T)] - exact).max() < 0.15
    assert np.abs(w[tuple(cells.T)] - exact).mean() < 0.02


def test_parts_are_kept_apart_if_asked() -> None:
    near = together(ball(), ball(0.3, (1.33, 0.0, 0.0)))  # in the same cells, without touching
    made = caged(near, Cage(cells=10, keep_apart=True))
    sound(made)
    assert made.parts == 2
    assert tet_pieces(made.mesh).max() == 1
    own = np.arange(near.n) >= ball().n
    assert np.array_equal(made.mesh.tags["part"][made.binding.host], own.astype(int))
    assert caged(near, Cage(cells=10)).parts == 1
    assert caged(SURFACES["crossing"], Cage(cells=10, keep_apart=True)).parts == 1
    assert caged(SURFACES["apart"], Cage(cells=10, keep_apart=True)).parts == 3


def test_parts_in_one_cell_need_little_memory() -> None:
    """All pairs of triangles of a cell at once would need gigabytes."""
    balls = [ball(0.3, (0.7 * (k // 3), 0.7 * (k % 3), 0.0)) for k in range(12)]
    surface = together(*balls, ball(0.3, (0.35, 0.0, 0.0)))
    tracemalloc.start()
    made = caged(surface, Cage(cells=1, keep_apart=True))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert made.parts == 11  # the last ball joins two others
    assert peak < 5e8


def test_a_box_is_its_own_cage() -> None:
    bar = Bar(cells=(2, 2, 2), size=(1.0, 0.5, 0.5)).mesh()
    made = caged(Mesh(bar.vertices, triangles=surface(bar)), Cage(cells=4))
    assert made.cells == 4 * 2 * 2
    assert made.volume is not None
    assert made.volume == pytest.approx(0.25)
    assert tet_volumes(made.mesh.vertices, made.mesh.tets).sum() == pytest.approx(0.25)
    assert "surface 0.25 m^3" in made.summary


def test_touched_cells_are_exact() -> None:
    """Against a dense cloud of points on the triangle, and the distance of centres."""
    random = np.random.default_rng(1)
    triangles = random.random((6, 3, 3))
    lattice = lattice_around(np.array([[0.0, 0, 0], [1, 1, 1]]), 0.17)
    cells, owner = touched(lattice, triangles)
    u = np.sort(random.random((40_000, 2)), axis=1)
    weights = np.stack([u[:, 0], u[:, 1] - u[:, 0], 1 - u[:, 1]], axis=1)
    for k, triangle in enumerate(triangles):
        inside = np.floor((weights @ triangle - lattice.low) / lattice.size).astype(int)
        seen = np.unique(lattice.flat(np.clip(inside, 0, np.array(lattice.counts) - 1)))
        mine = np.unique(cells[owner == k])
        assert np.isin(seen, mine).all()
        assert len(mine) - len(seen) <= 2  # corners that the cloud misses


def test_cubes_hang_together_by_faces() -> None:
    random = np.random.default_rng(2)
    cells = random.random((7, 8, 9)) < 0.12
    joined, added = bridged(firmly(cells))
    assert pieces(joined) == 1
    assert added > 0
    assert (joined | ~cells).all()
    row = np.zeros((5, 5, 5), dtype=bool)
    row[0, 0, 0] = row[4, 4, 4] = True
    _, added = bridged(row)
    assert added == 11  # three times four steps, without the end


def test_groups_of_the_surface_become_those_of_the_cage() -> None:
    sphere = ball()
    top = np.flatnonzero(sphere.vertices[:, 1] > 0.5)
    made = caged(sphere.with_groups({"top": top}), Cage(cells=8))
    held = made.mesh.groups["top"]
    rows = made.binding.matrix[top]
    assert np.isin(rows.indices[np.abs(rows.data) > 1e-6], held).all()
    assert made.mesh.vertices[held, 1].min() > 0.5 - 2 * made.size
    assert {"left", "right", "bottom", "top"} <= set(made.mesh.groups)


def test_what_cannot_be_caged_is_explained() -> None:
    with pytest.raises(MeshError, match="has no triangles"):
        caged(Mesh(np.zeros((3, 3))))
    with pytest.raises(MeshError, match="1 of 4 vertices have a NaN"):
        caged(sheet().moved(np.where(np.arange(12).reshape(4, 3) == 5, np.nan, sheet().vertices)))
    with pytest.raises(MeshError, match="all vertices coincide"):
        caged(sheet().moved(np.ones((4, 3))))
    with pytest.raises(MeshError, match="use larger cells"):
        caged(ball(), Cage(size=1e-4))
    with pytest.raises(SuppleError, match="give either cells or size"):
        Cage(cells=3, size=0.1)


@pytest.mark.parametrize("ending", [".msh", ".vtk"])
def test_the_command_writes_a_cage(tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    write_mesh(SURFACES["apart"], tmp_path / "prop.obj")
    words = ["mesh", tmp_path / "prop.obj", "--cage", "--size", "0.2", "--keep-apart", "-o", tmp_path / f"cage{ending}"]
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in words])
    assert not left.value.code
    said = " ".join(capsys.readouterr().out.split())
    assert "surface vertices inside" in said
    back = read_mesh(tmp_path / f"cage{ending}")
    assert tet_pieces(back).max() == 2
    assert "bottom" in back.groups


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--cells", "5"], "--cells: requires --cage"),
        (["--cage", "--cells", "0"], "cage.cells: input should be greater than or equal to 1, found 0"),
        (["--cage", "--tetrahedralise", "out.msh"], "give one of the two"),
        (["--cage", "--inside", "out"], "cage.inside: unknown value"),
    ],
)
def test_wrong_options_are_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    write_mesh(sheet(), tmp_path / "sheet.obj")
    with pytest.raises(SystemExit) as left:
        main(["mesh", str(tmp_path / "sheet.obj"), *options])
    assert left.value.code == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_cells_count_along_the_longest_side() -> None:
    sizes = [caged(ball(), Cage(cells=n)).size for n in (4, 8, 16)]
    assert all(a == pytest.approx(2 * b, rel=1e-6) for a, b in pairwise(sizes))
