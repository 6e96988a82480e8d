"""A run with some values of the unknowns, and what the loss makes of it."""

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
    """What a run left."""

    built: Built
    record: Record
    seen: list[Seen]
    own: float
    """What losses of one's own add."""


@dataclass
class Trial:
    """Some values of the unknowns; one that was recalled is run when more than its value is asked for."""

    z: Array
    values: dict[str, float]
    fields: dict[str, Array]
    steps: int
    """Length of the run."""
    run: Callable[[], Ran]
    value: float = math.inf
    residuals: Array | None = None
    """(N,) weighted, if the loss is a sum of squares."""
    prior: Array | None = None
    """(q,) the same of what is asked of the unknowns themselves."""

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
        """All whose squares add up to the value."""
        assert self.residuals is not None
        return self.residuals if self.prior is None else np.concatenate([self.residuals, self.prior])

    @property
    def rms(self) -> float | None:
        """Of a loss that is a sum of squares."""
        return None if self.residuals is None else float(np.linalg.norm(self.residuals))
