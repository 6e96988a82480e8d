"""Bodies of a pile are searched for group by group: what one does must not hold back another."""

from __future__ import annotations

import numpy as np
import numpy.testing as npt

from supple.contact.surfaces.barrier_contact import BarrierContact
from supple.contact.surfaces.meeting import Meeting
from supple.contact.surfaces.surface import ContactSurface

CORNER = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
REACH = 0.01


def sheets(heights: list[float], apart: list[float]) -> tuple[BarrierContact, np.ndarray]:
    """Horizontal triangles at these heights, moved along x, each a separate body."""
    x = np.concatenate([CORNER + np.array([d, y, 0.0]) for y, d in zip(heights, apart, strict=True)])
    bodies = np.repeat(np.arange(len(heights)), 3).astype(np.int32)
    meeting = Meeting(bodies, bodies, np.zeros((len(heights), len(heights)), dtype=bool))
    surface = ContactSurface(x, np.arange(len(x), dtype=np.int32).reshape(-1, 3), meeting)
    return BarrierContact(surface, REACH, 1e3), x


def falling(x: np.ndarray, bodies: list[int], by: float) -> np.ndarray:
    p = np.zeros_like(x)
    for body in bodies:
        p[3 * body : 3 * body + 3, 1] = -by
    return p


def test_only_what_would_hit_something_is_stopped() -> None:
    contact, x = sheets([0.0, 0.1, 0.1], [0.0, 0.0, 5.0])
    p = falling(x, [1, 2], 0.2)
    cut = contact.clipped(x, p)
    npt.assert_array_equal(cut[6:], p[6:])  # nothing below
    assert contact.max_step(x, p) < 0.5
    assert contact.max_step(x, cut) >= 1.0
    gap = 0.1 + cut[3:6, 1]
    assert (gap > 0.0).all()
    assert (gap < REACH).all()


def test_bodies_that_feel_each_other_share_a_factor() -> None:
    contact, x = sheets([0.0, 0.1, 0.1 + 0.8 * REACH, 0.1], [0.0, 0.0, 0.0, 5.0])
    group = contact.groups(x)
    assert group is not None
    assert len(np.unique(group)) == 3
    p = falling(x, [1, 2, 3], 0.2)
    cut = contact.clipped(x, p)
    npt.assert_allclose(cut[3:6, 1], cut[6:9, 1], rtol=1e-14)
    npt.assert_array_equal(cut[9:], p[9:])


def test_what_follows_a_body_that_stopped_stops_too() -> None:
    contact, x = sheets([0.0, 0.1, 0.1 + 3.0 * REACH], [0.0, 0.0, 0.0])
    cut = contact.clipped(x, falling(x, [1, 2], 0.2))
    assert contact.max_step(x, cut) >= 1.0
    assert cut[6, 1] > -0.2


def test_a_single_group_and_free_moves_are_left_alone() -> None:
    contact, x = sheets([0.0, 0.5 * REACH], [0.0, 0.0])
    p = falling(x, [1], 0.2)
    assert contact.groups(x) is None
    assert contact.clipped(x, p) is p
    contact, x = sheets([0.0, 0.1], [0.0, 0.0])
    up = -falling(x, [1], 0.2)
    assert contact.clipped(x, up) is up


def test_shorter_moves_have_the_same_free_step_from_a_longer_list() -> None:
    contact, x = sheets([0.0, 0.1], [0.0, 0.3])
    p = falling(x, [1], 0.2)
    contact.max_step(x, p)  # stores the pairs of the longer move
    fresh, _ = sheets([0.0, 0.1], [0.0, 0.3])
    assert contact.max_step(x, 0.75 * p) == fresh.max_step(x, 0.75 * p)


def test_blocks_far_from_the_minimum_are_definite() -> None:
    from supple.energies.samples import one_sample

    contact, x = sheets([0.0, 0.3 * REACH], [0.0, 0.2])
    exact = [np.linalg.eigvalsh(H) for _, H in contact.coupling_blocks(one_sample(x), False)]
    safe = [np.linalg.eigvalsh(H) for _, H in contact.safe_coupling_blocks(one_sample(x), False)]
    assert min(own.min() / own.max() for own in exact) < -1e-6
    assert min(own.min() / own.max() for own in safe) > -1e-12
