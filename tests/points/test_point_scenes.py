"""Material points in scenes and worlds: tables, their models, refusals, recording and resuming."""

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from schemas import scene_schema
from supple.errors import SceneError
from supple.model.points import worlds
from supple.recording.history import read_history
from supple.scene.tables.scene import Scene
from supple.scene.text.load import dump_scene, read_scene

BOX = {"shape": "bar", "cells": [1, 1, 1], "size": [0.2, 0.2, 0.2]}
SAND = {"name": "sand", "young": 1e5, "poisson": 0.3}
SOLID = {"name": "stvk", "young": 1e5, "poisson": 0.3}
FLOOR = {"shape": "half-space", "law": "separate", "friction": 0.4}


def scene(
    body: dict | None = None, obstacle: dict | None = FLOOR, integrator: dict | None = None, **tables: object
) -> Scene:
    data = {
        "time": {"step": 0.01, "duration": 0.04},
        "integrator": {"name": "mpm", "cell": 0.1, **(integrator or {})},
        "body": [{"name": "heap", "mesh": BOX, "points": {"seed": 3}, "material": SAND, **(body or {})}],
        "obstacle": [] if obstacle is None else [obstacle],
        **tables,
    }
    return read_scene(data, Path.cwd())


def test_a_body_with_points_is_a_cloud_that_has_the_volume_and_mass_of_its_mesh() -> None:
    model = scene({"density": 500.0}).make().assemble()
    (cloud,) = model.system.clouds
    assert cloud.n == model.mesh.n == 64
    assert not len(model.mesh.tets)
    assert cloud.volume.sum() == pytest.approx(0.008)
    assert model.system.mass.sum() == pytest.approx(4.0)
    assert cloud.material == sp.Sand(1e5, 0.3)
    assert cloud.cell == 0.1
    assert [o.law for o in model.system.node_obstacles] == ["separate"]


def test_particles_start_with_the_gradients_of_the_initial_state() -> None:
    initial = {"stretch": [1.2, 1.0, 1.0], "spin": [0.0, 0.0, 2.0]}
    (cloud,) = scene({"initial": initial, "material": SOLID}).make().assemble().system.clouds
    assert np.allclose(cloud.F, np.diag([1.2, 1.0, 1.0]), atol=1e-12)
    assert np.allclose(cloud.spin @ cloud.F, [[0.0, -2.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 0.0]], atol=1e-12)


def test_regions_and_places_give_each_particle_its_own_constants() -> None:
    mesh = {**BOX, "cells": [2, 1, 1]}
    regions = [{"expression": "X < 0.1", "material": {"young": 5e5, "density": 3000.0}}]
    model = scene({"mesh": mesh, "material": SOLID, "regions": regions}).make().assemble()
    left = model.mesh.vertices[:, 0] < 0.1
    young = model.system.clouds[0].material.moduli[0]
    assert set(young[left]) == {5e5}
    assert set(young[~left]) == {1e5}
    assert model.system.mass[left].sum() == pytest.approx(12.0)
    varied = scene({"material": {**SOLID, "young": "1e5*(1 + X)"}}).make().assemble()
    assert varied.system.clouds[0].material.moduli[0] == pytest.approx(1e5 * (1.0 + varied.mesh.vertices[:, 0]))


REFUSED = {
    "pin": ({"body": {"pin": "left"}}, r'body\[0\]\.pin: .*law = "sticky"'),
    "thickness": ({"body": {"thickness": 0.01}}, r"body\[0\]\.thickness: points fill solids"),
    "stiffness": ({"body": {"stiffness": "1 + 20*t"}}, r"body\[0\]\.stiffness: .*give the material another young"),
    "muscles": (
        {"body": {"muscles": [{"contraction": "t", "along": [1, 0, 0], "strength": 1e4}]}},
        r"body\[0\]\.muscles: muscles act on tets: leave them out, or",
    ),
    "contact": ({"contact": {}}, r"contact: bodies with points interact on the grid"),
    "damping": ({"damping": [{"name": "viscosity", "shear": 1.0}]}, r"damping\[0\]: not for worlds with material points"),
    "mesh": ({"obstacle": {"mesh": BOX}}, r"obstacle\[0\]\.law: material points interact with a mesh only at the nodes"),
    "projection": ({"obstacle": {"shape": "half-space", "law": "projection"}}, r'"projection" is not for material points'),
    "friction": ({"obstacle": {**FLOOR, "law": "quadratic"}}, r'friction: potentials of material points have none; take law'),
    "membrane": (
        {"body": {"material": {"name": "hooke-spring", "young": 1.0}}}, r"material: 'hooke-spring' is not a law of solids"
    ),
    "surface": ({"body": {"mesh": {"shape": "cloth"}}}, r"the body has no tets"),
}  # fmt: skip


HEEDED = {
    "mesh", "material", "name", "groups", "regions", "density", "mass", "initial", "colour", "points", "surface", "direction",
}  # fmt: skip


def test_each_key_of_a_body_acts_on_points_or_is_refused() -> None:
    """`stiffness` and `muscles` were ignored: a scene ran as if they were absent."""
    assert {f.name for f in fields(sp.Body)} == HEEDED | set(worlds.REFUSED)


@pytest.mark.parametrize(("tables", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_points_do_not_go_with_is_refused_with_a_way_out(tables: dict, sentence: str) -> None:
    with pytest.raises(SceneError, match=sentence):
        scene(**tables).make().assemble()


def test_materials_that_flow_and_laws_of_nodes_need_points() -> None:
    with pytest.raises(SceneError, match=r"body\[0\]\.material: 'sand' flows, .*give the body points"):
        scene({"points": None}, None).make().assemble()
    with pytest.raises(SceneError, match=r'obstacle\[0\]\.law: "separate" acts on the grid .* no body has points'):
        scene({"points": None, "material": SOLID}).make().assemble()


def test_methods_that_cannot_be_inside_and_options_of_the_wrong_law_are_refused() -> None:
    with pytest.raises(SceneError, match="mpm takes one-step methods"):
        scene(integrator={"of": "bdf2"})
    with pytest.raises(SceneError, match="so it has no distance"):
        scene(obstacle={**FLOOR, "distance": 0.1})
    with pytest.raises(SceneError, match="motion: shapes with law"):
        scene(obstacle={"shape": "half-space", "motion": {"translate": {"velocity": [0, 1, 0]}}})


def test_other_methods_say_that_points_need_mpm(tmp_path: Path) -> None:
    world = scene().make().world
    with pytest.raises(sp.SuppleError, match="avf cannot move material points"):
        sp.run(world, sp.AVF(), h=0.01, steps=1, out=tmp_path / "run", progress=False)


def test_a_world_with_points_and_its_method_survive_text() -> None:
    lift = sp.Moves(translate=sp.Translation((0.0, 1.0, 0.0)))
    body = sp.Body(
        sp.Bar(size=(0.2, 0.2, 0.2)), sp.Snow(1e5, 0.2, hardening=5.0), points=sp.Points(per_cell=6, jitter=0.2)
    )
    plate = sp.Obstacle(sp.HalfSpace(), law="sticky", motion=lift)
    world = sp.World([body], obstacles=[plate])
    method = sp.PointBudget(sp.Mpm(sp.AVF(), cell=0.05, transfer=sp.AffineFLIP(0.9)), cap=3.0)
    made = read_scene(tomllib.loads(world.to_toml(method, 0.01, 4)), Path.cwd()).make()
    assert made.world == world
    assert made.method == method
    plain = scene(integrator={"of": {"name": "avf"}, "budget": True}).make().method
    assert plain == sp.PointBudget(sp.Mpm(sp.AVF(), cell=0.1))


def test_schema_has_points_transfers_and_laws_of_nodes() -> None:
    text = str(scene_schema())
    assert all(word in text for word in ("per_cell", "affine-flip", "von-mises", "separate"))


def test_a_resumed_run_has_the_same_bits_and_its_ledger_closes(tmp_path: Path) -> None:
    given = scene(
        {"material": {"name": "snow", "young": 1e5, "poisson": 0.2}, "initial": {"velocity": [0, -2, 0]}}
    ).make()
    whole = sp.run(given, out=tmp_path / "whole", progress=False)
    sp.run(replace(given, duration=0.02), out=tmp_path / "part", progress=False)
    part = sp.resume(tmp_path / "part", steps=4, progress=False)
    one, two = (read_history(run.path / "history.csv") for run in (whole, part))
    for column in one.keys() - {"wall_seconds"}:
        assert np.array_equal(one[column], two[column]), column
    parts = sum(one[key] for key in ("transfer", "force", "collided", "restored"))
    assert np.abs(one["residual"] - parts).max() < 1e-12 * np.abs(one["total"]).max()
    assert one["plastic"][-1] < 0.0
    with sp.open_animation(whole.path / "animation.vtkhdf") as film:
        assert len(film.cells.of_type(1)) == 64
        assert film.energies(len(film) - 1).max() > 0.0


def test_deformation_gradients_are_recorded_on_demand(tmp_path: Path) -> None:
    asked = scene({"material": SOLID, "initial": {"stretch": [1.2, 1.0, 1.0]}}, record={"deformation": True})
    (tmp_path / "asked.toml").write_text(dump_scene(asked))
    run = sp.run(tmp_path / "asked.toml", out=tmp_path / "with", progress=False)
    with sp.open_animation(run.path / "animation.vtkhdf") as film:
        first, last = film.deformations(0), film.deformations(-1)
    assert first is not None
    assert last is not None
    assert np.allclose(first, np.diag([1.2, 1.0, 1.0]), atol=1e-6)
    assert np.abs(last - first).max() > 1e-3
    without = sp.run(scene().make(), out=tmp_path / "without", progress=False)
    with sp.open_animation(without.path / "animation.vtkhdf") as film:
        assert film.deformations(0) is None


def test_only_points_have_deformation_gradients_to_record() -> None:
    with pytest.raises(
        SceneError, match=r"record\.deformation = true requires material points, and no body has points"
    ):
        scene(
            {"points": None, "material": SOLID}, integrator={"name": "avf", "cell": None}, record={"deformation": True}
        )


def test_words_bring_their_stiffness_and_density_but_no_damping() -> None:
    model = scene({"material": "rubber"}).make().assemble()
    assert model.system.clouds[0].material.moduli[0] == pytest.approx(3.6e6)
    assert not model.system.dissipation.terms
    assert any("damping of its material is ignored" in note for note in model.notes)
