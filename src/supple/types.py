"""Array types used in signatures throughout supple."""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
"""C-contiguous float64; positions and velocities are (n, 3)."""

Ints: TypeAlias = npt.NDArray[np.int32]
"""C-contiguous int32; element corners are (m, k)."""
