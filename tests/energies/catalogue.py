"""Every kind of energy term on a small random body; a new kind is one more entry."""

from collections.abc import Callable

import numpy as np

from builders import random_tets
from supple.energies.areas.element_area import ElementAreas
from supple.energies.areas.element_volume import ElementVolumes
from supple.energies.bending.dihedral import DihedralBending
from supple.energies.bending.formula import FormulaBending
from supple.energies.corotational.mandel import isotropic
from supple.energies.corotational.rest import Frame
from supple.energies.corotational.term import Corotational
from supple.energies.gravity import Gravity
from supple.energies.membranes.membrane import Membrane
from supple.energies.solids.solid import Solid
from supple.energies.springs.attachment import Attachments
from supple.energies.springs.formula import FormulaSprings
from supple.energies.springs.generalised import (
    GeneralisedSprings,
    all_lengths,
    altitude_springs,
    axial_bending_springs,
)
from supple.energies.springs.kinds import AXIAL_BENDING, TET_ALTITUDE, TRIANGLE_ALTITUDE
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.term import EnergyTerm
from supple.materials import MATERIALS
from supple.materials.membranes.laws import NeoHookeanMembrane, RubberMembrane, StVKMembrane
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.membranes.own import OwnMembrane, membrane
from supple.materials.membranes.plane_strain import NeoHookeanPlaneStrain, StVKPlaneStrain
from supple.materials.membranes.woven import FungMembrane, OrthotropicMembrane
from supple.mesh.topology import boundary_triangles, unique_edges
from supple.types import Array, Ints

MESH = random_tets()
REST = MESH.vertices
EDGES = unique_edges(MESH.tets)
SURFACE = boundary_triangles(MESH.tets)


def _solid(name: str) -> Callable[[], EnergyTerm]:
    return lambda: Solid(REST, MESH.tets, MATERIALS[name].from_young(1000.0, 0.3))


def stiffness(spread: float) -> Array:
    """A 6x6 tensor for every tet; isotropic with spread 0, else with no symmetry at all."""
    random = np.random.default_rng(11).standard_normal((len(MESH.tets), 6, 6))
    return isotropic(1000.0, 0.3) + spread * random @ np.swapaxes(random, 1, 2)


def _corotational(frame: Frame, spread: float) -> Callable[[], EnergyTerm]:
    return lambda: Corotational(REST, MESH.tets, stiffness(spread), frame)


def _membrane(law: MembraneLaw) -> Callable[[], EnergyTerm]:
    return lambda: Membrane(REST, SURFACE, law, np.linspace(0.2, 0.3, len(SURFACE)))


def _weight() -> EnergyTerm:
    return Gravity(np.linspace(1.0, 2.0, len(REST)), np.array([1.0, -9.81, 0.5]))


def _separate(elements: Ints) -> Ints:
    """Elements whose shortest altitude stays the shortest when they are deformed as the tests do."""
    kind = TRIANGLE_ALTITUDE if elements.shape[1] == 3 else TET_ALTITUDE
    first, second = np.sort(all_lengths(kind, REST[elements]), axis=1)[:, :2].T
    return elements[first < 0.8 * second]


def _altitudes(elements: Ints) -> Callable[[], EnergyTerm]:
    return lambda: altitude_springs(REST, _separate(elements), 30.0)


def _folds() -> EnergyTerm:
    """Without edges between triangles that are nearly in one plane, where a spring can turn over."""
    whole = axial_bending_springs(REST, SURFACE, 30.0)
    folded = whole.rest_length[:, 0] > 0.35
    return GeneralisedSprings(AXIAL_BENDING, whole.elements[folded], whole.rest_length[folded], whole.stiffness[folded])


def _attached() -> EnergyTerm:
    """Each of some vertices to a place on a triangle of which it is no corner."""
    triangles = SURFACE[::3]
    own = np.array([np.setdiff1d(np.arange(len(REST)), t)[k % 30] for k, t in enumerate(triangles)])
    elements = np.column_stack([own, triangles])
    c = np.broadcast_to([1.0, -0.5, -0.3, -0.2], elements.shape)
    distance = np.linalg.norm(np.einsum("mk,mki->mi", c, REST[elements]), axis=1)
    return Attachments(elements, c, distance, np.linspace(5.0, 50.0, len(elements)))


KINKED = {"solid stvk-kikuuwe"}
"""Terms whose third derivatives jump, so that differences and quadratures over short steps have additional errors."""
SOLIDS = {f"solid {name}": _solid(name) for name in sorted(MATERIALS.load())}
SPRINGS: dict[str, Callable[[], EnergyTerm]] = {
    "hooke springs": lambda: HookeSprings(REST, EDGES, np.linspace(5.0, 50.0, len(EDGES))),
    "stvk springs": lambda: StVKSprings(REST, EDGES, 20.0),
}
WRITTEN: dict[str, Callable[[], EnergyTerm]] = {
    "formula springs": lambda: FormulaSprings(REST, EDGES, "k/2*(l - l0)^2 + c*e^4", {"k": 20.0, "c": 3.0}),
}
GENERALISED: dict[str, Callable[[], EnergyTerm]] = {
    "triangle altitudes": _altitudes(SURFACE),
    "tet altitudes": _altitudes(MESH.tets),
    "axial bending springs": _folds,
}
SAINT_VENANT: OwnMembrane = membrane(
    "own", "mu*(E11^2 + E22^2 + 2*E12^2) + lam/2*(E11 + E22)^2 + k*log(J)^4", mu=400.0, lam=300.0, k=50.0
)
MEMBRANES = {
    f"membrane {law.name}": _membrane(law)
    for law in (
        StVKMembrane(1000.0),
        OrthotropicMembrane(2000.0, 500.0, 300.0, warp=(1.0, 0.7, 0.4)),
        NeoHookeanMembrane(1000.0),
        RubberMembrane(1000.0),
        FungMembrane(2000.0, 500.0, 300.0, warp=(1.0, 0.7, 0.4), stiffening=0.3),
        SAINT_VENANT,
        StVKPlaneStrain(1000.0, 0.3),
        NeoHookeanPlaneStrain(1000.0, 0.3),
    )
}
MEASURES: dict[str, Callable[[], EnergyTerm]] = {
    "element areas": lambda: ElementAreas(REST, SURFACE, 40.0),
    "element volumes": lambda: ElementVolumes(REST, MESH.tets, np.linspace(50.0, 90.0, len(MESH.tets))),
}
BENDING: dict[str, Callable[[], EnergyTerm]] = {
    "dihedral bending": lambda: DihedralBending(REST, SURFACE, 0.5),
    "formula bending": lambda: FormulaBending(REST, SURFACE, "k*d^2 + c*d^4", {"k": 0.5, "c": 0.3}),
}
ATTACHED: dict[str, Callable[[], EnergyTerm]] = {"attachments": _attached}
COROTATIONAL: dict[str, Callable[[], EnergyTerm]] = {
    "corotational": _corotational("polar", 0.0),
    "corotational kabsch": _corotational("kabsch", 0.0),
    "corotational anisotropic": _corotational("polar", 100.0),
    "corotational anisotropic kabsch": _corotational("kabsch", 100.0),
}
ELASTIC = COROTATIONAL | ATTACHED | SOLIDS | SPRINGS | WRITTEN | GENERALISED | MEMBRANES | MEASURES | BENDING
TERMS: dict[str, Callable[[], EnergyTerm]] = ELASTIC | {"gravity": _weight}


def deformed(seed: int = 1, size: float = 0.08) -> Array:
    """Positions with moderate strains, in which no element is inverted, turned away from the axes."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    Q *= np.sign(np.linalg.det(Q))
    return np.ascontiguousarray((REST + rng.uniform(-size, size, REST.shape)) @ Q.T + [0.3, -0.2, 0.1])
