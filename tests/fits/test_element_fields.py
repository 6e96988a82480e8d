"""Unknowns with a value for each element."""

from pathlib import Path

import numpy as np
import pytest

import supple as sp
from fits.fit_bars import YOUNG, motion, write
from supple.errors import SuppleError
from supple.fits.fields import pairs

RNG = np.random.default_rng(3)
TETS = 15


@pytest.mark.parametrize("key", ["young", "poisson"])
@pytest.mark.parametrize("law", ["stvk", "stable-neo-hookean", "neo-hookean", "corotated"])
def test_gradients_by_elements(tmp_path: Path, law: str, key: str) -> None:
    scene, name = write(tmp_path), f"body[0].material.{key}"
    loss = sp.follow("all", motion(scene, [f"{YOUNG}=2.4e5"])) + 1e-6 * sp.roughness(name)
    fit = sp.Fit(scene, [sp.Unknown(name, "log", each=True)], loss, settings=[f"body[0].material.name={law}"])
    values = (2e5 if key == "young" else 0.3) * np.exp(0.1 * RNG.normal(size=TETS))
    direction, e = RNG.normal(size=TETS), 1e-4
    _, gradient = fit.value_and_gradient({name: values})
    sides = [fit.value_and_gradient({name: values * (1.0 + sign * e * direction)})[0] for sign in (1, -1)]
    assert gradient[name] @ (values * direction) == pytest.approx((sides[0] - sides[1]) / (2 * e), rel=2e-6)


def test_elements_together_are_the_number(tmp_path: Path) -> None:
    scene = write(tmp_path)
    loss = sp.follow("all", motion(scene, [f"{YOUNG}=2.4e5"]))
    value, whole = sp.Fit(scene, [YOUNG], loss).value_and_gradient()
    same, each = sp.Fit(scene, [f"{YOUNG}:each"], loss).value_and_gradient()
    assert same == pytest.approx(value)
    assert np.sum(each[YOUNG]) == pytest.approx(whole[YOUNG], rel=1e-8)


def test_a_soft_element_is_found_and_its_scene_runs(tmp_path: Path) -> None:
    scene = write(tmp_path)
    soft = np.full(TETS, 2e5)
    soft[5:10] = 1e5
    setup = sp.load(scene)
    law = setup.world.bodies[0].material.with_moduli(soft, 0.3)  # type: ignore[union-attr]
    body = sp.Body(setup.world.bodies[0].mesh, law, density=1000.0, pin="left", initial=setup.world.bodies[0].initial)
    frames = list(sp.simulate(sp.assemble(sp.World([body], gravity=9.81)), setup.method, h=setup.h, steps=setup.steps))
    target = np.array([f.state.t for f in frames]), np.array([f.state.x for f in frames])
    loss = sp.follow("all", target) + 1e-9 * sp.roughness(YOUNG)
    result = sp.Fit(scene, [sp.Unknown(YOUNG, "log", (1e4, 1e7), each=True)], loss).solve(20, horizons=(1.0,))
    found = result.fields[YOUNG]
    assert np.median(found[5:10]) == pytest.approx(1e5, rel=0.15)
    assert np.median(np.delete(found, range(5, 10))) == pytest.approx(2e5, rel=0.15)
    folder = result.save(tmp_path / "fit")
    assert (folder / "body-0-mu.npy").is_file()
    assert sp.open_run(folder / "run").status.value == "finished"


def test_neighbours_share_a_face() -> None:
    mesh = sp.Bar(cells=(2, 1, 1), size=(2.0, 1.0, 1.0)).mesh()
    found = pairs(mesh)
    assert len(found) == 4 * 2 + 2  # the middle tet of each cell has four, and the cells share two triangles
    for a, b in found:
        assert len(set(mesh.tets[a]) & set(mesh.tets[b])) == 3


@pytest.mark.parametrize("key", ["body[0].density", "world.gravity"])
def test_other_keys_have_no_elements(tmp_path: Path, key: str) -> None:
    with pytest.raises(SuppleError, match="no value per element"):
        sp.Fit(write(tmp_path), [f"{key}:each"], sp.hit("right", (0, 0, 0)))
