"""Corrections of the thesis (K): elasticity, damping, coarsening."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_thesis_elasticity.py::"

THESIS = (
    Erratum("2.1.2, (2.3)", "indices starting at 0", "starting at 1", HERE + "test_four_corners_make_the_gradient"),
    Erratum("2.2.1", "F as a sum over p = 0 to 4", "p = 1 to 4", HERE + "test_four_corners_make_the_gradient"),
    Erratum("2.2.1", "I2 without the factor 1/2", "(tr^2 C - tr C^2)/2", HERE + "test_the_second_invariant"),
    Erratum(
        "2.2.1", "constants of neo-Hookean and Mooney-Rivlin materials", "not the Lame constants: mu of the modified "
        "law is half the shear modulus",
        "tests/materials/test_material_moduli.py::test_mu_of_the_modified_neo_hookean_is_half_the_shear_modulus",
    ),
    Erratum(
        "2.2.1", "grad N: cross product of edges over V, outward", "over 6 V, towards the node",
        HERE + "test_gradients_of_shape_functions",
    ),
    Erratum("2.2.2", "C is called compliance", "C is the stiffness", HERE + "test_stiffness_not_compliance"),
    Erratum(
        "2.2.2, (2.15)", "K u = div(C : eps)", "-div(C : eps): K is positive", HERE + "test_the_sign_of_the_stiffness",
    ),
    Erratum(
        "2.2.2, torque-free loads", "minus m r x (I^-1 tau)", "plus: the correction removes the torque",
        HERE + "test_loads_without_torque",
    ),
    Erratum("2.2.2, (2.16)", "entries (2,3) and (3,2) of the inertia", "-y z", HERE + "test_the_tensor_of_inertia"),
    Erratum(
        "2.2.3", "corotational gradient 1/2 (R K R^T x - 2 R K X)", "R K (R^T (x - b) - (X - b0)): the printed "
        "gradient does not vanish at rest", HERE + "test_no_force_at_rest",
    ),
    Erratum(
        "2.2.3", "R K u^ is the gradient of the energy in any frame", "only for polar frames of isotropic bodies; "
        "others need a correction",
        "tests/energies/test_corotational.py::test_only_polar_frames_of_isotropic_bodies_need_no_correction",
    ),
    Erratum(
        "2.3", "grad W instead of the force", "force = -grad W",
        "tests/dynamics/test_invariants.py::test_force_is_minus_the_gradients",
    ),
    Erratum(
        "2.3", "no scaling of k_D with the step size", "the coefficient scales with the step size, so that the motion "
        "at h and h/2 is the same", "tests/damping/test_structure_preserving.py::test_a_spring_at_four_steps",
    ),
    Erratum(
        "4.2.1", "the inverse of the sum of the reciprocals", "correct as printed, for springs in series: soft slices "
        "dominate, and averages of moduli miss them", "tests/coarsening/test_effective.py::test_a_slice_through_a_bar",
    ),
    Erratum(
        "4.3.4", "two tensors C with the same symbol", "the coarse tensor on one side, the fine one on the other; "
        "equal energies define the coarse one",
        "tests/coarsening/test_effective.py::test_homogeneous_bodies_keep_their_tensor",
    ),
    Erratum(
        "4.3.8", "int div(C : eps(u)) . z = int eps(z) : C : eps(u)", "with a minus sign and a boundary term",
        HERE + "test_integration_by_parts",
    ),
    Erratum(
        "4.4.3", "vertices numbered from 1 and from 0", "four vertices in either numbering",
        "tests/coarsening/test_fine_map.py::test_points_are_located",
    ),
    Erratum(
        "(4.6), (4.7)", "R in one, R^T in the other", "R maps the deformed body to the rest shape",
        "tests/coarsening/test_fine_map.py::test_turned_harmonic_states_are_reproduced",
    ),
)  # fmt: skip
