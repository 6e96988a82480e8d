"""Corrections of the numerical perspective on deformable objects (A)."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_perspective.py::"
MODES = "tests/errata/test_perspective_modes.py::"
HYBRIDS = "tests/integrators/test_exponential_hybrids.py::"
LINE = "tests/integrators/test_one_dimension.py::"

PERSPECTIVE = (
    Erratum("(2)", "damping force +(a K + b M) v", "-(a K + b M) v", HERE + "test_damping_takes_energy"),
    Erratum("(7)", "u0 + u of the step before", "u0 - u of the step before", HERE + "test_bdf2_keeps_a_constant"),
    Erratum(
        "(12)", "half the norm of the residual", "half the squared norm, whose gradient is J^T r",
        HERE + "test_the_merit_is_a_square",
    ),
    Erratum(
        "after (5)", "right-hand side of Newton's method at u1", "at the current iterate",
        HERE + "test_newton_looks_where_it_is",
    ),
    Erratum(
        "3.5.1", "ERE has the order of backward Euler", "order 2 with the Jacobian at u0, order 1 otherwise",
        HYBRIDS + "test_orders_on_the_beam",
    ),
    Erratum(
        "3.5.2", "K X = M X D", "X^T M X = I is also required: otherwise the components along the modes are not "
        "projections", MODES + "test_modes_must_be_normalised",
    ),
    Erratum(
        "3.5.2", "the dominant part of the force is -M^-1 K q", "-K q; M^-1 turns it into an acceleration",
        "tests/dynamics/test_invariants.py::test_force_is_minus_the_gradients",
    ),
    Erratum(
        "(21a), (22)", "phi1(h J_G) G(u0)", "order 1 and unstable: spectral radius 1.115 at h omega = 1. phi1(2h J_G), "
        "or 3/2 phi1(h J_G) - 1/2 phi1(-h J_G)", HYBRIDS + "test_the_printed_flows_are_unstable_and_ours_are_not",
    ),
    Erratum(
        "(26c)", "phi1(h/2 J_G)", "order 1 and unstable: a beam gains energy. phi1(h J_G) has order 2",
        HYBRIDS + "test_the_printed_hybrids_gain_energy_on_a_beam",
    ),
    Erratum(
        "after (25)", "J_H w = J w + Y1 Z1^T w + Y2 Z2^T w", "with two minus signs: J_H has no component along the "
        "modes", MODES + "test_the_modes_are_taken_out",
    ),
    Erratum(
        "(25)", "a correction of rank s", "rank 2s in positions and velocities; rank s only in the velocity system",
        MODES + "test_the_rank_of_the_correction",
    ),
    Erratum(
        "after (25)", "conjugate gradients on I - h J_H", "that matrix is not symmetric; the velocity system is "
        "symmetric and positive definite", MODES + "test_conjugate_gradients_need_the_velocity_system",
    ),
    Erratum(
        "after (25)", "(I - J_H) w", "(I - h J_H) w", MODES + "test_the_factor_of_the_step_is_needed",
    ),
    Erratum(
        "(18) to (26)", "number of modes and step size not related", "with phi1(h J_G) in (26), modes beyond h omega = "
        "4.57 grow: they must be left to the implicit part",
        HYBRIDS + "test_modes_beyond_the_stability_limit_are_left_to_the_implicit_part",
    ),
    Erratum(
        "(21), (26) with modes of an earlier step", "order 2", "order 1, unless the change in the modal part is added",
        HYBRIDS + "test_old_modes_keep_the_second_order",
    ),
    Erratum(
        "Sec. 4", "5 x (32 x 4 x 4) = 1920 tets", "2560; 1920 is 5 x (24 x 4 x 4)", HERE + "test_tets_of_the_beam",
    ),
    Erratum(
        "Example 2", "BDF2 stays positive", "only if its first step is a backward Euler step",
        LINE + "test_bdf2_stays_positive_after_backward_euler",
    ),
    Erratum(
        "Example 2", "stages of TR-BDF2 and SDIRK", "-0.92308 and -0.93397: these methods fail if the energy contains "
        "a logarithm", LINE + "test_the_first_stage_would_be_negative",
    ),
    Erratum(
        "3.2", "backward Euler damps about twice as much as BDF2", "for h omega above about 4; at 0.1 the ratio is 204",
        HERE + "test_backward_euler_against_bdf2",
    ),
    Erratum(
        "3.2", "BDF2 damps less than the Runge-Kutta methods for large h omega", "beyond 35.35 (TR-BDF2) and 32.47 "
        "(SDIRK)", HERE + "test_where_bdf2_damps_less",
    ),
    Erratum(
        "(28)", "the barrier for x in [0, delta]", "for x in (0, delta]; infinite for x <= 0",
        "tests/contact/test_contact_laws.py::test_the_barrier_has_no_inside",
    ),
    Erratum(
        "(30a)", "f = lambda^T db/dq", "f = lambda^T dd/dq with lambda = -kappa b'(d) >= 0",
        "tests/contact/test_obstacle_terms.py::test_touches_press_along_the_normal",
    ),
    Erratum(
        "(30), text", "contact enforces b(d) = 0", "b is positive in every contact at rest: d settles where kappa "
        "b'(d) balances the load",
        "tests/contact/test_exact_contact.py::test_a_resting_point_stands_where_the_barrier_carries_its_weight",
    ),
    Erratum(
        "(29), (33)", "sums over n", "sums over the n_c contacts", HERE + "test_only_contacts_press",
    ),
)  # fmt: skip
