"""Damping of strain omits energies that are no strain of a material: a pressure has no element matrices."""

import supple as sp
from supple.energies.roles.whole_body import WholeBody


def test_stiffness_damping_leaves_the_pressure_inside_out() -> None:
    ball = sp.Body(sp.Sphere(subdivisions=1), sp.Preset("rubber"), thickness=1e-3, pressure=sp.Pressure(pressure=100.0))
    model = sp.assemble(sp.World([ball], damping=[sp.Rayleigh(stiffness=1e-3)]))
    whole = [term for term in model.ingredients.elastic if isinstance(term, WholeBody)]
    assert whole
    assert len(model.ingredients.damping) >= len(model.ingredients.elastic) - len(whole) > 0
    assert all(len(term.element_hessians(model.state.x)) for term in model.ingredients.elastic if term not in whole)
