"""Contact by conditions on velocities: complementarity, recorded energies, and known weaknesses."""

import numpy as np
import pytest

import supple as sp
from supple.contact.obstacles.half_space import HalfSpace
from supple.contact.obstacles.shapes import SphereShape
from supple.contact.obstacles.velocity import Face, VelocityContact, solved
from supple.errors import SuppleError


def test_several_contacts_of_one_vertex_are_solved_together() -> None:
    """The nearest velocity in the wedge of two planes, not the result of one plane after the other."""
    normals = np.array([[0.0, 1.0, 0.0], [np.sin(2.2), np.cos(2.2), 0.0]])
    u, p = solved(np.array([[-1.0, -0.6, 0.3]]), np.array([0, 0], dtype=np.int32), normals, np.zeros(2))
    rates = normals @ u[0]
    assert (p >= 0.0).all()
    assert (rates >= -1e-13).all()
    assert abs(p @ rates) < 1e-13
    np.testing.assert_allclose(u[0], np.array([-1.0, -0.6, 0.3]) + p @ normals, atol=1e-13)


def test_restitution_and_friction() -> None:
    faces = [Face(HalfSpace(), np.array([0], dtype=np.int32), restitution=0.5, friction=0.2)]
    x = np.array([[0.0, 0.0, 0.0]])
    put = VelocityContact(faces).project(x, x + np.array([0.1, -0.2, 0.0]), np.array([[1.0, -2.0, 0.0]]), 0.0, 0.1)
    np.testing.assert_allclose(put.v, [[1.0 - 0.2 * 3.0, 1.0, 0.0]])
    np.testing.assert_allclose(put.x, [[0.1, 0.0, 0.0]])
    np.testing.assert_allclose(put.rubbed, 5.0 - 1.16)


def test_a_vertex_is_stopped_only_after_it_has_entered() -> None:
    """`velocity` leaves it inside for good; `linearised` ends at the surface."""
    depths = {}
    for linearised in (False, True):
        law = VelocityContact([Face(HalfSpace(), np.array([0], dtype=np.int32))], linearised)
        x, v, h = np.array([[0.0, 0.05, 0.0]]), np.array([[0.0, -1.0, 0.0]]), 0.1
        for _ in range(5):
            put = law.project(x, x + h * v, v, 0.0, h)
            x, v = put.x, put.v
        depths[linearised] = x[0, 1]
    assert depths[False] == pytest.approx(-0.05)
    assert depths[True] == pytest.approx(0.0, abs=1e-15)


def test_plausible_steps_beside_a_ball_are_refused() -> None:
    """A vertex on a ball slides along by a chord and a little more: it ends outside, and is still lifted to the tangent plane."""
    ball = SphereShape((0.0, 0.0, 0.0), 1.0)
    x = np.array([[0.0, 1.0, 0.0]])
    end = np.array([[np.sin(0.3), np.cos(0.3) + 1e-3, 0.0]])
    assert ball.distance(end)[0] > 0.0
    for linearised in (False, True):
        law = VelocityContact([Face(ball, np.array([0], dtype=np.int32))], linearised)
        put = law.project(x, end, (end - x) / 0.1, 0.0, 0.1)
        assert put.x[0, 1] == pytest.approx(1.0)
        assert ball.distance(put.x)[0] > 0.04


@pytest.mark.parametrize("law", ["velocity", "linearised"])
def test_the_ledger_books_what_an_impact_took(law: str) -> None:
    """A point of 1 kg that falls by 1 m is stopped: its energy is dissipated, not residual."""
    rope = sp.Body(sp.Rope(segments=1, length=0.1), sp.HookeSpring(stretch=1e-3), name="two", mass=2.0)
    floor = sp.Obstacle(sp.HalfSpace(point=(0.0, -1.0, 0.0)), law=law)
    model = sp.assemble(sp.World([rope], obstacles=[floor], gravity=9.8))
    *_, last = sp.simulate(model, sp.AVF(), h=1 / 400, steps=300)
    fall = 2.0 * 9.8
    assert np.abs(last.state.v).max() < 0.1
    assert last.ledger.dissipated == pytest.approx(fall, rel=0.02)
    assert abs(last.ledger.residual) < 0.02 * fall


def test_refusals() -> None:
    with pytest.raises(SuppleError, match='law = "velocity" moves vertices without any force'):
        sp.Obstacle(sp.HalfSpace(), law="velocity", stiffness=1e3)
    with pytest.raises(SuppleError, match='restitution is for law = "projection" or "velocity" or "linearised" only'):
        sp.Obstacle(sp.HalfSpace(), law="barrier", restitution=0.5)
    ball = sp.Body(
        sp.Ball(radius=0.1, resolution=1), sp.StVK(1e3, 1e3), name="b", initial=sp.Initial(translate=(0, 1, 0))
    )
    walls = [sp.Obstacle(sp.HalfSpace(), law="velocity"), sp.Obstacle(sp.HalfSpace(normal=(1, 0, 0), point=(-1, 0, 0)))]
    with pytest.raises(SuppleError, match='"velocity" moves vertices without regard to barriers'):
        sp.assemble(sp.World([ball], obstacles=walls))
