"""Springs in fused loops equal the mathematics of one spring; stiffness from Young's modulus gives that modulus."""

import numpy as np
import pytest
from catalogue import EDGES, REST, deformed

from builders import dense
from supple.dynamics.system import System, build_system
from supple.energies.samples import Samples, one_sample
from supple.energies.springs.springs import HookeSprings, StVKSprings
from supple.energies.springs.stiffness import grid_stiffness, rope_stiffness, stvk_stiffness, young_stiffness
from supple.energies.term import EnergyTerm
from supple.errors import MeshError, SuppleError
from supple.linalg.psd import clamp_negative
from supple.mesh.measure import edge_lengths
from supple.mesh.mesh import Mesh
from supple.mesh.shapes.thin import Cloth, Rope
from supple.types import Array

YOUNG, THICKNESS = 2e5, 1e-3


@pytest.fixture(params=[HookeSprings, StVKSprings])
def springs(request: pytest.FixtureRequest) -> HookeSprings | StVKSprings:
    """Every other edge turned round, so that the first corner is not always the lower one."""
    edges = np.where(np.arange(len(EDGES))[:, None] % 2 == 0, EDGES, EDGES[:, ::-1])
    return request.param(REST, edges, np.linspace(5.0, 50.0, len(EDGES)))


def crushed(count: int) -> Samples:
    """Configurations in which some springs are compressed and others stretched."""
    x = np.stack([deformed(seed) * [0.7, 1.1, 0.8] for seed in range(count)])
    return Samples(x, np.linspace(0.5, 1.0, count), np.linspace(0.2, 0.9, count), np.linspace(0.3, 1.2, count))


def system_of(term: EnergyTerm) -> System:
    return build_system(REST, np.ones(len(REST)), [term])


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("project", [False, True])
def test_fused_loops_equal_the_element_arrays(springs: HookeSprings, count: int, project: bool) -> None:
    """`EnergyTerm` sums element arrays and clamps eigenvalues numerically: the same numbers by another way."""
    samples, system = crushed(count), system_of(springs)
    [place] = system.potential._places
    found, wanted = np.zeros((2, *REST.shape))
    value = springs.add_value_gradient(samples, place.parts, found)
    assert value == pytest.approx(EnergyTerm.add_value_gradient(springs, samples, place.parts, wanted), rel=1e-14)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-14 * np.abs(wanted).max())
    K, expected = np.zeros((2, system.pattern.nnz))
    springs.add_hessian(samples, place, K, project)
    EnergyTerm.add_hessian(springs, samples, place, expected, project)
    np.testing.assert_allclose(K, expected, rtol=0, atol=1e-14 * np.abs(expected).max())


def test_projection_changes_crushed_springs(springs: HookeSprings) -> None:
    samples = crushed(1)
    plain, clamped = springs.element_hessians(samples.x[0]), springs.projected_hessians(samples.x[0])
    np.testing.assert_allclose(clamped, clamp_negative(plain), rtol=0, atol=1e-13 * np.abs(plain).max())
    assert np.abs(clamped - plain).max() > 0.1


def test_a_spring_of_no_length_resists_alike_in_all_directions() -> None:
    rest = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    system = build_system(rest, np.ones(2), [HookeSprings(rest, np.array([[0, 1]]), 3.0)])
    values = np.zeros(system.pattern.nnz)
    x = np.zeros((2, 3))
    system.potential.add_hessian(one_sample(x), values)
    assert system.potential.by_group(x)["elastic"] == pytest.approx(1.5)
    np.testing.assert_array_equal(system.potential.gradient(x), 0.0)
    np.testing.assert_allclose(dense(system, values), np.kron([[3.0, -3.0], [-3.0, 3.0]], np.eye(3)))


def pulled(mesh: Mesh, kappa: Array, law: type = HookeSprings) -> tuple[float, float]:
    """Modulus and Poisson's ratio of a sheet in the xy plane, pulled along x by frictionless clamps, for small strains."""
    X = mesh.vertices
    stiffness = stvk_stiffness(kappa, edge_lengths(X, mesh.edges)) if law is StVKSprings else kappa
    system = build_system(X, np.ones(mesh.n), [law(X, mesh.edges, stiffness)])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(X), values)
    K = dense(system, values)
    length, width = np.ptp(X[:, 0]), np.ptp(X[:, 1])
    left, right = X[:, 0] < 1e-9 * length, X[:, 0] > (1 - 1e-9) * length
    held = np.zeros((mesh.n, 3), dtype=bool)
    held[:, 2], held[left | right, 0], held[0, 1] = True, True, True
    u = np.zeros((mesh.n, 3))
    u[right, 0] = length
    held, u = held.ravel(), u.ravel()
    u[~held] = np.linalg.solve(K[np.ix_(~held, ~held)], -K[np.ix_(~held, held)] @ u[held])
    force = (K @ u).reshape(-1, 3)[right, 0].sum()
    y = u.reshape(-1, 3)[:, 1]
    return force / (width * THICKNESS), float(y[np.argmin(X[:, 1])] - y[np.argmax(X[:, 1])]) / width


@pytest.mark.parametrize("law", [HookeSprings, StVKSprings])
@pytest.mark.parametrize("cells", [(4, 2), (12, 6), (10, 8), (9, 3)])
def test_a_grid_has_the_modulus_up_to_its_borders(cells: tuple[int, int], law: type) -> None:
    """Square and oblong cells, coarse and fine: C11 = 9/8 E and C12 = 3/8 E, so that E is E and the ratio is 1/3."""
    mesh = Cloth(cells=cells, size=(2.0, 1.0), plane="xy").mesh()
    modulus, ratio = pulled(mesh, young_stiffness(mesh, YOUNG, THICKNESS), law)
    assert modulus == pytest.approx(YOUNG, rel=1e-10)
    assert ratio == pytest.approx(1 / 3, rel=1e-10)


def test_a_lattice_of_equilateral_triangles_has_the_modulus() -> None:
    """An affine stretch stores 1/2 E t eps^2 / (1 - nu^2) a square metre, nu = 1/3, in cells without a side cut off."""
    mesh = Cloth(cells=(6, 7), size=(6.0, 6.0), plane="xy", pattern="equilateral").mesh()
    kappa = young_stiffness(mesh, YOUNG, THICKNESS)
    inner = np.isclose(edge_lengths(mesh.vertices, mesh.edges), 1.0) & (kappa > 0)
    np.testing.assert_allclose(kappa[inner].max(), np.sqrt(3) / 2 * YOUNG * THICKNESS, rtol=1e-12)
    # stiffness tensor of one vertex: three directions, each of its six springs shared by two vertices, area sqrt(3)/2
    n = np.array([[1.0, 0.0], [0.5, np.sqrt(3) / 2], [-0.5, np.sqrt(3) / 2]])
    C = kappa[inner].max() * np.einsum("ai,aj,ak,al->ijkl", n, n, n, n) / (np.sqrt(3) / 2) / THICKNESS
    found = [C[0, 0, 0, 0], C[1, 1, 1, 1], C[0, 0, 1, 1], C[0, 1, 0, 1]]
    np.testing.assert_allclose(found, YOUNG * np.array([9, 9, 3, 3]) / 8, rtol=1e-12)


def test_refinement_converges_with_triangles_at_the_sides_cut_off() -> None:
    """Halves of triangles at the clamps are no equilateral ones: the error is that of the sides and falls with 1/cells."""
    errors = []
    for cells in (6, 12):
        mesh = Cloth(cells=(cells, cells), size=(6.0, 5.2), plane="xy", pattern="equilateral").mesh()
        modulus, _ = pulled(mesh, young_stiffness(mesh, YOUNG, THICKNESS))
        errors.append(abs(modulus / YOUNG - 1.0))
    assert errors == pytest.approx([0.00694, 0.00386], rel=0.01)


@pytest.mark.parametrize(("cells", "over"), [((8, 4), 33 / 28), ((16, 8), 1.18883)])
def test_sides_of_right_angled_triangles_are_too_stiff(cells: tuple[int, int], over: float) -> None:
    """A known limit: C11 = 5/4 E and C12 = 1/4 E make 6/5 E, from which the free borders take a part."""
    mesh = Cloth(cells=cells, size=(2.0, 1.0), plane="xy", shear="one").mesh()
    modulus, _ = pulled(mesh, young_stiffness(mesh, YOUNG, THICKNESS))
    assert modulus / YOUNG == pytest.approx(over, rel=1e-5)


def test_a_rope_has_the_modulus_however_many_segments() -> None:
    for segments in (3, 10):
        mesh = Rope(segments=segments, length=2.0).mesh()
        kappa = rope_stiffness(mesh, YOUNG, 3e-4)
        assert 1.0 / (1.0 / kappa[mesh.edge_groups["stretch"]]).sum() == pytest.approx(YOUNG * 3e-4 / 2.0, rel=1e-12)
        assert not kappa[mesh.edge_groups["bend"]].any()
        np.testing.assert_allclose(young_stiffness(mesh, YOUNG, 0.02), kappa * (np.pi * 1e-4) / 3e-4, rtol=1e-12)


def test_what_no_springs_can_do_is_refused() -> None:
    oblong = Cloth(cells=(4, 8), size=(2.0, 2.0), plane="xy").mesh()
    with pytest.raises(MeshError, match=r"0\.25 x 0\.5 m are longer than sqrt\(3\).*choose `cells`"):
        young_stiffness(oblong, YOUNG, THICKNESS)
    bent = oblong.moved(oblong.vertices * [1.0, 0.5, 1.0] + 0.1 * np.sin(3 * oblong.vertices[:, [1, 0, 2]]))
    with pytest.raises(MeshError, match="cells of the grid differ"):
        grid_stiffness(bent, YOUNG, THICKNESS)
    with pytest.raises(MeshError, match="no edges"):
        young_stiffness(Mesh(np.eye(3)), YOUNG, THICKNESS)
    with pytest.raises(SuppleError, match="young must be finite and above zero, found -1"):
        young_stiffness(oblong, -1.0, THICKNESS)
