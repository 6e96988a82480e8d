"""Surfaces and ropes in scenes: every material and key makes its terms, mistakes are named, AVF keeps the energy of a swing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.energies.areas.whole_measure import Gas, Stiffness, WholeMeasure
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.quadratic import QuadraticBending
from supple.energies.bending.rod import RodBending
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.errors import SceneError
from supple.integrators.implicit.avf import AVF
from supple.loop import simulate
from supple.model.model import Model
from supple.scene.text.load import read_scene

CLOTH = {"shape": "cloth", "cells": [6, 6], "size": [0.6, 0.5], "pattern": "equilateral"}
GRID = {"shape": "cloth", "cells": [6, 5], "size": [0.6, 0.5]}
BALL = {"shape": "sphere", "subdivisions": 1}
ROPE = {"shape": "rope", "segments": 6}
BAR = {"shape": "bar", "cells": [2, 1, 1], "size": [2.0, 1.0, 1.0]}
SILK = {"name": "stvk-membrane", "young": 1e5}
NET = {"name": "stvk-spring", "stretch": 10.0}


def built(**body: Any) -> Model:
    scene = {"time": {"step": "1/30"}, "world": {"gravity": 9.81}, "body": [body]}
    return read_scene(scene, Path()).make().assemble()


def terms(**body: Any) -> list[type]:
    return [type(term) for term in built(**body).bodies[0].elastic]


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ({"mesh": CLOTH, "material": SILK, "thickness": 1e-3}, [Membrane]),
        ({"mesh": BALL, "material": {"name": "rubber-membrane", "young": 1e6}, "thickness": 1e-3}, [Membrane]),
        ({"mesh": CLOTH, "material": SILK, "thickness": 1e-3, "bending": {}}, [Membrane, QuadraticBending]),
        ({"mesh": CLOTH, "material": NET, "bending": {"rigidity": 1e-3}}, [StVKSprings, QuadraticBending]),
        (
            {"mesh": BALL, "material": SILK, "thickness": 1e-3, "bending": {"model": "dihedral"}},
            [Membrane, DihedralBending],
        ),
        (
            {"mesh": BALL, "material": {"name": "discrete-shell", "stretch": 5.0, "area": 3.0, "bend": 0.1}},
            [HookeSprings, ElementAreas, DihedralBending],
        ),
        ({"mesh": BALL, "material": {"name": "discrete-shell", "stretch": 5.0}}, [HookeSprings]),
        ({"mesh": ROPE, "material": {"name": "rod", "young": 1e6, "radius": 0.01}}, [StVKSprings, RodBending]),
        ({"mesh": ROPE, "material": {"name": "rod", "axial": 100.0, "springs": "hooke"}}, [HookeSprings]),
        (
            {"mesh": BALL, "material": SILK, "thickness": 1e-3, "pressure": {"pressure": 100.0}},
            [Membrane, WholeMeasure],
        ),
        ({"mesh": CLOTH, "material": SILK, "thickness": 1e-3, "area": 5.0}, [Membrane, ElementAreas]),
        (
            {"mesh": CLOTH, "material": SILK, "thickness": 1e-3, "area": {"stiffness": 5.0, "whole": True}},
            [Membrane, WholeMeasure],
        ),
        (
            {"mesh": BAR, "material": {"name": "stvk", "young": 1e4, "poisson": 0.3}, "volume": 7.0},
            [Solid, ElementVolumes],
        ),
        ({"mesh": BALL, "material": NET, "volume": {"stiffness": 7.0, "whole": True}}, [StVKSprings, WholeMeasure]),
    ],
    ids=lambda value: "-".join(kind.__name__ for kind in value) if isinstance(value, list) else "",
)
def test_terms_of_bodies(body: dict[str, Any], kinds: list[type]) -> None:
    assert terms(**body) == kinds


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"mesh": CLOTH, "material": SILK}, "material: 'stvk-membrane' needs body.thickness"),
        ({"mesh": BAR, "material": SILK, "thickness": 1e-3}, "material: 'stvk-membrane' is for surfaces, but the mesh is solid"),
        ({"mesh": CLOTH, "material": NET, "bending": {}}, "bending: give rigidity [N m]"),
        ({"mesh": ROPE, "material": NET, "bending": {"rigidity": 1.0}}, "bending: bending is for surfaces, but the mesh has no"),
        (
            {"mesh": BALL, "material": SILK, "thickness": 1e-3, "bending": {}},
            "bending: ",  # curved at rest: the message sends to the other model
        ),
        ({"mesh": CLOTH, "material": NET, "pressure": {"pressure": 1.0}}, "pressure: enclosed volume: the surface has 24 open"),
        ({"mesh": BALL, "material": NET, "volume": 1.0}, "volume: a surface has one volume, the enclosed one: write"),
        ({"mesh": CLOTH, "material": {"name": "rod", "axial": 1.0}}, "material: 'rod' is for chains of edges"),
        ({"mesh": GRID, "material": {"name": "stvk-spring", "young": 1e5}}, "material: young needs body.thickness"),
        ({"mesh": GRID, "material": {"name": "stvk-spring"}}, "material: give either stretch (and shear), or young"),
        ({"mesh": ROPE, "material": {"name": "rod", "young": 1.0}}, "material: give either young and radius, or axial"),
        ({"mesh": BALL, "material": NET, "pressure": {"pressure": -2e5}}, "pressure: there would be no gas"),
    ],
)  # fmt: skip
def test_mistakes_are_named(body: dict[str, Any], said: str) -> None:
    with pytest.raises(SceneError) as found:
        built(**body)
    assert f"body[0].{said}" in str(found.value)
    if said == "bending: ":
        assert "dihedral" in str(found.value)


def test_a_thickness_makes_a_density_one_of_volume() -> None:
    sheet = {"mesh": GRID, "material": NET, "density": 400.0}
    assert built(**sheet).system.mass.sum() == pytest.approx(400.0 * 0.3, rel=1e-12)
    assert built(**sheet, thickness=2e-3).system.mass.sum() == pytest.approx(400.0 * 0.3 * 2e-3, rel=1e-12)
    rope = built(mesh=ROPE, material={"name": "rod", "axial": 1.0}, density=900.0, thickness=0.02)
    assert rope.system.mass.sum() == pytest.approx(900.0 * np.pi * 0.01**2, rel=1e-12)


def test_pressure_is_that_over_the_air_outside() -> None:
    body = built(mesh=BALL, material=NET, pressure={"pressure": 300.0, "exponent": 1.4})
    (air,) = [term for term in body.bodies[0].elastic if isinstance(term, WholeMeasure)]
    assert air.law == Gas(101_625.0, 101_325.0, 1.4)
    assert air.pressure(body.state.x) == pytest.approx(300.0, rel=1e-9)
    water = built(mesh=BALL, material=NET, volume={"stiffness": 50.0, "whole": True})
    assert [term.law for term in water.bodies[0].elastic if isinstance(term, WholeMeasure)] == [Stiffness(50.0)]


def test_a_round_rod_has_the_stiffness_of_its_section() -> None:
    springs, bending = built(mesh=ROPE, material={"name": "rod", "young": 1e6, "radius": 0.01}).bodies[0].elastic
    assert isinstance(springs, StVKSprings)
    kappa = 4.0 * springs.rest_length**2 * springs.stiffness
    np.testing.assert_allclose(kappa * springs.rest_length, 1e6 * np.pi * 1e-4, rtol=1e-12)
    bent = 0.5 * 1e6 * np.pi * 1e-8 / 4.0 * 0.3**2  # a circle of curvature 0.3 over the length 1
    s = np.linspace(0.0, 1.0, 7)
    circle = np.stack([np.sin(0.3 * s), 1.0 - np.cos(0.3 * s), 0.0 * s], axis=1) / 0.3
    assert bending.element_values(circle).sum() == pytest.approx(bent * 5 / 6, rel=1e-3)  # its ends bear none


SWINGS: dict[str, tuple[dict[str, Any], int, float]] = {
    "membrane and quadratic bending": (
        {"material": {**SILK, "young": 2e4}, "thickness": 1e-3, "bending": {"rigidity": 1e-4}},
        40,
        1e-11,
    ),
    "woven cloth": (
        {
            "material": {"name": "orthotropic-membrane", "young_warp": 3e4, "young_weft": 1e4, "shear": 2e3},
            "thickness": 1e-3,
            "bending": {"rigidity": 1e-4},
        },
        40,
        1e-11,
    ),
    "springs": ({"material": {"name": "stvk-spring", "young": 2e4}, "thickness": 1e-3}, 40, 1e-11),
    "membrane and angles": (
        {
            "material": {**SILK, "young": 2e4},
            "thickness": 1e-3,
            "bending": {"model": "dihedral", "rigidity": 5e-3},
        },
        40,
        1e-8,
    ),
}


@pytest.mark.parametrize("name", SWINGS)
def test_avf_keeps_the_energy_of_a_swinging_cloth(name: str) -> None:
    body, steps, allowed = SWINGS[name]
    cloth = built(mesh=CLOTH, mass=0.1, pin=["corner_00", "corner_10"], **body)
    frames = list(simulate(cloth.system, AVF(), cloth.state, 1 / 30, steps))
    assert all(frame.whole for frame in frames)
    scale = max(frame.ledger.energies.kinetic for frame in frames)  # it begins flat, at height and energy zero
    assert scale > 0.1
    assert max(abs(frame.ledger.residual) for frame in frames) <= allowed * scale
