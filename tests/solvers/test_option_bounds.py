"""Options of the solver: the last value allowed is taken, the first one beyond is refused by the name of its key."""

from typing import Any

import pytest

from supple.errors import SuppleError
from supple.solvers.options import SolverOptions


@pytest.mark.parametrize(
    ("key", "last", "beyond"),
    [
        ("threads", 0, -1),
        ("tolerance", 1e-2, 1.01e-2),
        ("tolerance", 1e-60, 0.0),
        ("energy_tolerance", 1.0, 1.01),
        ("energy_tolerance", 1e-60, 0.0),
        ("max_iterations", 1, 0),
        ("max_halvings", 0, -1),
        ("max_halvings", 20, 21),
    ],
)
def test_bounds(key: str, last: Any, beyond: Any) -> None:
    assert getattr(SolverOptions(**{key: last}), key) == last
    with pytest.raises(SuppleError, match=key):
        SolverOptions(**{key: beyond})
