"""Corrections of the paper on energy budgets (S)."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_budget_paper.py::"
SPRINGS = "tests/integrators/test_conserving_springs.py::"

BUDGET = (
    Erratum("(2)", "no norm around x2 - x1", "lengths, as in (4)", HERE + "test_springs_have_lengths"),
    Erratum(
        "(13) to (17)", "take the root that is nearest to the analytic velocity; w in (17)", "it stops springs for good "
        "where omega dt is above 2.4. The root of the implicit midpoint rule always works; w is omega",
        SPRINGS + "test_the_published_root_brings_springs_to_a_stop",
    ),
    Erratum(
        "(20)", "minus the sum of the forces on node 2", "plus, if the forces are those on the node; else (21) is off by "
        "2 dt^2 F F2/m2", HERE + "test_shares_of_springs_add_up",
    ),
    Erratum(
        "after (22)", "the velocity of (19) in place of v in (4)", "that has a full dt; positions need half of it",
        HERE + "test_positions_take_half_of_the_kick",
    ),
    Erratum(
        "(30)", "c times a bold F, and c^2 F^2 without u", "F is a scalar; both terms have the direction u, of length 1",
        HERE + "test_a_scalar_force_along_the_spring",
    ),
    Erratum(
        "(38)", "the mass m2 in the second bracket", "m3: every node of an altitude has its own mass",
        HERE + "test_every_node_has_its_own_mass",
    ),
    Erratum(
        "(40) and (4)", "l0 becomes the visible rest length", "only within the brackets; the factor k/l0 stays",
        SPRINGS + "test_a_spring_of_rest_length_zero_needs_no_direction",
    ),
    Erratum(
        "(45)", "no sum over the nodes", "summed over all nodes", HERE + "test_the_correction_is_a_sum_over_nodes",
    ),
    Erratum(
        "(46)", "nothing on sign and choice of eps", "it has a sign; of both roots the smaller one",
        "tests/budget/test_budget_parts.py::test_the_smaller_root",
    ),
    Erratum(
        "Sec. 4", "the smaller root always", "it freezes a body at a turning point, where the other root continues the motion",
        "tests/budget/test_budget_turning.py::test_a_mass_on_a_spring_swings_on",
    ),
    Erratum(
        "potential energy", "-m g h", "g is negative: the energy rises with the height",
        HERE + "test_energy_rises_with_the_height",
    ),
    Erratum(
        "Sec. 4", "the scheme conserves momentum", "the correction does; the method below it may lose its spin, which must be "
        "restored as well", "tests/budget/test_budget_options.py::test_without_momentum_the_energy_is_kept_and_the_spin_is_not",
    ),
    Erratum(
        "Sec. 3, many springs", "Gauss-Jacobi iterations over the springs", "they diverge in meshes from "
        "k dt^2/(4 m) = 0.3 on; the direct solve does not", HERE + "test_jacobi_iterations_diverge_in_cloth",
    ),
)  # fmt: skip
