"""Laws in principal stretches: equal stretches, inverted and flat elements, rotations on either side, refusals."""

import ctypes

import numpy as np
import pytest
from references import stvk
from scipy.sparse import csr_matrix
from stretch_references import signed_svd

from builders import drift, run
from supple.dynamics.state import State
from supple.dynamics.system import build_system
from supple.energies.samples import one_sample
from supple.energies.solids.solid import Solid
from supple.errors import SuppleError
from supple.integrators.implicit.avf import AVF
from supple.materials import MATERIALS
from supple.materials.batches import tangents
from supple.materials.formula_material import FormulaMaterial, material
from supple.materials.kernel import LANES
from supple.materials.principal.hyperfoam import Hyperfoam
from supple.materials.principal.kernels import decompose
from supple.materials.principal.law import PrincipalLaw
from supple.materials.principal.ogden import TRELOAR, Ogden
from supple.mesh.measure import lumped_mass
from supple.mesh.shapes.solid import Bar
from supple.types import Array

PRINCIPAL = sorted(
    name
    for name, cls in MATERIALS.load().items()
    if issubclass(cls, FormulaMaterial) and isinstance(cls.from_young(1.0, 0.3).law, PrincipalLaw)
)
OWN = {
    "valanis-landel": "mu*(l1*log(l1) - l1 + l2*log(l2) - l2 + l3*log(l3) - l3 + 3)*2 + lam/2*log(J)^2",
    "tanh": "mu*(tanh(l1 - 1)^2 + tanh(l2 - 1)^2 + tanh(l3 - 1)^2) + lam/2*(J - 1)^2",
    "mixed": "mu/2*(I1 - 3) - mu*log(J) + lam*(l1 + l2 + l3 - 3)^2 + mu*(I2 - 3)^2",
    "kinked": "mu*(max(l1 - 1, 0)^3 + max(l2 - 1, 0)^3 + max(l3 - 1, 0)^3) + mu*((l1-1)^2 + (l2-1)^2 + (l3-1)^2) + lam/2*(J-1)^2",
    "roots": "mu*(sqrt(1 + (l1-1)^2) + sqrt(1 + (l2-1)^2) + sqrt(1 + (l3-1)^2) - 3) + lam/2*(l1^0.5*l2^0.5*l3^0.5 - 1)^2",
}
STEPS = (-4, -3, -2, -1, 1, 2, 3, 4)
WEIGHTS = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
"""Central differences of order eight."""


def made(name: str) -> FormulaMaterial:
    if name in OWN:
        return material(name, OWN[name], mu=400.0, lam=500.0)
    law = MATERIALS[name].from_young(1000.0, 0.3)
    assert isinstance(law, FormulaMaterial)
    return law


def rotations(seed: int, m: int) -> Array:
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((m, 3, 3)))[0]
    return Q * np.sign(np.linalg.det(Q))[:, None, None]


def with_stretches(stretches: Array, seed: int = 1) -> Array:
    return np.einsum("mia,ma,mja->mij", rotations(seed, len(stretches)), stretches, rotations(seed + 1, len(stretches)))


def check_differences(law: FormulaMaterial, F: Array, tolerance: float = 1e-9, eps: float = 1e-3) -> None:
    d = np.random.default_rng(7).normal(size=F.shape)
    size = np.abs(law.tangent(F)).max()
    slope = np.tensordot(WEIGHTS, [law.density(F + k * eps * d) for k in STEPS], 1) / eps
    assert np.abs(np.einsum("mij,mij->m", law.stress(F), d) - slope).max() <= tolerance * size
    bend = np.tensordot(WEIGHTS, [law.stress(F + k * eps * d) for k in STEPS], 1) / eps
    assert np.abs(np.einsum("mijkl,mkl->mij", law.tangent(F), d) - bend).max() <= tolerance * size


def test_the_materials_in_stretches() -> None:
    assert {"arap", "corotated", "hencky", "hyperfoam", "ogden"} <= set(PRINCIPAL)


@pytest.mark.parametrize("name", [*PRINCIPAL, *sorted(set(OWN) - {"kinked"})])
@pytest.mark.parametrize("apart", [0.3, 1e-2, 1e-4, 1e-6, 1e-8, 1e-12, 0.0])
def test_equal_and_nearly_equal_stretches(name: str, apart: float) -> None:
    s = 1.2 + apart * np.random.default_rng(2).uniform(-1, 1, (24, 3))
    s[8:16, 2] = 0.8  # two of them alike; in the others all three
    s[16:, 0] = 1.5
    check_differences(made(name), with_stretches(s))


def test_stretches_on_both_sides_of_a_kink() -> None:
    s = np.array([[1.3, 1.3, 0.8], [1.2, 1.2 + 1e-7, 1.2], [0.8, 0.8, 0.7], [1.3, 0.9, 0.7]])
    check_differences(made("kinked"), with_stretches(s), 1e-8)


@pytest.mark.parametrize("name", ["arap", "corotated", "tanh"])
def test_inverted_elements(name: str) -> None:
    rng = np.random.default_rng(3)
    s = np.column_stack([rng.uniform(0.8, 1.4, (20, 2)), rng.uniform(-0.5, -0.1, 20)])
    s[5:10, 1] = s[5:10, 0]
    check_differences(made(name), with_stretches(s))


@pytest.mark.parametrize("name", ["arap", "corotated", "tanh"])
def test_tangents_stay_bounded_where_the_rotation_jumps(name: str) -> None:
    law, s = made(name), np.array([[1.0, 0.5, -0.5], [1.0, 1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    C = law.tangent(with_stretches(s))
    assert np.isfinite(C).all()
    assert np.abs(C).max() <= 1e4 / 1e-6
    assert np.isfinite(law.stress(with_stretches(s))).all()


@pytest.mark.parametrize("name", [*PRINCIPAL, "valanis-landel", "mixed"])
def test_rotations_before_and_after(name: str) -> None:
    law, m = made(name), 40
    F = np.eye(3) + 0.25 * np.random.default_rng(4).uniform(-1, 1, (m, 3, 3))
    psi, P, C, Q = law.density(F), law.stress(F), law.tangent(F), rotations(5, m)
    for turned, stress, tangent in (
        (Q @ F, Q @ P, np.einsum("mia,mkb,majbl->mijkl", Q, Q, C)),
        (F @ Q, P @ Q, np.einsum("miakb,maj,mbl->mijkl", C, Q, Q)),
    ):
        np.testing.assert_allclose(law.density(turned), psi, rtol=0, atol=1e-13 * 1000.0)
        np.testing.assert_allclose(law.stress(turned), stress, rtol=0, atol=1e-13 * np.abs(C).max())
        np.testing.assert_allclose(law.tangent(turned), tangent, rtol=0, atol=1e-12 * np.abs(C).max())


@pytest.mark.parametrize("name", ["corotated", "arap", "hencky", "ogden", "tanh"])
def test_projection_clamps_the_eigenvalues_of_the_tangent(name: str) -> None:
    law, m = made(name), 30
    rng = np.random.default_rng(13)
    stretches = np.concatenate([rng.uniform(0.3, 1.2, (10, 3)), rng.uniform(0.9, 3.5, (10, 3)), np.full((10, 3), 0.6)])
    F = with_stretches(stretches)
    eigenvalues, vectors = np.linalg.eigh(law.tangent(F).reshape(m, 9, 9))
    assert (eigenvalues[:, 0] < -1.0).any()
    wanted = np.einsum("mra,ma,mca->mrc", vectors, np.maximum(eigenvalues, 0.0), vectors)
    found = np.empty((m, 9, 9))
    assert isinstance(law.law, PrincipalLaw)
    tangents(law.law.projected, law.parameters(m), F.reshape(m, 9), found)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


def test_solids_take_the_projected_tangent() -> None:
    mesh = Bar(cells=(2, 1, 1)).mesh()
    term, x = Solid(mesh.vertices, mesh.tets, made("corotated")), 0.5 * mesh.vertices
    x += 0.02 * np.random.default_rng(14).uniform(-1, 1, x.shape)
    assert np.linalg.eigvalsh(term.element_hessians(x)).min() < -1.0
    found = term.projected_hessians(x)
    assert np.linalg.eigvalsh(found).min() > -1e-10 * np.abs(found).max()
    system = build_system(mesh.vertices, np.ones(len(x)), [term])
    values = np.zeros(system.pattern.nnz)
    system.potential.add_hessian(one_sample(x), values, project=True)
    whole = np.zeros((3 * len(x), 3 * len(x)))
    for corners, matrix in zip(term.elements, found, strict=True):
        rows = (3 * corners[:, None] + np.arange(3)).ravel()
        whole[np.ix_(rows, rows)] += matrix
    upper = csr_matrix((values, system.pattern.indices, system.pattern.indptr)).toarray()
    np.testing.assert_allclose(upper, np.triu(whole), rtol=0, atol=1e-12 * np.abs(whole).max())


def test_stvk_by_stretches_is_stvk() -> None:
    energy = "mu/4*((l1^2 - 1)^2 + (l2^2 - 1)^2 + (l3^2 - 1)^2) + lam/8*(I1 - 3)^2"
    law, F = material("stvk", energy, mu=300.0, lam=500.0), np.eye(3) + 0.3 * rotations(6, 30)
    wanted = stvk(F, 300.0, 500.0)
    for found, by_hand in zip((law.density(F), law.stress(F), law.tangent(F)), wanted, strict=True):
        np.testing.assert_allclose(found, by_hand, rtol=0, atol=1e-13 * np.abs(by_hand).max())


def decomposed(F: Array) -> tuple[Array, Array, Array]:
    """U, e, V of one batch (LANES, 3, 3) by the kernel."""
    arrays = [np.ascontiguousarray(F.reshape(LANES, 9).T), *(np.empty((rows, LANES)) for rows in (7, 9, 9, 3))]
    ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(decompose())(*[a.ctypes.data for a in arrays])
    return arrays[2].T.reshape(-1, 3, 3), arrays[4].T, arrays[3].T.reshape(-1, 3, 3)


DIAGONALS = [
    (1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (1.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (1.0, 1e-4, 1e-4), (1.0, 1e-9, 2e-9),
    (1e6, 1.0, 1.0), (1e-100, 1e-100, 1e-100), (1.0, 1e-13, 1e-200), (3.0, 2.0, -1e-8), (1e-170, 1.0, 1e-170),
]  # fmt: skip


@pytest.mark.parametrize("diagonal", [*DIAGONALS, "random", "large", "small"])
def test_the_decomposition(diagonal: tuple[float, float, float] | str) -> None:
    size = {"random": 1.0, "large": 1e5, "small": 1e-5}.get(str(diagonal))
    noise = np.random.default_rng(8).normal(size=(LANES, 3, 3))
    F = np.eye(3) + size * noise if size else with_stretches(np.tile(diagonal, (LANES, 1)), 9)
    U, e, V = decomposed(F)
    for Q in (U, V):
        np.testing.assert_allclose(Q @ np.swapaxes(Q, 1, 2), np.tile(np.eye(3), (LANES, 1, 1)), atol=4e-15)
        np.testing.assert_allclose(np.linalg.det(Q), 1.0, rtol=4e-15)
    largest = max(np.abs(F).max(), 1.0)
    np.testing.assert_allclose(np.einsum("mia,ma,mja->mij", U, 1 + e, V), F, rtol=0, atol=4e-15 * largest)
    np.testing.assert_allclose(1 + e, signed_svd(F)[1], rtol=0, atol=4e-15 * largest)


@pytest.mark.parametrize("name", PRINCIPAL)
@pytest.mark.parametrize("size", [1e160, 1e308, np.inf, np.nan])
def test_a_body_that_has_blown_up_never_looks_relaxed(name: str, size: float) -> None:
    F = np.stack([np.full((3, 3), size), np.diag([size, 1.0, 1.0]), np.diag([1.0, 1.0, size])])
    assert not np.isfinite(made(name).density(F)).any()


def test_a_lane_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(10)
    F = np.eye(3) + rng.uniform(-0.5, 0.5, (LANES, 3, 3))
    alone = np.tile(np.eye(3), (LANES, 1, 1))
    alone[3] = F[3]
    for whole, single in zip(decomposed(F), decomposed(alone), strict=True):
        assert np.array_equal(whole[3], single[3])


@pytest.mark.parametrize("name", PRINCIPAL)
def test_avf_keeps_the_energy_of_a_body_in_motion(name: str) -> None:
    mesh = Bar(cells=(3, 1, 1), size=(1.5, 0.5, 0.5)).mesh()
    X = mesh.vertices
    solid = Solid(X, mesh.tets, MATERIALS[name].from_young(800.0, 0.2))
    system = build_system(X, lumped_mass(mesh, mass=1.0), [solid])
    v = np.cross([0.5, 1.0, 3.0], X - X.mean(axis=0))
    frames = run((system, State(0.0, np.ascontiguousarray(X * [1.15, 1.0, 1.0]), v)), AVF(), 1 / 60, 30)
    assert drift(frames) <= 1e-9


@pytest.mark.parametrize(
    ("energy", "message"),
    [
        ("mu*(l1 - 1)^2", r"soft\.energy: .*must stay the same when two of l1, l2, l3 change places, but 'mu\*\(l1"),
        ("mu*(l1*l2*l3 - 1)^2 + mu*1e-6*(l1 - l2)^2", r"soft\.energy: .*change places"),
        (
            "mu*(l1 + l2 + l3 - 3)^2 + mu*E11^2",
            r"soft\.energy: l1, l2, l3 combine with I1, I2 and J only, found also E11",
        ),
        ("mu*(l1 + l2 + l3 - 3)^2 + mu*(F12 + i1)^2", r"soft\.energy: .* found also F12; "),
        (
            "mu*(l1 + l2 + l3)^2",
            r"soft\.energy: at rest the energy density should be zero, found 9 J/m\^3; subtract it",
        ),
        ("l1 + l2 + l3 > mu", r"soft\.energy: an energy density is a number"),
    ],
)
def test_what_is_no_density_in_stretches_is_refused(energy: str, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        material("soft", energy, mu=1.0)


def test_ogden_has_the_shear_modulus_of_its_terms() -> None:
    (mu1, alpha1), (mu2, alpha2), (mu3, alpha3) = TRELOAR
    rubber = Ogden(mu1=mu1, alpha1=alpha1, bulk=1e9, mu2=mu2, alpha2=alpha2, mu3=mu3, alpha3=alpha3)
    C = rubber.tangent(np.eye(3)[None])[0]
    assert C[0, 1, 0, 1] == pytest.approx(0.4225e6, rel=1e-6)
    assert rubber.about_young == pytest.approx(3 * 0.4225e6)
    assert rubber.scaled(2.0).shear == pytest.approx(0.845e6)
    # tension of a nearly incompressible bar: P = sum mu (s^(a - 1) - s^(-a/2 - 1))
    s = 3.0
    F = np.diag([s, s**-0.5, s**-0.5])[None]
    P = rubber.stress(F)[0]
    tension = P[0, 0] - P[1, 1] * s**-1.5
    assert tension == pytest.approx(sum(mu * (s ** (a - 1) - s ** (-a / 2 - 1)) for mu, a in TRELOAR), rel=1e-9)


def test_one_term_of_ogden_with_two_is_neo_hookean() -> None:
    F = np.eye(3) + 0.3 * np.random.default_rng(11).uniform(-1, 1, (20, 3, 3))
    neo = MATERIALS["modified-neo-hookean"](mu=150.0, kappa=2000.0)  # type: ignore[call-arg]
    one = Ogden(mu1=300.0, alpha1=2.0, bulk=2000.0)
    np.testing.assert_allclose(one.tangent(F), neo.tangent(F), rtol=0, atol=1e-12 * 2000.0)


def test_hyperfoam_with_minus_two_is_the_foam_of_blatz_and_ko() -> None:
    F = np.eye(3) + 0.3 * np.random.default_rng(12).uniform(-1, 1, (20, 3, 3))
    foam = Hyperfoam(mu1=300.0, alpha1=-2.0, beta1=0.5)
    blatz_ko = material("blatz-ko", "mu/2*(I2/J^2 + 2*J - 5)", mu=300.0)
    np.testing.assert_allclose(foam.tangent(F), blatz_ko.tangent(F), rtol=0, atol=1e-12 * np.abs(foam.tangent(F)).max())


def test_a_foam_without_lateral_contraction() -> None:
    foam, near = (Hyperfoam(mu1=300.0, alpha1=8.0, beta1=beta) for beta in (0.0, 1e-15))
    F = np.diag([0.5, 1.0, 1.0])[None]
    assert abs(foam.stress(F)[0, 1, 1]) <= 1e-12 * 300.0
    assert foam.stress(F)[0, 0, 0] == pytest.approx(-0.498 * 300.0, rel=1e-3)  # Hooke's law: -300
    assert foam.density(F) == pytest.approx(near.density(F), rel=1e-13)
    below, above = (Hyperfoam(mu1=300.0, alpha1=8.0, beta1=beta) for beta in (0.99999999e-6, 1.00000001e-6))
    np.testing.assert_allclose(below.tangent(F), above.tangent(F), rtol=0, atol=1e-9 * 300.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ogden(mu1=1.0, alpha1=0.0, bulk=1.0), r"ogden\.alpha1: input should not be 0.*set mu1 to 0"),
        (lambda: Ogden(mu1=-1.0, alpha1=2.0, bulk=1.0), r"ogden: the shear modulus at rest.*found -1 Pa"),
        (lambda: Ogden(mu1=1.0, alpha1=2.0, bulk=0.0), r"ogden\.bulk: input should be greater than 0"),
        (lambda: Hyperfoam(mu1=1.0, alpha1=2.0, beta1=-0.5), r"hyperfoam\.beta1: input should be greater than -0\.33"),
    ],
)
def test_constants_out_of_bounds(make: type, message: str) -> None:
    with pytest.raises(SuppleError, match=message):
        make()
