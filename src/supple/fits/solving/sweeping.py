"""Derivatives of losses by sweeps over a recorded run: residuals forwards (tangents), values backwards (adjoints)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.fits.losses.prepared import Own, Prepared, Seen
from supple.sensitivity.record import Record
from supple.sensitivity.sweeps import Bars, Direction, Share, pull, push
from supple.sensitivity.twins import Twin
from supple.types import Array

Pieces = Sequence[tuple[float, Prepared]]
"""Weights and parts of a loss."""


def jacobian(record: Record, pieces: Pieces, seen: Sequence[Seen], twins: Sequence[Twin]) -> Array:
    """(N, p) derivatives of all weighted residuals with respect to the parameters of the twins."""
    dots: list[list[dict[int, Array]]] = [[{} for _ in pieces] for _ in twins]
    for index, state, changes in push(record, [Direction(twin=twin) for twin in twins]):
        for k, (_, part) in enumerate(pieces):
            if index not in seen[k].values:
                continue
            for j, (twin, change) in enumerate(zip(twins, changes, strict=True)):
                moved = part.watched.push(record.system, state, change)
                if part.watched.by_system:
                    moved = moved + _by_system(part, state, twin)
                dots[j][k][index] = moved
    columns = [
        np.concatenate(
            [math.sqrt(abs(weight)) * part.tangents(seen[k], dots[j][k]) for k, (weight, part) in enumerate(pieces)]
        )
        for j in range(len(twins))
    ]
    return np.stack(columns, axis=1)


def _by_system(part: Prepared, state: State, twin: Twin) -> Array:
    """The change of the observation of a fixed state when the system changes."""
    return twin.derivative(lambda system: part.watched.value(system, state))


def derivative(
    record: Record, pieces: Pieces, seen: Sequence[Seen], own: Sequence[tuple[float, Own]], twins: Sequence[Twin],
    fields: bool = False,
) -> Bars:  # fmt: skip
    """Adjoints of the value of a loss."""
    bars = []
    for (weight, part), what in zip(pieces, seen, strict=True):
        r = part.residuals(what)
        bars.append(part.pulled(what, 2.0 * weight * r if part.squared else np.full(len(r), weight)))

    def loss(index: int, state: State) -> Share | None:
        shares = [
            _share(part, found[index], record.system, state)
            for (_, part), found in zip(pieces, bars, strict=True)
            if index in found
        ]
        shares += [_scaled(weight, share) for weight, function in own if (share := function(index, state)) is not None]
        return _sum(shares)

    return pull(record, loss, twins, fields)


def _share(part: Prepared, bar: Array, system: System, state: State) -> Share:
    x, v = part.watched.pull(system, state, bar)
    direct = None
    if part.watched.by_system:

        def direct(other: System) -> float:
            return float(bar @ part.watched.value(other, state))

    return Share(0.0, x, v, direct)


def _scaled(weight: float, share: Share) -> Share:
    x, v = (None if bar is None else weight * np.asarray(bar) for bar in (share.x, share.v))
    direct = share.direct
    return Share(weight * share.value, x, v, None if direct is None else lambda system: weight * direct(system))


def _sum(shares: Sequence[Share]) -> Share | None:
    if not shares:
        return None
    x, v = (_total([bar for bar in bars if bar is not None]) for bars in ([s.x for s in shares], [s.v for s in shares]))
    direct = [share.direct for share in shares if share.direct is not None]
    together = (lambda system: sum(one(system) for one in direct)) if direct else None
    return Share(sum(share.value for share in shares), x, v, together)


def _total(bars: Sequence[Array]) -> Array | None:
    return sum(bars[1:], bars[0]) if bars else None
