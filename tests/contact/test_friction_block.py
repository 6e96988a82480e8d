"""An elastic block on a mesh floor: settled under its weight, pushed, and stopped by friction. Coulomb: 0.40816 m."""

import numpy as np
import pytest

from builders import hold, run
from supple.constraints.motion import Motion
from supple.contact.friction import Friction
from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.surface import ContactSurface
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.gravity import Gravity
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.backward_euler import BackwardEuler
from supple.integrators.implicit.quasi_static import QuasiStatic
from supple.integrators.method import Method
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.mesh.topology import boundary_triangles

DHAT = 0.005
FLOOR = np.array([[-3.0, 0.0, -3.0], [4.0, 0.0, -3.0], [4.0, 0.0, 4.0], [-3.0, 0.0, 4.0]])


def slide(method: Method, h: float) -> tuple[float, np.ndarray]:
    """How far the centre of mass comes in 0.6 s from 2 m/s with mu = 0.5, and the energy over time."""
    mesh = Bar(cells=(2, 1, 2), size=(0.4, 0.2, 0.4)).mesh()
    n = mesh.n
    rest = np.vstack([mesh.vertices + np.array([0.0, 0.6 * DHAT, 0.0]), FLOOR])
    triangles = np.vstack([boundary_triangles(mesh.tets), np.array([[0, 2, 1], [0, 3, 2]]) + n]).astype(np.int32)
    patches = np.where(np.arange(n + 4) < n, 0, 1)
    mass = np.concatenate([lumped_mass(mesh, density=1000.0), np.ones(4)])
    contact = BarrierContact(ContactSurface(rest, triangles, patches), DHAT, 2e5)
    solid = Solid(rest, mesh.tets, StableNeoHookean.from_young(2e5, 0.3))
    terms = [solid, Gravity(mass, np.array([0.0, -9.8, 0.0])), contact]
    motion = Motion((hold(np.arange(n, n + 4), rest),))
    still = State(0.0, rest, np.zeros_like(rest))
    x = run((build_system(rest, mass, terms, motion), still), QuasiStatic(), 0.01, 3)[-1].state.x
    system = build_system(rest, mass, terms, motion, dissipation=[Friction(contact, np.full(n + 4, 0.5), 1e-3, mass)])
    v = np.zeros_like(x)
    v[:n, 0] = 2.0
    frames = run((system, State(0.0, x, v)), method, h, round(0.6 / h))
    way = mass[:n] @ (frames[-1].state.x - x)[:n, 0] / mass[:n].sum()
    return float(way), np.array([f.ledger.energies.total for f in frames])


def test_backward_euler_stops_half_a_step_early() -> None:
    way, energy = slide(BackwardEuler(), 0.01)
    assert way == pytest.approx(0.3976, abs=1e-3)  # the error is h v/2
    assert (np.diff(energy) <= 0.0).all()


@pytest.mark.study
def test_backward_euler_with_small_steps() -> None:
    way, energy = slide(BackwardEuler(), 0.0025)
    assert way == pytest.approx(0.4049, abs=1e-3)
    assert (np.diff(energy) <= 0.0).all()


@pytest.mark.parametrize("passes", [pytest.param(1, marks=pytest.mark.study), 3])
def test_avf_stops_where_coulomb_says(passes: int) -> None:
    """Undamped, the block rattles on the floor; friction presses with the mean forces of the step, whatever the start of
    its solution was. It never adds energy."""
    way, energy = slide(AVF(passes=passes), 0.01)
    assert way == pytest.approx(0.408, rel=0.015)
    assert (np.diff(energy) <= 0.0).all()


@pytest.mark.study
def test_avf_stops_there_with_small_steps() -> None:
    way, energy = slide(AVF(), 0.0025)
    assert way == pytest.approx(0.408, rel=0.015)
    assert (np.diff(energy) <= 0.0).all()
