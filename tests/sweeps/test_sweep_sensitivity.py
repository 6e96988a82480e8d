"""Influence: indices of a function with known indices, and regressions."""

import math

import numpy as np
import pytest

from supple.errors import SuppleError
from supple.sweeps.axes import Range
from supple.sweeps.designs import Design, Sampled, variants
from supple.sweeps.manifest import Row, State
from supple.sweeps.sensitivity import sensitivity


def rows(
    design: Design, function: object, keys: tuple[str, ...] = ("a", "b", "c"), reach: float = math.pi
) -> list[Row]:
    found = variants([Range(key, -reach, reach) for key in keys], design)
    return [
        Row(v.index, "", v.values, State.FINISHED, measures={"y": float(function(*v.values.values()))})  # type: ignore[operator]
        for v in found
    ]


def ishigami(a: float, b: float, c: float) -> float:
    return math.sin(a) + 7.0 * math.sin(b) ** 2 + 0.1 * c**4 * math.sin(a)


def test_sobol_indices_of_ishigamis_function() -> None:
    design = Sampled(1024, 1, "saltelli")
    found = sensitivity(rows(design, ishigami), ["y"], {"sampling": "saltelli", "size": 1024})
    assert found.kind == "sobol"
    assert [i.first for i in found.influences] == pytest.approx([0.3139, 0.4424, 0.0], abs=0.03)
    assert [i.total for i in found.influences] == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.03)
    assert all(0.0 < i.error < 0.1 for i in found.influences)


def test_a_regression_finds_weights_and_ranks() -> None:
    found = sensitivity(rows(Sampled(64, 2, "latin"), lambda a, b, c: 3.0 * a - b), ["y"], {})
    assert found.kind == "regression"
    first = [i.first for i in found.influences]
    assert first[0] / -first[1] == pytest.approx(3.0, rel=0.05)
    assert first[2] == pytest.approx(0.0, abs=1e-12)
    assert found.explained["y"] == pytest.approx(1.0)
    bent = sensitivity(rows(Sampled(64, 2, "latin"), lambda a: math.exp(3.0 * a), ("a",)), ["y"], {})
    assert bent.influences[0].first < 0.8
    assert bent.influences[0].total == pytest.approx(1.0)


def test_what_cannot_be_told_is_refused() -> None:
    few = rows(Sampled(2, 0, "latin"), lambda a, b, c: a)
    with pytest.raises(SuppleError, match="requires at least 5 finished runs, found 2"):
        sensitivity(few, ["y"], {})
    broken = rows(Sampled(8, 0, "saltelli"), ishigami)
    broken[3] = Row(3, "", broken[3].values, State.FAILED)
    with pytest.raises(SuppleError, match="1 of 40 runs have no measures, the first is run 3"):
        sensitivity(broken, ["y"], {"sampling": "saltelli", "size": 8})


def test_a_measure_that_never_changes_has_no_influences() -> None:
    found = sensitivity(rows(Sampled(16, 0, "latin"), lambda a, b, c: 1.0), ["y"], {})
    assert found.influences == ()
    assert not np.any(list(found.explained.values()))
