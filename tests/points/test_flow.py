"""Materials that flow: the return never creates energy and is recorded exactly; bodies come to rest by their material."""

import numpy as np
import pytest
from swarms import FLOWING, G, block, lattice

from supple.contact.obstacles.half_space import HalfSpace
from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.errors import SuppleError
from supple.integrators.points.mpm import Mpm
from supple.loop import simulate
from supple.materials.flow import FLOWS
from supple.materials.flow.batches import flows
from supple.materials.flow.flow import FlowMaterial
from supple.materials.flow.fluid import Fluid
from supple.materials.flow.sand import Sand
from supple.materials.flow.snow import Snow
from supple.materials.flow.von_mises import VonMises
from supple.materials.material import Material
from supple.points.cloud import Cloud, flowed
from supple.points.obstacle import NodeObstacle
from supple.points.transfer import FLIP
from supple.types import Array

COUNT = 500


def cloud_of(material: Material) -> Cloud:
    return Cloud(np.arange(COUNT), np.full(COUNT, 1.0), material)


def some_F(size: float = 0.1) -> np.ndarray:
    rng = np.random.default_rng(2)
    turns = np.linalg.qr(rng.standard_normal((COUNT, 3, 3)))[0]
    turns[np.linalg.det(turns) < 0.0] *= -1.0
    return np.asarray(turns @ (np.eye(3) + size * rng.standard_normal((COUNT, 3, 3))))


@pytest.mark.parametrize("material", FLOWING, ids=lambda m: m.name)
def test_stress_is_the_derivative_of_the_energy(material: Material) -> None:
    cloud, F = cloud_of(material), some_F()
    history = cloud.table[:, cloud.table.shape[1] - cloud.remembers :]
    dF = 1e-6 * np.random.default_rng(3).standard_normal(F.shape)
    change = (cloud.responses(F + dF, history)[0] - cloud.responses(F - dF, history)[0]) / 2.0
    work = np.einsum("pij,pij->p", cloud.responses(F, history)[1], dF)
    assert np.abs(change - work).max() < 1e-7 * np.abs(work).max()


@pytest.mark.parametrize("material", FLOWING, ids=lambda m: m.name)
def test_the_return_takes_what_it_books_and_happens_once(material: Material) -> None:
    cloud, F = cloud_of(material), some_F()
    history = cloud.table[:, cloud.table.shape[1] - cloud.remembers :]
    before = cloud.responses(F, history)[0]
    after = flowed(cloud, F, history)
    same = cloud.responses(after.F, history)[0]
    assert (before - same).min() >= -1e-12 * before.max()
    assert abs(after.plastic - float((before - same).sum())) < 1e-11 * before.sum()
    harder = cloud.responses(after.F, after.history)[0]
    assert abs(after.hardening - float((harder - same).sum())) < 1e-11 * before.sum()
    again = flowed(cloud, after.F, after.history)
    assert np.abs(again.F - after.F).max() < 1e-12
    assert abs(again.plastic) < 1e-12 * before.sum()
    assert isinstance(material, FlowMaterial)
    assert (after.plastic > 0.01 * before.sum()) == material.takes_energy


def test_sand_bears_no_tension_and_fluids_no_shear() -> None:
    loose = flowed(cloud_of(Sand(1e5, 0.3)), 1.1 * some_F(0.0), np.empty((COUNT, 0)))
    assert np.abs(np.einsum("pki,pkj->pij", loose.F, loose.F) - np.eye(3)).max() < 1e-13
    fluid = cloud_of(Fluid(1e4))
    F = some_F()
    P = fluid.responses(F, np.empty((COUNT, 0)))[1]
    tau = P @ np.swapaxes(F, 1, 2)
    J = np.linalg.det(F)
    pressure = 1e4 / 7.0 * (J**-7.0 - 1.0)
    assert np.abs(tau + (pressure * J)[:, None, None] * np.eye(3)).max() < 1e-9 * np.abs(tau).max()


def test_snow_hardens_where_it_is_pressed() -> None:
    cloud = cloud_of(Snow(1e5, 0.2))
    packed = flowed(cloud, np.tile(0.9 * np.eye(3), (COUNT, 1, 1)), np.ones((COUNT, 1)))
    assert (packed.history < 1.0).all()
    assert packed.hardening > 0.0
    pulled = flowed(cloud, np.tile(1.1 * np.eye(3), (COUNT, 1, 1)), np.ones((COUNT, 1)))
    assert (pulled.history > 1.0).all()
    assert pulled.hardening < 0.0


def test_values_out_of_bounds_are_refused() -> None:
    with pytest.raises(SuppleError, match="angle"):
        Sand(1e5, 0.3, 95.0)
    assert FLOWS.names() == ["fluid", "sand", "snow", "von-mises"]


def test_a_clay_block_stops() -> None:
    """Thrown onto a floor with friction, it flows and stays where it fell."""
    floor = NodeObstacle(HalfSpace((0.0, 0.0, 0.0)), "separate", 0.5)
    system, state = block(VonMises(1e5, 0.3, 1e3), side=6, obstacles=[floor], speed=0.0, fall=2.0)
    frames = list(simulate(system, Mpm(cell=0.1), state, 5e-3, 120))
    ledger = frames[-1].ledger
    assert ledger.energies.kinetic < 1e-3 * frames[0].ledger.energies.kinetic
    assert ledger.grid.plastic < -0.2 * frames[0].ledger.energies.kinetic
    assert np.diff([f.ledger.grid.plastic for f in frames]).max() <= 1e-12 * ledger.initial


def trough(
    material: Material, counts: tuple[int, int, int], spacing: float, walls: list[NodeObstacle]
) -> tuple[System, State]:
    """A box of particles with a corner at the origin, which begins at rest."""
    x = lattice(counts, spacing, jitter=0.3)
    volume = np.full(len(x), spacing**3)
    mass = 1000.0 * volume
    cloud = Cloud(np.arange(len(x)), volume, material)
    return build_system(x, mass, [Gravity(mass, G)], clouds=[cloud], node_obstacles=walls), State(
        0.0, x, np.zeros_like(x)
    )


def wall(point: tuple[float, float, float], normal: tuple[float, float, float], friction: float = 0.0) -> NodeObstacle:
    return NodeObstacle(HalfSpace(point, normal), "separate" if friction else "slip", friction)


def slope_of_sand(angle: float, steps: int) -> tuple[float, float]:
    """A wedge of sand with friction at 35 degrees between smooth walls, left alone: largest move [cells], and its slope then."""
    dx, height = 0.05, 0.5
    steep = np.tan(np.radians(angle))
    x = lattice((int(2 * height / steep / dx) + 1, int(2 * height / dx) + 1, 2), 0.5 * dx)
    x = x[x[:, 1] < height - x[:, 0] * steep]
    volume = np.full(len(x), (0.5 * dx) ** 3)
    mass = 1000.0 * volume
    walls = [wall((0, 0, 0), (1, 0, 0)), wall((0, 0, 0), (0, 0, 1)), wall((0, 0, dx), (0, 0, -1))]
    cloud = Cloud(np.arange(len(x)), volume, Sand(4e5, 0.3, 35.0))
    floor = NodeObstacle(HalfSpace(), "sticky")
    system = build_system(x, mass, [Gravity(mass, G)], clouds=[cloud], node_obstacles=[*walls, floor])
    *_, end = simulate(system, Mpm(cell=dx), State(0.0, x, np.zeros_like(x)), 0.02, steps)
    assert end.ledger.energies.kinetic < 1e-3 * end.ledger.initial
    columns = np.floor(end.state.x[:, 0] / dx).astype(int)
    count = int(0.7 * height / steep / dx)
    tops = [end.state.x[columns == c, 1].max() for c in range(1, count)]
    slope = np.degrees(np.arctan(-np.polyfit(dx * np.arange(1, count), tops, 1)[0]))
    return float(np.linalg.norm(end.state.x - x, axis=1).max() / dx), float(slope)


def test_slopes_of_sand_stand_at_its_angle_of_friction() -> None:
    moved, slope = slope_of_sand(30.0, 15)
    assert moved < 0.2
    assert abs(slope - 30.0) < 1.0
    moved, slope = slope_of_sand(40.0, 30)
    assert moved > 0.5
    assert abs(slope - 35.0) < 5.0


def test_a_pressed_sample_yields_at_the_angle_of_the_cone() -> None:
    """Stress at the tip of Mohr's circle: sin(phi) = (s1 - s3)/(s1 + s3) where one axis is pressed more than the others."""
    pressed = np.tile(np.diag([0.6, 1.1, 1.1]), (COUNT, 1, 1))
    cloud = cloud_of(Sand(1e5, 0.3, 35.0, cone="compression"))
    F = flowed(cloud, pressed, np.empty((COUNT, 0))).F
    tau = cloud.responses(F, np.empty((COUNT, 0)))[1] @ np.swapaxes(F, 1, 2)
    s1, s3 = -tau[0, 0, 0], -tau[0, 2, 2]
    assert abs((s1 - s3) / (s1 + s3) - np.sin(np.radians(35.0))) < 1e-12


def test_a_fluid_presses_by_its_depth() -> None:
    """The column begins to sink at once and rings; over many periods its pressure is rho g times the depth, within 3 %."""
    spacing, sides = 0.025, 0.1
    walls = [wall((0, 0, 0), (0, 1, 0)), wall((0, 0, 0), (1, 0, 0)), wall((sides, 0, 0), (-1, 0, 0))]
    walls += [wall((0, 0, 0), (0, 0, 1)), wall((0, 0, sides), (0, 0, -1))]
    system, state = trough(Fluid(2e5, viscosity=20.0), (4, 16, 4), spacing, walls)
    pressure, y = [], []
    for frame in simulate(system, Mpm(cell=0.05), state, 0.005, 160):
        if frame.step > 50:
            F = frame.save()[1]["memory.F"].reshape(-1, 3, 3)
            pressure.append(2e5 / 7.0 * (np.linalg.det(F) ** -7.0 - 1.0))
            y.append(frame.state.x[:, 1])
    mean, depth = np.mean(pressure, axis=0), np.mean(y, axis=0)
    inner = (depth > 0.05) & (depth < 0.35)
    assert abs(np.polyfit(depth[inner], mean[inner], 1)[0] / (-1000.0 * 9.81) - 1.0) < 0.03
    assert frame.ledger.dissipated > 0.0


def test_a_fluid_at_rest_keeps_its_energy() -> None:
    """A column that begins in equilibrium: with flip it loses less than a thousandth of its energy per second."""
    spacing, sides, bulk = 0.025, 0.1, 5e4
    walls = [wall((0, 0, 0), (0, 1, 0)), wall((0, 0, 0), (1, 0, 0)), wall((sides, 0, 0), (-1, 0, 0))]
    walls += [wall((0, 0, 0), (0, 0, 1)), wall((0, 0, sides), (0, 0, -1))]
    x = lattice((4, 16, 4), spacing, jitter=0.0)
    J = (1.0 + 7.0 * 9810.0 * (0.4 - x[:, 1]) / bulk) ** (-1.0 / 7.0)
    volume = spacing**3 / J
    cloud = Cloud(np.arange(len(x)), volume, Fluid(bulk), F=np.cbrt(J)[:, None, None] * np.eye(3))
    weight = Gravity(1000.0 * volume, G)
    system = build_system(x, 1000.0 * volume, [weight], clouds=[cloud], node_obstacles=walls)
    frames = simulate(system, Mpm(cell=0.05, transfer=FLIP()), State(0.0, x, np.zeros_like(x)), 0.005, 200)
    totals = np.array([frame.ledger.energies.total for frame in frames])
    assert np.abs(totals / totals[0] - 1.0).max() < 1e-3


@pytest.mark.parametrize("material", FLOWING[:3], ids=lambda m: m.name)
def test_any_gradient_flows_or_stays(material: FlowMaterial) -> None:
    """Inverted, flat, with equal stretches, not a number: none makes energy, and none touches its neighbours in a batch."""
    rng = np.random.default_rng(2)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    stretches = [
        (1, 1, 1),
        (1.3, 1.3, 1.3),
        (1.2, 1.2, 0.7),
        (1.1, 0.9, -0.8),
        (2.0, 1.0, 1e-12),
        (1.5, 0.5, 0.0),
        (1e-9, 1e-9, 1e-9),
    ]
    F = np.array([turn @ np.diag(s) @ turn for s in stretches])
    wild = np.concatenate([F, np.full((1, 3, 3), np.nan), np.eye(3)[None]]).reshape(-1, 9)
    constants = np.array([float(np.max(c)) for c in material.constants().values()])
    table = np.tile(constants, (len(wild), 1))

    def after(rows: slice) -> tuple[Array, Array]:
        given, own, taken = wild[rows].copy(), table[rows].copy(), np.empty((len(wild[rows]), 2))
        flows(material.returns.address, own, given, taken)
        return given, taken

    together, taken = after(slice(None))
    assert np.isnan(together[-2]).all()
    kept = np.delete(np.arange(len(wild)), len(wild) - 2)
    assert np.isfinite(together[kept]).all()
    assert np.isfinite(taken).all()
    assert (taken[:, 0] >= -1e-9 * constants[0]).all()
    for k in kept:
        alone, cost = after(slice(k, k + 1))
        assert (alone[0] == together[k]).all()
        assert (cost[0] == taken[k]).all()
    assert np.abs(together[-1] - np.eye(3).ravel()).max() < 1e-15
