"""Corrections of the thesis (K): integration in time."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_thesis_time.py::"
ADAPTIVE = "tests/adaptive/test_ruled_methods.py::"

INTEGRALS = (
    Erratum(
        "3.2.5, example", "a discrete Lagrangian without h", "multiplied by h",
        HERE + "test_an_action_has_the_step_as_factor",
    ),
    Erratum(
        "(3.13), (3.14), (3.16), (3.17)", "h of the previous step", "h of the current step",
        HERE + "test_the_step_of_a_kick",
    ),
    Erratum("(3.18)", "for any step sizes", "for constant step sizes only", HERE + "test_the_step_of_a_kick"),
    Erratum(
        "3.2.8, 3.2.9", "external terms are added to the Lilyan", "subtracted, with h: -h F . v, -h^2 lambda grad g . "
        "v, -h B", HERE + "test_outer_forces_are_subtracted_from_the_lilyan",
    ),
    Erratum(
        "3.2.7, Lilyan", "no factor before W", "(1 - alpha)/alpha, which equals 1 only for alpha = 1/2",
        "tests/integrators/test_variational.py::test_minimiser_of_the_lilyan_is_the_root_of_the_equation",
    ),
    Erratum(
        "3.2.5", "better quadrature raises the order", "not along a straight path: Simpson's rule has order 2",
        HERE + "test_better_quadrature_does_not_raise_the_order",
    ),
    Erratum(
        "(3.21)", "the discrete energy changes by 0", "only if time is varied as well; with fixed steps the change is "
        "bounded", "tests/integrators/test_variational.py::test_discrete_energy_is_that_of_the_step_and_hardly_changes",
    ),
    Erratum(
        "3.2.6", "re-injected residuals always conserve energy", "only with a Newton solver or without warm starts; "
        "warm starts of an under-relaxed solver are rejected",
        "tests/integrators/test_reinjection.py::test_unsafe_combinations_are_refused_with_what_to_take",
    ),
    Erratum(
        "3.3.3", "lambda from the initial energy", "lambda_k = E_(k+1) - E_1, with the discrete energy of the first "
        "step", ADAPTIVE + "test_the_pendulum_keeps_its_energy_with_symplectic_steps",
    ),
    Erratum(
        "3.3.6, both examples", "lambda grad sigma", "h lambda grad sigma",
        ADAPTIVE + "test_explicit_symplectic_steps_are_off_by_the_square_of_the_step",
    ),
    Erratum(
        "3.3.6", "eps is the lower bound of sigma", "eps is the upper bound of sigma and limits the longest step",
        "tests/adaptive/test_step_rules.py::test_the_asked_step_is_the_longest",
    ),
    Erratum(
        "3.3.6", "|grad W + grad W + eps|", "a scalar cannot be added to a vector: sqrt(|g|^2 + eps^2), which is "
        "smooth", "tests/adaptive/test_step_rules.py::test_no_kink_where_the_body_comes_to_rest",
    ),
    Erratum(
        "3.4, frames", "frames of least displacement are suitable for the integrator", "with plain forces they blow "
        "up, since these are not a gradient",
        "tests/integrators/test_corotational_integrators.py::test_plain_forces_of_other_frames_blow_up",
    ),
    Erratum(
        "(3.33)", "missing bracket", "h/2 multiplies both terms, K (q + h v/2) and f",
        HERE + "test_the_bracket_of_the_kick",
    ),
)  # fmt: skip
