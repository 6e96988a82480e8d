"""Corrections of the paper on energy budgets (S)."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_budget_paper.py::"
SPRINGS = "tests/integrators/test_conserving_springs.py::"

BUDGET = (
    Erratum("(2)", "no norm of x2 - x1", "lengths, as in (4)", HERE + "test_springs_have_lengths"),
    Erratum(
        "(13) to (17)", "select the root closest to the analytic velocity; w in (17)", "this root stops springs "
        "permanently where omega dt exceeds 2.4. The root of the implicit midpoint rule always works; w is omega",
        SPRINGS + "test_the_published_root_brings_springs_to_a_stop",
    ),
    Erratum(
        "(20)", "minus the sum of the forces on node 2", "plus, if these are the forces on the node; otherwise (21) "
        "has an error of 2 dt^2 F F2/m2", HERE + "test_shares_of_springs_add_up",
    ),
    Erratum(
        "after (22)", "the velocity of (19) replaces v in (4)", "that velocity is for a full dt; the position update "
        "needs half of it", HERE + "test_positions_take_half_of_the_kick",
    ),
    Erratum(
        "(30)", "c times a vector F, and c^2 F^2 without u", "F is a scalar; both terms have the direction of the unit "
        "vector u", HERE + "test_a_scalar_force_along_the_spring",
    ),
    Erratum(
        "(38)", "mass m2 in the second bracket", "m3: each node of an altitude has its own mass",
        HERE + "test_every_node_has_its_own_mass",
    ),
    Erratum(
        "(40) and (4)", "l0 is replaced by the visible rest length", "only within the brackets; the factor k/l0 does "
        "not change", SPRINGS + "test_a_spring_of_rest_length_zero_needs_no_direction",
    ),
    Erratum(
        "(45)", "no sum over nodes", "sum over all nodes", HERE + "test_the_correction_is_a_sum_over_nodes",
    ),
    Erratum(
        "(46)", "sign and choice of eps not specified", "eps has a sign; select the smaller of the two roots",
        "tests/budget/test_budget_parts.py::test_the_smaller_root",
    ),
    Erratum(
        "Sec. 4", "always the smaller root", "it freezes a body at a turning point, where the other root continues the "
        "motion", "tests/budget/test_budget_turning.py::test_a_mass_on_a_spring_swings_on",
    ),
    Erratum(
        "potential energy", "-m g h", "g is negative: energy increases with height",
        HERE + "test_energy_rises_with_the_height",
    ),
    Erratum(
        "Sec. 4", "the scheme conserves momentum", "the correction does; the base method may lose angular momentum, "
        "which must also be restored",
        "tests/budget/test_budget_options.py::test_without_momentum_the_energy_is_kept_and_the_spin_is_not",
    ),
    Erratum(
        "Sec. 3, many springs", "Gauss-Jacobi iterations over the springs", "they diverge in meshes for k dt^2/(4 m) "
        "of 0.3 and above; the direct solve does not", HERE + "test_jacobi_iterations_diverge_in_cloth",
    ),
)  # fmt: skip
