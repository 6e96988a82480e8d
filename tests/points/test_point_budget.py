"""The budget of material points: energy and momenta of a free bar are conserved; without the budget, transfers lose energy."""

import numpy as np
import pytest
from swarms import FLOWING, SOLIDS, block

from supple.adaptive.naive import AdaptiveNaive
from supple.analysis.free_bar import FreeBar
from supple.analysis.transfers import transfer_losses
from supple.budget.energy_budget import EnergyBudget
from supple.budget.points import PointBudget
from supple.contact.laws import Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.contact.obstacles.shapes import BoxShape
from supple.dynamics.ledger import Ledger
from supple.errors import SuppleError
from supple.integrators.explicit.symplectic import SymplecticEuler
from supple.integrators.implicit.avf import AVF
from supple.integrators.method import Method
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.materials.material import Material
from supple.materials.stvk import StVK
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.solid import Bar
from supple.points import TRANSFERS
from supple.points.cloud import Cloud
from supple.points.nearness import groups, notes
from supple.points.seeding import Seeding, seed_mesh, seed_shape
from supple.points.spline import Spline

BAR = StVK.from_young(1e5, 0.3)


def run(method: Method, steps: int, h: float = 0.0043) -> dict[str, np.ndarray]:
    system, state = FreeBar().placed()
    found: dict[str, list[np.ndarray]] = {"E": [], "P": [], "L": [], "length": []}
    ends = state.x[:, 0] < state.x[:, 0].min() + 0.051, state.x[:, 0] > state.x[:, 0].max() - 0.051
    for frame in simulate(system, method, state, h, steps):
        P, L = frame.momenta()
        apart = frame.state.x[ends[1]].mean(axis=0) - frame.state.x[ends[0]].mean(axis=0)
        values = np.array(frame.ledger.energies.total), P, L, np.array(np.linalg.norm(apart))
        for name, value in zip(found, values, strict=True):
            found[name].append(value)
    return {name: np.array(values) for name, values in found.items()}


def relative(values: np.ndarray) -> float:
    return float(np.abs(values - values[0]).max() / np.linalg.norm(values[0]))


def test_energy_and_momenta_stay() -> None:
    kept = run(PointBudget(Mpm(AVF(), cell=0.1)), 20)
    assert relative(kept["E"]) < 1e-14
    assert relative(kept["P"]) < 1e-13
    assert relative(kept["L"]) < 1e-13
    lost = run(Mpm(AVF(), cell=0.1), 60)
    assert lost["E"][-1] < 0.99 * lost["E"][0]
    assert 1e-9 < relative(lost["L"]) < 1e-3


@pytest.mark.study
@pytest.mark.parametrize("cells", [(10, 2, 2), (10, 3, 3)], ids=str)
def test_a_thousand_steps(cells: tuple[int, int, int]) -> None:
    """22 periods: energy and momenta are conserved, and the frequency is that of tets of the same size. Without the budget half
    of the vibration energy is lost, and more in a thinner bar."""
    bar = FreeBar(cells)
    methods: dict[str, Mpm | PointBudget] = {"kept": PointBudget(Mpm(AVF(), cell=0.1)), "lost": Mpm(AVF(), cell=0.1)}
    (kept, course), (lost, _) = transfer_losses(methods, bar)
    assert course is not None
    assert np.abs(course.energy).max() < 1e-13
    assert max(kept.momentum_lost, kept.angular_momentum_lost) < 1e-13
    assert abs(kept.frequency / bar.frequency() - 1.0) < 0.03
    assert abs(kept.amplitude - 1.0) < 0.05
    assert 0.35 < lost.energy_lost < (0.55 if cells[1] > 2 else 0.65)


@pytest.mark.parametrize("name", TRANSFERS.names())
def test_every_transfer_and_explicit_steps(name: str) -> None:
    method = PointBudget(Mpm(cell=0.1, transfer=TRANSFERS[name]()))
    kept = run(method, 20)
    assert relative(kept["E"]) < 1e-13
    assert relative(kept["P"]) < 1e-13
    assert (relative(kept["L"]) < 1e-12) == ("angular momentum" in method.facts.conserves)


def on_a_soft_floor(material: Material, of: Method, h: float, steps: int) -> list[Ledger]:
    floor = HalfSpaceContact(HalfSpace((0.0, -0.005, 0.0)), Quadratic(1e3), np.arange(64))
    system, state = block(material, side=4, terms=[floor], speed=0.0)
    frames = list(simulate(system, PointBudget(Mpm(of, cell=0.1)), state, h, steps))
    assert max(frame.ledger.energies.other for frame in frames) > 1e-2
    ledgers = [frame.ledger for frame in frames]
    grid = ledgers[-1].grid
    total = grid.transfer + grid.force + grid.collided + grid.restored
    assert abs(total - ledgers[-1].residual) < 1e-12 * ledgers[0].initial
    assert grid.restored != 0.0
    return ledgers


def test_energy_stays_through_an_impact() -> None:
    ledgers = on_a_soft_floor(SOLIDS[1], AVF(), 4e-3, 20)
    assert max(abs(ledger.residual) for ledger in ledgers) < 1e-12 * ledgers[0].initial


@pytest.mark.parametrize("material", FLOWING[:3], ids=lambda m: m.name)
def test_flow_is_dissipated_and_what_cannot_be_given_back_is_carried(material: Material) -> None:
    """A block that falls as a whole has no other motion to remove the energy of an explicit impact; it stays in the residual."""
    ledgers = on_a_soft_floor(material, SymplecticEuler(), 1e-3, 100)
    assert ledgers[-1].dissipated > 0.1 * ledgers[0].initial
    assert max(abs(ledger.residual) for ledger in ledgers) < 0.05 * ledgers[0].initial


def test_clouds_that_share_nodes_are_one_body() -> None:
    system, state = block(side=3)
    x = np.concatenate([state.x, state.x + np.array([0.2, 0.0, 0.0]), state.x + np.array([2.0, 0.0, 0.0])])
    three = [Cloud(np.arange(27) + 27 * k, system.clouds[0].volume, BAR) for k in range(3)]
    label = groups([cloud.vertices for cloud in three], len(x), Spline(2, 0.1), x)
    assert label[0] == label[27] != label[54]
    assert set(label) == {0, 1}
    assert notes(three, [], x, Spline(2, 0.1)).startswith("mpm: bodies share nodes of the grid at the start")
    assert notes([three[0], three[2]], [], x, Spline(2, 0.1)) == ""


def test_few_particles_are_noted_once() -> None:
    system, state = block(side=3)
    frames = list(simulate(system, Mpm(cell=0.07), state, 1e-3, 2))
    assert (
        "mpm: a cloud has 2.7 particles per cell of 0.07 m; with fewer than 4 it shows numerical fracture"
        in frames[1].note
    )
    assert frames[2].note == ""


def test_other_wrappers_are_not_for_points() -> None:
    system, _ = block(side=2)
    assert EnergyBudget(Mpm()).refuses(system) == (
        "energy-budget does not support material points; use mpm by itself, or with point-budget around it"
    )
    assert "adaptive-naive does not support material points" in AdaptiveNaive(of=Mpm()).refuses(system)
    assert PointBudget(Mpm()).refuses(system) == ""


def test_it_is_for_mpm() -> None:
    with pytest.raises(
        SuppleError, match=r"point-budget.of: found 'avf'; it is only for mpm: use energy-budget for other methods"
    ):
        PointBudget(AVF())


def test_seeds() -> None:
    seeds = seed_shape(BoxShape((0.0, 0.0, 0.0), (1.0, 0.5, 0.5)), [-1.0] * 3, [1.0] * 3, Seeding(0.25, 8, 0.5, 3))
    assert len(seeds.x) == 8 * 4 * 2 * 2
    again = seed_shape(BoxShape((0.0, 0.0, 0.0), (1.0, 0.5, 0.5)), [-1.0] * 3, [1.0] * 3, Seeding(0.25, 8, 0.5, 3))
    assert (seeds.x == again.x).all()
    mesh = Bar(cells=(2, 2, 2), size=(1.0, 1.0, 1.0)).mesh()
    inside = seed_mesh(mesh, Seeding(0.25, 8, 0.8, 1))
    assert abs(inside.volume.sum() - 1.0) < 1e-12
    assert (np.abs(inside.x - mesh.vertices.mean(axis=0)) <= 0.5).all()
    assert inside.tets is not None
    assert len(np.unique(inside.tets)) == len(mesh.tets)
    with pytest.raises(SuppleError, match="points: the body has no tets"):
        seed_mesh(Mesh(mesh.vertices), Seeding(0.25))
    with pytest.raises(SuppleError, match=r"points.jitter: found 2.0; allowed are numbers from 0 to 1"):
        Seeding(0.1, jitter=2.0)
