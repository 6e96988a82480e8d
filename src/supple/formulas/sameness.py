"""Do two evaluations of a formula agree? Points at which the formula is not defined have no say."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def agree(first: npt.NDArray[np.float64], second: npt.NDArray[np.float64], tolerance: float) -> bool:
    """Whether values agree to `tolerance` of the largest, wherever both are finite."""
    known = np.isfinite(first) & np.isfinite(second)
    a, b = first[known], second[known]
    return bool(np.abs(a - b).max(initial=0.0) <= tolerance * np.abs(a).max(initial=0.0))
