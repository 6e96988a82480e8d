"""A run with some values of the unknowns, and its loss."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from supple.fits.family import Built
from supple.fits.losses.prepared import Seen
from supple.sensitivity.record import Record
from supple.types import Array


@dataclass(frozen=True)
class Ran:
    """Results of a run."""

    built: Built
    record: Record
    seen: list[Seen]
    own: float
    """Contributions of user-defined losses."""


@dataclass
class Trial:
    """Some values of the unknowns; a recalled trial is run when more than its value is needed."""

    z: Array
    values: dict[str, float]
    fields: dict[str, Array]
    steps: int
    """Number of steps of the run."""
    run: Callable[[], Ran]
    value: float = math.inf
    residuals: Array | None = None
    """(N,) weighted, if the loss is a sum of squares."""
    prior: Array | None = None
    """(q,) weighted residuals of the priors."""

    @cached_property
    def ran(self) -> Ran:
        return self.run()

    @property
    def built(self) -> Built:
        return self.ran.built

    @property
    def record(self) -> Record:
        return self.ran.record

    @property
    def rows(self) -> Array:
        """All residuals whose squares add up to the value."""
        assert self.residuals is not None
        return self.residuals if self.prior is None else np.concatenate([self.residuals, self.prior])

    @property
    def rms(self) -> float | None:
        """Root mean square misfit of a loss that is a sum of squares."""
        return None if self.residuals is None else float(np.linalg.norm(self.residuals))
