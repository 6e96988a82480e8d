"""Words of a director: what each does to a body, how they combine, and which ones are refused."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import supple as sp
from supple.budget.energy_budget import EnergyBudget
from supple.damping import DAMPINGS
from supple.errors import SceneError, SuppleError
from supple.model.direction.direction import Directions
from supple.scene.text.load import dump_scene, read_scene

BAR = sp.Bar(cells=(3, 1, 1), size=(0.3, 0.1, 0.1))
CLOTH = sp.Cloth(cells=(4, 4), size=(0.4, 0.4))
DRAG = sp.AirDrag(0.5)


def world(direction: Directions | None = None, own: Directions | None = None, **options: object) -> sp.World:
    bar = sp.Body(BAR, "jelly", pin="left", direction=own)
    return sp.World([bar], direction=direction, **options)  # type: ignore[arg-type]


def ends(found: sp.World, h: float, steps: int = 12) -> np.ndarray:
    frames = list(sp.simulate(sp.assemble(found, h=h), sp.AVF(), h=h, steps=steps))
    return np.array(frames[-1].state.x)


def test_factors_of_scene_and_body_multiply() -> None:
    found = sp.assemble(world(Directions(stiffer=2, heavier=3), Directions(stiffer=2, softer=8, stops_sooner=2)))
    part = found.bodies[0]
    assert part.law.moduli[0] == pytest.approx(2000.0)  # type: ignore[union-attr]
    assert part.mass.sum() == pytest.approx(3 * 3.15, rel=1e-12)
    plain = sp.assemble(world()).bodies[0].damping[0]
    # viscosity at the same damping ratio goes with sqrt(stiffness mass)
    assert part.damping[0].shear == pytest.approx(2 * np.sqrt(0.5 * 3) * plain.shear)  # type: ignore[attr-defined]
    assert "stiffness x 0.5, Young's modulus 2000 Pa; mass x 3" in found.notes[-1]


def test_heavier_moves_as_softer_does() -> None:
    """Alone in a vacuum a body moves the same with both, dampers of the scene and of its word included."""
    heavy, soft = (
        ends(world(Directions(**{word: 2.0}), damping=[sp.Rayleigh(mass=0.3)]), 1 / 120)  # type: ignore[arg-type]
        for word in ("heavier", "softer")
    )
    assert np.abs(heavy - ends(world(damping=[sp.Rayleigh(mass=0.3)]), 1 / 120)).max() > 1e-4
    assert np.abs(heavy - soft).max() < 1e-9


def test_stiffer_is_the_same_motion_in_less_time() -> None:
    """Without gravity: s times the stiffness, and time passes sqrt(s) times as fast, damping included."""
    stretched = {"gravity": 0.0, "damping": [DRAG]}
    bar = replace(world().bodies[0], initial=sp.Initial(stretch=(1.1, 1.0, 1.0)))
    plain = sp.World([bar], **stretched)  # type: ignore[arg-type]
    stiff = replace(plain, direction=Directions(stiffer=4))
    assert np.abs(ends(plain, 1 / 60) - ends(stiff, 1 / 120)).max() < 1e-9


@pytest.mark.parametrize("name", [name for name in DAMPINGS.names() if name not in ("aerodynamic", "formula")])
def test_each_damping_scales(name: str) -> None:
    options = {"viscosity": {"shear": 2.0}, "drag": {"rate": 2.0}, "rayleigh": {"mass": 2.0, "stiffness": 2.0}}
    damping = DAMPINGS.find(name)(**options.get(name, {"tau": 2.0} if "structure" in name else {"c": 2.0}))
    keys = (*damping.times, *damping.rates, *damping.viscosities)
    assert damping.can_scale
    assert all(getattr(damping.scaled(3.0), key) == 3.0 * getattr(damping, key) for key in keys)
    suited = damping.suited(4.0, 1.0)
    assert all(getattr(suited, key) == getattr(damping, key) / 2 for key in damping.times)
    assert all(getattr(suited, key) == 2 * getattr(damping, key) for key in (*damping.rates, *damping.viscosities))


def test_damping_by_a_formula_and_over_time_scales() -> None:
    own = sp.dissipation("eta*(Edot11^2 + Edot22^2)", eta=10.0)
    assert own.scaled(2.0).dissipation == "2.0 * (eta*(Edot11^2 + Edot22^2))"
    curve = sp.Rayleigh(stiffness=sp.Curve(keys=((0.0, 1.0), (1.0, 3.0)))).scaled(2.0).stiffness
    assert curve.at_time(1.0) == 6.0  # type: ignore[union-attr]


def test_wind_is_not_a_matter_of_damping() -> None:
    blown = sp.AirDrag(1.0, wind=lambda x, t: np.ones_like(x))
    assert blown.scaled(5.0) == blown
    assert not blown.can_scale
    assert sp.Aerodynamic().scaled(5.0) == sp.Aerodynamic()


def test_floppier_bends_more_and_stretches_as_before() -> None:
    plain, floppy = (
        sp.assemble(sp.World([sp.Body(CLOTH, "leather", direction=Directions(floppier=f))])).bodies[0]
        for f in (1.0, 4.0)
    )
    assert floppy.law == plain.law
    assert floppy.body.bending.rigidity == pytest.approx(1e8 * 0.0012**3 / 12 / 4, rel=1e-12)  # type: ignore[union-attr]
    rod = sp.Rod(young=1e6, radius=0.01)
    assert rod.floppier(2.0).bending == pytest.approx(rod.bending / 2)
    assert rod.floppier(2.0).resistance == rod.resistance
    assert sp.HookeSpring(stretch=10.0, bend=2.0).floppier(2.0) == sp.HookeSpring(stretch=10.0, bend=1.0)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Directions(settle=1.0, livelier=2.0), "settle chooses the damping, which livelier would change again"),
        (lambda: Directions(stiffer=0.0), "stiffer: input should be greater than 0, found 0"),
        (lambda: Directions(bouncier=0.5), "bouncier: input should be greater than or equal to 1"),
        (lambda: sp.Body(BAR, "jelly", direction=Directions(bouncier=2)), "rebound applies to the whole scene"),
        (lambda: sp.assemble(world(own=Directions(floppier=2))), r"body\[0\].direction.floppier: .* use softer"),
        (lambda: sp.assemble(world(Directions(floppier=2))), "direction.floppier: no body has a bending stiffness"),
    ],
)
def test_refusals(made: object, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        made()  # type: ignore[operator]


def test_factors_on_damping_need_some() -> None:
    bare = sp.Body(BAR, sp.preset("jelly", damping=0), pin="left", name="bare")
    with pytest.raises(
        SceneError, match=r"direction.stops_sooner: found 2, a factor on damping, but nothing damps any body"
    ):
        sp.assemble(sp.World([bare], direction=Directions(stops_sooner=2)))
    with pytest.raises(SceneError, match=r"body\[0\].direction.livelier: .* nothing damps 'bare'"):
        sp.assemble(sp.World([replace(bare, direction=Directions(livelier=2))]))
    sp.assemble(sp.World([bare], damping=[DRAG], direction=Directions(stops_sooner=2)))


def test_bouncier_is_a_budget_with_rebound() -> None:
    text = world(Directions(bouncier=4)).to_toml(sp.AVF())
    setup = read_scene(tomllib.loads(text), Path()).make()
    assert setup.method == EnergyBudget(sp.AVF(), release="rebound", restore=0.75)
    again = read_scene(tomllib.loads(setup.world.to_toml(setup.method)), Path()).make()
    assert again.method == setup.method  # which has the budget already
    with pytest.raises(SceneError, match=r"integrator\.budget is already given"):
        read_scene({**tomllib.loads(text), "integrator": {"name": "avf", "budget": True}}, Path()).make()


def test_bouncier_halves_what_a_bounce_loses() -> None:
    def height(bouncier: float) -> float:
        ball = sp.Body(sp.Ball(radius=0.05, centre=(0.0, 0.15, 0.0), resolution=2), "soft-rubber")
        found = sp.World([ball], obstacles=[sp.Obstacle(sp.HalfSpace())], direction=Directions(bouncier=bouncier))
        model = sp.assemble(found, h=1 / 240)
        mass = model.system.mass
        y = [float(mass @ f.state.x[:, 1] / mass.sum()) for f in sp.simulate(model, sp.AVF(), h=1 / 240, steps=75)]
        low = int(np.argmin(y))
        return (max(y[low:]) - 0.05) / 0.1

    lost = [1.0 - height(bouncier) for bouncier in (1.0, 2.0)]
    assert 0.3 < lost[0] < 0.9
    assert lost[1] == pytest.approx(lost[0] / 2, abs=0.12)


def test_words_stay_in_text() -> None:
    found = world(Directions(heavier=2.0, settle=1.5), Directions(stiffer=3.0))
    text = found.to_toml(sp.AVF())
    scene = read_scene(tomllib.loads(text), Path())
    assert scene.make().world == found
    assert scene.make().world.to_toml(sp.AVF()) == text
    assert read_scene(tomllib.loads(dump_scene(scene)), Path()) == scene
    assert "young" not in text
