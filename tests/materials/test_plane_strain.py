"""Flat bodies in plane strain: a patch test against the solid, a compressed strip that does not buckle, refusals."""

import numpy as np
import pytest

import supple as sp
from supple.energies.springs.plane import KeptInPlane
from supple.errors import SceneError
from supple.loop import simulate
from supple.materials.membranes.plane_strain import NeoHookeanPlaneStrain, StVKPlaneStrain
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stvk import StVK
from supple.model.assemble import assemble

YOUNG, POISSON = 1000.0, 0.3
PAIRS = [
    (StVKPlaneStrain(YOUNG, POISSON), StVK.from_young(YOUNG, POISSON)),
    (NeoHookeanPlaneStrain(YOUNG, POISSON), NeoHookean.from_young(YOUNG, POISSON)),
]
CLOTH = sp.Cloth(cells=(6, 3), size=(2.0, 1.0))


def strip(law: object, **more: object) -> sp.Body:
    return sp.Body(CLOTH, law, thickness=0.1, density=100.0, **more)


@pytest.mark.parametrize(("flat", "solid"), PAIRS)
def test_densities_are_those_of_the_solid_that_keeps_its_thickness(flat, solid) -> None:
    F = np.tile(np.eye(3), (20, 1, 1))
    F[:, :2, :2] += 0.2 * np.random.default_rng(1).uniform(-1, 1, (20, 2, 2))
    E = 0.5 * (np.swapaxes(F, 1, 2) @ F - np.eye(3))
    strains = np.stack([E[:, 0, 0], E[:, 1, 1], 2 * E[:, 0, 1]], axis=1)
    np.testing.assert_allclose(flat.density(strains), solid.density(F), rtol=1e-11)


def test_patch_a_uniform_strain_has_the_stress_of_plane_strain() -> None:
    """All inner vertices of a distorted mesh are in balance, and the force at the end is (lam + 2 mu) e t w."""
    world = sp.World([strip(StVKPlaneStrain(YOUNG, POISSON))], gravity=0.0)
    model = assemble(world)
    X = model.system.rest if hasattr(model.system, "rest") else model.mesh.vertices
    e = 1e-6
    x = X.copy()
    long = int(np.argmax(np.ptp(X, axis=0)))
    x[:, long] += e * X[:, long]
    force = model.system.potential.gradient(x)
    ends = (X[:, long] == X[:, long].min(), X[:, long] == X[:, long].max())
    flat_axis = int(np.argmin(np.ptp(X, axis=0)))
    across = ({0, 1, 2} - {long, flat_axis}).pop()
    sides = (X[:, across] == X[:, across].min()) | (X[:, across] == X[:, across].max())
    inner = ~(ends[0] | ends[1] | sides)
    assert inner.sum() == 10
    lam, mu = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    pull = (lam + 2 * mu) * e * 0.1 * 1.0
    assert np.abs(force[inner]).max() <= 1e-9 * pull
    assert force[ends[1], long].sum() == pytest.approx(pull, rel=1e-5)
    # the sides are held: what presses on them is lam e, which a membrane in plane stress has less of
    assert np.abs(force[sides & (X[:, across] == X[:, across].max()), across].sum()) == pytest.approx(
        lam * e * 0.1 * 2.0, rel=1e-5
    )


def test_a_compressed_strip_stays_flat() -> None:
    """Pressed far beyond the buckling load of a membrane, with a small push across at the start that is held."""
    run = {}
    for name, law in (("slice", StVKPlaneStrain(YOUNG, POISSON)), ("membrane", sp.StVKMembrane(YOUNG, POISSON))):
        ends = np.flatnonzero(np.abs(CLOTH.mesh().vertices[:, 0] - CLOTH.mesh().vertices[:, 0].mean()) > 0.99)
        body = strip(law, initial=sp.Initial(stretch=(0.8, 1.0, 1.0)), groups={"ends": ends}, pin="ends")
        model = assemble(sp.World([body], gravity=0.0))
        x = model.state.x.copy()
        axis = int(np.argmin(np.ptp(x, axis=0)))
        model.state.v[::2, axis] = 1e-3
        frames = list(simulate(model.system, sp.BackwardEuler(), model.state, 0.02, 150))
        run[name] = np.ptp(frames[-1].state.x[:, axis])
    assert run["slice"] < 1e-4
    assert run["membrane"] > 0.1


def test_what_is_not_flat_is_refused() -> None:
    bent = strip(StVKPlaneStrain(YOUNG), initial=sp.Initial(position=("X", "Y + 0.1*X*X", "Z + 0.1*X*X")))
    with pytest.raises(
        SceneError, match=r"body\[0\]\.material: 'stvk-plane-strain' is for flat bodies, but .* m away from a plane"
    ):
        assemble(sp.World([bent]))
    with pytest.raises(SceneError, match=r"needs body\.thickness"):
        assemble(sp.World([sp.Body(CLOTH, StVKPlaneStrain(YOUNG))]))


def test_springs_across_the_plane_are_derivatives() -> None:
    x = np.random.default_rng(2).standard_normal((4, 3))
    normal = np.array([0.6, 0.0, 0.8])
    term = KeptInPlane(np.array([3, 1], np.int32), np.zeros((2, 3)), normal, np.array([5.0, 7.0]))
    d, eps = np.random.default_rng(3).standard_normal((4, 3)), 1e-6
    slope = (term.element_values(x + eps * d) - term.element_values(x - eps * d)) / (2 * eps)
    moves = d[term.elements[:, 0]]
    np.testing.assert_allclose(np.einsum("mi,mi->m", term.element_gradients(x)[:, 0], moves), slope, rtol=1e-7)
    bent = (term.element_gradients(x + eps * d) - term.element_gradients(x - eps * d))[:, 0] / (2 * eps)
    np.testing.assert_allclose(np.einsum("mij,mj->mi", term.element_hessians(x), moves), bent, rtol=1e-7)
    assert not term.element_gradients(np.zeros((4, 3))).any()
