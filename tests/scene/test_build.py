"""From scenes to systems: masses, groups, springs, pins and scripts of several bodies."""

from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest

from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import StVKSprings
from supple.errors import SceneError
from supple.model.model import Model
from supple.scene.text.load import read_scene

SOLID: dict[str, Any] = {
    "name": "bar",
    "mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [2.0, 1.0, 1.0]},
    "material": {"name": "stvk", "young": 1e4, "poisson": 0.3},
    "density": 100.0,
}
CLOTH: dict[str, Any] = {
    "name": "cloth",
    "mesh": {"shape": "cloth", "cells": [2, 2], "size": [1.0, 1.0]},
    "material": {"name": "stvk-spring", "stretch": 20.0, "shear": 5.0},
    "mass": 3.0,
    "mass_distribution": "uniform",
}


def assembled(*bodies: dict[str, Any], folder: Path = Path(), **tables: Any) -> Model:
    return read_scene({"time": {"step": 0.01}, "body": list(bodies), **tables}, folder).make().assemble()


def complaints(*bodies: dict[str, Any]) -> list[str]:
    with pytest.raises(SceneError) as caught:
        assembled(*bodies)
    return caught.value.problems


def test_two_bodies_stand_side_by_side() -> None:
    found = assembled(SOLID, CLOTH)
    solid, springs, gravity = found.system.potential.terms
    assert isinstance(solid, Solid)
    assert isinstance(springs, StVKSprings)
    assert isinstance(gravity, Gravity)
    assert found.mesh.n == found.system.n == 12 + 9
    assert solid.elements.max() == 11
    assert springs.elements.min() == 12
    assert {"bar.left", "cloth.corners"} <= set(found.mesh.groups)
    assert found.mesh.groups["cloth.corners"].min() >= 12
    assert found.system.mass[:12].sum() == pytest.approx(200.0)
    np.testing.assert_allclose(found.system.mass[12:], 3.0 / 9)
    assert found.sizes[:12].sum() == pytest.approx(2.0)


def test_springs_without_stiffness_are_left_out() -> None:
    springs = assembled(CLOTH).system.potential.terms[0]
    assert isinstance(springs, StVKSprings)
    assert sorted(set(springs.stiffness.tolist())) == [5.0, 20.0]  # bend is 0 by default
    assert len(springs.elements) == 12 + 8


def test_gravity_follows_up_and_may_be_absent() -> None:
    force = (
        assembled(SOLID, world={"up": "z", "gravity": 2.0})
        .system.potential.terms[-1]
        .element_gradients(np.zeros((12, 3)))
    )
    np.testing.assert_allclose(force.sum(axis=(0, 1)), [0, 0, 400.0])
    assert len(assembled(SOLID, world={"gravity": 0}).system.potential.terms) == 1


def test_pins_hold_where_the_body_starts() -> None:
    found = assembled({**SOLID, "pin": ["left", "right"], "initial": {"translate": [0.0, 5.0, 0.0]}})
    assert len(found.system.free) == 4
    moved = found.system.motion.place(np.zeros((12, 3)), 3.0)
    np.testing.assert_allclose(moved[found.mesh.groups["bar.left"], 1] >= 5.0, True)


def test_scripts_move_their_groups() -> None:
    turn = {"group": "right", "rotate": {"axis": [1, 0, 0], "centre": [0, 0, 0], "rate": np.pi}, "stop": 0.5}
    slide = {"group": "left", "translate": {"velocity": [0, 1, 0]}, "start": 1.0}
    found = assembled({**SOLID, "motion": [turn, slide]})
    X = found.mesh.vertices
    x = found.system.motion.place(X.copy(), 2.0)
    left, right = found.mesh.groups["bar.left"], found.mesh.groups["bar.right"]
    np.testing.assert_allclose(x[left] - X[left], np.tile([0.0, 1.0, 0.0], (4, 1)), atol=1e-14)
    np.testing.assert_allclose(x[right], np.stack([X[right, 0], -X[right, 2], X[right, 1]], axis=1), atol=1e-12)


@pytest.mark.parametrize(
    ("selection", "count"),
    [
        ({"box": [[0, 0, 0], [0, 1, 1]]}, 4),
        ({"sphere": {"centre": [0, 0, 0], "radius": 1.0}}, 4),
        ({"plane": {"point": [1.5, 0, 0], "normal": [1, 0, 0]}}, 4),
        ({"expression": "X > 0.5 and Y < 0.5"}, 4),
        ({"vertices": [0, 3]}, 2),
    ],
)
def test_selections(selection: dict[str, Any], count: int) -> None:
    assert len(assembled({**SOLID, "groups": {"some": selection}}).mesh.groups["bar.some"]) == count


def test_all_problems_at_once() -> None:
    found = complaints(
        {**SOLID, "pin": ["lefft", "none"], "groups": {"none": {"expression": "X > 9"}}},
        {**CLOTH, "pin": ["nowhere"]},
    )
    assert len(found) == 3
    assert found[0].startswith("body[0].pin: unknown group 'lefft'; did you mean 'left'?")
    assert found[1].startswith("body[0].pin: group 'none' has no vertices")
    assert "[0, 2] x [0, 1] x [0, 1]" in found[1]
    assert found[2].startswith("body[1].pin: unknown group 'nowhere'")


def test_vertex_numbers_out_of_range() -> None:
    (found,) = complaints({**SOLID, "groups": {"some": {"vertices": [12]}}})
    assert found == "body[0].groups.some.vertices: the body has 12 vertices, found index 12"


def test_a_material_must_fit_its_mesh() -> None:
    (found,) = complaints({**CLOTH, "material": SOLID["material"]})
    assert found.startswith("body[0].material: 'stvk' is for solids, but the mesh has no tets")
    (found,) = complaints({**SOLID, "material": CLOTH["material"]})
    assert found.startswith("body[0].material: 'stvk-spring' needs a mesh with edges")


def test_pins_may_overlap() -> None:
    found = assembled({**SOLID, "pin": ["left", "again"], "groups": {"again": {"expression": "X < 0.5"}}})
    assert len(found.system.free) == 8


def test_a_mesh_file_is_scaled_and_its_repairs_are_told(tmp_path: Path) -> None:
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    meshio.write(tmp_path / "tet.vtk", meshio.Mesh(points, [("tetra", np.array([[0, 2, 1, 3]]))]))
    found = assembled({**SOLID, "mesh": {"file": "tet.vtk", "scale": 2.0}}, folder=tmp_path)
    assert found.system.mass.sum() == pytest.approx(100.0 * 8 / 6)
    assert len(found.notes) == 1
    assert found.notes[0].startswith("bar: ")
