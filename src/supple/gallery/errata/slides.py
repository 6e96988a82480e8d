"""Corrections of the lecture slides (L)."""

from __future__ import annotations

from supple.gallery.errata.erratum import Erratum

HERE = "tests/errata/test_slides.py::"

SLIDES = (
    Erratum(
        "forces, several slides", "f = dW/dx", "f = -dW/dx",
        "tests/dynamics/test_invariants.py::test_force_is_minus_the_gradients",
    ),
    Erratum(
        "dihedral angle", "from the length of the cross product, without a sign", "with the sign along the edge: "
        "otherwise a fold and its mirror image are indistinguishable", HERE + "test_a_fold_and_its_mirror_image",
    ),
    Erratum(
        "Lame constants", "mu by E, lambda by Y", "one modulus with two symbols",
        "tests/materials/test_material_moduli.py::test_known_moduli",
    ),
    Erratum(
        "explicit Euler", "p + h v with the old and with the new velocity, under the same name", "forward Euler gains "
        "energy in every step, symplectic Euler does not", HERE + "test_two_methods_called_explicit_euler",
    ),
    Erratum(
        "the slide on finite elements", "shows finite differences", "both agree on uniform grids only; otherwise the "
        "finite-difference matrix is not symmetric", HERE + "test_differences_are_no_elements",
    ),
    Erratum(
        "implicit integration", "unconditionally stable", "for linear problems, or in the sense that the step can be "
        "solved: the midpoint rule blows up on a twisted bar",
        "tests/integrators/test_reference_scenes.py::test_twisted_bar_explodes",
    ),
    Erratum(
        "XPBD, as published", "more iterations converge to backward Euler", "not for nonlinear constraints, unless the "
        "last correction of a constraint is undone before its next visit",
        "tests/integrators/test_xpbd.py::test_iterations_converge_to_backward_euler",
    ),
)  # fmt: skip
