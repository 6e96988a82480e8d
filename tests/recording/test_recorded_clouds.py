"""Bodies of points in recordings: their cells, their spacing, the surface around them."""

from pathlib import Path

import numpy as np
import pytest

from clouds import block, record_cloud
from supple.materials.stvk import StVK
from supple.mesh.mesh import Mesh, join
from supple.mesh.topology import boundary_edges
from supple.points.cloud import Cloud
from supple.recording.cells import Cells
from supple.recording.clouds import cloud_spacings, cloud_surface, estimate_spacing
from supple.recording.film import open_film
from supple.recording.folder import RunFolder


def test_particles_are_cells_of_their_own() -> None:
    triangle = Mesh(np.eye(3), triangles=np.array([[0, 1, 2]]))
    cells = Cells.of(join({"a": Mesh(np.ones((2, 3))), "b": triangle}), np.arange(2))
    assert cells.of_type(1).tolist() == [[0], [1]]
    assert cells.types.tolist() == [5, 1, 1]


def test_a_film_has_a_part_of_points(tmp_path: Path) -> None:
    record_cloud(tmp_path / "run", beside=True)
    with open_film(RunFolder.open(tmp_path / "run")) as film:
        sand, box, floor = film.parts
        assert sand.cloud
        assert not box.cloud
        assert not floor.cloud
        assert sand.span == (0, len(sand.vertices)) == (0, 517)
        assert film.spacing(sand) == pytest.approx(1 / 8, rel=0.05)


def test_a_recorded_spacing_is_taken(tmp_path: Path) -> None:
    record_cloud(tmp_path / "run", spacing=0.07)
    with open_film(RunFolder.open(tmp_path / "run")) as film:
        assert film.spacing(film.parts[0]) == 0.07


def test_spacings_come_from_the_volumes_of_particles() -> None:
    law = StVK.from_young(1e5, 0.3)
    clouds = [Cloud(np.arange(4, 8), np.full(4, 0.008), law), Cloud(np.arange(8, 10), np.full(2, 0.027), law)]
    bodies = [("bar", slice(0, 4)), ("sand", slice(4, 8)), ("snow", slice(8, 10))]
    assert cloud_spacings(clouds, bodies) == [("sand", pytest.approx(0.2)), ("snow", pytest.approx(0.3))]


@pytest.mark.parametrize("jitter", [0.0, 0.5, 1.0])
def test_the_surface_has_the_volume_of_the_points(jitter: float) -> None:
    x = block(cells=20, jitter=jitter).vertices
    assert estimate_spacing(x) == pytest.approx(0.05, rel=0.13)
    found = cloud_surface(x, 0.05)
    assert not len(boundary_edges(found.faces))
    a, b, c = (found.points[found.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6 == pytest.approx(1.0, abs=0.05)
    assert found.strays.tolist()[-5:] == [8000, 8001, 8002, 8003, 8004]
    top = found.normals[(np.abs(found.points - [0.5, 1.0, 0.5]) < [0.3, 0.1, 0.3]).all(axis=1)]
    assert (top[:, 1] > 0.85).all()


def test_a_point_far_away_does_not_need_a_large_grid() -> None:
    x = np.concatenate([block(cells=10).vertices, [[1e5, -3e4, 2e6]]])
    found = cloud_surface(x, 0.1)
    assert 1005 in found.strays
    assert np.abs(found.points - 0.5).max() < 0.7
