"""Constants with a number for each tet: files in scenes, arrays of Python that a run writes into files."""

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from supple.energies.solids.solid import Solid
from supple.errors import SceneError
from supple.scene.text.load import read_scene

NEO = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
MU = np.linspace(1e5, 2e5, 20)
FILE = {"file": "mu.npy"}


def scene(material: dict[str, Any], folder: Path) -> Any:
    body = {"mesh": {"shape": "bar", "cells": [4, 1, 1]}, "pin": "left", "material": material}
    return read_scene({"time": {"step": 0.01, "duration": 0.1}, "body": [body]}, folder)


@pytest.mark.parametrize(
    "material",
    [{"name": "formula", "energy": NEO, "lam": 4e5}, {"name": "neo-hookean", "lam": 4e5}],
    ids=["formula", "neo-hookean"],
)
def test_a_file_beside_the_scene(material: dict[str, Any], tmp_path: Path) -> None:
    np.save(tmp_path / "mu.npy", MU)
    setup = scene({**material, "mu": dict(FILE)}, tmp_path).make()
    [term] = [t for t in setup.assemble().system.potential.terms if isinstance(t, Solid)]
    assert np.array_equal(term.material.constants()["mu"], MU)
    text = setup.world.to_toml(setup.method, setup.h, setup.steps)
    assert read_scene(tomllib.loads(text), Path()).make().world == setup.world


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (np.ones(7), r"mu\.npy: 20 numbers are needed, one for each element; found float64 of shape \(7,\)"),
        (np.ones((20, 2)), r"found float64 of shape \(20, 2\)"),
        (np.array(["a"] * 20), r"found <U1 of shape \(20,\)"),
        (np.array([object()] * 20), r"mu\.npy: cannot be read as \.npy"),
        (np.where(np.arange(20) == 3, np.nan, 1.0), r"mu: input should be a finite number, found nan"),
        (-np.ones(20), None),
    ],
)
def test_files_that_are_no_numbers_of_tets(content: np.ndarray, message: str | None, tmp_path: Path) -> None:
    np.save(tmp_path / "mu.npy", content, allow_pickle=True)
    found = scene({"name": "formula", "energy": NEO, "lam": 4e5, "mu": dict(FILE)}, tmp_path).make()
    if message is None:
        assert "not positive definite" in found.assemble().notes[0]
        return
    with pytest.raises(SceneError, match=rf"^body\[0\]\.material.*{message}"):
        found.assemble()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"file": "none.npy"}, r"body\[0\]\.material\.mu\.file: no such file, found \"none\.npy\""),
        (
            {"fil": "mu.npy"},
            r"body\[0\]\.material\.mu: input should be a number, an expression of X, Y, Z and t, ",
        ),
        ({"file": 3}, r"body\[0\]\.material\.mu: input should be a number, .*found \{"),
    ],
)
def test_tables_that_name_no_file(value: dict[str, Any], message: str, tmp_path: Path) -> None:
    for material in ({"name": "formula", "energy": NEO, "lam": 4e5}, {"name": "neo-hookean", "lam": 4e5}):
        with pytest.raises(SceneError, match=message):
            scene({**material, "mu": dict(value)}, tmp_path)


def test_young_is_no_file(tmp_path: Path) -> None:
    np.save(tmp_path / "mu.npy", MU)
    with pytest.raises(SceneError, match=r"material\.young: input should be a number, an expression of t"):
        scene({"name": "stvk", "young": dict(FILE), "poisson": 0.3}, tmp_path)


@pytest.mark.parametrize(
    "law",
    [sp.StVK(mu=MU, lam=1e5), sp.StVK.from_young(MU, 0.3), sp.material("neo", NEO, mu=MU, lam=4e5)],
    ids=["stvk", "by moduli", "formula"],
)
def test_a_run_keeps_arrays_beside_its_folder(law: sp.Material, tmp_path: Path) -> None:
    world = sp.World([sp.Body(sp.Bar(cells=(4, 1, 1)), law, pin="left", name="bar")])
    *_, last = sp.simulate(sp.assemble(world), sp.AVF(), h=1 / 60, steps=4)
    sp.run(world, sp.AVF(), h=1 / 60, steps=2, out=tmp_path / "run", progress=False)
    assert (tmp_path / "run-meshes" / "bar.mu.npy").is_file()
    found = sp.resume(tmp_path / "run", steps=4, progress=False)
    assert np.array_equal(found.positions[-1], last.state.x.astype(np.float32))
