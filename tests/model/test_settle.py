"""`settle`: bodies come to rest in the requested time, at several steps and with methods that damp by themselves."""

import numpy as np
import pytest

import supple as sp
from supple.errors import SceneError
from supple.model.direction.direction import Directions
from supple.model.direction.settling import rest
from supple.solvers.amplification import own_decay


def cantilever(settle: float) -> sp.World:
    bar = sp.Bar(cells=(6, 1, 1), size=(0.5, 0.1, 0.1))
    foam = sp.preset("foam", stiffer=0.5)
    return sp.World([sp.Body(bar, foam, pin="left", name="bar", direction=Directions(settle=settle))])


def curtain(settle: float) -> sp.World:
    tilted = sp.Initial(rotate=sp.Turn(axis=(0, 0, 1), angle=-1.0, centre=(0, 0, 0.3)))
    cloth = sp.Cloth(cells=(5, 5), size=(0.6, 0.6))
    return sp.World([sp.Body(cloth, "cotton", pin="left", initial=tilted, direction=Directions(settle=settle))])


def jelly(settle: float) -> sp.World:
    ball = sp.Body(
        sp.Ball(radius=0.1, centre=(0.0, 0.102, 0.0), resolution=2), "jelly", direction=Directions(settle=settle)
    )
    return sp.World([ball], obstacles=[sp.Obstacle(sp.HalfSpace())])


def settled_after(world: sp.World, method: sp.Method, h: float, duration: float) -> float:
    """When 5 % of the amplitude is left: by the energy of the motion, or by displacements where contact rattles a little."""
    model = sp.assemble(world, h=h, method=method)
    frames = list(sp.simulate(model, method, h=h, steps=round(duration / h)))
    x, mass = np.array([frame.state.x for frame in frames]), model.system.mass
    square = np.einsum("n,tni->t", mass, (x - x[-1]) ** 2)
    if not world.obstacles:
        square = np.array([frame.ledger.energies.total for frame in frames])
    loud = np.flatnonzero(square - square[-1] > 0.05**2 * (square[0] - square[-1]))
    return float(h * (loud[-1] + 1))


METHODS = ((sp.AVF(), 1 / 60), (sp.AVF(), 1 / 120), (sp.BackwardEuler(), 1 / 120))


@pytest.mark.parametrize(
    ("scene", "method", "h"),
    [
        *((cantilever, *method) for method in METHODS),
        *((scene, *METHODS[0]) for scene in (curtain, jelly)),
        *(
            pytest.param(scene, *method, marks=pytest.mark.study)
            for scene in (curtain, jelly)
            for method in METHODS[1:]
        ),
    ],
)
def test_bodies_rest_in_time(scene: object, method: sp.Method, h: float) -> None:
    settle = 1.2 if scene is curtain else 0.6
    assert settled_after(scene(settle), method, h, 2.0 * settle) == pytest.approx(settle, rel=0.2)  # type: ignore[operator]


def test_the_damping_of_the_word_goes_down_as_well() -> None:
    slow, fast = (sp.assemble(cantilever(settle)).bodies[0].damping[0].shear for settle in (4.0, 0.5))  # type: ignore[attr-defined]
    assert fast == pytest.approx(8.0 * slow, rel=1e-6)  # nothing else damps it


def test_the_method_counts() -> None:
    world = cantilever(0.8)
    plain, euler = (
        sp.assemble(world, h=1 / 120, method=method).bodies[0].damping[0].shear  # type: ignore[attr-defined]
        for method in (sp.AVF(), sp.BackwardEuler())
    )
    assert euler < 0.9 * plain


def test_own_decay_of_backward_euler() -> None:
    omega, h = 10.0, 0.01
    assert own_decay(sp.BackwardEuler(), omega, h) == pytest.approx(np.log(1 + (h * omega) ** 2) / (2 * h), rel=1e-6)
    assert own_decay(sp.AVF(), omega, h) == pytest.approx(0.0, abs=1e-8)


def test_what_damping_cannot_do_is_said() -> None:
    note = sp.assemble(cantilever(0.01)).notes[-1]
    assert "can bring it to rest in" in note
    assert "set stiffer = " in note
    early = sp.assemble(cantilever(5.0), h=1 / 60, method=sp.BackwardEuler()).notes[-1]
    assert "no damping; it already settles in" in early


def test_a_scene_and_a_body_agree_on_settle() -> None:
    own = Directions(stops_sooner=2).within(Directions(settle=3.0))
    assert own.settle == 1.5
    assert Directions(settle=1.0).within(Directions(settle=3.0, stiffer=2)) == Directions(settle=1.0, stiffer=2)


def test_sheets_get_drag_and_free_solids_viscosity() -> None:
    cloth, ball = sp.assemble(curtain(1.0)).bodies[0], sp.assemble(jelly(1.0)).bodies[0]
    assert [damping.name for damping in cloth.damping] == ["sheet", "drag"]
    assert [damping.name for damping in ball.damping] == ["viscosity"]


def test_constraints_leave_drag_alone() -> None:
    rope = sp.Body(sp.Rope(segments=4), sp.Rod(axial=100.0), name="rope", mass=0.1, direction=Directions(settle=2.0))
    model = sp.assemble(sp.World([rope], constraints=[sp.Rods("rope")]))
    (drag,) = model.bodies[0].damping
    assert drag.rate == pytest.approx(np.log(20))  # type: ignore[attr-defined]
    assert model.notes[-1] == "rope: settle 2 s: drag rate = 3 1/s"


def test_material_points_are_refused() -> None:
    cube = sp.Body(
        sp.Bar(cells=(2, 2, 2), size=(0.2, 0.2, 0.2)),
        sp.StableNeoHookean.from_young(1e4, 0.3),
        points=sp.Points(per_cell=8, cell=0.1),
        direction=Directions(settle=1.0),
    )
    with pytest.raises(SceneError, match=r"body\[0\].direction.settle: material points have no damping"):
        sp.assemble(sp.World([cube]))


def test_the_search_for_rest_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ends where it is: the damping that follows from there is nearly the same."""
    found = [sp.assemble(curtain(0.5), h=1 / 60, method=sp.AVF()).system.dissipation.terms]
    monkeypatch.setattr(rest, "MOST", 30)
    found.append(sp.assemble(curtain(0.5), h=1 / 60, method=sp.AVF()).system.dissipation.terms)
    assert len(found[0]) == len(found[1]) > 0
