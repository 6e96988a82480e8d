"""Parts of a loss before the model is known: each prepares the compared quantities and times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from supple.errors import SuppleError
from supple.fits.losses.prepared import Comparison, Peak, Prepared, Setting, check_times
from supple.fits.losses.targets import Target
from supple.fits.losses.watched import ENERGIES, Energy, Every, Mean
from supple.types import Array, Ints

ALL = "all"
"""The group of all vertices."""


@runtime_checkable
class Part(Protocol):
    """One part of a loss, before the model is known."""

    def prepared(self, setting: Setting) -> Prepared: ...


@dataclass(frozen=True, eq=False)
class Follow:
    """The mean of a group, or each of its vertices, over time."""

    group: str
    target: Target
    each: bool

    def prepared(self, setting: Setting) -> Prepared:
        vertices = chosen(setting, self.group)
        check_times(self.target.times, setting, self.target.name)
        goals = of_group(self.target, vertices, setting.model.mesh.n, self.each)
        frames = len(self.target.times)
        if self.each:
            watched: Every | Mean = Every(vertices)
            return Comparison(
                watched, self.target.times, goals.reshape(frames, -1), setting.h, len(vertices), name=self.target.name
            )
        return Comparison(Mean(vertices), self.target.times, goals, setting.h, name=self.target.name)


@dataclass(frozen=True, eq=False)
class Once:
    """A mean position or velocity, positions of all vertices, or an energy, at one time."""

    what: str
    """x, v, pose, or a column of energies."""
    group: str
    goal: Array | None
    """None: the value itself counts."""
    at: float | None

    def prepared(self, setting: Setting) -> Prepared:
        t = setting.duration if self.at is None else self.at
        times = np.array([t])
        check_times(times, setting, f"{self.what}@{t:g}")
        if self.what in ENERGIES:
            squared = self.goal is not None
            goal = np.zeros((1, 1)) if self.goal is None else self.goal.reshape(1, 1)
            return Comparison(Energy(self.what), times, goal, setting.h, squared=squared, name=self.what)
        vertices = chosen(setting, self.group)
        assert self.goal is not None
        if self.what == "pose":
            target = Target(times, self.goal[None], "pose")
            goals = of_group(target, vertices, setting.model.mesh.n, True)
            return Comparison(Every(vertices), times, goals.reshape(1, -1), setting.h, len(vertices), name="pose")
        watched = Mean(vertices, of="x" if self.what == "x" else "v")
        return Comparison(watched, times, self.goal.reshape(1, 3), setting.h, name=self.group)


@dataclass(frozen=True)
class Highest:
    """The maximum height of the mean of a group."""

    group: str
    goal: float | None

    def prepared(self, setting: Setting) -> Prepared:
        up = "xyz".index(setting.model.world.up)
        return Peak(Mean(chosen(setting, self.group), (up,)), self.goal)


@dataclass(frozen=True)
class Roughness:
    """Smoothed total variation of a sequence of unknowns, or of one with a value per element: see solving/priors.py."""

    keys: tuple[str, ...]
    knee: float = 0.05
    """Difference of logarithms, or of values over the start, below which it is quadratic."""


def chosen(setting: Setting, group: str) -> Ints:
    """Vertices of a group."""
    mesh = setting.model.mesh
    return np.arange(mesh.n, dtype=np.int32) if group == ALL else mesh.group(group)


def of_group(target: Target, vertices: Ints, n: int, each: bool) -> Array:
    """Goals (f, 3) of the mean of some vertices, or (f, k, 3) of each."""
    x = target.x
    if x.ndim == 2:
        if each:
            raise SuppleError(f"{target.name}: has one position per time, but each vertex must follow its own")
        return x
    if x.shape[1] not in (n, len(vertices)):
        raise SuppleError(
            f"{target.name}: has {x.shape[1]} vertices, but the model {n} and the group {len(vertices)}; "
            "it belongs to another mesh"
        )
    own = x[:, vertices] if x.shape[1] == n else x
    return own if each else own.mean(axis=1)
