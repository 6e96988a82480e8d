"""Settings of the live page as a scene: the simulated scene is saved, and nothing of it is lost."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from small_bar import bar

from supple.coarsening.coarsen import coarsen
from supple.coarsening.fine_body import FineBody, isotropic
from supple.errors import SuppleError
from supple.mesh.shapes.solid import Bar
from supple.model.model import Model
from supple.model.presets.preset import preset
from supple.model.regions.made import RegionMaterial
from supple.scene.tables.scene import Scene
from supple.scene.text.load import load_scene
from supple.viewer.keeping import checked_name, save_scene
from supple.viewer.session import Session
from supple.viewer.settings import Settings, first_friction, first_poisson, material_choices, settings_of

SCENES = (
    "spring-sheet", "hanging-cloth", "rope-bridge", "corotated-bar", "layered-cube", "spring-tet", "thin-sheet", "chain",
    "two-bodies", "bead-on-wire", "block-on-slope", "damped-bar", "flag", "balloon", "three-masses",
    "four-sheets", "jelly-foam-steak",
)  # fmt: skip
"""Of every kind of material, with attachments, constraints, contact, damping and pressure among them."""


def moved(scene: Scene) -> Settings:
    """Every control somewhere else."""
    setup = scene.make()
    start = settings_of(setup)
    return replace(
        start,
        step=0.8 * start.step,
        gravity=0.5 * start.gravity + 1.0,
        stiffness=3.0,
        density=0.5,
        damping=0.25,
        poisson=0.2 if first_poisson(setup.world) is not None else None,
        friction=0.7 if first_friction(setup.world) is not None else None,
    )


def wobbled(model: Model) -> np.ndarray:
    """Positions with some strain in them."""
    x = model.state.x
    return x + 1e-3 * float(np.ptp(x, axis=0).max()) * np.sin(np.arange(x.size)).reshape(x.shape)


def elastic(model: Model, x: np.ndarray) -> float:
    return sum(float(term.element_values(x).sum()) for body in model.bodies for term in body.elastic)


@cache
def built(name: str) -> Model:
    """The model of a shipped scene as it is."""
    return load_scene(name).make().assemble()


@pytest.mark.parametrize("name", SCENES)
def test_nothing_of_a_scene_is_forgotten(name: str) -> None:
    plain, session = built(name), Session(load_scene(name))
    base, ours = plain.system, session.model.system
    assert [type(t) for t in ours.potential.terms[:-1]] == [type(t) for t in base.potential.terms]
    assert [type(t) for t in ours.dissipation.terms] == [type(t) for t in base.dissipation.terms]
    assert len(ours.constraints) == len(base.constraints)
    assert len(ours.impulses) == len(base.impulses)
    assert len(ours.projections) == len(base.projections)
    x = wobbled(plain)
    np.testing.assert_allclose(ours.potential.gradient(x), base.potential.gradient(x), rtol=1e-12, atol=1e-12)
    session.close()


@pytest.mark.parametrize("name", SCENES)
def test_a_saved_scene_is_the_system_that_was_simulated(name: str, tmp_path: Path) -> None:
    scene = load_scene(name)
    session = Session(scene, moved(scene))
    path = save_scene(session.scene, tmp_path / "kept.toml")
    again = load_scene(path).make().assemble()
    ours, theirs = session.model.system, again.system
    np.testing.assert_array_equal(ours.mass, theirs.mass)
    x, v = wobbled(again), np.cos(np.arange(again.state.x.size)).reshape(-1, 3)
    np.testing.assert_allclose(ours.potential.gradient(x), theirs.potential.gradient(x), rtol=1e-12, atol=1e-12)
    (a, b) = (s.dissipation.at(x, 0.0, v).gradient(v) for s in (ours, theirs))
    np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
    assert load_scene(path).time.step == session.settings.step
    assert load_scene(path) == session.scene
    session.close()


@pytest.mark.parametrize("name", SCENES)
def test_stiffness_multiplies_all_elastic_energy_and_density_all_masses(name: str) -> None:
    """Both at once: neither affects the factors of the other."""
    scene = load_scene(name)
    plain = built(name)
    session = Session(scene, replace(settings_of(scene.make()), stiffness=3.0, density=4.0))
    bodies = sum(body.mesh.n for body in plain.bodies)
    np.testing.assert_allclose(session.model.system.mass[:bodies], 4.0 * plain.system.mass[:bodies], rtol=1e-12)
    if name != "balloon":  # its pressure is no stiffness
        x = wobbled(plain)
        before = elastic(plain, x)
        assert before > 0.0
        assert elastic(session.model, x) == pytest.approx(3.0 * before, rel=1e-9)
    session.close()


def test_coarse_bodies_get_stiffer_and_are_found_from_anywhere(tmp_path: Path) -> None:
    mesh = Bar(cells=(4, 2, 2), size=(1.0, 0.5, 0.5)).mesh()
    n = len(mesh.tets)
    fine = FineBody(mesh.vertices, mesh.tets, isotropic(np.full(n, 1e4), 0.3), np.full(n, 1e3))
    coarsen(fine, Bar(cells=(2, 1, 1), size=(1.0, 0.5, 0.5)).mesh()).save(tmp_path / "bar.npz")
    (tmp_path / "coarse.toml").write_text(
        '[time]\nstep = 0.01\n[[body]]\nmesh = { coarse = "bar.npz" }\nmaterial = { name = "coarse" }\n'
    )
    scene = load_scene(tmp_path / "coarse.toml")
    x = wobbled(scene.make().assemble())
    session = Session(scene, replace(settings_of(scene.make()), stiffness=3.0, density=7.0))
    assert elastic(session.model, x) == pytest.approx(3.0 * elastic(scene.make().assemble(), x))
    np.testing.assert_array_equal(session.model.system.mass, scene.make().assemble().system.mass)
    path = save_scene(session.scene, tmp_path / "elsewhere" / "kept.toml")
    assert elastic(load_scene(path).make().assemble(), x) == pytest.approx(elastic(session.model, x))
    session.close()


def test_words_are_exchanged_for_words() -> None:
    scene = load_scene("jelly-foam-steak")
    setup = scene.make()
    assert {"jelly", "rubber"} <= set(material_choices(setup.world))
    assert "silk" not in material_choices(setup.world)
    session = Session(scene, replace(settings_of(setup), material="rubber", stiffness=2.0, density=3.0))
    found = [body.material for body in session.scene.make().world.bodies]
    assert found == [preset("rubber", stiffer=2.0 * k, denser=3.0) for k in (1.0, 1.0, 2.0)]
    session.close()


def test_regions_of_words_get_stiffer_and_denser() -> None:
    regions = '[{ box = [[-1, -1, -1], [0.5, 1, 1]], material = { name = "fat", stiffer = 2 } }]'
    scene = bar(**{"body[0].regions": regions})
    session = Session(scene, replace(settings_of(scene.make()), stiffness=3.0, density=5.0))
    made = session.scene.make().world.bodies[0].regions[0].material
    assert made == RegionMaterial(name="fat", stiffer=6.0, denser=5.0)
    session.close()


def test_a_saved_scene_is_short() -> None:
    from supple.scene.text.load import dump_scene, dump_short

    assert len(dump_short(bar()).splitlines()) < 0.5 * len(dump_scene(bar()).splitlines())
    assert "young = 20000.0" in dump_short(bar())


def test_settings_that_cannot_be_leave_those_before() -> None:
    session = Session(bar())
    session.step()
    settings, state = session.settings, session.state
    with pytest.raises(SuppleError):
        session.change(replace(settings, poisson=0.7))
    assert session.settings == settings
    assert session.state is state
    session.step()
    assert session.steps == 2
    session.close()


@pytest.mark.parametrize("bad", ["", "  ", "../up", "a/b", ".hidden", "c:\\x"])
def test_names_stay_in_the_folder(bad: str) -> None:
    with pytest.raises(SuppleError, match="plain name"):
        checked_name(bad)
    assert checked_name(" my setup.toml ") == "my setup"
