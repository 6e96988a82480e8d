"""Particles in the order of their blocks: the working data of an explicit step, for the duration of the step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from supple.linalg.pool import in_parts
from supple.linalg.threads import threads
from supple.points.blocks import Blocks, cuts, sort_particles
from supple.points.cloud import Cloud
from supple.points.limit import wave_speed
from supple.points.matter import Matter
from supple.points.return_kernels import respond, thicken
from supple.points.spline import Spline
from supple.types import Array, Ints


class Laws:
    """Machine code of the materials of all clouds, in this process."""

    def __init__(self, clouds: Sequence[Cloud], riders: Ints | None = None) -> None:
        """`riders`: vertices of meshes, a last kind of particles without a law."""
        self.clouds = tuple(clouds)
        self.riders = np.empty(0, dtype=np.int32) if riders is None else riders
        lawless = [0] if len(self.riders) else []
        columns = [c.table.shape[1] for c in clouds]
        laws = [*(c.material.law.response for c in clouds), *lawless]
        self.responses = np.array(list(zip(laws, columns + lawless, strict=True)), dtype=np.int64)
        flows = [0 if c.flow is None else c.flow.returns.address for c in clouds]
        self.flows = np.array(flows + lawless, dtype=np.int64)
        self.viscosity = [0.0 if c.flow is None else c.flow.viscous for c in clouds]
        self.columns = max(columns, default=0)

    @property
    def kinds(self) -> int:
        """Number of clouds, plus one if there are embedded mesh vertices."""
        return len(self.flows)

    @property
    def viscous(self) -> bool:
        return any(np.any(each) for each in self.viscosity)


class Swarm:
    """Arrays change in place; `index` gives the vertex of each row. Matrices (C, F, tau, thick) are stored by columns."""

    def __init__(self, laws: Laws, spline: Spline, mass: Array, x: Array, v: Array, matter: Matter) -> None:
        self.laws, self.spline = laws, spline
        n = len(x)
        self.index: Ints = np.arange(n, dtype=np.int32)
        self.cloud: Ints = np.empty(n, dtype=np.int32)
        self.volume, self.table = np.empty(n), np.zeros((n, laws.columns))
        self.cloud[laws.riders], self.volume[laws.riders] = len(laws.clouds), 0.0
        for k, cloud in enumerate(laws.clouds):
            own = cloud.vertices
            self.cloud[own], self.volume[own] = k, cloud.volume
            self.table[own, : cloud.table.shape[1]] = cloud.with_history(matter.history[own])
        self.mass, self.x, self.v = mass, x, v  # sorting copies
        self.C, self.F = _columns(matter.C), _columns(matter.F)
        self.tau, self.thick = np.empty((n, 9)), np.zeros((n if laws.viscous else 1, 9))
        self.viscosity = np.zeros(n if laws.viscous else 0)
        for cloud, viscosity in zip(laws.clouds if laws.viscous else (), laws.viscosity, strict=False):
            self.viscosity[cloud.vertices] = viscosity
        self.sort()

    def sort(self) -> None:
        """Put rows into the order of blocks."""
        self.blocks: Blocks = sort_particles(self.spline, self.x, self.cloud, self.laws.kinds)
        self._reorder(self.blocks.order)
        self.cuts = cuts(self.blocks.start[:: self.laws.kinds], threads())
        self.sums = np.zeros((self.blocks.count, 8))
        self.__dict__.pop("wave_speed", None)

    def _reorder(self, order: Ints) -> None:
        names = ("index", "cloud", "volume", "table", "mass", "x", "v", "C", "F", "tau", "thick", "viscosity")
        pairs = []
        for name in names:
            array = getattr(self, name)
            if len(array) == len(order):
                pairs.append((array, np.empty_like(array, order="C")))
                setattr(self, name, pairs[-1][1])
        n, count = len(order), threads()

        def part(k: int) -> None:
            rows = slice(k * n // count, (k + 1) * n // count)
            for array, new in pairs:
                np.take(array, order[rows], axis=0, out=new[rows], mode="clip")

        in_parts(part, count)

    def respond(self, k: int, flow: bool = True) -> None:
        """Flow, if requested, and stress at the current F; sums of energies. For the blocks of thread k."""
        flows = self.laws.flows if flow else np.zeros_like(self.laws.flows)
        place = self.cuts[k], self.cuts[k + 1], self.blocks.start
        respond(*place, self.laws.responses, flows, self.table, self.F, self.tau, self.volume, self.sums)
        if self.laws.viscous:
            first, last = (int(self.blocks.start[cut * self.laws.kinds]) for cut in self.cuts[k : k + 2])
            thicken(first, last, self.viscosity, self.C, self.F, self.thick)

    @cached_property
    def wave_speed(self) -> float:
        """Largest speed of sound at the time of sorting [m/s]."""
        speeds = [0.0]
        for k, cloud in enumerate(self.laws.clouds):
            own = slice(None) if self.laws.kinds == 1 else self.cloud == k
            columns = cloud.table.shape[1]
            history = self.table[own, columns - cloud.remembers : columns]
            speeds.append(wave_speed(cloud, self.volume[own], self.mass[own], _matrices(self.F[own]), history))
        return max(speeds)

    def original(self, rows: Array) -> Array:
        """Rows in the order of vertices."""
        out = np.empty_like(rows)
        out[self.index] = rows
        return out

    def matter(self, history: Array) -> Matter:
        """The particle data, in the order of vertices; `history`: unchanged."""
        after = history.copy()
        for k, cloud in enumerate(self.laws.clouds):
            if cloud.remembers:
                own, columns = np.flatnonzero(self.cloud == k), cloud.table.shape[1]
                after[self.index[own], : cloud.remembers] = self.table[own, columns - cloud.remembers : columns]
        return Matter(_matrices(self.original(self.F)), _matrices(self.original(self.C)), after)


def _columns(matrices: Array) -> Array:
    """(n, 9) the concatenated columns of matrices (n, 3, 3)."""
    return np.swapaxes(matrices, 1, 2).reshape(-1, 9)


def _matrices(columns: Array) -> Array:
    """(n, 3, 3) the inverse operation."""
    return np.ascontiguousarray(np.swapaxes(columns.reshape(-1, 3, 3), 1, 2))
