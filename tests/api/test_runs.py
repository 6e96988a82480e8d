"""Runs from Python: recorded, resumed, opened, and shown in a notebook."""

from pathlib import Path

import numpy as np
import pytest

import supple as sp

SMALL = {"size": (160, 120), "renderer": "plain"}


@pytest.fixture(scope="module")
def world() -> sp.World:
    bar = sp.Body(sp.Bar(cells=(3, 1, 1), size=(0.6, 0.2, 0.2)), sp.StVK.from_young(1e5, 0.3), name="bar", pin="left")
    return sp.World([bar])


@pytest.fixture(scope="module")
def run(world: sp.World, tmp_path_factory: pytest.TempPathFactory) -> sp.Run:
    return sp.run(world, sp.AVF(), h=0.01, steps=4, out=tmp_path_factory.mktemp("runs") / "bar", progress=False)


def test_arrays(run: sp.Run, world: sp.World) -> None:
    assert run.positions.shape == (5, 16, 3)
    assert run.velocities.shape == (5, 16, 3)
    np.testing.assert_allclose(run.times, 0.01 * np.arange(5))
    assert np.abs(run.history["residual"]).max() < 1e-13
    assert run.summary["steps"] == 4
    assert run.setup.world == world
    assert "finished" in repr(run)
    assert run.verdicts == []


def test_resume_and_open(run: sp.Run, world: sp.World, tmp_path: Path) -> None:
    longer = sp.run(world, sp.AVF(), h=0.01, steps=2, out=tmp_path / "a", progress=False)
    longer = sp.resume(longer.path, steps=4, progress=False)
    np.testing.assert_array_equal(longer.positions, run.positions)
    assert sp.open_run(tmp_path / "a").status is longer.status
    with pytest.raises(sp.SuppleError, match="overwrite"):
        sp.run(world, sp.AVF(), h=0.01, steps=2, out=tmp_path / "a", progress=False)


def test_scenes_by_name_and_setups(tmp_path: Path) -> None:
    by_name = sp.run("cantilever", steps=2, out=tmp_path / "one", progress=False)
    by_setup = sp.run(sp.load("cantilever"), steps=2, out=tmp_path / "two", progress=False)
    other = sp.run("cantilever", sp.BackwardEuler(), h=0.02, steps=2, out=tmp_path / "three", progress=False)
    np.testing.assert_array_equal(by_name.positions, by_setup.positions)
    assert other.setup.method == sp.BackwardEuler()
    assert other.history["h"][-1] == 0.02


def test_a_mesh_in_memory_is_kept_beside_the_run(run: sp.Run, tmp_path: Path) -> None:
    mesh = sp.Bar(cells=(3, 1, 1), size=(0.6, 0.2, 0.2)).mesh()
    bar = sp.Body(mesh, sp.StVK.from_young(1e5, 0.3), name="bar", pin="left")
    made = sp.run(sp.World([bar]), sp.AVF(), h=0.01, steps=4, out=tmp_path / "made", progress=False)
    np.testing.assert_array_equal(made.positions, run.positions)
    assert (tmp_path / "made-meshes" / "bar.vtk").is_file()
    assert sp.resume(made.path, steps=5, progress=False).summary["steps"] == 5


def test_it_shows_itself(run: sp.Run) -> None:
    picture = run.picture(**SMALL)
    assert picture._repr_png_().startswith(b"\x89PNG")
    film = run.film(fps=10.0, **SMALL)
    assert film.gif.startswith(b"GIF8")
    assert "data:image/gif" in film._repr_html_()
    figure = run.plot_energy()
    assert len(figure.axes) == 2
    page = run._repr_html_()
    assert page.count("data:image/png") == 2
    assert "residual" in page
    assert isinstance(run.show(**SMALL), type(film))


def test_models_show_themselves_and_have_matrices(world: sp.World) -> None:
    model = sp.assemble(world)
    assert "bar" in model._repr_html_()
    K, M = model.stiffness(), model.mass_matrix()
    assert K.shape == M.shape == (48, 48)
    assert abs(K - K.T).max() == 0.0
    x = model.state.x + 1e-3 * np.random.default_rng(0).standard_normal(model.state.x.shape)
    y = np.zeros_like(x)
    y[model.system.free] = 1e-6 * np.random.default_rng(1).standard_normal((len(model.system.free), 3))
    change = model.system.potential.gradient(x + y) - model.system.potential.gradient(x - y)
    np.testing.assert_allclose(
        2.0 * (model.stiffness(x) @ y.ravel()).reshape(-1, 3)[model.system.free],
        change[model.system.free],
        atol=1e-6 * np.abs(change).max(),
    )
    assert model.energies().total == pytest.approx(model.energies(model.state).gravity)
    assert set(model.ingredients.elastic) <= set(model.system.potential.terms)


def test_a_progress_bar_can_be_had(world: sp.World, capsys: pytest.CaptureFixture[str]) -> None:
    model = sp.assemble(world)
    quiet = list(sp.simulate(model, sp.AVF(), h=0.01, steps=2))
    assert capsys.readouterr().out == ""
    shown = list(sp.simulate(model, sp.AVF(), h=0.01, steps=2, progress=True))
    assert "2/2" in capsys.readouterr().out
    np.testing.assert_array_equal(quiet[-1].state.x, shown[-1].state.x)
