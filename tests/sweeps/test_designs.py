"""Designs of sweeps: grids, pairs and samples."""

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.sweeps.axes import Listed, Range, parse_axis
from supple.sweeps.designs import Grid, Sampled, Together, variants

YOUNG, STEP = parse_axis("young=1,2,3"), parse_axis("step=0.1,0.2")


def test_a_grid_has_all_combinations_and_the_last_axis_changes_fastest() -> None:
    found = variants([YOUNG, STEP], Grid())
    assert [v.index for v in found] == list(range(6))
    assert [tuple(v.values.values()) for v in found[:3]] == [(1, 0.1), (1, 0.2), (2, 0.1)]
    assert found[0].overrides == ["young=1", "step=0.1"]


def test_values_go_together_by_their_place() -> None:
    found = variants([STEP, Listed("name", ("avf", "bdf2"))], Together())
    assert [tuple(v.values.values()) for v in found] == [(0.1, "avf"), (0.2, "bdf2")]
    with pytest.raises(SuppleError, match="young has 3, step has 2"):
        Together().count([YOUNG, STEP])


@pytest.mark.parametrize("kind", ["latin", "sobol"])
def test_samples_fill_their_ranges_and_follow_their_seed(kind: str) -> None:
    axes = [Range("a", 1.0, 2.0), Range("b", 1e-3, 1e3, log=True), Listed("c", ("x", "y"))]
    design = Sampled(16, 3, kind)  # type: ignore[arg-type]
    found = variants(axes, design)
    assert found == variants(axes, design)
    assert found != variants(axes, Sampled(16, 4, kind))  # type: ignore[arg-type]
    a = np.sort([v.values["a"] for v in found])
    assert np.array_equal(np.floor((a - 1.0) * 16), np.arange(16)), "one in each sixteenth"
    assert np.mean([v.values["b"] < 1.0 for v in found]) == pytest.approx(0.5)
    assert {v.values["c"] for v in found} == {"x", "y"}


def test_a_design_for_sensitivities_changes_one_column_at_a_time() -> None:
    shares = Sampled(8, 0, "saltelli").shares(3)
    A, B, *mixed = shares.reshape(5, 8, 3)
    assert len(shares) == Sampled(8, 0, "saltelli").count([Range("a", 0, 1)] * 3)
    for k, block in enumerate(mixed):
        assert np.array_equal(block[:, k], B[:, k])
        rest = [j for j in range(3) if j != k]
        assert np.array_equal(block[:, rest], A[:, rest])
    with pytest.raises(SuppleError, match="power of two"):
        Sampled(10, 0, "saltelli")


def test_nothing_or_the_same_key_twice_is_refused() -> None:
    with pytest.raises(SuppleError, match="nothing varies"):
        variants([], Grid())
    with pytest.raises(SuppleError, match="given 2 times"):
        variants([STEP, STEP], Grid())


@pytest.mark.parametrize("size", [0, 10**12, 2**63])
def test_samples_beyond_counting_are_refused(size: int) -> None:
    with pytest.raises(SuppleError, match=r"--sample: found \d+; give 1 or more, at most 1,000,000"):
        Sampled(size)
