"""Bending whose energy is a formula of the angle: the dihedral law written as text, folds, scenes, and refusals."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from catalogue import REST, SURFACE, deformed

from builders import drift, hold, run
from supple.constraints.motion import Motion
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending
from supple.energies.membranes.membrane import Membrane
from supple.energies.samples import Samples, one_sample
from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.linalg.scatter import add_hessians
from supple.linalg.threads import threads, use_threads
from supple.materials.membranes.laws import StVKMembrane
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.thin import Cloth
from supple.model.thin import Bending
from supple.model.thin import bending as own_bending
from supple.scene.text.load import read_scene
from supple.types import Array

TWO = np.array([[0, 1, 2], [1, 0, 3]], dtype=np.int32)


def close(found: Array, wanted: Array, tolerance: float = 1e-13) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize("energy", ["k*d^2", "k*(theta - theta0)^2", "k*h^2*(d/h)^2"])
def test_the_dihedral_law_written_as_a_formula_is_the_same(energy: str) -> None:
    term, formula = DihedralBending(REST, SURFACE, 0.5), FormulaBending(REST, SURFACE, energy, {"k": 0.5})
    x0, x = deformed(1), deformed(2)
    close(formula.element_values(x), term.element_values(x))
    close(formula.element_gradients(x), term.element_gradients(x))
    close(formula.element_hessians(x), term.element_hessians(x))
    close(formula.projected_hessians(x), term.projected_hessians(x))
    close(formula.element_mean_gradients(x0, x), term.element_mean_gradients(x0, x), 1e-10)
    close(formula.resting_at(x0).element_gradients(x), term.resting_at(x0).element_gradients(x))


def folded(angle: float) -> Array:
    """Two triangles that share an edge, the second turned about it from the plane of the first."""
    return np.array([[0.0, 0, 0], [1, 0, 0], [0.5, 0.8, 0], [0.5, -0.8 * np.cos(angle), 0.8 * np.sin(angle)]])


@pytest.mark.parametrize("angle", [0.5, 2.0, 2.5, 2.8, 3.1, 3.3, 4.5])
def test_sharp_folds_are_as_smooth_as_those_of_the_dihedral_law(angle: float) -> None:
    """Beyond 3/4 pi, through pi, and to the other side."""
    flat, x = folded(0.0), folded(angle)
    term, formula = DihedralBending(flat, TWO, 0.5), FormulaBending(flat, TWO, "k*d^2", {"k": 0.5})
    for name in ("element_values", "element_gradients", "element_hessians"):
        close(getattr(formula, name)(x), getattr(term, name)(x), 1e-12)
    quartic, h = FormulaBending(flat, TWO, "k*d^4", {"k": 0.5}), 1e-4
    steps = {1: 45.0, 2: -9.0, 3: 1.0}
    change = (folded(angle + 0.5) - x) * [0, 0, 1]
    values = [c * (quartic.element_values(x + s * k * h * change)[0]) * s for k, c in steps.items() for s in (1, -1)]
    along = np.einsum("ai,ai->", quartic.element_gradients(x)[0], change[quartic.elements[0]])
    assert along == pytest.approx(sum(values) / (60 * h), abs=1e-8 * np.abs(quartic.element_gradients(x)).max())


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("project", [False, True])
def test_fused_loops_equal_the_element_arrays(count: int, project: bool) -> None:
    term = FormulaBending(REST, SURFACE, "k*(1 - cos(2*d)) + c*(d/h)^2", {"k": 0.5, "c": 0.01})
    x = np.stack([deformed(seed) * [0.7, 1.1, 0.8] for seed in range(count)])
    samples = Samples(x, np.linspace(0.5, 1.0, count), np.linspace(0.2, 0.9, count), np.linspace(0.3, 1.2, count))
    system = build_system(REST, np.ones(len(REST)), [term])
    [place] = system.potential._places
    found, wanted = np.zeros((2, *REST.shape))
    value = term.add_value_gradient(samples, place.parts, found)
    assert value == pytest.approx(EnergyTerm.add_value_gradient(term, samples, place.parts, wanted), rel=1e-13)
    close(found, wanted)
    values, expected = np.zeros((2, system.pattern.nnz))
    term.add_hessian(samples, place, values, project)
    if project:
        hessians = sum(c * term.projected_hessians(at) for at, c in zip(samples.x, samples.curvature, strict=True))
        p, rows = place.parts, (place.unknowns, place.row_length, place.slots)
        add_hessians(p.owner, p.start, p.elements, term.elements, *rows, hessians, expected)
        assert np.linalg.eigvalsh(hessians).min() >= -1e-12 * np.abs(hessians).max()
    else:
        EnergyTerm.add_hessian(term, samples, place, expected)
    close(values, expected)


def test_bits_do_not_depend_on_the_number_of_threads() -> None:
    before, found = threads(), []
    try:
        for count in (1, 2):
            use_threads(count)
            system = build_system(REST, np.ones(len(REST)), [FormulaBending(REST, SURFACE, "k*d^2", {"k": 0.5})])
            values = np.zeros(system.pattern.nnz)
            system.potential.add_hessian(one_sample(deformed()), values)
            found.append((system.potential.gradient(deformed()), values))
    finally:
        use_threads(before)
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


def sheet(free: bool) -> tuple[System, State]:
    """A stiff sheet that flutters, with a bending energy of fourth degree."""
    mesh = Cloth(cells=(4, 4)).mesh()
    X, mass = mesh.vertices, lumped_mass(mesh, mass=0.2)
    terms = [
        Membrane(X, mesh.triangles, StVKMembrane(1e4), 1e-3),
        FormulaBending(X, mesh.triangles, "k*d^2 + c*d^4", {"k": 5e-3, "c": 2e-2}),
    ]
    motion = None if free else Motion((hold(mesh.group("left"), X),))
    system = build_system(X, mass, terms, motion)
    v = np.zeros_like(X)
    v[:, 1] = 2.0 * np.sin(3 * X[:, 0]) + X[:, 2]
    return system, State(0.0, X.copy(), v if free else system.motion.drive(v, 0.0))


def test_avf_keeps_the_energy() -> None:
    frames = run(sheet(free=False), AVF(), 1 / 60, 30)
    assert drift(frames) <= 1e-9
    assert np.ptp([f.ledger.energies.elastic for f in frames]) > 1e-3


def test_simo_tarnow_keeps_energy_and_angular_momentum() -> None:
    system, state = sheet(free=True)
    frames = run((system, state), SimoTarnow(), 1 / 60, 20)
    assert drift(frames) <= 1e-11
    L = [np.cross(f.state.x, system.mass[:, None] * f.state.v).sum(axis=0) for f in frames]
    assert np.abs(L - L[0]).max() <= 1e-11 * np.abs(L[0]).max()


@pytest.mark.parametrize(
    ("energy", "words"),
    [
        ("k*d^2 + k", "at rest the energy of a hinge should be zero, found 0.5 N m; subtract it"),
        ("k*cos(theta)^2*d + k*d^2", "at rest the torque of a hinge should be zero, found .* N m; add a term"),
        ("k*log(d)", "not defined at rest"),
    ],
)
def test_hinges_that_are_not_at_rest_are_refused(energy: str, words: str) -> None:
    with pytest.raises(SuppleError, match=words):
        FormulaBending(REST, SURFACE, energy, {"k": 0.5})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"model": "formula"}, "energy and model = .formula. go together"),
        ({"energy": "d^2"}, "energy and model = .formula. go together"),
        ({"model": "formula", "energy": "d^2", "rigidity": 1.0}, "rigidity: a user-defined energy"),
        ({"model": "formula", "energy": "d^3 + d^2"}, "energy: it changes with the signs of d and theta0"),
        (
            {"model": "formula", "energy": "-log(1 - 1e4*(d^2 + d^3))"},
            "energy: it changes with the signs of d and theta0",
        ),
        ({"model": "formula", "energy": "k*d^2"}, "energy: unknown name 'k'"),
        ({"model": "dihedral", "values": (("rigidty", 1.0),)}, "unknown key 'rigidty'; did you mean 'rigidity'"),
    ],
)
def test_tables_that_make_no_sense_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SuppleError, match=words):
        Bending(**options)


def test_a_scene_has_bending_of_its_own(tmp_path: Path) -> None:
    body = {
        "mesh": {"shape": "cloth", "cells": [3, 3]},
        "material": {"name": "stvk-membrane", "young": 1e4},
        "thickness": 1e-3,
        "bending": {"model": "formula", "energy": "k*d^2 + c*d^4", "k": 1e-3, "c": 2},
    }
    data = {"time": {"step": 0.01, "duration": 0.1}, "body": [body]}
    setup = read_scene(data, tmp_path).make()
    bending = setup.world.bodies[0].bending
    assert bending == own_bending("k*d^2 + c*d^4", k=1e-3, c=2.0)
    assert [type(term).__name__ for term in setup.assemble().system.potential.terms][:2] == [
        "Membrane",
        "FormulaBending",
    ]
    assert bending.scaled(2.0).energy == "2.0 * (k*d^2 + c*d^4)"
    assert "c = 2.0" in setup.world.to_toml()
    body["bending"] = {"model": "formula", "energy": "k*d^2", "k": "soft"}
    with pytest.raises(SceneError, match=r"body\[0\]\.bending\.k: input should be a valid number"):
        read_scene(data, tmp_path)
