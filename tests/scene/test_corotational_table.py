"""The material `corotational`: its keys, its terms, and refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.energies.corotational.frames import ABOUT_AXIS, FIXED, FREE
from supple.energies.corotational.mandel import isotropic
from supple.energies.corotational.term import Corotational
from supple.errors import SceneError
from supple.integrators.linear.corotational import CorotationalReversible
from supple.model.model import Model
from supple.scene.text.load import read_scene

STIFFNESS = (isotropic(1e4, 0.3) + np.diag([5e3, 0, 0, 0, 0, 0])).tolist()


def built(material: dict[str, Any], **body: Any) -> Model:
    bar = {"mesh": {"shape": "bar", "cells": [2, 1, 1], "size": [2, 1, 1]}, **body}
    scene = {
        "time": {"step": 0.01, "duration": 0.1},
        "integrator": {"name": "midpoint"},
        "body": [{**bar, "material": {"name": "corotational", **material}}],
    }
    return read_scene(scene, Path()).make().assemble()


def term(material: dict[str, Any], **body: Any) -> Corotational:
    [found] = [t for t in built(material, **body).system.potential.terms if isinstance(t, Corotational)]
    return found


def test_both_ways_to_say_the_stiffness() -> None:
    plain = term({"young": 1e4, "poisson": 0.3})
    assert (plain.frame, plain.isotropic, plain.plain) == ("polar", True, True)
    np.testing.assert_allclose(plain._values.stiffness[3], isotropic(1e4, 0.3))
    other = term({"stiffness": STIFFNESS, "frame": "kabsch"})
    assert (other.frame, other.isotropic, other.plain) == ("kabsch", False, False)
    np.testing.assert_allclose(other._values.stiffness[3], STIFFNESS)


def test_pins_reach_the_frames() -> None:
    material = {"young": 1e4, "poisson": 0.3, "pinned_frames": True}
    assert set(term(material)._values.kind) == {FREE}
    turned = {"rotate": {"axis": [0, 0, 1], "angle": 1.0}}
    pinned = built(material, pin="left", initial=turned)
    [body] = [t for t in pinned.system.potential.terms if isinstance(t, Corotational)]
    assert {FIXED, ABOUT_AXIS} <= set(body._values.kind)
    assert body.element_values(pinned.state.x).max() <= 1e-20 * 1e4
    assert "frames about an axis" in CorotationalReversible().refuses(pinned.system)


@pytest.mark.parametrize(
    ("material", "message"),
    [
        ({}, "give either young and poisson, or stiffness, found none of them"),
        ({"young": 1e4}, "give either young and poisson, or stiffness, found young"),
        ({"young": 1e4, "poisson": 0.3, "stiffness": STIFFNESS}, "found young, poisson, stiffness"),
        ({"stiffness": np.diag([1.0, 1, 1, 1, 1, -1]).tolist()}, "stiffness: the matrix has a negative eigenvalue"),
        ({"stiffness": STIFFNESS[:5]}, "stiffness"),
        ({"young": 1e4, "poisson": 0.3, "frame": "svd"}, "known: polar, kabsch"),
    ],
)
def test_bad_tables_are_refused(material: dict[str, Any], message: str) -> None:
    with pytest.raises(SceneError, match=message):
        built(material)


def test_surfaces_are_refused() -> None:
    with pytest.raises(SceneError, match="'corotational' is for solids, but the mesh has no tets"):
        built({"young": 1e4, "poisson": 0.3}, mesh={"shape": "cloth"})
