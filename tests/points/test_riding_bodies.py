"""Mesh bodies that ride on the grid in scenes and worlds: their models, and unsupported combinations."""

import tomllib
from pathlib import Path

import pytest
from riding_scenes import JELLY, scene

import supple as sp
from supple.errors import SceneError
from supple.scene.text.load import read_scene


def test_a_mesh_that_rides_keeps_its_elements_masses_and_groups() -> None:
    mesh = {**JELLY["mesh"], "cells": [4, 2, 2]}
    regions = [{"expression": "X < 0.1", "material": {"young": 1e5, "density": 3000.0}}]
    groups = {"low": {"expression": "Y < 0.16"}}
    model = scene({"mesh": mesh, "regions": regions, "groups": groups}).make().assemble()
    jelly, system = model.body("jelly"), model.system
    assert (system.riders == jelly.numbers).all()
    assert (model.particles == model.body("water").numbers).all()
    assert len(model.mesh.tets) == len(jelly.mesh.tets) > 0
    assert jelly.mass.sum() == pytest.approx(0.5 * 4.0)
    assert {"jelly.low", "jelly.left"} <= set(model.mesh.groups)
    (solid,) = (term for term in system.potential.terms if term.elements.shape[1] == 4)
    assert set(solid.material.moduli[0]) == {1e5, 2e4}


REFUSED = {
    "pin": ({"jelly": {"pin": "left"}}, r'body\[1\]\.pin: .*law = "sticky".*name = "soft-pin"'),
    "motion": (
        {"jelly": {"motion": [{"group": "left", "translate": {"velocity": [0, 1, 0]}}]}},
        r"body\[1\]\.motion: vertices that move with the grid cannot follow a script",
    ),
    "friction": ({"jelly": {"friction": 0.3}}, r'body\[1\]\.friction: friction on points is that of an obstacle'),
    "self-contact": ({"jelly": {"self_contact": True}}, r"body\[1\]\.self_contact: points interact on the grid"),
    "no points": (
        {"jelly": {"points": None}},
        r'body\[1\]\.points: missing, but other bodies have points; .* points = "vertices", or make it a cloud',
    ),
    "word": ({"jelly": {"points": "vertex"}}, r"body\[1\]\.points: unknown value \"vertex\"; did you mean 'vertices'"),
    "table": ({"water": {"points": {"per_cel": 8}}}, r"body\[0\]\.points\.per_cel: unknown key; did you mean 'per_cell'"),
    "springs": (
        {"attachment": [{"vertices": "water", "to": "water.low", "stiffness": 10.0}]},
        r"attachment\[0\]: both ends are material points",
    ),
    "damping": ({"damping": [{"name": "viscosity", "shear": 1.0}]}, r"damping\[0\]: not for worlds with material points"),
    "contact": ({"contact": {}}, r"contact: bodies with points interact on the grid"),
}  # fmt: skip


@pytest.mark.parametrize(("tables", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_go_with_riding_is_refused_with_a_way_out(tables: dict, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        scene(**tables).make().assemble()


def test_meshes_alone_need_the_size_of_the_cells() -> None:
    world = sp.World([sp.Body(sp.Bar(), sp.StVK.from_young(1e5, 0.3), points="vertices")])
    assert "give mpm.cell" in sp.Mpm().refuses(sp.assemble(world).system)
    assert sp.Mpm(cell=0.2).refuses(sp.assemble(world).system) == ""
    assert "avf cannot move material points" in sp.AVF().refuses(sp.assemble(world).system)


def test_a_world_with_a_riding_body_survives_text() -> None:
    world = scene().make().world
    made = read_scene(tomllib.loads(world.to_toml(sp.Mpm(cell=0.1), 0.01, 4)), Path.cwd()).make()
    assert made.world == world
    assert made.world.bodies[1].points == "vertices"


def test_the_damping_of_a_word_is_left_out_and_said() -> None:
    model = scene({"material": "liver"}).make().assemble()
    assert not model.system.dissipation.terms
    assert [note for note in model.notes if note.startswith("jelly: the damping of its material is ignored")]
