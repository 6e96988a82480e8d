"""Fits find the parameters of their targets, keep the best, and report their certainty."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from fits.fit_bars import BAR, DAMPED, DENSITY, SHEAR, YOUNG, motion, write
from supple.errors import SuppleError


def test_two_unknowns_are_found_exactly(tmp_path: Path) -> None:
    """The same method at the same step made the target: nothing is left."""
    scene = write(tmp_path, DAMPED)
    target = motion(scene, [f"{YOUNG}=2.6e5", f"{SHEAR}=120"])
    result = sp.Fit(scene, [f"{YOUNG}:log", f"{SHEAR}:log:1,1e4"], sp.follow("right", target)).solve()
    assert result.values[YOUNG] == pytest.approx(2.6e5, rel=1e-5)
    assert result.values[SHEAR] == pytest.approx(120.0, rel=1e-3)
    assert result.rms is not None
    assert result.rms < 1e-6
    assert result.solver.startswith("Gauss-Newton")
    assert not result.interrupted


def test_adjoints_find_the_same(tmp_path: Path) -> None:
    """A loss that is no sum of squares goes to L-BFGS-B."""
    scene = write(tmp_path)
    _, x = motion(scene, [f"{YOUNG}=2.6e5"])

    def own(index: int, state: sp.State) -> sp.Share:
        d = state.x - x[index]
        return sp.Share(float((d * d).sum()), 2.0 * d)

    result = sp.Fit(scene, [f"{YOUNG}:log"], own).solve(30)
    assert result.solver.startswith("L-BFGS-B")
    assert result.values[YOUNG] == pytest.approx(2.6e5, rel=1e-3)
    assert result.rms is None


def test_what_data_cannot_identify_is_said(tmp_path: Path) -> None:
    """A motion under gravity determines only stiffness over density."""
    scene = write(tmp_path)
    target = motion(scene, [f"{YOUNG}=2.4e5"])
    result = sp.Fit(scene, [f"{YOUNG}:log", f"{DENSITY}:log"], sp.follow("right", target)).solve(8)
    assert any("determine only combinations of them" in note for note in result.notes)
    assert result.values[YOUNG] / result.values[DENSITY] == pytest.approx(240.0, rel=1e-4)
    idle = sp.Fit(scene, [f"{YOUNG}:log", "body[0].mesh.origin[2]"], sp.hit("right", (0.6, 0.0, 0.1))).solve(2)
    assert [row.key for row in idle.table] == [YOUNG, "body[0].mesh.origin[2]"]


def test_bounds_hold_and_are_said(tmp_path: Path) -> None:
    scene = write(tmp_path)
    target = motion(scene, [f"{YOUNG}=2.6e5"])
    result = sp.Fit(scene, [f"{YOUNG}:log:1e5,2.2e5"], sp.follow("right", target)).solve(8)
    assert result.values[YOUNG] == pytest.approx(2.2e5)
    assert any("ends at its bound" in note for note in result.notes)


def test_an_interrupt_keeps_the_best(tmp_path: Path) -> None:
    scene = write(tmp_path)
    fit = sp.Fit(scene, [f"{YOUNG}:log"], sp.follow("right", motion(scene, [f"{YOUNG}=2.6e5"])))

    def stop(report: object) -> None:
        if getattr(report, "step", 0) == 1:
            raise KeyboardInterrupt

    result = fit.solve(told=stop)
    assert result.interrupted
    assert result.loss < result.start_loss or result.values[YOUNG] != 2e5
    assert any("interrupted" in note for note in result.notes)


def test_a_run_that_fails_is_a_step_too_far(tmp_path: Path) -> None:
    """Values that the scene refuses do not end a fit."""
    scene = write(tmp_path)
    target = motion(scene, ["body[0].material.poisson=0.495"])
    result = sp.Fit(scene, ["body[0].material.poisson"], sp.follow("all", target)).solve(12)
    assert result.values["body[0].material.poisson"] == pytest.approx(0.495, abs=2e-3)


def test_a_function_makes_the_scene() -> None:
    bar = sp.Bar(cells=(3, 1, 1), size=(0.6, 0.1, 0.1)).mesh()

    def made(values: dict[str, float]) -> sp.Setup:
        mesh = replace(bar, vertices=bar.vertices * [1.0, 1.0 + values["thicker"], 1.0])
        body = sp.Body(mesh, sp.StVK.from_young(2e5, 0.3), density=1000.0, pin="left")
        return sp.Setup(sp.World([body], gravity=9.81), sp.AVF(), 1 / 60, 10, 10 / 60, sp.SolverOptions())

    setup = made({"thicker": 0.1})
    *_, last = sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=setup.steps)
    result = sp.Fit(made, [sp.Unknown("thicker", start=0.0)], sp.pose(last.state.x)).solve()
    assert result.values["thicker"] == pytest.approx(0.1, rel=1e-4)
    assert result.scene is None
    with pytest.raises(SuppleError, match="give a Setup"):
        sp.Fit(setup.world, ["thicker"], sp.pose(last.state.x))  # type: ignore[arg-type]
    with pytest.raises(SuppleError, match="give start"):
        sp.Fit(made, ["thicker"], sp.pose(last.state.x))


def test_the_folder_of_a_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("supple.fits.results.folder.SIZE", (160, 96))
    scene = write(tmp_path)
    run = sp.run(scene, out=tmp_path / "target", progress=False)
    result = sp.Fit(scene, [f"{YOUNG}:log"], sp.follow("right", run.path), settings=[f"{YOUNG}=1.8e5"]).solve(6)
    folder = result.save(tmp_path / "fit", film=True)
    names = {file.name for file in folder.iterdir()}
    assert names == {"scene.toml", "table.csv", "fit.json", "curves.png", "run", "film.gif"}
    assert sp.open_run(folder / "run").status.value == "finished"
    again = sp.load(folder / "scene.toml")
    assert again.world.bodies[0].material.moduli[0] == pytest.approx(2e5, rel=1e-4)  # type: ignore[union-attr]
    assert (folder / "table.csv").read_text().startswith("key,start,value,standard_error,corrected\n")
    with pytest.raises(SuppleError, match="already contains a fit"):
        result.save(folder)
    result.save(folder, overwrite=True, run=False)
    assert len(result.plot().axes) >= 2


def test_sections_with_a_prior_are_alike(tmp_path: Path) -> None:
    regions = "".join(f"{{ young = {young}, poisson = 0.3 }}, " for young in (2e5, 2e5, 2e5))
    text = BAR + f'[[body.regions]]\n[body.regions.layers]\naxis = "x"\ncount = 3\nmaterials = [{regions}]\n'
    scene = write(tmp_path, text)
    keys = [f"body[0].regions[0].layers.materials[{k}].young" for k in range(3)]
    target = motion(scene, [f"{keys[1]}=1e5"])
    spreads = []
    for weight in (1e-9, 1.0):
        loss = sp.follow("all", target) + weight * sp.roughness(*keys)
        found = np.array(
            list(sp.Fit(scene, [f"{key}:log" for key in keys], loss).solve(5, horizons=(1.0,)).values.values())
        )
        spreads.append(float(np.ptp(np.log(found))))
    assert spreads[0] == pytest.approx(np.log(2.0), abs=0.05)
    assert spreads[1] < 0.02
