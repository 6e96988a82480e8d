"""`material = { name = "formula", ... }` through every door: scene, override, schema, text, live page, regions, coarsening."""

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import supple as sp
from schemas import scene_schema
from supple.energies.solids.solid import Solid
from supple.errors import SceneError, SuppleError
from supple.mesh.regions import centres
from supple.model.contacts.pressing import pressing
from supple.model.fine_body import fine_body
from supple.model.model import Model
from supple.model.plain import NoText
from supple.scene.tables.scene import Scene
from supple.scene.text.load import read_scene
from supple.scene.text.override import apply
from supple.viewer.changed import as_scene, changed
from supple.viewer.settings import material_choices, settings_of

NEO = "mu/2*(I1 - 3) - mu*log(J) + lam/2*log(J)^2"
FIBROUS = f"{NEO} + k/8*(I4 - 1)^2"
FORMULA = {"name": "formula", "energy": NEO, "mu": 1e5, "lam": 4e5}
BAR = {"mesh": {"shape": "bar", "cells": [4, 1, 1], "size": [4, 0.5, 0.5]}, "pin": "left"}


def data(material: dict[str, Any], **body: Any) -> dict[str, Any]:
    return {"time": {"step": "1/60", "duration": 0.1}, "body": [{**BAR, "material": material, **body}]}


def scene(material: dict[str, Any], **body: Any) -> Scene:
    return read_scene(data(material, **body), Path())


def built(material: dict[str, Any], **body: Any) -> Model:
    return scene(material, **body).make().assemble()


def solid(model: Model) -> Solid:
    [term] = [t for t in model.system.potential.terms if isinstance(t, Solid)]
    return term


def test_a_formula_moves_as_the_material_that_it_describes() -> None:
    ends = []
    for material in (FORMULA, {"name": "neo-hookean", "mu": 1e5, "lam": 4e5}):
        *_, last = sp.simulate(built(material), sp.AVF(), h=1 / 60, steps=6)
        ends.append(last.state.x)
    assert np.array_equal(*ends)


@pytest.mark.parametrize(
    "material",
    [
        FORMULA,
        {**FORMULA, "mu": "1e5*(1 + 4*Z)", "title": "harder above"},
        {**FORMULA, "energy": FIBROUS, "k": 1e5, "fibre": [1, "X", 0.5]},
        {"name": "neo-hookean", "mu": "1e5*(1 + Z)", "lam": 1e5},
        {"name": "stvk", "young": "1e5*(1 + Z)", "poisson": 0.3},
        {"name": "transversely-isotropic", "young": 1e5, "poisson": 0.3, "along": "1e5*X", "fibre": ["Y", 1, 0]},
        {"name": "holzapfel-gasser-ogden", "mu": 1e4, "bulk": 1e5, "k1": 1e4, "fibre2": [1, 1, 0]},
    ],
    ids=lambda material: str(list(material)),
)
def test_text_is_read_back_as_the_same_world_with_the_same_bits(material: dict[str, Any]) -> None:
    setup = scene(material).make()
    text = setup.world.to_toml(setup.method, setup.h, setup.steps)
    again = read_scene(tomllib.loads(text), Path()).make()
    assert again.world == setup.world
    assert again.world.to_toml(again.method, again.h, again.steps) == text
    assert np.array_equal(solid(again.assemble()).parameters, solid(setup.assemble()).parameters)


def test_a_material_of_python_has_the_same_text() -> None:
    gent = sp.material("gent", "-mu/2*Jm*log(1 - (I1 - 3)/Jm) - mu*log(J)", mu="1e5*(1 + X)", Jm=30.0)
    text = sp.World([sp.Body(sp.Bar(), gent)]).to_toml()
    table = tomllib.loads(text)["body"][0]["material"]
    assert table == {"name": "formula", "energy": gent.energy, "mu": "1e5*(1 + X)", "Jm": 30.0, "title": "gent"}
    varied = sp.material("gent", "mu*(I1 - 3)^2", mu=np.ones(3))
    with pytest.raises(NoText, match=r"body\[0\]\.material\.mu: values per tet have no text form; give an expression"):
        sp.World([sp.Body(sp.Bar(), varied)]).to_toml()


def test_constants_are_those_at_the_centres_of_tets() -> None:
    model = built({**FORMULA, "mu": "1e5*(1 + 4*z)", "lam": "where(X < 2, 1e5, 2e5)"})
    points = centres(model.mesh)
    wanted = np.stack([1e5 * (1 + 4 * points[:, 2]), np.where(points[:, 0] < 2, 1e5, 2e5)], axis=1)
    np.testing.assert_allclose(solid(model).parameters, wanted, rtol=1e-15)


def test_expressions_are_those_of_the_body_at_rest() -> None:
    """A body that starts elsewhere has the constants of its rest positions, as groups have."""
    here, there = (built({**FORMULA, "mu": "1e5*(1 + X)"}, initial={"translate": [t, 0, 0]}) for t in (0.0, 50.0))
    assert np.array_equal(solid(here).parameters, solid(there).parameters)


def test_fibres_of_the_place() -> None:
    parameters = solid(built({**FORMULA, "energy": FIBROUS, "k": 1e5, "fibre": ["-Y", "X + 1", 0]})).parameters
    np.testing.assert_allclose(np.linalg.norm(parameters[:, 3:], axis=1), 1.0, rtol=1e-15)
    assert (parameters[:, 3] < 0).all()
    assert (parameters[:, 4] > 0).all()


def test_overrides() -> None:
    changed_scene = read_scene(apply(data(FORMULA), ["body[0].material.mu=2e5"]), Path())
    assert solid(changed_scene.make().assemble()).parameters[0].tolist() == [2e5, 4e5]
    by_place = read_scene(apply(data(FORMULA), ["body[0].material.mu=1e5*(1 + X)"]), Path())
    assert len(np.unique(solid(by_place.make().assemble()).parameters[:, 0])) > 3
    known = data({"name": "stvk", "young": 1e5, "poisson": 0.3})
    words = ["body[0].material.name=formula", "body[0].material.energy=c*(I1 - 3)^2", "body[0].material.c=3.5"]
    assert apply(known, words)["body"][0]["material"] == {"name": "formula", "energy": "c*(I1 - 3)^2", "c": 3.5}
    read_scene(apply(known, words), Path())


def test_the_schema_allows_further_keys_of_formulas_only() -> None:
    tables = scene_schema()["$defs"]
    constants = tables["Formula"]["additionalProperties"]["anyOf"]
    assert [kind.get("type") or kind["$ref"] for kind in constants] == [
        "number",
        "string",
        "#/$defs/CurveTable",
        "#/$defs/NumbersTable",
    ]
    assert {"name", "energy", "fibre", "fibre2", "title"} <= set(tables["Formula"]["properties"])
    assert "values" not in tables["Formula"]["properties"]
    assert tables["NeoHookean"]["additionalProperties"] is False
    mu = tables["NeoHookean"]["properties"]["mu"]["anyOf"]
    assert {"type": "string"} in mu
    assert any(kind.get("exclusiveMinimum") == 0 for kind in mu)


def test_the_live_page_makes_it_stiffer_and_saves_it() -> None:
    first = scene({**FORMULA, "mu": "1e5*(1 + X)"})
    setup = first.make()
    assert material_choices(setup.world) == ()
    model = setup.assemble()
    other = changed(setup, [p.mesh for p in model.placed], replace(settings_of(setup), stiffness=3.0))
    x = model.state.x + 0.01 * np.sin(np.arange(model.state.x.size)).reshape(-1, 3)
    before, after, saved = (
        solid(m).element_values(x).sum() for m in (model, other.assemble(), as_scene(first, other).make().assemble())
    )
    assert after == pytest.approx(3.0 * before, rel=1e-13)
    assert saved == after


def test_the_live_page_changes_materials_with_moduli_of_the_place() -> None:
    setup = scene({"name": "stvk", "young": "1e5*(1 + X)", "poisson": 0.3}).make()
    settings = replace(settings_of(setup), material="neo-hookean", stiffness=2.0)
    made = changed(setup, [p.mesh for p in setup.assemble().placed], settings).assemble()
    law = made.placed[0].material
    assert law.name == "neo-hookean"
    np.testing.assert_allclose(law.moduli[0], 2e5 * (1 + centres(made.mesh)[:, 0]))


def test_regions_have_densities_and_holes_whatever_the_law() -> None:
    plane = {"plane": {"point": [2, 0, 0], "normal": [1, 0, 0]}}
    light, heavy = built(FORMULA), built(FORMULA, regions=[{**plane, "material": {"density": 3000.0}}])
    assert heavy.system.mass.sum() == pytest.approx(2.0 * light.system.mass.sum())
    assert (
        len(solid(built(FORMULA, regions=[{**plane, "material": "none"}])).elements) == len(solid(light).elements) // 2
    )
    with pytest.raises(
        SceneError,
        match=r"'formula' of a body whose regions have moduli is given by young and poisson; .*where\(Z < 0\.1",
    ):
        built(FORMULA, regions=[{**plane, "material": {"young": 3000.0}}])


def test_regions_win_over_moduli_of_the_place() -> None:
    plane = {"plane": {"point": [2, 0, 0], "normal": [1, 0, 0]}, "material": {"young": 7e5}}
    model = built({"name": "stvk", "young": "1e5*(1 + X)", "poisson": 0.3}, regions=[plane])
    X = centres(model.mesh)[:, 0]
    np.testing.assert_allclose(solid(model).parameters[:, 0] * 2.6, np.where(X > 2, 7e5, 1e5 * (1 + X)))


def test_coarsening_starts_from_the_stiffness_at_rest() -> None:
    formula, known = (fine_body(scene(m).make().world) for m in (
        {**FORMULA, "mu": "1e5*(1 + X)"}, {"name": "neo-hookean", "mu": "1e5*(1 + X)", "lam": 4e5}))  # fmt: skip
    np.testing.assert_allclose(formula.stiffness, known.stiffness, rtol=1e-14)
    by_moduli, direct = (
        fine_body(scene(m).make().world) for m in (
            {"name": "corotational", "young": 2.8e5, "poisson": 0.4}, FORMULA)
    )  # fmt: skip
    np.testing.assert_allclose(direct.stiffness, by_moduli.stiffness, rtol=1e-13, atol=1e-6)
    fibrous = fine_body(scene({**FORMULA, "energy": FIBROUS, "k": 7e5, "fibre": [1, 0, 0]}).make().world)
    assert (fibrous.stiffness - direct.stiffness)[0, 0, 0] == pytest.approx(7e5)


def test_contact_is_made_for_the_stiffness_of_the_formula() -> None:
    def young(material: dict[str, Any]) -> float:
        tables = {**data(material), "obstacle": [{"shape": "half-space", "point": [0, -1, 0]}]}
        placed = read_scene(tables, Path()).make().assemble().placed[0]
        return pressing(placed, placed.v, 1.0).young

    assert young(FORMULA) == pytest.approx(2.8e5)
    assert young({**FORMULA, "mu": "1e5 + 0*X"}) == pytest.approx(2.8e5)
    assert young({"name": "stvk", "young": "1e5*(1 + X)", "poisson": 0.3}) == pytest.approx(1e5 * (1 + 3.75))


def test_position_based_methods_say_what_they_need() -> None:
    with pytest.raises(
        SuppleError, match=r"xpbd is for energies that are squares of constraints; found Solid \(formula\)"
    ):
        list(sp.simulate(built(FORMULA), sp.XPBD(), h=1 / 60, steps=1))


def test_the_budget_takes_a_formula() -> None:
    *_, last = sp.simulate(built(FORMULA), sp.EnergyBudget(sp.BDF2()), h=1 / 60, steps=3)
    assert abs(last.ledger.residual) < 1e-9


def test_bodies_of_one_formula_share_a_term() -> None:
    both = {**data(FORMULA), "world": {"gravity": 0}}
    both["body"] += [{**both["body"][0], "mesh": {**BAR["mesh"], "origin": [0, 9, 0]}}]
    terms = [t for t in read_scene(both, Path()).make().assemble().system.potential.terms if isinstance(t, Solid)]
    assert len(terms) == 1
    mu = np.linspace(1e5, 2e5, len(terms[0].elements) // 2)
    varied = sp.material("varied", NEO, mu=mu, lam=4e5)
    bodies = [sp.Body(sp.Bar(cells=(4, 1, 1), origin=(0, y, 0)), varied, name=f"b{y}") for y in (0, 9)]
    assert len(sp.assemble(sp.World(bodies, gravity=0.0)).system.potential.terms) == 2


def test_mistakes_are_reported_at_their_keys(tmp_path: Path) -> None:
    def complaint(material: dict[str, Any]) -> str:
        with pytest.raises(SceneError) as caught:
            built(material)
        return str(caught.value)

    assert complaint({"name": "formula", "mu": 1.0}) == "body[0].material.energy: missing, but required"
    assert complaint({**FORMULA, "lamda": 3.0}).startswith("body[0].material.lamda: the energy 'mu/2*(I1 - 3)")
    assert complaint({**FORMULA, "mu": "1e5*Q"}).startswith(
        "body[0].material.mu: input should be a valid number, or an"
    )
    assert complaint({**FORMULA, "mu": "1/(X - X)"}).startswith("body[0].material.mu: '1/(X - X)' is")
    assert complaint({**FORMULA, "energy": "mu*(I1 - 3) + lam*J"}).startswith(
        "body[0].material.energy: at rest the energy"
    )
    slack = complaint({**FORMULA, "energy": FIBROUS, "k": 1.0, "fibre": ["X - X", 0, 0]})
    assert slack.startswith("body[0].material.fibre: the direction of tet 0 must not be zero")
    assert complaint({"name": "stvk", "mu": "X - 2", "lam": 1.0}).startswith(
        "body[0].material.mu: input should be greater"
    )
    odd = complaint({**FORMULA, "energy": "(mu - 1)*(I1 - 3) + lam*(I1 - 3)^2", "mu": "1 + 0.1*X"})
    assert "body[0].material.energy: at rest the stress should be zero, found" in odd
