"""`@sp.register`: a class of the user's own has a name in scenes, whatever its kind."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
import pytest
from annotated_types import Gt

import supple as sp
from supple.analysis.own import ANALYSES
from supple.damping import DAMPINGS
from supple.errors import SceneError, SuppleError
from supple.export import FORMATS
from supple.export.format import Format
from supple.integrators import INTEGRATORS
from supple.materials import MATERIALS, MEMBRANES
from supple.mesh import SHAPES
from supple.model.materials.structure import STRUCTURES
from supple.scene.register import registry_of
from supple.scene.text.load import read_scene
from supple.scene.text.plugins import load_plugin, only_plugins

PLUGIN = '''
from dataclasses import dataclass
from typing import Annotated, ClassVar

from annotated_types import Gt

import supple as sp


@sp.register("test-gent")
@dataclass(frozen=True)
class Gent(sp.FormulaMaterial):
    """Gent's rubber."""

    mu: Annotated[float, Gt(0)]
    """Shear modulus [Pa]."""
    lam: float
    """First Lame constant [Pa]."""
    Jm: Annotated[float, Gt(0)] = 30.0
    """Limit of I1 - 3 [-]."""

    energy: ClassVar[str] = "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J) + lam/2*log(J)^2"
'''


def scene(material: dict[str, Any]) -> Any:
    body = {"mesh": {"shape": "bar", "cells": [2, 1, 1]}, "material": material, "pin": "left"}
    return read_scene({"time": {"step": 0.01, "duration": 0.05}, "body": [body]}, Path())


@pytest.fixture
def gent(tmp_path: Path) -> Any:
    file = tmp_path / "gent.py"
    file.write_text(PLUGIN)
    load_plugin(file)
    yield
    MATERIALS.pop("test-gent", None)


def test_a_worker_gives_scenes_the_plugins_of_their_task_only(tmp_path: Path) -> None:
    """A plugin of an earlier task is no part of later scenes, which could not be resumed without it."""
    tables = {"time": {"step": 0.01}, "body": [{"mesh": {"shape": "cube"}, "material": "jelly"}]}
    file = tmp_path / "earlier.py"
    file.write_text("EARLIER = True")
    load_plugin(file)
    with only_plugins([]):
        assert str(file) not in read_scene(tables, tmp_path).plugins
    with only_plugins([file]):
        assert str(file) in read_scene(tables, tmp_path).plugins
    assert str(file) in read_scene(tables, tmp_path).plugins


@pytest.mark.usefixtures("gent")
def test_a_formula_with_constants_is_a_material_of_scenes() -> None:
    model = scene({"name": "test-gent", "young": 1e5, "poisson": 0.3, "Jm": 5.0}).make().assemble()
    assert model.system.potential.terms[0].parameters[0, 2] == 5.0
    varied = scene({"name": "test-gent", "mu": "1e5*(1 + X)", "lam": 1e5}).make().assemble()
    assert np.ptp(varied.system.potential.terms[0].parameters[:, 0]) > 0
    *_, last = sp.simulate(model, sp.AVF(), h=0.01, steps=3)
    assert abs(last.ledger.residual) < 1e-9
    with pytest.raises(SceneError, match=r"body\[0\]\.material\.Jm: input should be greater than 0, found -1"):
        scene({"name": "test-gent", "young": 1e5, "poisson": 0.3, "Jm": -1.0})


def test_a_formula_that_does_not_rest_is_refused_with_its_body() -> None:
    @sp.register("test-restless")
    @dataclass(frozen=True)
    class Restless(sp.FormulaMaterial):
        """Presses at rest."""

        mu: Annotated[float, Gt(0)]

        energy: ClassVar[str] = "mu*(I1 - 3)"

    try:
        with pytest.raises(
            SceneError, match=r"body\[0\]\.material\.energy: at rest the stress should be zero, found 6 Pa"
        ):
            scene({"name": "test-restless", "mu": 3.0}).make().assemble()
    finally:
        MATERIALS.pop("test-restless")


def test_the_base_class_says_which_registry() -> None:
    class Shape:
        def mesh(self) -> sp.Mesh:
            return sp.Bar().mesh()

    found = {
        sp.StVK: MATERIALS, sp.StVKMembrane: MEMBRANES, sp.HookeSpring: STRUCTURES, sp.AVF: INTEGRATORS, sp.AirDrag: DAMPINGS,
        Format: FORMATS, sp.Analysis: ANALYSES, Shape: SHAPES,
    }  # fmt: skip
    for cls, registry in found.items():
        assert registry_of(cls) is registry


def test_what_cannot_be_registered() -> None:
    with pytest.raises(SuppleError, match=r"register: Plain derives from no class with a registry; known: Material, "):

        @sp.register("plain")
        class Plain:
            pass

    with pytest.raises(SuppleError, match=r"register: two materials are called 'stvk'"):

        @sp.register("stvk")
        @dataclass(frozen=True)
        class Twice(sp.StVK):
            pass

    with pytest.raises(SuppleError, match=r"register: give a name, such as @register"):
        sp.register(sp.StVK)  # type: ignore[arg-type]
