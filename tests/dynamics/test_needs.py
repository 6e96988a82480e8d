"""Needs of systems and of methods: one source for refusals, which list alternatives."""

import numpy as np
import pytest

from builders import four_nodes, stretched_bar
from supple.constraints.links import FixedLengths
from supple.contact.barrier_law import Barrier
from supple.contact.laws import Law, Quadratic
from supple.contact.obstacles.half_space import HalfSpace, HalfSpaceContact
from supple.dynamics.needs import MINIMISED, SMOOTH, Need, needs_of, unmet
from supple.dynamics.system import System, build_system
from supple.integrators import INTEGRATORS
from supple.integrators.implicit.avf import AVF
from supple.integrators.implicit.midpoint import Midpoint
from supple.integrators.linear.corotational import CorotationalReversible
from supple.integrators.method import NAMED, methods_for
from supple.integrators.points.mpm import Mpm
from supple.integrators.wrapper import Wrapper
from supple.integrators.yoshida import Yoshida

METHODS = {name: cls() for name, cls in sorted(INTEGRATORS.load().items())}
PLAIN = {name: method for name, method in METHODS.items() if method.by_itself and method.facts.order}


def above_floor(law: Law, rod: bool = False) -> System:
    """Four nodes above a floor that is some way off."""
    system, start = four_nodes()
    floor = HalfSpaceContact(HalfSpace((0.0, -5.0, 0.0)), law, np.arange(system.n))
    rods = [FixedLengths(start.x, [[0, 1]])] if rod else []
    return build_system(start.x, system.mass, [*system.potential.terms, floor], constraints=rods)


BARRIER = above_floor(Barrier(1.0, 0.1))


def test_what_systems_need() -> None:
    assert needs_of(four_nodes()[0]) == set()
    assert needs_of(four_nodes(0.3)[0]) == {Need.DAMPING}
    assert needs_of(BARRIER) == {Need.BARRIER}
    assert needs_of(above_floor(Quadratic(1.0))) == set()
    assert needs_of(above_floor(Barrier(1.0, 0.1), rod=True)) == {Need.BARRIER, Need.CONSTRAINTS}


def test_every_need_is_met_by_some_method_and_says_what_to_do_otherwise() -> None:
    for need in Need:
        assert any(need in method.meets for method in (*PLAIN.values(), Mpm())), need
        said = unmet("a method", frozenset(), frozenset({need}))
        assert said is not None
        assert said.sentence(["avf", "bdf2"]) == f"a method cannot {need.task}; take avf or bdf2, or {need.remedy}"
        assert said.sentence([]) == f"a method cannot {need.task}; {need.remedy}"


@pytest.mark.parametrize("name", PLAIN)
def test_a_barrier_is_refused_with_the_names_of_those_who_meet_it(name: str) -> None:
    method, said = PLAIN[name], PLAIN[name].refuses(BARRIER)
    if Need.BARRIER in method.meets and method.objection(four_nodes()[0]) is None:
        assert said == ""
        return
    named = methods_for(BARRIER)
    assert f"; take {', '.join(named[:-1])} or {named[-1]}, or " in said
    assert named == sorted(named)
    assert 2 <= len(named) <= NAMED
    assert all(PLAIN[other].refuses(BARRIER) == "" for other in named)


def test_constraints_stand_beside_barriers() -> None:
    system = above_floor(Barrier(1.0, 0.1), rod=True)
    assert AVF().refuses(system) == ""
    assert (
        Midpoint()
        .refuses(system)
        .startswith("midpoint cannot end its steps before a barrier; take avf or backward-euler")
    )


def test_wrappers_meet_what_the_method_inside_meets() -> None:
    for method in METHODS.values():
        if isinstance(method, Wrapper):
            assert method.meets - {Need.POINTS} <= method.of.meets  # mpm brings points itself
            assert not method.by_itself


@pytest.mark.parametrize("inner", [METHODS["verlet"], Midpoint(), AVF()], ids=lambda m: m.name)
def test_a_composition_meets_no_barrier(inner: AVF) -> None:
    """Its pieces are longer than the step, and one goes back: whether the step passes through something is not asked there."""
    assert (
        Yoshida(inner)
        .refuses(BARRIER)
        .startswith(f"yoshida of {inner.name} cannot end its steps before a barrier; take ")
    )
    assert Yoshida(inner).refuses(four_nodes()[0]) == ""


def test_a_composition_asks_the_method_inside_about_materials() -> None:
    system, _ = stretched_bar(cells=(1, 1, 1))
    said = Yoshida(CorotationalReversible()).refuses(system)
    assert said == CorotationalReversible().refuses(system)
    assert "found Solid" in said


def test_the_sets() -> None:
    assert SMOOTH < MINIMISED < frozenset(Need)
    assert len({need.value for need in Need}) == len(Need)


@pytest.mark.parametrize("name", METHODS)
def test_sets_and_refusals_agree(name: str) -> None:
    method, (system, _) = METHODS[name], four_nodes()
    if method.objection(system) is None:
        assert (method.refuses(BARRIER) == "") == (Need.BARRIER in method.meets)
