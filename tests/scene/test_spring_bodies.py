"""Altitudes and axial bending springs of a scene's bodies."""

from typing import Any

import numpy as np
import pytest

from supple.energies.springs.generalised import GeneralisedSprings
from supple.energies.springs.springs import HookeSprings
from supple.errors import SceneError
from supple.scene.text.load import read_scene

BLOCK = {"shape": "bar", "cells": [1, 1, 1], "size": [1.0, 0.9, 0.8]}
CLOTH = {"shape": "cloth", "cells": [2, 2]}
ROPE = {"shape": "rope", "segments": 3}


def terms(mesh: dict[str, Any], tmp_path: Any, **material: Any) -> tuple[Any, ...]:
    body = {"mesh": mesh, "material": {"name": "hooke-spring", "stretch": 20.0, **material}}
    scene = {"time": {"step": 0.01, "duration": 1.0}, "world": {"gravity": 0}, "body": [body, body]}
    return read_scene(scene, tmp_path).make().assemble().system.potential.terms


def test_a_solid_of_springs(tmp_path: Any) -> None:
    first = terms(BLOCK, tmp_path, altitude=30.0)
    assert [type(term) for term in first] == [HookeSprings, GeneralisedSprings] * 2
    edges, altitudes, _, others = first
    assert len(edges.elements) == 18
    assert altitudes.elements.shape == (5, 4)
    np.testing.assert_array_equal(others.elements, altitudes.elements + 8)
    np.testing.assert_allclose(altitudes.stiffness * altitudes.rest_length, 30.0)


def test_cloth_that_resists_bending(tmp_path: Any) -> None:
    _, altitudes, axial, *_ = terms(CLOTH, tmp_path, altitude=30.0, axial=2.0)
    assert altitudes.elements.shape == (8, 3)
    assert axial.elements.shape == (8, 4)
    assert axial.rest_length.max() == 0.0


@pytest.mark.parametrize(
    ("mesh", "material", "words"),
    [
        (BLOCK, {}, "needs a mesh with edges.*or hooke-spring with `altitude` for tets of springs"),
        (ROPE, {"altitude": 1.0}, "altitude: the mesh has neither tets nor triangles"),
        (ROPE, {"axial": 1.0}, "axial: the mesh has no triangles to bend"),
        (CLOTH, {"name": "stvk-spring", "axial": 1.0}, "axial: such springs are linear in their length"),
    ],
)
def test_what_does_not_fit_is_refused(mesh: Any, material: Any, words: str, tmp_path: Any) -> None:
    with pytest.raises(SceneError, match=words):
        terms(mesh, tmp_path, **material)
