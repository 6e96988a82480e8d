"""The ledger closes while numbers change, and the work of each is a column."""

import math
from typing import Any

import numpy as np
import pytest

import supple as sp
from changing.worlds import WORLDS, bar
from methods import METHODS
from supple.energies.drive import at_time
from supple.errors import SuppleError
from supple.recording.folder import RunFolder
from supple.recording.history import read_history

H = 1 / 60


def history(world: sp.World, method: Any, h: float = H, steps: int = 30) -> list[Any]:
    return list(sp.simulate(sp.assemble(world), method, h=h, steps=steps))


def missed(frames: list[Any]) -> float:
    """Largest residual relative to the energy in play."""
    scale = max(frame.ledger.energies.scale for frame in frames)
    return max(abs(frame.ledger.residual) for frame in frames) / scale


@pytest.mark.parametrize(
    ("name", "method"),
    # energies of whole bodies are beyond simo-tarnow
    [
        (name, method)
        for name in WORLDS
        for method in ("avf", "simo-tarnow")
        if (name, method) != ("pressure", "simo-tarnow")
    ],
)
def test_conserving_methods_close_the_ledger(name: str, method: str) -> None:
    column, world = WORLDS[name]
    frames = history(world(), METHODS[method](), steps=12)
    assert missed(frames) < 1e-10
    last = frames[-1].ledger
    assert list(last.timed) == [column]
    assert last.timed[column] == last.external_work
    assert abs(last.external_work) > 1e-3 * max(frame.ledger.energies.scale for frame in frames)


@pytest.mark.parametrize("name", ["gravity", "stiffness", "pin-strength"])
def test_work_converges_to_the_integral_of_the_power(name: str) -> None:
    """W = int dV/dt(x, t) dt along the motion, to second order."""
    world = WORLDS[name][1]()
    model = sp.assemble(world)

    def work(h: float) -> tuple[float, float]:
        frames = list(sp.simulate(model, sp.AVF(), h=h, steps=round(0.25 / h)))
        power = []
        for frame in frames:
            t, x, e = frame.state.t, frame.state.x, 1e-5
            terms = model.system.potential.roles.timed
            later, sooner = (sum(at_time(term, t + d).element_values(x).sum() for term in terms) for d in (e, -e))
            power.append((later - sooner) / (2 * e))
        return frames[-1].ledger.external_work, h * (sum(power) - (power[0] + power[-1]) / 2)

    errors = [abs(done - power) for done, power in (work(1 / 120), work(1 / 240))]
    assert errors[1] < 0.35 * errors[0]


@pytest.mark.parametrize("name", sorted(METHODS))
def test_every_method_sees_the_change(name: str) -> None:
    """A free mass under gravity that grows as t falls by g t^3/6, whatever the method."""
    method = METHODS[name]()
    model = sp.assemble(sp.World([bar(pin=())], gravity="6*t"))
    if method.refuses(model.system) or method.facts.order == 0:
        return
    steps = 100 if method.facts.order == 1 else 15 if method.facts.solves else 40
    frame = list(sp.simulate(model, method, h=0.1 / steps, steps=steps))[-1]
    fallen = float((model.state.x - frame.state.x)[:, 1].mean())
    assert fallen == pytest.approx(frame.state.t**3, rel=0.04)
    assert list(frame.ledger.timed) == ["gravity"]


def test_order_two_while_numbers_change() -> None:
    world = sp.World([bar(stiffness="1 + 0.5*sin(9*t)")], gravity="9.81*(1 + sin(6*t))")
    model = sp.assemble(world)

    def end(h: float) -> Any:
        return list(sp.simulate(model, sp.AVF(), h=h, steps=round(0.2 / h)))[-1].state.x

    gold, coarse, fine = end(1 / 1600), end(1 / 100), end(1 / 200)
    order = math.log2(np.abs(coarse - gold).max() / np.abs(fine - gold).max())
    assert 1.8 < order < 2.3


def test_works_of_several_numbers_are_told_apart() -> None:
    frames = history(sp.World([bar(stiffness="1 + t")], gravity="9.81*(1 + t)"), sp.AVF())
    sums = frames[-1].ledger.timed
    assert set(sums) == {"gravity", "bar.stiffness"}
    assert sum(sums.values()) == pytest.approx(frames[-1].ledger.external_work, rel=1e-12)


def test_two_drives_of_one_term_share_a_column() -> None:
    law = sp.StVK.from_young(sp.Field("4e4*(1 + t)"), 0.3)
    frames = history(sp.World([bar(law, stiffness="1 + t")]), sp.AVF())
    assert list(frames[-1].ledger.timed) == ["bar.material+bar.stiffness"]
    assert missed(frames) < 1e-10


@pytest.mark.parametrize("method", [sp.BackwardEuler(), sp.EnergyBudget(sp.BackwardEuler()), sp.Verlet()])
def test_constant_curves_change_nothing(method: Any) -> None:
    """Numbers that are written as curves and do not change give the same motion."""
    h = 1 / 2000 if isinstance(method, sp.Verlet) else H
    plain = history(sp.World([bar()], gravity=9.81), method, h)[-1]
    driven = history(sp.World([bar(stiffness="1 + 0*t")], gravity="9.81 + 0*t"), method, h)[-1]
    assert driven.state.x == pytest.approx(plain.state.x, abs=1e-12)
    assert driven.ledger.external_work == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    "damping", [sp.Viscosity(shear="50*t"), sp.Rayleigh(mass="3*t", stiffness="0.01*t"), sp.AirDrag(rate="2*t")]
)
def test_damping_that_changes_is_dissipated_and_does_no_work(damping: Any) -> None:
    frames = history(sp.World([bar()], damping=[damping]), sp.AVF())
    assert missed(frames) < 1e-10
    assert frames[-1].ledger.external_work == 0.0
    taken = np.diff([frame.ledger.dissipated for frame in frames])
    assert (taken >= 0).all()
    assert taken[-10:].sum() > taken[:10].sum()


def test_friction_that_changes_holds_and_lets_go() -> None:
    """A block on a slope slides only while the coefficient is below the slope."""
    shape = sp.Bar(cells=(1, 1, 1), size=(0.1, 0.1, 0.1))
    block = sp.Body(shape, sp.StableNeoHookean.from_young(1e5, 0.3), density=500.0)
    gravity = (9.81 * -math.sin(0.3), 9.81 * -math.cos(0.3), 0.0)
    floor = sp.Obstacle(
        sp.HalfSpace(normal=(0, 1, 0), point=(0, -0.002, 0)),
        friction=sp.Curve(keys=((0.0, 0.9), (0.3, 0.9), (0.31, 0.0))),  # type: ignore[arg-type]
    )
    frames = history(sp.World([block], gravity=gravity, obstacles=[floor]), sp.BackwardEuler(), steps=36)
    x = [frame.state.x[:, 0].mean() for frame in frames]
    assert abs(x[17] - x[0]) < 2e-3
    assert x[0] - x[36] > 0.05


def test_numbers_out_of_bounds_end_the_run_with_a_sentence() -> None:
    world = sp.World([bar(stiffness="1 - 10*t")])
    with pytest.raises(SuppleError, match=r"greater than or equal to 0, found -0\.\d+ at t = |stiffness"):
        history(world, sp.AVF())


def test_recorded_resumed_and_read_back(tmp_path: Any) -> None:
    world = WORLDS["gravity"][1]()
    whole = sp.run(world, sp.AVF(), h=H, steps=12, out=tmp_path / "whole", progress=False)
    assert "work.gravity" in whole.history
    assert whole.history["work.gravity"][-1] == whole.history["external_work"][-1]
    assert RunFolder.open(tmp_path / "whole")
    assert read_history(tmp_path / "whole" / "history.csv")["work.gravity"][-1] != 0.0


@pytest.mark.parametrize("name", [name for name in WORLDS if name not in {"formula"}])
def test_the_way_through_text(name: str, tmp_path: Any) -> None:
    column, world = WORLDS[name]
    file = tmp_path / "scene.toml"
    file.write_text(world().to_toml(sp.AVF(), h=H, steps=3))
    setup = sp.load(file)
    again = list(sp.simulate(setup.assemble(), setup.method, h=setup.h, steps=3))[-1]
    direct = history(world(), sp.AVF(), steps=3)[-1]
    assert again.state.x == pytest.approx(direct.state.x, abs=1e-12)
    assert list(again.ledger.timed) == [column]


@pytest.mark.parametrize("method", [sp.AVF(), sp.BackwardEuler()])
def test_a_constant_factor_is_a_stiffer_material(method: Any) -> None:
    twice = history(sp.World([bar(stiffness=2.0)]), method)[-1]
    stiff = history(sp.World([bar(sp.StableNeoHookean.from_young(8e4, 0.3))]), method)[-1]
    assert twice.state.x == pytest.approx(stiff.state.x, abs=1e-10)
    assert twice.ledger.energies.elastic == pytest.approx(stiff.ledger.energies.elastic, rel=1e-8)


def test_several_bodies_keep_their_own_factors() -> None:
    """Solids of one material are one term, unless a factor sets them apart."""
    near = [
        bar(name=name, stiffness=factor, initial=sp.Initial(translate=(0.0, 0.0, z)))
        for name, factor, z in (("one", 1.0, 0.0), ("two", 3.0, 1.0), ("three", 1.0, 2.0))
    ]
    model = sp.assemble(sp.World(near))
    last = list(sp.simulate(model, sp.AVF(), h=H, steps=10))[-1]
    sag = [float(model.state.x[p.span, 1].mean() - last.state.x[p.span, 1].mean()) for p in model.placed]
    assert sag[0] == pytest.approx(sag[2], rel=1e-9)
    assert sag[1] < 0.9 * sag[0]


@pytest.mark.parametrize(
    "world",
    [sp.World([bar()], gravity="9.81*t"), sp.World([bar()], damping=[sp.Viscosity(shear="5*t")])],
    ids=["potential", "damping"],
)
def test_derivatives_of_runs_are_refused(world: sp.World) -> None:
    with pytest.raises(SuppleError, match="parameters change with time"):
        sp.record(sp.assemble(world), sp.AVF(), h=H, steps=2)


def test_words_of_directors_and_curves_go_together() -> None:
    words = sp.Directions(stiffer=2.0, stops_sooner=2.0)
    world = sp.World([bar(stiffness="1 + t")], damping=[sp.Viscosity(shear="5*t")], direction=words)
    frames = history(world, sp.AVF())
    assert missed(frames) < 1e-10
    assert list(frames[-1].ledger.timed) == ["bar.stiffness"]
