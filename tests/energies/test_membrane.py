"""Laws of membranes: moduli, patch test, warp and weft, rubber, and refusals."""

from collections.abc import Callable

import numpy as np
import pytest
from catalogue import MEMBRANES as TERMS
from catalogue import REST, SURFACE, deformed

from supple.dynamics.system import System, build_system
from supple.energies.membranes.membrane import Membrane
from supple.errors import MeshError, SuppleError
from supple.materials import MEMBRANES
from supple.materials.membranes.laws import NeoHookeanMembrane, RubberMembrane, StVKMembrane
from supple.materials.membranes.membrane import MembraneLaw
from supple.materials.membranes.own import membrane
from supple.materials.membranes.plane_strain import NeoHookeanPlaneStrain, StVKPlaneStrain
from supple.materials.membranes.woven import FungMembrane, OrthotropicMembrane
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.thin import Cloth
from supple.types import Array

THICKNESS = 0.01
LAWS: dict[str, MembraneLaw] = {
    "stvk-plane-strain": StVKPlaneStrain(1000.0, 0.3),
    "neo-hookean-plane-strain": NeoHookeanPlaneStrain(1000.0, 0.3),
    "stvk-membrane": StVKMembrane(1000.0, 0.3),
    "orthotropic-membrane": OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4),
    "neo-hookean-membrane": NeoHookeanMembrane(1000.0, 0.3),
    "rubber-membrane": RubberMembrane(1000.0),
    "fung-membrane": FungMembrane(2000.0, 500.0, 300.0, 0.4, stiffening=3.0),
    "formula-membrane": membrane(
        "own", "k/2*(E11^2 + E22^2 + 2*nu*E11*E22 + 2*(1 - nu)*E12^2)", k=1000.0 / 0.91, nu=0.3
    ),
}


def sheet(cells: tuple[int, int] = (4, 3), moved: float = 0.0) -> Mesh:
    """A flat cloth of 2 m by 1 m in the plane of x and z; `moved`: its vertices moved at random within the plane."""
    mesh = Cloth(cells=cells, size=(2.0, 1.0)).mesh()
    return mesh.moved(mesh.vertices + moved * np.random.default_rng(3).uniform(-1, 1, mesh.vertices.shape) * [1, 0, 1])


def system_of(mesh: Mesh, law: MembraneLaw) -> System:
    return build_system(mesh.vertices, np.ones(mesh.n), [Membrane(mesh.vertices, mesh.triangles, law, THICKNESS)])


def energy(mesh: Mesh, law: MembraneLaw, x: Array) -> float:
    return float(Membrane(mesh.vertices, mesh.triangles, law, THICKNESS).element_values(x).sum())


def test_every_law_is_tested() -> None:
    assert set(LAWS) == set(MEMBRANES.load()) == {name.removeprefix("membrane ") for name in TERMS}


@pytest.mark.parametrize(
    ("law", "young", "poisson"),
    [
        (StVKMembrane(1000.0, 0.3), 1000.0, 0.3),
        (NeoHookeanMembrane(1000.0, -0.2), 1000.0, -0.2),
        (RubberMembrane(1000.0), 1000.0, 0.5),
        (OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4), 2000.0, 0.4),
        (OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4, warp=(0.0, 1.0, -3.0)), 500.0, 0.1),
    ],
    ids=["stvk", "neo-hookean", "rubber", "along the warp", "along the weft"],
)
def test_small_strains_show_the_moduli(law: MembraneLaw, young: float, poisson: float) -> None:
    """Longer by s along x and narrower by nu s, the sheet pulls at its ends with Y s and at its sides with nothing."""
    mesh, s = sheet(), 1e-7
    g = system_of(mesh, law).potential.gradient(mesh.vertices * [1.0 + s, 1.0, 1.0 - poisson * s])
    pull = g[mesh.group("right"), 0].sum() / (1.0 * THICKNESS * s)
    assert pull == pytest.approx(young, rel=1e-6)
    assert np.abs(g[:, 2]).max() <= 1e-6 * np.abs(g[:, 0]).max()


@pytest.mark.parametrize("name", LAWS)
def test_strips_bend_by_their_youngs_modulus(name: str) -> None:
    law = LAWS[name]
    young = (
        1000.0 / (1.0 - 0.3**2) if law.flat else 1000.0
    )  # of the slice of a solid; of woven ones the mean of 2000 and 500
    assert law.bending_modulus == pytest.approx(young, rel=1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_flat_patch(name: str) -> None:
    """A linear displacement of an irregular sheet, which also turns it in space, leaves inner vertices without force."""
    mesh = sheet((5, 4), moved=0.05)
    A = np.eye(3) + np.random.default_rng(1).uniform(-0.3, 0.3, (3, 3))
    g = system_of(mesh, LAWS[name]).potential.gradient(np.ascontiguousarray(mesh.vertices @ A.T))
    border = np.concatenate([mesh.group(side) for side in ("left", "right", "bottom", "top")])
    inner = np.setdiff1d(np.arange(mesh.n), border)
    assert len(inner) == 12
    assert np.abs(g).max() > 1e-2
    assert np.abs(g[inner]).max() <= 1e-13 * np.abs(g).max()


@pytest.mark.parametrize("name", LAWS)
def test_refinement_does_not_change_a_homogeneous_strain(name: str) -> None:
    A = np.array([[1.2, 0.0, 0.1], [0.3, 1.0, 0.2], [-0.1, 0.0, 0.9]])
    found = [energy(m, LAWS[name], m.vertices @ A.T) for m in (sheet((1, 1)), sheet((5, 4)), sheet((16, 8)))]
    assert found[0] > 1e-2
    np.testing.assert_allclose(found, found[0], rtol=1e-13)


def test_orthotropic_with_equal_moduli_is_isotropic() -> None:
    law = OrthotropicMembrane(1000.0, 1000.0, 1000.0 / 2.6, 0.3, warp=(0.2, -0.5, 1.0))
    wanted = Membrane(REST, SURFACE, StVKMembrane(1000.0, 0.3), 0.1).element_gradients(deformed())
    found = Membrane(REST, SURFACE, law, 0.1).element_gradients(deformed())
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def test_a_quarter_turn_exchanges_warp_and_weft() -> None:
    mesh = sheet(moved=0.05)
    x = mesh.vertices + np.random.default_rng(2).uniform(-0.1, 0.1, mesh.vertices.shape)
    warp = energy(mesh, OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4, warp=(1, 0, 0)), x)
    assert energy(mesh, OrthotropicMembrane(500.0, 2000.0, 300.0, 0.1, warp=(0, 0, 1)), x) == pytest.approx(
        warp, rel=1e-12
    )
    assert energy(mesh, OrthotropicMembrane(2000.0, 500.0, 300.0, 0.4, warp=(0, 0, 1)), x) > 1.3 * warp


def test_triangles_may_have_their_own_warp_and_moduli() -> None:
    mesh = sheet()
    m = len(mesh.triangles)
    x = mesh.vertices * [1.2, 1.0, 0.9]
    half = np.arange(m) % 2
    warp = np.where(half[:, None] == 1, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    young = np.where(half == 1, 500.0, 2000.0)
    law = OrthotropicMembrane(young, 500.0, 300.0, 0.4, warp=warp)
    found = Membrane(mesh.vertices, mesh.triangles, law, THICKNESS).element_values(x)
    for k, one in enumerate([((1, 0, 0), 2000.0), ((0, 0, 1), 500.0)]):
        single = OrthotropicMembrane(one[1], 500.0, 300.0, 0.4, warp=one[0])
        wanted = Membrane(mesh.vertices, mesh.triangles, single, THICKNESS).element_values(x)
        np.testing.assert_allclose(found[half == k], wanted[half == k], rtol=1e-13)


@pytest.mark.parametrize("stretch", [0.7, 1.5, 4.0])
def test_rubber_pulled_both_ways(stretch: float) -> None:
    """A sheet stretched by l in its plane is thinner by l^-2; its nominal stress is mu (l - l^-5)."""
    mesh = sheet()
    g = system_of(mesh, RubberMembrane(3.0)).potential.gradient(mesh.vertices * stretch)
    wanted = 1.0 * (stretch - stretch**-5) * THICKNESS
    assert g[mesh.group("right"), 0].sum() == pytest.approx(wanted * 1.0, rel=1e-12)
    assert g[mesh.group("top"), 2].sum() == pytest.approx(wanted * 2.0, rel=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: StVKMembrane(-1.0), "young: input should be greater than 0, found -1"),
        (lambda: NeoHookeanMembrane(1.0, 0.5), "poisson: input should be less than 0.5, found 0.5"),
        (lambda: RubberMembrane(np.nan), "young: input should be a finite number"),
        (lambda: OrthotropicMembrane(1.0, 1.0, 0.0), "orthotropic-membrane.shear: input should be greater than 0"),
        (lambda: OrthotropicMembrane(1.0, 4.0, 1.0, 0.6), "poisson: found 0.6; its magnitude must be below .* = 0.5,"),
        (lambda: OrthotropicMembrane(1.0, 1.0, 1.0, warp=(0.0, 0.0, 0.0)), "warp: found .*; give a vector"),
    ],
)
def test_bad_moduli_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        make()


def test_bad_triangles_are_refused() -> None:
    mesh, law = sheet(), OrthotropicMembrane(1.0, 1.0, 1.0, warp=(0.0, 2.0, 0.0))
    X, triangles = mesh.vertices, mesh.triangles
    with pytest.raises(MeshError, match="warp is perpendicular to 24 triangles, the first is triangle 0"):
        Membrane(X, triangles, law, THICKNESS)
    with pytest.raises(SuppleError, match="thickness: must be finite and positive"):
        Membrane(X, triangles, StVKMembrane(1.0), 0.0)
    with pytest.raises(SuppleError, match=r"one for each of the 24 triangles, found shape \(3,\)"):
        Membrane(X, triangles, StVKMembrane(np.ones(3)), THICKNESS)
    X = X.copy()
    X[triangles[5]] = X[triangles[5, 0]] + np.outer([0.0, 0.3, 1.0], [1.0, 2.0, 3.0])
    with pytest.raises(MeshError, match=r"triangles have no area, the first is triangle \d"):
        Membrane(X, triangles, StVKMembrane(1.0), THICKNESS)
