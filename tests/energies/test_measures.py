"""Elements that keep their area or volume: figures of known deformations, orientation, rest elsewhere, refusals."""

import numpy as np
import pytest
from catalogue import MESH, REST, SURFACE, deformed

from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.errors import MeshError, StepRejected, SuppleError
from supple.mesh.measure import tet_volumes, triangle_areas


@pytest.mark.parametrize("stretch", [0.5, 1.0, 1.3])
def test_energy_of_a_body_of_another_size(stretch: float) -> None:
    x = stretch * REST
    areas, volumes = triangle_areas(REST, SURFACE), np.abs(tet_volumes(REST, MESH.tets))
    found = ElementAreas(REST, SURFACE, 7.0).element_values(x)
    np.testing.assert_allclose(found, 7.0 * (1.0 - stretch**2) ** 2 * areas, rtol=1e-12, atol=1e-25)
    found = ElementVolumes(REST, MESH.tets, 7.0).element_values(x)
    np.testing.assert_allclose(found, 7.0 * (1.0 - stretch**3) ** 2 * volumes, rtol=1e-12, atol=1e-25)


def test_shear_keeps_volumes_and_areas_in_their_plane() -> None:
    sheared = REST + 0.7 * REST[:, [1, 2, 0]] * [1.0, 0.0, 0.0]
    energy = ElementVolumes(REST, MESH.tets, 1.0).element_values(sheared).sum()
    assert energy <= 1e-24
    flat = REST * [1.0, 1.0, 0.0]
    triangles = SURFACE[triangle_areas(flat, SURFACE) > 1e-3]
    assert (
        ElementAreas(flat, triangles, 1.0).element_values(flat + 0.7 * flat[:, [1, 0, 2]] * [1.0, 0.0, 0.0]).sum()
        <= 1e-24
    )


def test_either_orientation_of_tets() -> None:
    x = deformed()
    one, other = (ElementVolumes(REST, tets, 3.0) for tets in (MESH.tets, MESH.tets[:, [1, 0, 2, 3]]))
    np.testing.assert_allclose(one.element_values(x), other.element_values(x), rtol=1e-12)
    turned = other.element_gradients(x)[:, [1, 0, 2, 3]]
    np.testing.assert_allclose(one.element_gradients(x), turned, atol=1e-12 * np.abs(turned).max())


def test_a_tet_inside_out_is_pushed_back() -> None:
    rest = np.vstack([np.zeros(3), np.eye(3)])
    term = ElementVolumes(rest, np.arange(4, dtype=np.int32)[None], 1.0)
    heights = [-1.0, -0.5, 0.0, 0.5, 1.0]
    energies = [term.element_values(rest * [1.0, 1.0, h])[0] for h in heights]
    np.testing.assert_allclose(energies, [(1.0 - h) ** 2 / 6.0 for h in heights], atol=1e-15)


@pytest.mark.parametrize("name", ["areas", "volumes"])
def test_resting_elsewhere(name: str) -> None:
    term = {"areas": ElementAreas(REST, SURFACE, 5.0), "volumes": ElementVolumes(REST, MESH.tets, 5.0)}[name]
    x = deformed()
    there = term.resting_at(x)
    assert there.element_values(x).max() == 0.0
    size = {"areas": triangle_areas(x, SURFACE), "volumes": np.abs(tet_volumes(x, MESH.tets))}[name]
    power = {"areas": 2, "volumes": 3}[name]
    np.testing.assert_allclose(there.element_values(1.1 * x), 5.0 * (1.1**power - 1.0) ** 2 * size, rtol=1e-10)
    flat = x * [1.0, 1.0, 0.0]
    pressed = term.resting_at(flat)
    assert np.isfinite(pressed.element_values(x)).all()
    if name == "volumes":
        assert pressed.element_values(x).max() == 0.0


def test_a_triangle_that_becomes_a_line_in_a_step() -> None:
    rest = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    term = ElementAreas(rest, np.arange(3, dtype=np.int32)[None], 1.0)
    with np.errstate(invalid="ignore"), pytest.raises(StepRejected, match="corners of an element are collinear"):
        term.element_mean_gradients(rest, rest * [1.0, -1.0, 1.0])


def test_what_has_no_size_is_refused() -> None:
    flat = REST.copy()
    flat[MESH.tets[3]] = flat[MESH.tets[3, 0]]
    with pytest.raises(MeshError, match=r"tets have no volume, the first is number \d+; remove"):
        ElementVolumes(flat, MESH.tets, 1.0)
    with pytest.raises(MeshError, match=r"1 triangles have no area, the first is number 0"):
        ElementAreas(REST, np.array([[0, 0, 1]], np.int32), 1.0)
    with pytest.raises(SuppleError, match="area stiffness: must be finite and not negative"):
        ElementAreas(REST, SURFACE, np.inf)
