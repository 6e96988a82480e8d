"""Fields in worlds: every kind closes the ledger, orders of convergence, which bodies feel what, and every method."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from builders import run
from supple.budget.energy_budget import EnergyBudget
from supple.damping.aerodynamic import Aerodynamic
from supple.damping.air import Streams
from supple.damping.drag import AirDrag, WindDrag
from supple.damping.medium import Medium
from supple.dynamics.state import State
from supple.errors import SceneError
from supple.formulas.curves import Curve
from supple.formulas.values import VectorField
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.runge_kutta import RK4
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.method import Method
from supple.integrators.points.mpm import Mpm
from supple.integrators.yoshida import Yoshida
from supple.loop import Frame
from supple.materials.stvk import StVK
from supple.mesh.shapes.solid import Bar
from supple.mesh.shapes.thin import Cloth, Rope
from supple.model.assemble import assemble
from supple.model.body import Body
from supple.model.fields.air import Air
from supple.model.fields.attractor import Attractor
from supple.model.fields.drag import DragField
from supple.model.fields.field import FIELDS, ForceField
from supple.model.fields.force import Force
from supple.model.fields.region import FieldRegion
from supple.model.fields.swirl import Swirl
from supple.model.fields.turbulence import Turbulence
from supple.model.fields.vortex import Vortex
from supple.model.fields.wind import Wind
from supple.model.materials.springs import StVKSpring
from supple.model.points.points import Points
from supple.model.selection import Within
from supple.model.world import World
from supple.types import Array

SHEET = Body(
    Cloth(cells=(3, 2), size=(1.2, 0.8), plane="xy"), StVKSpring(stretch=300.0, shear=100.0, bend=5.0), mass=0.3,
    pin="left", name="sheet",
)  # fmt: skip
SOFT = Body(
    Cloth(cells=(2, 2), size=(1.0, 1.0), plane="xy"),
    StVKSpring(stretch=30.0, shear=10.0, bend=2.0),
    mass=1.0,
    pin="left",
    name="sheet",
)
"""For orders of convergence, and for methods at 30 steps."""
THREAD = Body(Rope(segments=4, origin=(0.0, 2.0, 0.0)), StVKSpring(stretch=100.0), mass=0.1, name="thread")
BLOCK = Body(Bar(cells=(1, 1, 1), size=(0.4, 0.4, 0.4)), StVK.from_young(1e4, 0.3), density=5.0, name="block")
BALL = FieldRegion(sphere=Within((0.8, 0.4, 0.0), 1.5), edge=0.7)
SWELLING = Curve("1 + 0.6*sin(5*t)")
KINDS: dict[str, ForceField] = {
    "wind": Wind(gusts=0.4, gust_time=0.5),
    "turbulence": Turbulence(size=0.6, region=BALL),
    "vortex": Vortex(updraft=2.0, inflow=1.0, strength=Curve(keys=((0.0, 0.0), (0.5, 6.0)), interpolation="smooth")),
    "air": Air(("3*t", "sin(x + 3*t)", 1), strength=SWELLING),
    "attractor": Attractor(centre=(1.0, 0.0, 0.5), core=0.2),
    "attractor over time": Attractor(centre=(1.0, 0.0, 0.5), core=0.2, strength=SWELLING, stop=0.8, fade=0.3),
    "drag": DragField(linear=0.5, quadratic=1.0, region=BALL, strength=SWELLING),
    "force": Force((1.0, "2*cos(3*x + 5*t)", "5*sin(4*t)"), region=BALL),
    "swirl": Swirl(strength=SWELLING, lift=3.0, inflow=2.0),
}
FORCES = ("attractor over time", "force", "swirl")


def frames(fields: list[ForceField], method: Method, h: float, steps: int, body: Body = SHEET, **world) -> list[Frame]:
    model = assemble(World([body], fields=fields, **world))
    return run((model.system, model.state), method, h, steps)


def scale(taken: list[Frame]) -> float:
    return max(f.ledger.energies.scale for f in taken)


@cache
def without_fields() -> Array:
    return frames([], AVF(), 0.02, 25)[-1].state.x


@cache
def accurate(name: str) -> Array:
    """Where a field takes the soft sheet."""
    return frames([KINDS[name]], RK4(), 0.4 / 200, 200, SOFT)[-1].state.x


def test_every_kind_is_here() -> None:
    assert {field.name for field in KINDS.values()} == set(FIELDS.load())


@pytest.mark.parametrize("name", KINDS)
def test_the_ledger_closes(name: str) -> None:
    """AVF to 1e-10 of the energy in play; the work of each force field has a separate column."""
    taken = frames([KINDS[name]], AVF(), 0.02, 25)
    end = taken[-1].ledger
    assert max(abs(f.ledger.residual) for f in taken) <= 1e-10 * scale(taken)
    assert np.abs(taken[-1].state.x - without_fields()).max() > 1e-3
    if name in FORCES:
        assert end.timed == {"field[0]": pytest.approx(end.external_work)}
    if KINDS[name].dissipates:
        assert end.dissipated > 1e-4
    if KINDS[name].moves_air or name in FORCES:
        assert abs(end.external_work) > 1e-3
    else:
        assert end.external_work == 0.0


def test_all_at_once() -> None:
    taken = frames(list(KINDS.values()), AVF(), 0.02, 25)
    assert max(abs(f.ledger.residual) for f in taken) <= 1e-10 * scale(taken)
    assert sorted(taken[-1].ledger.timed) == ["field[5]", "field[7]", "field[8]"]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("of", [BackwardEuler(), Verlet()], ids=lambda of: of.name)
def test_a_budget_closes(name: str, of: Method) -> None:
    h, steps = (0.02, 10) if of.name == "backward-euler" else (0.004, 30)
    taken = frames([KINDS[name]], EnergyBudget(of), h, steps)
    assert max(abs(f.ledger.residual) for f in taken) <= 1e-9 * scale(taken)


def error(field: ForceField, method: Method, n: int, fine: Array) -> float:
    return float(np.abs(frames([field], method, 0.4 / n, n, SOFT)[-1].state.x - fine).max())


@pytest.mark.parametrize(
    ("name", "method"),
    [
        *((name, AVF()) for name in FORCES),
        ("force", Verlet()),
        ("swirl", Yoshida(Verlet())),
        pytest.param("swirl", Verlet(), marks=pytest.mark.study),
        pytest.param("force", Yoshida(Verlet()), marks=pytest.mark.study),
        *(pytest.param("attractor over time", of, marks=pytest.mark.study) for of in (Verlet(), Yoshida(Verlet()))),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_orders_with_forces_that_change(name: str, method: Method) -> None:
    errors = [error(KINDS[name], method, n, accurate(name)) for n in (20, 40)]
    least = 1.7 if name == "attractor over time" else 1.85  # its fade has kinks in the second derivative
    assert np.log2(errors[0] / errors[1]) > least * method.facts.order / 2


def test_order_in_moving_air() -> None:
    """By vertex drag, where no angle of attack is frozen: order 2."""
    gale = Turbulence(strength=4.0, size=0.8, seed=2, octaves=1)

    def end(n: int) -> Array:
        return frames([gale], AVF(), 0.4 / n, n, SOFT, damping=[AirDrag(3.0)])[-1].state.x

    fine = end(160)
    errors = [np.abs(end(n) - fine).max() for n in (20, 40)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("name", ["force", pytest.param("attractor over time", marks=pytest.mark.study), "drag"])
def test_every_method_takes_it_or_refuses_with_a_sentence(name: str) -> None:
    model = assemble(World([SOFT], fields=[KINDS[name]]))
    fine = run((model.system, model.state), RK4(), 0.2 / 50, 50)[-1]
    way, work = np.abs(fine.state.x - model.state.x).max(), fine.ledger.external_work
    for method in (cls() for _, cls in sorted(INTEGRATORS.load().items())):
        if refusal := method.refuses(model.system):
            assert method.name in refusal
            continue
        end = run((model.system, model.state), method, 0.2 / 15, 15)[-1]
        if method.facts.order and method.name != "pbd":  # which has no forces to compare
            assert np.abs(end.state.x - fine.state.x).max() < 0.12 * way, method.name
            assert end.ledger.external_work == pytest.approx(work, rel=0.15, abs=1e-6), method.name


def test_air_acts_without_a_damping() -> None:
    """Sheets and solids by their triangles, ropes by their mass; a note reports it."""
    model = assemble(World([SHEET, THREAD, BLOCK], fields=[Wind()]))
    assert [type(term).__name__ for term in model.ingredients.damping] == ["Air", "WindDrag", "Air"]
    found = [note for note in model.notes if "couples to the air of fields" in note]
    assert [note.split(":")[0] for note in found] == ["sheet", "thread", "block"]
    assert "aerodynamic (drag = 1, lift = 1, skin = 0.02)" in found[0]
    assert "drag (rate = 1)" in found[1]
    assert "aerodynamic (drag = 0.5, lift = 0.5, skin = 0.01)" in found[2]


def test_dampings_see_the_air_of_fields_beside_their_own() -> None:
    own = AirDrag(2.0, VectorField((1.0, 0.0, "t")))
    fields = [Wind(strength=3.0), Air((0.0, "x", 0.0), bodies=["thread"])]
    model = assemble(World([SHEET, THREAD], fields=fields, damping=[own], gravity=0.0))
    assert [type(term) for term in model.ingredients.damping] == [WindDrag, WindDrag]
    assert not any("couples to the air" in note for note in model.notes)
    x, t = model.state.x, 0.5
    w = np.tile([4.0, 0.0, t], (len(x), 1))
    w[model.body("thread").span, 1] += x[model.body("thread").span, 0]
    wanted = 2.0 * model.system.mass[:, None] * w
    elastic = -model.system.potential.gradient(x)
    found = model.system.force(State(t, x, np.zeros_like(x)))
    free = model.system.free
    np.testing.assert_allclose(found[free], (wanted + elastic)[free], atol=1e-12)


def test_bodies_that_a_damping_does_not_join_with_the_air_have_the_default() -> None:
    """An aerodynamic law for all bodies does nothing for a rope."""
    world = World([SHEET, THREAD], fields=[Wind()], damping=[Aerodynamic(drag=2.0)])
    model = assemble(world)
    assert [type(term).__name__ for term in model.ingredients.damping] == ["Air", "WindDrag"]
    named = assemble(replace(world, fields=[Wind(bodies="sheet")]))
    assert [type(term).__name__ for term in named.ingredients.damping] == ["Air"]


def test_only_the_bodies_that_are_named() -> None:
    pull = Attractor(bodies="thread")
    model = assemble(World([SHEET, THREAD], fields=[pull, DragField(bodies=["sheet"])], gravity=0.0))
    (term,), (medium,) = model.ingredients.own, model.ingredients.damping
    assert isinstance(medium, Medium)
    np.testing.assert_array_equal(term.elements[:, 0], model.body("thread").numbers)
    np.testing.assert_array_equal(medium.elements[:, 0], model.body("sheet").numbers)


@pytest.mark.parametrize(("per", "force"), [("mass", 0.3 * 2.0), ("body", 2.0), ("vertex", 12 * 2.0)])
def test_per(per: str, force: float) -> None:
    model = assemble(World([SHEET], fields=[Force((2.0, 0.0, 0.0), per=per)], gravity=0.0))
    push = -model.system.potential.at(0.0).gradient(model.state.x).sum(axis=0)
    np.testing.assert_allclose(push, [force, 0.0, 0.0], atol=1e-9)


def test_winds_add_up() -> None:
    x = np.zeros((2, 3))
    both = Streams((Wind(strength=2.0).velocity, Air((1.0, "t", 0.0)).velocity))
    np.testing.assert_allclose(both(x, 3.0), np.tile([3.0, 3.0, 0.0], (2, 1)))


def grains(*fields: ForceField) -> World:
    heap = Body(
        Bar(cells=(1, 1, 1), size=(0.2, 0.2, 0.2)), StVK.from_young(1e4, 0.3), density=100.0,
        points=Points(per_cell=8), name="heap",
    )  # fmt: skip
    return World([heap], gravity=0.0, fields=fields)


@pytest.mark.parametrize("of", ["symplectic-euler", "avf"])
def test_material_points(of: str) -> None:
    model = assemble(grains(Force((1.0, "2*cos(5*t)", 0.0))), cell=0.1)
    end = run((model.system, model.state), Mpm(INTEGRATORS.find(of)(), cell=0.1), 0.01, 20)[-1]
    mean = model.system.mass @ end.state.v / model.system.mass.sum()
    np.testing.assert_allclose(mean, [0.2, 0.4 * np.sin(1.0), 0.0], atol=1e-4)
    assert end.ledger.timed["field[0]"] == pytest.approx(end.ledger.energies.total, rel=0.03)
    pulled = assemble(grains(Attractor(centre=(0.1, 1.0, 0.1), power=0.0)), cell=0.1)
    end = run((pulled.system, pulled.state), Mpm(INTEGRATORS.find(of)(), cell=0.1), 0.01, 20)[-1]
    assert (pulled.system.mass @ end.state.v)[1] == pytest.approx(pulled.system.mass.sum() * 10.0 * 0.2, rel=0.05)


def test_what_is_refused() -> None:
    with pytest.raises(SceneError, match=r"field\[1\]\.bodies: unknown body 'shet'; did you mean 'sheet'\?"):
        assemble(World([SHEET], fields=[Wind(), Wind(bodies=["shet"])]))
    with pytest.raises(
        SceneError, match=r"field\[0\]: 'wind' acts by drag, which material points do not have; take attr"
    ):
        assemble(grains(Wind()))
    with pytest.raises(SceneError, match=r"field\[0\]: 'drag' acts by drag"):
        assemble(grains(DragField()))
    from supple.errors import SuppleError

    with pytest.raises(SuppleError, match="must return a finite force at each position"):
        frames([Force(lambda x, t: x[:, :2])], AVF(), 0.01, 1)
