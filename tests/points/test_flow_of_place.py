"""Constants of materials that flow at each particle: by arrays, expressions of the place and regions."""

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from swarms import FLOWING, block

import supple as sp
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.errors import SceneError, SuppleError
from supple.loop import simulate
from supple.materials.flow.flow import FlowMaterial
from supple.materials.flow.fluid import Fluid
from supple.points.cloud import Cloud
from supple.scene.text.load import read_scene
from supple.types import Array

BOX = {"shape": "bar", "cells": [2, 1, 1], "size": [0.2, 0.2, 0.2]}
SAND = {"name": "sand", "young": 1e5, "poisson": 0.3}
VISCOUS = Fluid(1e4, viscosity=2.0)
LAWS = [*FLOWING, VISCOUS]


def placed(material: dict, **body: object) -> tuple[Cloud, Array]:
    """The cloud of a scene, and where its particles are."""
    data = {
        "time": {"step": 0.01, "duration": 0.04},
        "integrator": {"name": "mpm", "cell": 0.1},
        "body": [{"mesh": BOX, "points": {"seed": 3}, "material": material, **body}],
    }
    model = read_scene(data, Path.cwd()).make().assemble()
    return model.system.clouds[0], model.mesh.vertices


def numbers_of(law: FlowMaterial) -> dict[str, float]:
    return {f.name: getattr(law, f.name) for f in fields(law) if isinstance(getattr(law, f.name), float)}  # type: ignore[arg-type]


def split(law: FlowMaterial, other: FlowMaterial) -> tuple[System, System, State]:
    """A block whose halves are two clouds, and the same block as one cloud with numbers of each particle."""
    system, state = block(law, side=4, fall=2.0)
    volume, upper = system.clouds[0].volume, state.x[:, 1] > 0.1
    halves = [Cloud(np.flatnonzero(own), volume[own], made) for own, made in ((~upper, law), (upper, other))]
    both = {key: np.where(upper, getattr(other, key), value) for key, value in numbers_of(law).items()}
    whole = [Cloud(np.arange(len(state.x)), volume, replace(law, **both))]
    one, two = (build_system(state.x, system.mass, system.potential.terms, clouds=c) for c in (halves, whole))
    return one, two, state


@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.name} {getattr(law, 'viscosity', '') or ''}")
def test_one_cloud_with_numbers_of_each_particle_is_two_clouds(law: FlowMaterial) -> None:
    other = replace(law, **{key: 0.9 * value for key, value in numbers_of(law).items()})
    one, two, state = split(law, other)
    ends = [list(simulate(system, sp.Mpm(cell=0.1), state, 2e-3, 15))[-1] for system in (one, two)]
    assert np.abs(ends[0].state.x - ends[1].state.x).max() < 1e-12
    assert ends[0].ledger.dissipated == pytest.approx(ends[1].ledger.dissipated, abs=1e-12)
    same, _, _ = split(law, law)
    uniform = list(simulate(same, sp.Mpm(cell=0.1), state, 2e-3, 15))[-1]
    assert np.abs(ends[0].state.x - uniform.state.x).max() > 1e-7


PLACED = {
    "sand": ({**SAND, "young": "1e5*(1 + Y)", "angle": "30 + 20*X"}, "angle", lambda X, Y, Z: 30 + 20 * X),
    "snow": ({**SAND, "name": "snow", "hardening": "10*Y"}, "hardening", lambda X, Y, Z: 10 * Y),
    "von-mises": ({**SAND, "name": "von-mises", "yield_stress": "1e3 + Z"}, "yield_stress", lambda X, Y, Z: 1e3 + Z),
    "fluid": ({"name": "fluid", "bulk": "1e5*(1 + r)", "viscosity": "X"}, "viscosity", lambda X, Y, Z: X),
}


@pytest.mark.parametrize(("table", "key", "wanted"), PLACED.values(), ids=PLACED)
def test_expressions_of_the_place_in_scenes(table: dict, key: str, wanted: Callable[..., Array]) -> None:
    cloud, x = placed(table)
    np.testing.assert_allclose(getattr(cloud.material, key), wanted(*x.T), rtol=1e-14)
    assert np.ptp(cloud.table, axis=0).max() > 0.0


def test_regions_and_expressions_together() -> None:
    """Each particle has the moduli of its region, and all else by its own place."""
    regions = [{"expression": "X < 0.1", "material": {"young": 5e5}}]
    table = {**SAND, "young": "1e5*(1 + Y)", "angle": "30 + 20*X"}
    made, soft = placed(table, regions=regions)[0].material, placed(table)[0].material
    inside = made.young == 5e5
    assert 0 < inside.sum() < len(inside)
    assert (made.young[~inside] == soft.young[~inside]).all()
    assert (made.angle == soft.angle).all()
    assert (made.angle[inside] < 32.0).all()


def test_texts_survive() -> None:
    body = sp.Body(sp.Bar(), sp.Sand(sp.Field("1e5*(1 + Y)"), 0.3), points=sp.Points())
    text = sp.World([body]).to_toml(sp.Mpm(), 0.01, 1)
    assert 'young = "1e5*(1 + Y)"' in text


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({**SAND, "angle": "100*X - 30"}, r"body\[0\]\.material: sand\.angle\[0\]: input should be greater than 0"),
        ({**SAND, "angle": "100*"}, r"body\[0\]\.material\.angle: .* an expression of X, Y, Z and t: '100\*' is not"),
        ({**SAND, "angle": 95}, r"body\[0\]\.material\.angle: input should be less than 90, found 95"),
        ({**SAND, "cone": "X"}, r"body\[0\]\.material\.cone: unknown value"),
        ({"name": "sand", "young": 1e5}, r"body\[0\]\.material\.poisson: missing, but required"),
    ],
)
def test_refusals(table: dict, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        placed(table)


def test_a_material_that_is_not_in_its_place_is_refused() -> None:
    with pytest.raises(SuppleError, match="it depends on position"):
        sp.Sand(sp.Field("1e5*(1 + Y)"), 0.3, angle=30.0).parameters(3)
