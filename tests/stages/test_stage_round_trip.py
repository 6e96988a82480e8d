"""From a scene to a stage and back: the same numbers, and the same motion."""

from pathlib import Path

import numpy as np
import pytest
from pxr import Usd

import supple as sp
from supple.cli.export import _physics
from supple.errors import RecordError
from supple.export.export import Choice, export, find_format
from supple.model.model import Model
from supple.recording.film import open_film
from supple.scene.tables.setup import Setup

SOFT = sp.StableNeoHookean.from_young(3e4, 0.35)


def stage_of(run: sp.Run, file: Path, **choice: float) -> tuple[Path, tuple[str, ...]]:
    """The run as a stage with its set-up, and the notes of the export."""
    with open_film(run.folder) as film:
        done = export(film, find_format("usd"), file, Choice(physics=_physics(run.folder), **choice), overwrite=True)  # type: ignore[arg-type]
    return done.paths[0], done.notes


def there_and_back(
    world: sp.World, folder: Path, steps: int = 9, **choice: float
) -> tuple[sp.Run, Setup, tuple[str, ...]]:
    run = sp.run(world, sp.AVF(), h=1 / 72, steps=steps, out=folder / "one", progress=False)
    file, notes = stage_of(run, folder / "back.usda", **choice)
    return run, sp.load(file), notes


def assert_same(one: Model, two: Model) -> None:
    """The numbers of two models."""
    np.testing.assert_allclose(two.state.x, one.state.x, atol=1e-6)
    np.testing.assert_allclose(two.state.v, one.state.v, atol=1e-6)
    np.testing.assert_allclose(two.mesh.vertices, one.mesh.vertices, atol=1e-6)
    np.testing.assert_allclose(two.system.mass, one.system.mass, rtol=1e-5, atol=1e-14)
    np.testing.assert_allclose(two.world.acceleration, one.world.acceleration, rtol=1e-6, atol=1e-12)
    for a, b in zip(one.bodies, two.bodies, strict=True):
        assert a.name == b.name
        np.testing.assert_array_equal(a.pinned, b.pinned)
        if (a.law.moduli if hasattr(a.law, "moduli") else None) is not None:
            np.testing.assert_allclose(b.law.moduli, a.law.moduli, rtol=1e-6)
    held = [np.concatenate([[-1], *(p.vertices for p in model.system.motion.prescribed)]) for model in (one, two)]
    np.testing.assert_array_equal(*map(np.sort, held))
    # the energy of a shape that is not at rest sees every constant
    rng = np.random.default_rng(7)
    x = one.state.x + 1e-3 * rng.standard_normal(one.state.x.shape)
    for key in ("elastic", "attachments", "own"):
        sums = [sum(float(t.element_values(x).sum()) for t in getattr(m.ingredients, key)) for m in (one, two)]
        assert sums[1] == pytest.approx(sums[0], rel=1e-4)


def assert_same_motion(run: sp.Run, setup: Setup, folder: Path) -> None:
    again = sp.run(setup, out=folder / "two", progress=False)
    frames = min(len(run.times), len(again.times))
    assert frames > 3
    np.testing.assert_allclose(again.times[:frames], run.times[:frames], atol=1e-9)
    np.testing.assert_allclose(again.positions[:frames], run.positions[:frames], atol=2e-6)


def volume_world() -> sp.World:
    bar = sp.Body(
        sp.Bar(cells=(3, 1, 1), size=(0.3, 0.1, 0.1)), SOFT, "bar", density=900.0, pin="left", friction=0.3,
        initial=sp.Initial(velocity=("0", "X", "0.2")),
    )  # fmt: skip
    floor = sp.Obstacle(sp.HalfSpace(point=(0, -0.4, 0), normal=(0.1, 1, 0)), "floor", friction=0.5)
    return sp.World([bar], gravity=(0.0, -5.0, 1.0), obstacles=[floor], damping=[sp.Rayleigh(stiffness=1e-3)])


def test_a_volume(tmp_path: Path) -> None:
    run, setup, notes = there_and_back(volume_world(), tmp_path)
    assert_same(run.setup.assemble(), setup.assemble())
    assert setup.h == run.setup.h
    assert [note for note in notes if "bar" in note] == []
    assert any("only supple reads integrator, damping" in note for note in notes)
    assert_same_motion(run, setup, tmp_path)


def test_centimetres_and_another_axis(tmp_path: Path) -> None:
    """x up becomes z up, and lengths are a hundred times larger: the stage describes the same world."""
    world = volume_world()
    turned = sp.World(world.bodies, (-9.81, 0.0, 0.0), damping=world.damping, up="x")
    run, setup, _ = there_and_back(turned, tmp_path, scale=100.0)
    assert setup.world.up == "z"
    one, two = run.setup.assemble(), setup.assemble()
    np.testing.assert_allclose(two.world.acceleration, (0, 0, -9.81), atol=1e-6)
    np.testing.assert_allclose(two.state.x, one.state.x[:, [1, 2, 0]], atol=1e-6)
    np.testing.assert_allclose(two.system.mass, one.system.mass, rtol=1e-5)
    assert setup.world.bodies[0].material.moduli == pytest.approx((3e4, 0.35), rel=1e-6)  # type: ignore[union-attr]
    again = sp.run(setup, out=tmp_path / "two", progress=False)
    np.testing.assert_allclose(again.positions, run.positions[:, :, [1, 2, 0]], atol=2e-6)


def test_sheets_ropes_shapes_and_springs(tmp_path: Path) -> None:
    sheet = sp.Body(
        sp.Cloth(size=(0.3, 0.3), cells=(3, 3)), sp.StVKMembrane(5e4, 0.25), "sheet", thickness=2e-3, density=400.0,
        bending=sp.Bending(rigidity=1e-4), groups={"edge": [0, 1]}, pin="edge",
    )  # fmt: skip
    rope = sp.Body(
        sp.Rope(segments=5, length=0.5, origin=(0, 1, 0)), sp.Rod(axial=200.0, rigidity=1e-3), "rope", mass=0.2,
        thickness=0.01, groups={"a": [0], "b": [5]},
    )  # fmt: skip
    block = sp.Body(
        sp.Bar(cells=(1, 1, 1), size=(0.1, 0.1, 0.1)), SOFT, "block", initial=sp.Initial(translate=(0.5, 1, 0)),
        groups={"corner": [0]},
    )  # fmt: skip
    shapes = [
        sp.Obstacle(sp.SphereShape((0.1, -0.5, 0.1), 0.2), "ball"),
        sp.Obstacle(sp.Capsule((0, -1, 0), (1, -1, 0.5), 0.1), "stick"),
        sp.Obstacle(sp.BoxShape((0, -2, 0), (1, 0.2, 0.5), (0.1, 0.2, 0.3)), "box", bodies=("sheet",)),
    ]
    world = sp.World(
        [sheet, rope, block], obstacles=shapes, energies=[sp.SoftPin("rope.a", 300.0)],
        attachments=[sp.Attachment("rope.b", "block.corner", 500.0, rest_length=0.0)],
    )  # fmt: skip
    run, setup, notes = there_and_back(world, tmp_path)
    one, two = run.setup.assemble(), setup.assemble()
    assert_same(one, two)
    assert setup.world.bodies[0].bending == sp.Bending(rigidity=1e-4)
    assert isinstance(setup.world.bodies[1].material, sp.Rod)
    for a, b in zip(world.obstacles, setup.world.obstacles, strict=True):
        points = np.random.default_rng(1).uniform(-3, 3, (50, 3))
        np.testing.assert_allclose(b.shape.distance(points), a.shape.distance(points), atol=1e-6)  # type: ignore[union-attr]
    assert setup.world.obstacles[2].bodies == ("sheet",)
    assert len(setup.world.attachments) == 1
    assert setup.world.contact is None
    assert any("obstacle 'box': only supple reads bodies" in note for note in notes)
    assert_same_motion(run, setup, tmp_path)


def test_scripts_are_animated_frames_and_come_back_exactly(tmp_path: Path) -> None:
    turn = sp.Motion(rotate=sp.Rotation((0, 0, 1), (0, 1.05, 0.05), 2.0), group="right")
    bar = sp.Body(
        sp.Bar(cells=(3, 1, 1), size=(0.3, 0.1, 0.1)), SOFT, "bar", pin="left", motion=(turn,),
        initial=sp.Initial(translate=(0, 1, 0)),
    )  # fmt: skip
    wall = sp.MeshObstacle(
        sp.Bar(cells=(1, 1, 1), size=(0.1, 0.1, 0.1)), "wall", sp.Moves(translate=sp.Translation((0, -1.0, 0)))
    )
    run, setup, _ = there_and_back(sp.World([bar], obstacles=[wall]), tmp_path)
    assert setup.world.bodies[0].motion[0].rotate == turn.rotate
    assert_same(run.setup.assemble(), setup.assemble())
    stage = Usd.Stage.Open(str(tmp_path / "back.usda"))
    frame = stage.GetPrimAtPath("/one/physics/frames/bar_right")
    assert len(frame.GetAttribute("xformOp:transform").GetTimeSamples()) == len(run.times)
    # without the text of supple, the frame alone gives the same motion at the samples
    stage.GetPrimAtPath("/one/physics/attachments/right").RemoveProperty("supple:motion")
    stage.GetRootLayer().Export(str(tmp_path / "plain.usda"))
    plain = sp.load(tmp_path / "plain.usda").assemble()
    given = run.setup.assemble()
    for t in (0.0, 1 / 36, 1 / 12):
        a, b = (m.system.motion.place(m.state.x, t) for m in (given, plain))
        np.testing.assert_allclose(b, a, atol=1e-6)


def test_words_and_laws_of_supple_are_kept_as_text(tmp_path: Path) -> None:
    body = sp.Body(sp.Ball(radius=0.1, resolution=2), "jelly", "ball-1", volume=1e4, colour="red")
    run, setup, notes = there_and_back(sp.World([body]), tmp_path)
    assert setup.world.bodies[0].material == run.setup.world.bodies[0].material
    assert setup.world.bodies[0].name == "ball-1"
    assert_same(run.setup.assemble(), setup.assemble())
    assert any("only supple reads" in note and "material" in note and "volume" in note for note in notes)


def test_what_has_no_place_is_refused_or_listed(tmp_path: Path) -> None:
    springs = sp.Body(sp.Cloth(size=(0.3, 0.3), cells=(2, 2)), sp.HookeSpring(100.0), "net", mass=0.1)
    run = sp.run(sp.World([springs]), h=1 / 60, steps=2, out=tmp_path / "a", progress=False)
    with pytest.raises(
        RecordError, match=r"--physics: no body of the run is supported by USD: net: springs along edges"
    ):
        stage_of(run, tmp_path / "a.usda")
    assert not (tmp_path / "a.usda").exists()
    world = sp.World([springs, *volume_world().bodies])
    run = sp.run(world, h=1 / 60, steps=2, out=tmp_path / "b", progress=False)
    file, notes = stage_of(run, tmp_path / "b.usda")
    assert any("net: springs along edges: not supported by USD" in note for note in notes)
    assert [body.name for body in sp.load(file).world.bodies] == ["bar"]
    with (
        open_film(run.folder) as film,
        pytest.raises(RecordError, match="--physics: the format obj does not support it"),
    ):
        export(film, find_format("obj"), tmp_path / "c", Choice(physics=_physics(run.folder)))
