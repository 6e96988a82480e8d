"""A bar whose left half is four times as stiff as its right half, pulled slowly: the strains are as one to four.

Every constant of a material may be a number or an array with one entry per tet.
"""

import numpy as np

from supple.constraints.motion import Hold, Motion, Prescribed
from supple.constraints.scripts import Translate
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.solids.solid import Solid
from supple.integrators.implicit.quasi_static import QuasiStatic
from supple.loop import simulate
from supple.materials.stvk import StVK
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar


def main() -> None:
    mesh = Bar(cells=(8, 1, 1), size=(2.0, 0.25, 0.25)).mesh()
    X = mesh.vertices
    middle = X[mesh.tets].mean(axis=1)[:, 0]
    young = np.where(middle < 1.0, 4e5, 1e5)
    solid = Solid(X, mesh.tets, StVK.from_young(young, 0.0))
    left, right = mesh.group("left"), mesh.group("right")
    # Poisson's ratio is zero: no section contracts, so that clamped ends do not disturb the strain.
    motion = Motion((Prescribed(left, X[left], Hold()), Prescribed(right, X[right], Translate((0.001, 0.0, 0.0)))))
    system = build_system(X, lumped_mass(mesh, density=1000.0), [solid], motion)
    *_, last = simulate(system, QuasiStatic(), State(0.0, X, np.zeros_like(X)), 0.5, 2)
    stretch = solid.deformation_gradients(last.state.x)[:, 0, 0] - 1
    stiff, soft = stretch[middle < 1.0], stretch[middle >= 1.0]
    print(
        f"strain {stiff.mean():.3e} in the stiff half, {soft.mean():.3e} in the soft one: {soft.mean() / stiff.mean():.3f}"
    )
    assert np.ptp(stiff) < 1e-9
    assert np.ptp(soft) < 1e-9
    assert abs(soft.mean() / stiff.mean() - 4) < 0.01
    assert np.isclose(stiff.mean() + soft.mean(), 0.001)


if __name__ == "__main__":
    main()
