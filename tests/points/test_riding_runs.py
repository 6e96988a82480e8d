"""Runs of meshes that ride on the grid beside clouds: recording, resuming, files of other programs, the live page."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from riding_scenes import FLOOR, SHEET, scene

import supple as sp
from supple.export.export import Choice, export, find_format
from supple.recording.film import open_film
from supple.recording.folder import RunFolder
from supple.recording.history import read_history
from supple.recording.scenery import scenery_of
from supple.scene.text.load import load_scene
from supple.viewer.page.patches import model_patches
from supple.viewer.page.surface import mesh_surface
from supple.viewer.session import Session

FORMATS = ("usd", "pvd", "vtkhdf", "glb", "obj", "npz")
SOFT = {"shape": "half-space", "law": "quadratic"}


def closes(history: dict[str, np.ndarray]) -> bool:
    parts = sum(history[key] for key in ("transfer", "force", "collided", "restored"))
    return bool(np.abs(history["residual"] - parts).max() < 1e-12 * np.abs(history["total"]).max())


STEPS = {
    "explicit": {},
    "avf with the budget": {"integrator": {"of": {"name": "avf"}, "budget": True}, "obstacle": SOFT},
    "sheet": {"jelly": SHEET},
}


@pytest.mark.parametrize("tables", STEPS.values(), ids=STEPS)
def test_a_resumed_run_has_the_same_bits_and_its_ledger_closes(tmp_path: Path, tables: dict) -> None:
    given = scene(**tables).make()
    whole = sp.run(given, out=tmp_path / "whole", progress=False)
    sp.run(replace(given, duration=0.02), out=tmp_path / "part", progress=False)
    part = sp.resume(tmp_path / "part", steps=4, progress=False)
    one, two = (read_history(run.path / "history.csv") for run in (whole, part))
    for column in one.keys() - {"wall_seconds"}:
        assert np.array_equal(one[column], two[column]), column
    assert closes(one)
    if "integrator" in tables:
        assert np.abs(one["total"] - one["total"][0]).max() < 1e-12 * one["total"][0]


def test_the_animation_has_the_mesh_beside_the_points(tmp_path: Path) -> None:
    run = sp.run(scene().make(), out=tmp_path / "run", progress=False)
    with open_film(RunFolder.open(run.path)) as film:
        water, jelly, *_ = film.parts
        assert water.cloud
        assert len(jelly.faces) > 0
        assert len(film.tets) == len(film.cells.of_type(4)) > 0
        energy = film.frame(len(film) - 1).energy
        assert energy[slice(*water.span)].max() > 0.0
        assert energy[slice(*jelly.span)].max() > 0.0


def test_exports_have_a_mesh_and_a_cloud(tmp_path: Path) -> None:
    from pxr import Usd

    run = sp.run(scene().make(), out=tmp_path / "run", progress=False)
    with open_film(RunFolder.open(run.path)) as film:
        made = {to: export(film, find_format(to), tmp_path / to, Choice(), False).paths[0] for to in FORMATS}
    stage = Usd.Stage.Open(str(made["usd"]))
    assert [stage.GetPrimAtPath(f"/run/{name}").GetTypeName() for name in ("water", "jelly")] == ["Points", "Mesh"]
    with np.load(made["npz"]) as found:
        assert len(found["jelly.tets"]) == 40
        assert found["water.positions"].shape == (5, 32, 3)
    with sp.open_animation(made["vtkhdf"]) as film:
        assert (len(film.cells.of_type(4)), len(film.cells.of_type(1))) == (40, 32)
    for to, names in (("obj", (b"o water", b"o jelly")), ("glb", (b'"water_0001"', b'"jelly"'))):
        path = made[to] if made[to].is_file() else min(made[to].glob("*.obj"))
        assert all(name in path.read_bytes() for name in names)
    assert made["pvd"].is_file()


def test_the_live_page_has_a_patch_of_each_kind_and_pulls_the_mesh() -> None:
    given = scene()
    session = Session(given)
    model, scenery = session.model, scenery_of(given.model_dump(exclude_none=True))
    water, jelly = model_patches(model, scenery, mesh_surface(model.mesh))[:2]
    assert len(water.lone) == 32
    assert len(jelly.faces) == 48
    vertex = model.body("jelly").first
    target = session.state.x[vertex] + np.array([0.0, 0.3, 0.0])
    session.hold(vertex, target)
    for _ in range(10):
        session.step()
    assert abs(session.state.x[vertex] - target).max() < 0.2
    assert session.ledger.external_work > 0.0
    assert session.energy_density()[model.system.riders].max() > 0.0


def test_springs_hold_a_mesh_and_tie_it_to_points() -> None:
    """Pulled towards a cloud by springs, and held by others: momenta of the springs stay, and the ledger closes."""
    tied = [{"vertices": "jelly.bottom", "to": "water", "stiffness": 50.0}]
    held = [{"name": "soft-pin", "vertices": "jelly.top", "stiffness": 2000.0}]
    still = {"initial": {}}
    for integrator in ({}, {"of": {"name": "avf"}}):
        obstacle = SOFT if integrator else FLOOR
        made = scene(still, None, obstacle, integrator, attachment=tied, energy=held).make()
        model = made.assemble()
        *_, last = sp.simulate(model, made.method, h=0.01, steps=5)
        top = model.mesh.groups["jelly.top"]
        assert np.abs(last.state.x - model.state.x)[top].max() < 0.02
        ledger = last.ledger
        parts = ledger.grid.transfer + ledger.grid.force + ledger.grid.collided
        assert abs(ledger.residual - parts) < 1e-12 * ledger.energies.scale


SHIPPED = {
    "jelly-into-water": ["time.duration=0.1"],
    "sand-on-a-sheet": [
        "time.duration=0.12",
        "body.0.mesh.cells=[16, 16]",
        "body.1.mesh.origin=[-0.075, 0.32, -0.075]",
    ],
}
"""Settings with which bodies meet in this time."""


@pytest.mark.parametrize("name", SHIPPED)
def test_the_ledger_of_the_shipped_scenes_closes(tmp_path: Path, name: str) -> None:
    run = sp.run(load_scene(name, SHIPPED[name]).make(), out=tmp_path / "run", progress=False)
    history = read_history(run.path / "history.csv")
    assert closes(history)
    assert history["elastic"].max() > 0.1
