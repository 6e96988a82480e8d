"""Bodies that keep their volume: derivatives, runs by every method that holds constraints, and refusals."""

import numpy as np
import pytest

import supple as sp
from supple.constraints.volumes import FixedVolume
from supple.errors import SuppleError
from supple.mesh.topology import surface


def ball(volume: object = "kept") -> sp.Body:
    return sp.Body(
        sp.Ball(radius=0.1, resolution=2),
        sp.StVK.from_young(2e4, 0.3),
        name="ball",
        volume=volume,
        pin="top",
        groups={"top": sp.Selection(expression="Y > 0.06")},
    )


def enclosed(x: np.ndarray, model: sp.Model) -> float:
    return float(np.linalg.det(x[surface(model.mesh)]).sum() / 6.0)


def test_derivatives() -> None:
    mesh = sp.Sphere(radius=0.3, subdivisions=1).mesh()
    kept = FixedVolume(mesh.vertices, mesh.triangles)
    generator = np.random.default_rng(1)
    x = mesh.vertices + generator.normal(scale=0.02, size=mesh.vertices.shape)
    w = generator.normal(size=x.shape)
    e = 1e-6
    slope = (kept.gradients(x)[0] * w[kept.vertices[0]]).sum()
    assert slope == pytest.approx((kept.values(x + e * w) - kept.values(x - e * w))[0] / (2 * e), rel=1e-7)
    turn = (kept.gradients(x + e * w) - kept.gradients(x - e * w)) / (2 * e)
    np.testing.assert_allclose(kept.turned(x, w), turn, rtol=0, atol=1e-8)


@pytest.mark.parametrize("method", [sp.AVF(), sp.BackwardEuler(), sp.Midpoint()])
def test_volume_stays(method: object) -> None:
    """A soft ball that hangs from its top and swings; without the constraint its volume changes by parts of a percent."""
    changes = {}
    for volume in ("kept", None):
        model = sp.assemble(sp.World([ball(volume)]))
        model.state.v[:, 0] = 2.0 * (0.1 - model.state.x[:, 1])
        V = [enclosed(frame.state.x, model) for frame in sp.simulate(model, method, h=1 / 100, steps=20)]
        changes[volume] = np.abs(np.array(V) / V[0] - 1.0).max()
    assert changes["kept"] < 1e-10
    assert changes[None] > 1e-4


def test_avf_keeps_the_energy_too() -> None:
    model = sp.assemble(sp.World([ball()]))
    *_, last = sp.simulate(model, sp.AVF(), h=1 / 100, steps=30)
    assert abs(last.ledger.residual) < 1e-11 * last.ledger.energies.scale
    assert last.solve.constraint_forces.shape == (1,)


def test_as_a_constraint_of_its_own() -> None:
    """A closed surface, by [[constraint]]: the same equation as volume = "kept"."""
    body = sp.Body(sp.Sphere(radius=0.1, subdivisions=2), sp.NeoHookeanMembrane(1e5, 0.4), name="b", thickness=1e-3)
    by_kind = sp.assemble(sp.World([body], constraints=[sp.KeptVolume("b")]))
    x = by_kind.state.x
    by_key = sp.assemble(sp.World([sp.Body(body.mesh, body.material, name="b", thickness=1e-3, volume="kept")]))
    first, second = (m.system.constraints for m in (by_kind, by_key))
    assert len(first) == len(second) == 1
    np.testing.assert_array_equal(first.values(1.1 * x), second.values(1.1 * x))


def test_refusals() -> None:
    bar = sp.Body(sp.Cloth(cells=(2, 2)), sp.HookeSpring(stretch=10.0), name="sheet")
    with pytest.raises(SuppleError, match="open edges"):
        sp.assemble(sp.World([bar], constraints=[sp.KeptVolume("sheet")]))
    with pytest.raises(SuppleError, match="belongs to the whole body: 'ball'"):
        sp.assemble(sp.World([ball(None)], constraints=[sp.KeptVolume("ball.top")]))
    with pytest.raises(SuppleError, match="neither stiffness nor"):
        sp.Kept(1e4, exact=True)
    with pytest.raises(SuppleError, match="stiffness: missing; give a number"):
        sp.Kept()
    with pytest.raises(SuppleError, match='"kept" is for volumes'):
        sp.assemble(sp.World([sp.Body(sp.Sphere(), sp.NeoHookeanMembrane(1e5, 0.4), thickness=1e-3, area="kept")]))
    with pytest.raises(SuppleError, match="cannot"):
        list(sp.simulate(sp.assemble(sp.World([ball()])), sp.BDF2(), h=0.01, steps=1))
