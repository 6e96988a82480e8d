"""Corrections of the paper on the average vector field (R)."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_avf_paper.py::"
LINE = "tests/integrators/test_one_dimension.py::"

AVF = (
    Erratum(
        "Eq. 21", "position update with the gradient of H with respect to x", "the gradient with respect to v",
        HERE + "test_positions_follow_the_gradient_by_velocity",
    ),
    Erratum(
        "Eq. 23", "q1 - q0 = S times the mean gradient", "the step size h is a factor, unless S contains it",
        HERE + "test_steps_are_proportional_to_h",
    ),
    Erratum(
        "Eq. 29", "v1 = v0 - M^-1 times the mean gradient", "v1 = v0 - h M^-1 times the mean gradient",
        HERE + "test_steps_are_proportional_to_h",
    ),
    Erratum(
        "Eq. 31", "-(h/2) M^-1 times the mean gradient", "-(h^2/2) M^-1 times the mean gradient",
        HERE + "test_positions_move_by_half_the_square_of_h",
    ),
    Erratum(
        "Eq. 33", "the integral is (h/2) times the weighted sum", "1/2 times the sum, since the weights add up to 2",
        HERE + "test_a_mean_has_weights_that_add_up_to_one",
    ),
    Erratum(
        "Eq. 39 beside Eq. 12", "two objectives with the same name", "the one in the appendix is twice the other: "
        "damping added to the wrong one has half the effect",
        HERE + "test_an_objective_that_is_doubled_halves_the_damping",
    ),
    Erratum(
        "Eq. 16", "the damping energy is inserted into Eq. 12", "it needs the factor h^2/2; the factors 1, h^2 and "
        "h^2/12, or the points of Simpson's rule, give wrong damping or none", HERE + "test_the_weight_of_damping",
    ),
    Erratum(
        "Sec. 5, collisions", "collision energies are added to Eq. 12; the drift is attributed to non-polynomial "
        "springs", "they enter like the elastic energy. The springs are quadratic, so Simpson's rule is exact while "
        "they are active; the drift is caused by springs that switch on or off between steps",
        "tests/contact/test_repulsion.py::test_energy_is_kept_while_nothing_comes_or_goes",
    ),
    Erratum(
        "Fig. 2, caption", "h = 0.003 s", "h = 0.033 s, as in the text: at 0.003 s the solver does not get stuck",
        LINE + "test_discrete_gradient",
    ),
    Erratum(
        "Sec. 4, one dimension", "a false minimum between -1.5 and 0.5; in another place, at -0.5", "at -0.75578",
        LINE + "test_the_equation_has_one_root_and_its_square_a_false_minimum",
    ),
    Erratum(
        "Fig. 3", "a root close to 1.0", "at 1.101847148927514", LINE + "test_avf_in_the_double_well",
    ),
    Erratum(
        "Sec. 4 and 5, springs", "1500 (x^2 - 1)^2 has stiffness 1500 in k/2 (l^2 - r^2)^2", "its stiffness is 3000",
        HERE + "test_the_stiffness_of_the_example",
    ),
    Erratum(
        "Sec. 4", "the midpoint discrete gradient conserves angular momentum", "only if it is written as a function of "
        "strain; in coordinates it does not",
        "tests/integrators/test_energy_momentum.py::test_gonzalez_keeps_energy_only",
    ),
)  # fmt: skip
