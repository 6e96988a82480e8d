"""Panels about coarse bodies: what they measure with, and the picture of a body."""

import numpy as np
import pytest

from supple.coarsening.coarsen import Pair
from supple.gallery.coarse.bodies import Loaded, Surfaces, block, layered
from supple.gallery.coarse.harmonics import laminate
from supple.gallery.coarse.order import errors_in, slope


def test_the_order_of_powers() -> None:
    assert slope((2, 4, 8), [0.4, 0.1, 0.025]) == pytest.approx(2.0)


def test_errors_fall_with_the_cage() -> None:
    coarse, fine = errors_in(layered(1, 1.0, 8), (2, 4))
    assert fine[0] < 0.4 * coarse[0]
    assert fine[1] < 0.6 * coarse[1]


def test_a_laminate_of_one_material_is_that_material() -> None:
    across, shear = laminate(np.array([1.0, 1.0]))
    assert (across, shear) == pytest.approx((1.346154, 0.769231), rel=1e-5)


def test_surfaces_agree_where_nothing_is_coarse() -> None:
    """One material, pulled: the coarse body, mapped or not, is where the fine one is, but for the bending of its tets."""
    pair = Pair(layered(1, 1.0, 4), block((2, 2, 2)))
    pull = Loaded(pair, 0, (1.0, 0.0, 0.0))
    assert pull.stretch("average") == pytest.approx(pull.stretch("naive"), rel=1e-9)
    surfaces = Surfaces.of(pair, "average", 0.01 / float(np.abs(pull.fine).max()))
    true = surfaces.fine(pair, pull.fine)
    assert surfaces.difference(surfaces.mapped(pull.wanted), true) < 0.1
    assert surfaces.difference(surfaces.followed(pull.wanted), true) < 0.1
