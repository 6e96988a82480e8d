"""Three doors, one model: a scene file, a World and the live page take the same steps; worlds are written and read back."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.scene.text.load import read_scene
from supple.viewer.session import Session

STEPS = 10
SCENE = """
time = { step = 0.016666666666666666, duration = 0.16666666666666666 }

[world]
gravity = [0, -9.81, 0]

[[body]]
mesh = { shape = "bar", cells = [8, 2, 2], size = [0.8, 0.2, 0.2] }
material = { name = "stvk", young = 1e6, poisson = 0.3 }
density = 500.0
pin = "left"

[[damping]]
name = "viscosity"
shear = 5.0
"""


def world() -> sp.World:
    bar = sp.Body(
        sp.Bar(cells=(8, 2, 2), size=(0.8, 0.2, 0.2)), sp.StVK.from_young(1e6, 0.3), density=500.0, pin="left"
    )
    return sp.World([bar], gravity=(0, -9.81, 0), damping=[sp.Viscosity(shear=5.0)])


def test_the_same_steps_through_all_doors(tmp_path: Path) -> None:
    scene = read_scene(tomllib.loads(SCENE), tmp_path)
    setup = scene.make()
    file = [f.state.x for f in sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=STEPS)]
    python = [f.state.x for f in sp.simulate(sp.assemble(world()), sp.AVF(), h=1 / 60, steps=STEPS)]
    session = Session(scene)
    page = [session.state.x, *(session.step()[-1].state.x for _ in range(STEPS))]
    session.close()
    folder = sp.run(world(), sp.AVF(), h=1 / 60, steps=STEPS, out=tmp_path / "run", progress=False)
    for a, b, c, d in zip(file, python, page, folder.positions, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
        np.testing.assert_array_equal(a.astype(np.float32), d)


def test_a_world_is_read_back_as_it_was(tmp_path: Path) -> None:
    thing = sp.World(
        [
            sp.Body(
                sp.Cube(cells=2, size=0.5),
                sp.StableNeoHookean.from_young(2e5, 0.4),
                name="jelly",
                groups={"tip": sp.Selection(expression="Y > 0.4"), "some": np.array([3, 5])},
                regions=[sp.Region(spheres=(sp.Within((0, 0, 0), 0.2),), material=sp.RegionMaterial(young=4e5))],
                motion=[sp.Motion(group="tip", translate=sp.Translation((0, 0.1, 0)), stop=0.5)],
                initial=sp.Initial(translate=(0, 1, 0), velocity=(0.0, "0.1 * X", 0.0)),
                colour="red",
            ),
            sp.Body(
                sp.Cloth(),
                sp.StVKMembrane(young=1e6),
                thickness=1e-3,
                bending=sp.Bending("dihedral"),
                area=2.0,
                initial=sp.Initial(translate=(3, 0, 0)),
            ),
        ],
        gravity=3.0,
        up="z",
        obstacles=[
            sp.Obstacle(sp.HalfSpace(point=(0, 0, -5), normal=(0, 0, 1)), friction=0.3, bodies="jelly"),
            sp.MeshObstacle(sp.Ball(), name="rock", motion=sp.Moves(rotate=sp.Rotation((0, 0, 1), (9, 9, 9), 1.0))),
        ],
        contact=sp.Contact(friction=0.2),
        damping=[sp.AirDrag(0.1, wind=sp.VectorField((0.0, "sin(t)", 0.0)), bodies=("jelly",))],
        attachments=[sp.Attachment("jelly.tip", "body1", 5.0)],
        energies=[sp.SoftPin("jelly.some", 3.0)],
    )
    file = tmp_path / "scene.toml"
    file.write_text(thing.to_toml(sp.EnergyBudget(sp.BDF2(), restore=0.8), h=0.01, steps=7, title="all"))
    setup = sp.load(str(file))
    assert setup.world == thing
    assert setup.method == sp.EnergyBudget(sp.BDF2(), restore=0.8)
    assert (setup.h, setup.steps, setup.title) == (0.01, 7, "all")


def test_what_has_no_text_form_is_named() -> None:
    class Mine(sp.StVK):
        name = None  # type: ignore[assignment]

    mesh = sp.Bar().mesh()
    with pytest.raises(sp.SuppleError, match=r"body\[0\]\.mesh: a mesh in memory has no text form"):
        sp.World([sp.Body(mesh, sp.StVK(1.0, 1.0))]).to_toml()
    with pytest.raises(sp.SuppleError, match=r"damping\[0\]\.wind: function has no text form"):
        sp.World([sp.Body(sp.Bar(), sp.StVK(1.0, 1.0))], damping=[sp.AirDrag(0.1, wind=lambda x, t: x)]).to_toml()


def test_constants_per_tet_beside_an_obstacle() -> None:
    """Contact is made for the stiffest tet, however the moduli are given."""
    mesh = sp.Bar(cells=(2, 1, 1)).mesh()
    mu = np.linspace(1e4, 2e4, len(mesh.tets))
    floor = sp.Obstacle(sp.HalfSpace(point=(0, -1, 0)))
    chosen = [
        sp.assemble(sp.World([sp.Body(mesh, law)], obstacles=[floor])).notes
        for law in (sp.StVK(mu, mu), sp.StVK(float(mu.max()), float(mu.max())))
    ]
    assert chosen[0] == chosen[1]
