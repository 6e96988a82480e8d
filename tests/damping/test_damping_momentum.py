"""Spin under damping: dampers that conserve angular momentum, the errors of the others, and the final state of a damped body."""

import numpy as np
import pytest
from damped_bodies import ON_SOLIDS, ON_SPRINGS, cube, damped, net

from builders import Setup, run
from supple.damping.damper import Damping
from supple.damping.structure_preserving import StructurePreserving
from supple.damping.viscosity import Viscosity
from supple.dynamics.invariants import momenta
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.energies.solids.solid import Solid
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.implicit.energy_momentum import SimoTarnow
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.method import Method
from supple.loop import Frame
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.types import Array

BODIES = {
    **{f"{name} of a solid": (cube, damping) for name, damping in ON_SOLIDS.items()},
    **{f"{name} of springs": (net, damping) for name, damping in ON_SPRINGS.items()},
}
MISS = {"rayleigh": (0.05, 0.2), "structure-preserving integrable": (5e-4, 5e-3)}
"""Angular momentum that is lost in 1 s by the models that cannot keep it, of bodies that vibrate as fast as they spin."""


def spin_loss(system: System, frames: list[Frame]) -> float:
    """Largest change of the angular momentum about the origin, relative to the first."""
    L = np.array([momenta(system, f.state)[1] for f in frames])
    return float(np.linalg.norm(L - L[0], axis=1).max() / np.linalg.norm(L[0]))


@pytest.mark.parametrize("integrator", [Midpoint(), SimoTarnow()], ids=lambda m: m.name)
@pytest.mark.parametrize("name", BODIES)
def test_angular_momentum(name: str, integrator: Method) -> None:
    build, damping = BODIES[name]
    system, start = build(damping)
    kind = name.rsplit(" of ")[0]
    frames = run((system, start), integrator, 0.04, 25 if kind in MISS else 12, tolerance=1e-12)
    assert frames[-1].ledger.dissipated > 0.03 * frames[0].ledger.energies.total
    loss = spin_loss(system, frames)
    if kind in MISS:
        assert MISS[kind][0] < loss < MISS[kind][1]
    else:
        assert loss <= 1e-10


def plate(damping: Damping) -> Setup:
    """A free plate of 20 tets that is stretched, sheared in its plane, and spins about its short side."""
    mesh = Bar(cells=(2, 2, 1), size=(1.0, 1.0, 0.3), origin=(-0.5, -0.5, -0.15)).mesh()
    X = mesh.vertices
    x = X @ np.array([[1.1, 0.05, 0.0], [0.0, 0.95, 0.0], [0.0, 0.0, 1.05]]).T
    system = damped(X, lumped_mass(mesh, mass=8.0), [Solid(X, mesh.tets, StVK(300.0, 200.0))], damping)
    return system, State(0.0, x, np.cross([0.0, 0.0, 1.5], x))


def deformed(before: Array, after: Array) -> float:
    """Largest change of a distance between two vertices, relative to the body's size."""
    distances = [np.linalg.norm(x[:, None] - x[None], axis=2) for x in (before, after)]
    return float(np.abs(distances[1] - distances[0]).max() / distances[0].max())


@pytest.mark.parametrize(
    "damping",
    [StructurePreserving(0.05), StructurePreserving(0.05, "explicit"), Viscosity(15.0)],
    ids=["implicit", "explicit", "viscosity"],
)
def test_a_damped_free_body_ends_in_a_rigid_rotation(damping: Damping) -> None:
    """Its strain is that of its spin, and its energy no longer changes."""
    system, start = plate(damping)
    frames = run((system, start), Verlet(), 0.01, 500)
    x = [f.state.x for f in frames]
    assert max(deformed(x[0], y) for y in x[:50]) > 0.02
    assert deformed(x[-50], x[-1]) <= 1e-6
    turned = x[-1] - system.mass @ x[-1] / system.mass.sum()
    assert np.abs(turned - (x[-50] - system.mass @ x[-50] / system.mass.sum())).max() > 0.1
    energies = [f.ledger.energies.total for f in frames[-50:]]
    assert np.ptp(energies) <= 1e-6 * energies[-1]
    assert spin_loss(system, frames) <= 1e-12
