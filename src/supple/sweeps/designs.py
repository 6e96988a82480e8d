"""Designs of a sweep: combinations of the values of its axes."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from supple.errors import SuppleError
from supple.sweeps.axes import Axis
from supple.wording import suggestion

Sampling = Literal["latin", "sobol", "saltelli"]
SAMPLINGS: tuple[Sampling, ...] = ("latin", "sobol", "saltelli")

MOST_SAMPLES = 1_000_000
"""Samples of a sweep, each of which is a run."""


@dataclass(frozen=True)
class Variant:
    """One run of a sweep: its number, and the values of the keys."""

    index: int
    values: dict[str, Any]
    overrides: list[str]
    """The values in the form of `--set`."""


@dataclass(frozen=True)
class Grid:
    """Every value of each axis with every value of the others; the last axis changes fastest."""

    def count(self, axes: Sequence[Axis]) -> int:
        return math.prod(len(axis.grid()) for axis in axes)

    def rows(self, axes: Sequence[Axis]) -> Iterator[tuple[Any, ...]]:
        return itertools.product(*(axis.grid() for axis in axes))


@dataclass(frozen=True)
class Together:
    """The first values of all axes, then the second values, up to the last."""

    def count(self, axes: Sequence[Axis]) -> int:
        counts = {axis.key: len(axis.grid()) for axis in axes}
        if len(set(counts.values())) > 1:
            found = ", ".join(f"{key} has {count}" for key, count in counts.items())
            raise SuppleError(f"--together: all keys must have the same number of values; found: {found}")
        return next(iter(counts.values()), 0)

    def rows(self, axes: Sequence[Axis]) -> Iterator[tuple[Any, ...]]:
        return zip(*(axis.grid() for axis in axes), strict=True)


@dataclass(frozen=True)
class Sampled:
    """Points spread over the ranges of the axes.

    - latin: each axis is divided into `size` parts, and each part is sampled once (McKay 1979).
    - sobol: a scrambled sequence of low discrepancy. Powers of two are best.
    - saltelli: for sensitivity indices. Two samples A and B, and A with one column of B for each axis: size (axes + 2) runs.
    """

    size: int
    seed: int = 0
    sampling: Sampling = "latin"

    def __post_init__(self) -> None:
        if not 1 <= self.size <= MOST_SAMPLES:
            raise SuppleError(f"--sample: found {self.size}; give 1 or more, at most {MOST_SAMPLES:,}")
        if self.sampling == "saltelli" and self.size & (self.size - 1):
            raise SuppleError(f"--sample: found {self.size} with saltelli; give a power of two, such as 16 or 32")

    def count(self, axes: Sequence[Axis]) -> int:
        return self.size * (len(axes) + 2) if self.sampling == "saltelli" else self.size

    def rows(self, axes: Sequence[Axis]) -> Iterator[tuple[Any, ...]]:
        for shares in self.shares(len(axes)):
            yield tuple(axis.at(float(share)) for axis, share in zip(axes, shares, strict=True))

    def shares(self, d: int) -> Any:
        """(runs, d) points in the unit cube."""
        import numpy as np
        from scipy.stats import qmc

        if self.sampling == "latin":
            return qmc.LatinHypercube(d, seed=self.seed).random(self.size)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # for sizes that are not powers of two, as documented
            drawn = qmc.Sobol(2 * d if self.sampling == "saltelli" else d, seed=self.seed).random(self.size)
        if self.sampling == "sobol":
            return drawn
        A, B = drawn[:, :d], drawn[:, d:]
        mixed = np.repeat(A[None], d, axis=0)
        for k in range(d):
            mixed[k, :, k] = B[:, k]
        return np.concatenate([A, B, *mixed])


Design = Grid | Together | Sampled


def make_design(together: bool, sample: int | None, sampling: str | None = None, seed: int | None = None) -> Design:
    """From the options of a command, of a sweep file or of Python; None: option not given."""
    if sample is None:
        if sampling is not None or seed is not None:
            raise SuppleError(
                f"--{'seed' if sampling is None else 'sampling'}: applies to samples; add --sample N, or omit it"
            )
        return Together() if together else Grid()
    if together:
        raise SuppleError("--together: has no effect on samples; omit it with --sample")
    for known in SAMPLINGS:
        if known == (sampling or SAMPLINGS[0]):
            return Sampled(sample, seed or 0, known)
    raise SuppleError(f"--sampling: unknown name '{sampling}'{suggestion(str(sampling), SAMPLINGS)}")


def variants(axes: Sequence[Axis], design: Design) -> list[Variant]:
    """All runs of a sweep."""
    if not axes:
        raise SuppleError("sweep: nothing varies; give --vary KEY=V1,V2,... at least once")
    keys = [axis.key for axis in axes]
    for key in keys:
        if keys.count(key) > 1:
            raise SuppleError(f"--vary {key}: given {keys.count(key)} times; give all its values in one option")
    return [_variant(k, axes, row) for k, row in enumerate(design.rows(axes))]


def _variant(index: int, axes: Sequence[Axis], row: tuple[Any, ...]) -> Variant:
    chosen = list(zip(axes, row, strict=True))
    settings = [setting for axis, value in chosen for setting in axis.settings(value)]
    return Variant(index, {axis.key: value for axis, value in chosen}, settings)
