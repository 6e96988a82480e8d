"""Bodies made of words: what they refuse, which keys count more than the word, regions, and the doors they come through."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from schemas import scene_schema
from supple.coarsening.coarsen import coarsen
from supple.errors import SceneError, SuppleError
from supple.model.fine_body import fine_body
from supple.model.presets.published import published
from supple.runs.notes.body_lines import body_lines
from supple.runs.notes.undamped import undamped_note
from supple.scene.text.load import dump_scene, dump_short, load_scene, read_scene, scene_hash

BAR = sp.Bar(cells=(2, 1, 1), size=(0.2, 0.1, 0.1))
CLOTH = sp.Cloth(cells=(3, 3), size=(0.3, 0.3))
SCENE = """
[time]
step = 0.01
duration = 0.05
[[body]]
mesh = { shape = "bar", cells = [2, 1, 1], size = [0.2, 0.1, 0.1] }
"""


def assembled(body: sp.Body) -> sp.Placed:
    return sp.assemble(sp.World([body])).bodies[0]


def loaded(material: str, *overrides: str) -> sp.World:
    return read_scene(tomllib.loads(f"{SCENE}material = {material}"), Path(), overrides=overrides).make().world


@pytest.mark.parametrize(
    ("mesh", "word", "message"),
    [
        (BAR, "silk", r"body\[0\].material: 'silk' is a sheet, but the mesh is solid; .* a solid: rubber, "),
        (CLOTH, "jelly", r"body\[0\].material: 'jelly' is a solid, but the mesh has no tets; .* a sheet: silk, "),
        (CLOTH, "rubber", r"body\[0\].material: 'rubber' on a surface needs body.thickness \[m\]"),
        (sp.Rope(), "rubber", r"body\[0\].material: .* the mesh has only edges; take rod"),
    ],
)
def test_misfits_are_refused(mesh: object, word: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        assembled(sp.Body(mesh, word))


def test_a_sheet_of_a_solid_word() -> None:
    part = assembled(sp.Body(CLOTH, sp.preset("rubber", stiffer=2), thickness=0.002))
    assert part.law == sp.RubberMembrane(7.2e6)
    assert part.flexural_rigidity() == pytest.approx(7.2e6 * 0.002**3 / 12, rel=1e-12)
    assert part.mass.sum() == pytest.approx(0.09 * 0.002 * 1150, rel=1e-12)
    assert assembled(sp.Body(CLOTH, "cork", thickness=0.01)).law == sp.StVKMembrane(1.6e7, 0.05)


def test_keys_of_the_body_count() -> None:
    bending = sp.Bending("dihedral", 1e-3)
    part = assembled(sp.Body(CLOTH, "silk", thickness=3e-4, density=100.0, bending=bending))
    assert part.thickness == 3e-4
    assert part.body.bending == bending
    assert part.mass.sum() == pytest.approx(0.09 * 3e-4 * 100.0, rel=1e-12)
    assert assembled(sp.Body(BAR, "jelly", mass=3.0)).mass.sum() == pytest.approx(3.0, rel=1e-12)


def test_a_thicker_sheet_bends_less() -> None:
    bending = assembled(sp.Body(CLOTH, "silk", thickness=3e-4)).body.bending
    assert bending is not None
    assert bending.rigidity == pytest.approx(8 * 4e-6, rel=1e-12)


def test_curved_sheets_bend_about_their_shape() -> None:
    def model(mesh: object) -> str:
        bending = assembled(sp.Body(mesh, "skin")).body.bending
        assert bending is not None
        return bending.model

    assert (model(CLOTH), model(sp.Tube())) == ("quadratic", "dihedral")


def test_dampers_of_the_world_act_beside_those_of_words() -> None:
    world = sp.World([sp.Body(BAR, "jelly"), sp.Body(BAR, sp.preset("jelly", damping=0), name="still")])
    assert len(sp.assemble(world).ingredients.damping) == 1
    more = sp.World(world.bodies, damping=[sp.Rayleigh(stiffness=0.01)])
    assert len(sp.assemble(more).ingredients.damping) == 3


def test_a_volume_that_is_kept_is_not_damped_as_material() -> None:
    model = sp.assemble(sp.World([sp.Body(BAR, "jelly", volume=sp.Kept(1e4))]))
    assert len(model.ingredients.elastic) == 2
    assert len(model.ingredients.damping) == 1


def test_nothing_is_said_of_damping() -> None:
    def note(damping: float) -> str:
        model = sp.assemble(sp.World([sp.Body(CLOTH, sp.preset("silk", damping=damping))]))
        return undamped_note(model, sp.AVF(), 1 / 60)

    assert note(1.0) == ""
    assert "nothing damps 'body0'" in note(0.0)


def test_the_line_of_a_body_has_the_word_and_the_law() -> None:
    line = body_lines(sp.assemble(sp.World([sp.Body(BAR, "jelly")])))[0]
    assert line.endswith("jelly: stable-neo-hookean (young 4000 Pa, poisson 0.45)")


def halves(made: sp.RegionMaterial) -> sp.Body:
    region = sp.Region(box=((-1, -1, -1), (0.1, 1, 1)), material=made)
    return sp.Body(BAR, "jelly", regions=(region,))


def test_regions_by_words() -> None:
    body = halves(sp.RegionMaterial(name="fat", stiffer=2, poisson=0.3))
    part = assembled(body)
    material = next(iter(part.stuff)).material  # type: ignore[attr-defined]
    assert set(np.round(material.moduli[0])) == {6000.0, 4000.0}
    assert set(material.moduli[1]) == {0.3, 0.45}
    assert part.mass.sum() == pytest.approx(0.001 * (920 + 1050), rel=1e-12)
    word = sp.World([halves(sp.RegionMaterial(name="fat"))])
    assert 'material = "fat"' in word.to_toml()
    for world in (sp.World([body]), word):
        assert read_scene(tomllib.loads(world.to_toml()), Path()).make().world == world


@pytest.mark.parametrize(
    ("material", "message"),
    [
        ('"fatt"', r"regions\[0\].material.name: unknown preset 'fatt'; did you mean 'fat'\?"),
        ('"silk"', r"body\[0\].regions: 'silk' is a sheet, but regions are parts of solids"),
        ("{ stiffer = 2 }", r"regions\[0\].material.stiffer: factors on the values of a preset; give name"),
        ('{ name = "fat", removed = true }', r"regions\[0\].material: a hole has no name"),
    ],
)
def test_regions_that_are_refused(material: str, message: str) -> None:
    regions = f"regions = [{{ box = [[0, 0, 0], [0.1, 1, 1]], material = {material} }}]"
    with pytest.raises(SceneError, match=message):
        sp.assemble(loaded(f'"jelly"\n{regions}'))


def test_a_mass_and_a_region_with_the_density_of_a_word() -> None:
    with pytest.raises(SuppleError, match="regions with their own density require a body with density"):
        sp.Body(BAR, "jelly", mass=1.0, regions=(sp.Region(tag="a", material="fat"),))


@pytest.mark.parametrize(
    ("material", "message"),
    [
        ('"ruber"', r"body\[0\].material.name: unknown name 'ruber'; did you mean 'rubber'\?"),
        ('{ name = "rubber", harder = 2 }', r"body\[0\].material.harder: unknown key; known: name, stiffer"),
        ('{ name = "rubber", stiffer = 0 }', r"body\[0\].material.stiffer: input should be greater than 0, found 0"),
        (
            '{ name = "rubber", damping = -1 }',
            r"body\[0\].material.damping: input should be greater than or equal to 0",
        ),
        ('"stvk"', r"body\[0\].material: missing young, poisson; a stvk material requires"),
    ],
)
def test_mistakes_in_scenes(material: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        loaded(material)


def test_mistakes_in_python() -> None:
    with pytest.raises(
        SuppleError, match=r"^material: unknown preset 'ruber'; did you mean 'rubber'\? known: rubber, "
    ):
        sp.Body(BAR, "ruber")
    with pytest.raises(SuppleError, match=r"preset.stiffer: input should be greater than 0, found -1"):
        sp.preset("rubber", stiffer=-1)


def test_scenes_and_python_agree() -> None:
    assert loaded('"rubber"').bodies[0].material == sp.preset("rubber")
    assert loaded('{ name = "rubber", stiffer = 2 }').bodies[0].material == sp.preset("rubber", stiffer=2)
    assert loaded('"rubber"').bodies[0].density is None


@pytest.mark.parametrize(
    ("before", "overrides", "after"),
    [
        ('{ name = "stvk", young = 1e5, poisson = 0.3 }', ["body[0].material=rubber"], sp.preset("rubber")),
        ('{ name = "stvk", young = 1e5, poisson = 0.3 }', ["body[0].material.name=rubber"], sp.preset("rubber")),
        ('"rubber"', ["body[0].material.stiffer=2"], sp.preset("rubber", stiffer=2)),
        ('{ name = "rubber", stiffer = 2 }', ["body[0].material.name=jelly"], sp.preset("jelly", stiffer=2)),
        (
            '"rubber"',
            ["body[0].material.name=stvk", "body[0].material.young=1e5", "body[0].material.poisson=0.3"],
            sp.StVK.from_young(1e5, 0.3),
        ),
    ],
)
def test_overrides(before: str, overrides: list[str], after: object) -> None:
    assert loaded(before, *overrides).bodies[0].material == after


@pytest.mark.parametrize("name", ["jelly-foam-steak", "four-sheets"])
def test_a_written_scene_loads_as_the_same(name: str) -> None:
    scene = load_scene(name)
    for text in (dump_scene(scene), dump_short(scene)):
        assert read_scene(tomllib.loads(text), Path()) == scene


def test_the_schema_has_the_words() -> None:
    tables = scene_schema()["$defs"]
    words = tables["Preset"]["properties"]["name"]["enum"]
    assert {"rubber", "jelly", "silk"} <= set(words)
    assert set(tables["Preset"]["properties"]) == {"name", "stiffer", "denser", "damping"}
    alone = next(choice for choice in tables["BodyTable"]["properties"]["material"]["anyOf"] if "enum" in choice)
    assert alone["enum"] == words


def test_words_can_be_coarsened_and_take_no_coarse_body(tmp_path: Path) -> None:
    world = sp.World([sp.Body(sp.Bar(cells=(4, 2, 2), size=(0.4, 0.2, 0.2)), "jelly")])
    fine, law = fine_body(world), sp.StVK.from_young(4e3, 0.45)
    assert fine.density == pytest.approx(1050.0)
    assert fine.stiffness == pytest.approx(fine_body(sp.World([sp.Body(world.bodies[0].mesh, law)])).stiffness)
    coarsen(fine, sp.Bar(cells=(2, 1, 1), size=(0.4, 0.2, 0.2)).mesh()).save(tmp_path / "bar.npz")
    with pytest.raises(SceneError, match=r"body\[0\].material: the tensors of bar.npz are the material"):
        assembled(sp.Body(tmp_path / "bar.npz", "jelly"))


def test_separated_bodies_keep_their_words() -> None:
    from supple.model.contacts.separate import separated

    bodies = [sp.Body(BAR, "jelly", name=name) for name in ("one", "other")]
    world, notes = separated(sp.World(bodies, contact=sp.Contact()), 1 / 60, 1.0)
    assert notes
    assert [body.material for body in world.bodies] == [sp.preset("jelly")] * 2


def test_a_run_does_not_go_on_with_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    before, other = scene_hash(load_scene("jelly-foam-steak")), scene_hash(load_scene("jelly"))
    monkeypatch.setitem(published(), "foam", replace(published()["foam"], density=31.0))
    assert scene_hash(load_scene("jelly-foam-steak")) != before
    assert scene_hash(load_scene("jelly")) == other
    monkeypatch.setitem(published(), "foam", replace(published()["foam"], density=30.0, source="another book"))
    assert scene_hash(load_scene("jelly-foam-steak")) == before
