"""Regions of bodies: their moduli, precedence, holes, tags of files, and refusals."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.energies.corotational.mandel import isotropic
from supple.energies.corotational.term import Corotational
from supple.energies.solids.solid import Solid
from supple.errors import SceneError
from supple.mesh.formats import write_mesh
from supple.mesh.mesh import Mesh
from supple.mesh.regions import centres
from supple.mesh.shapes.solid import Bar
from supple.model.fine_body import fine_body
from supple.model.model import Model
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, load_scene, read_scene

BAR = {"shape": "bar", "cells": [6, 2, 2], "size": [6, 2, 2], "tets": 6}
SOLID = {"name": "stvk", "young": 1e4, "poisson": 0.3}


def scene(regions: list[dict[str, Any]], folder: Path = Path(), **body: Any) -> Scene:
    table = {"mesh": dict(BAR), "material": SOLID, "density": 1000.0, "regions": regions, **body}
    data = {"time": {"step": 0.01, "duration": 0.1}, "integrator": {"name": "midpoint"}, "body": [table]}
    return read_scene(data, folder)


def built(regions: list[dict[str, Any]], **body: Any) -> Model:
    return scene(regions, **body).make().assemble()


def term(found: Model) -> Solid:
    [solid] = [t for t in found.system.potential.terms if isinstance(t, Solid)]
    return solid


def shear(solid: Solid) -> np.ndarray:
    """Shear moduli of the tets."""
    return solid.parameters[:, list(solid.material.constants()).index("mu")]


def middles(found: Model) -> np.ndarray:
    return centres(found.mesh)


def test_elements_have_the_moduli_of_their_region() -> None:
    found = built([{"plane": {"point": [3, 0, 0], "normal": [1, 0, 0]}, "material": {"young": 5e5, "density": 3000.0}}])
    stiff = middles(found)[:, 0] > 3.0
    mu = np.where(stiff, 5e5, 1e4) / 2.6
    np.testing.assert_allclose(shear(term(found)), mu, rtol=1e-14)
    assert found.system.mass.sum() == pytest.approx(12.0 * 1000.0 + 12.0 * 3000.0, rel=1e-12)


def test_the_later_region_counts() -> None:
    boxes = [[[0, 0, 0], [4, 2, 2]], [[2, 0, 0], [6, 2, 2]]]
    found = built([{"box": b, "material": {"young": E}} for b, E in zip(boxes, (2e4, 3e4), strict=True)])
    x = middles(found)[:, 0]
    np.testing.assert_allclose(shear(term(found)) * 2.6, np.where(x < 2.0, 2e4, 3e4), rtol=1e-14)


def test_an_empty_change_changes_nothing() -> None:
    plain, same = built([]), built([{"expression": "X < 3", "material": {}}])
    x = plain.state.x * [1.1, 0.9, 1.05]
    np.testing.assert_allclose(term(same).element_values(x), term(plain).element_values(x), rtol=1e-14)


def test_bodies_with_and_without_regions_in_one_scene() -> None:
    one = scene([{"expression": "X < 3", "material": {"young": 1e5}}])
    other = one.body[0].model_copy(
        update={"name": "other", "initial": one.body[0].initial.model_copy(update={"translate": (0, 9, 0)})}
    )
    plain = other.model_copy(
        update={"name": "p", "regions": (), "initial": other.initial.model_copy(update={"translate": (0, 20, 0)})}
    )
    found = one.model_copy(update={"body": (one.body[0], other, plain)}).make().assemble()
    solids = [t for t in found.system.potential.terms if isinstance(t, Solid)]
    assert sorted(len(np.unique(shear(t))) for t in solids) == [1, 2, 2]


def test_layers_of_a_corotational_body() -> None:
    layers = {"axis": "x", "count": 6, "materials": [{"young": 1e3}, {"poisson": 0.1}]}
    found = built([{"layers": layers}], material={"name": "corotational", "young": 1e4, "poisson": 0.3})
    [corotational] = [t for t in found.system.potential.terms if isinstance(t, Corotational)]
    odd = (np.floor(middles(found)[:, 0]) % 2 == 1)[:, None, None]
    wanted = np.where(odd, isotropic(1e4, 0.1), isotropic(1e3, 0.3))
    np.testing.assert_allclose(corotational._values.stiffness, wanted, rtol=1e-13)


def test_a_hole_leaves_a_sound_smaller_body() -> None:
    layers = {"axis": "x", "count": 6, "materials": [{"young": 1e3}, {"young": 1e4}]}
    hole = {"spheres": [{"centre": [6, 1, 1], "radius": 1.5}], "material": "none"}
    found = built([{"layers": layers}, hole], pin="left")
    x = middles(found)
    assert (np.linalg.norm(x - [6, 1, 1], axis=1) > 1.5).all()
    # layers are those of the whole bar, though its end is gone
    np.testing.assert_allclose(shear(term(found)) * 2.6, np.where(np.floor(x[:, 0]) % 2 == 0, 1e3, 1e4))
    assert any("tets are holes" in note for note in found.notes)
    assert (found.system.mass > 0).all()


def test_layers_beyond_counting_are_refused() -> None:
    layers = {"axis": "x", "count": 2**63 - 1, "materials": [{"young": 1e3}]}
    with pytest.raises(SceneError, match=r"body\[0\]\.regions\[0\]\.layers\.count: .* less than or equal to 1000000"):
        scene([{"layers": layers}])


def test_a_region_without_tets_is_said() -> None:
    found = built([{"spheres": [{"centre": [0, 50, 0], "radius": 1}], "material": {"young": 1.0}}])
    assert found.notes == ("body0: regions[0]: no tet has its centre there",)


def tagged_file(folder: Path) -> dict[str, str]:
    bar = Bar(cells=(6, 2, 2), size=(6.0, 2.0, 2.0), tets=6).mesh()
    mesh = Mesh(bar.vertices, tets=bar.tets, tags={"part": np.floor(centres(bar)[:, 0] / 2.0).astype(int)})
    write_mesh(mesh, folder / "bar.vtu")
    return {"file": "bar.vtu"}


def test_tags_of_a_file(tmp_path: Path) -> None:
    mesh = tagged_file(tmp_path)
    table = {"array": "part", "materials": {"0": {}, "1": {"young": 2e4}, "2": {"young": 3e4}}}
    found = scene([{"tags": table}], tmp_path, mesh=mesh).make().assemble()
    wanted = np.array([1e4, 2e4, 3e4])[np.floor(middles(found)[:, 0] / 2.0).astype(int)]
    np.testing.assert_allclose(shear(term(found)) * 2.6, wanted, rtol=1e-14)
    table["materials"].pop("1")
    with pytest.raises(
        SceneError, match=r"body\[0\]\.regions\[0\]: no material for 1, which 48 tets have \(first: 48,"
    ):
        scene([{"tags": table}], tmp_path, mesh=tagged_file(tmp_path)).make().assemble()


def test_an_image(tmp_path: Path) -> None:
    np.save(tmp_path / "image.npy", np.array([0, 1, 5]).reshape(3, 1, 1))
    voxels = {"file": "image.npy", "materials": {"0": {}, "1": {"young": 2e4}, "5": "none"}}
    found = scene([{"voxels": voxels}], tmp_path).make().assemble()
    x = middles(found)[:, 0]
    assert x.max() < 4.0
    np.testing.assert_allclose(shear(term(found)) * 2.6, np.where(x < 2.0, 1e4, 2e4), rtol=1e-14)
    with pytest.raises(SceneError, match=r"body\[0\]\.regions\[0\]\.voxels\.file: no such file or folder"):
        scene([{"voxels": {**voxels, "file": "other.npy"}}], tmp_path)


def test_the_fine_body_of_a_scene() -> None:
    half = {"expression": "X < 3", "material": {"young": 2e4, "density": 500.0}}
    fine = fine_body(scene([half], name="bar").make().world, "bar")
    soft = (fine.vertices[fine.tets].mean(axis=1)[:, 0] < 3.0)[:, None, None]
    np.testing.assert_allclose(fine.stiffness, np.where(soft, isotropic(2e4, 0.3), isotropic(1e4, 0.3)), rtol=1e-13)
    assert fine.mass == pytest.approx(12.0 * 500.0 + 12.0 * 1000.0, rel=1e-12)
    with pytest.raises(SceneError, match="unknown body 'ber'; did you mean 'bar'"):
        fine_body(scene([half], name="bar").make().world, "ber")


def test_a_scene_with_regions_is_written_and_read_again() -> None:
    first = load_scene("cheese-wheel")
    assert read_scene(tomllib.loads(dump_scene(first)), Path()).body == first.body


@pytest.mark.parametrize(
    ("region", "message"),
    [
        ({"material": {"young": 1e4}}, "a region needs exactly one of layers, tags, .*found none of them"),
        ({"expression": "X < 1"}, "missing material"),
        ({"expression": "X < 1", "material": {"young": -3.0}}, r"regions\[0\]\.material\.young: .*greater than 0"),
        ({"expression": "X < 1", "material": {"removed": True, "young": 3.0}}, "a hole has no young"),
        ({"layers": {"count": 3, "thickness": [1], "materials": [{}]}}, "layers needs exactly one of count, thickness"),
        ({"layers": {"count": 3, "materials": [{}]}, "material": {}}, "layers, tags and voxels have their own"),
        ({"tags": {"materials": {"vein": {}}}}, "keys are whole numbers"),
        ({"tubes": [{"points": [[0, 0, 0], [1, 0, 0]], "radius": [1, 1, 1]}], "material": {}}, "2 points need as many"),
        ({"tag": "vein", "material": {}}, "no array 'vein'; tags of this mesh: none"),
        ({"expression": "X < 9", "material": "none"}, "all tets are removed"),
    ],
)
def test_bad_regions_are_refused(region: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        built([region])


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"mesh": {"shape": "cloth"}, "material": {"name": "hooke-spring", "stretch": 1.0}}, "regions are for solids"),
        (
            {"material": {"name": "stvk", "mu": 1e4, "lam": 1e4}},
            "'stvk' of a body whose regions have moduli is given by young",
        ),
        ({"material": {"name": "hooke-spring", "stretch": 1.0}}, "which 'hooke-spring' does not have"),
    ],
)
def test_bodies_that_cannot_have_regions(body: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        built([{"expression": "X < 1", "material": {"young": 1.0}}], **body)
