"""Clouds of points among the patches of a page."""

from pathlib import Path

import numpy as np

from clouds import block, record_cloud
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.viewer.page.patches import film_patches
from supple.viewer.page.surface import film_surface, mesh_surface


def test_a_film_has_a_patch_of_points(tmp_path: Path) -> None:
    with open_film(RunFolder.open(record_cloud(tmp_path / "run", spacing=0.125, beside=True))) as film:
        surface = film_surface(film)
        sand, box = film_patches(film, surface)
        assert sand.look.spacing == 0.125
        assert len(sand.lone) == len(sand.points) == len(film.parts[0].vertices)
        assert not len(sand.faces)
        assert box.look.spacing == 0.0
        assert not len(box.lone)
        np.testing.assert_array_equal(surface.vertices[sand.points[sand.lone]], film.parts[0].vertices)


def test_a_mesh_of_vertices_has_all_of_them_to_show() -> None:
    mesh = block(cells=3)
    surface = mesh_surface(mesh)
    np.testing.assert_array_equal(surface.lone, np.arange(mesh.n))
    assert surface.grip(4) == 4
