"""Clouds of particles for the tests."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

from supple.dynamics.state import State
from supple.dynamics.system import System, build_system
from supple.energies.gravity import Gravity
from supple.energies.term import EnergyTerm
from supple.materials.flow.fluid import Fluid
from supple.materials.flow.sand import Sand
from supple.materials.flow.snow import Snow
from supple.materials.flow.von_mises import VonMises
from supple.materials.material import Material
from supple.materials.neo_hookean import NeoHookean
from supple.materials.stable_neo_hookean import StableNeoHookean
from supple.materials.stvk import StVK
from supple.points.cloud import Cloud
from supple.points.matter import Matter
from supple.points.obstacle import NodeObstacle
from supple.types import Array

G = np.array([0.0, -9.81, 0.0])
STVK = StVK.from_young(1e5, 0.3)
SOLIDS: list[Material] = [STVK, StableNeoHookean.from_young(1e5, 0.3), NeoHookean.from_young(1e5, 0.3)]
FLOWING: list[Material] = [VonMises(1e5, 0.3, 2e3), Sand(1e5, 0.3), Snow(1e5, 0.2), Fluid(1e4)]


def square(first: Sequence[Any], second: Sequence[Any], third: Sequence[Any]) -> list[Any]:
    """All triples of values, the third list being the shortest. Those of a Latin square, where any two values of different
    lists meet once at least, are quick; the others carry the marker `study`."""
    triples = []
    for (i, a), (j, b), (k, c) in product(enumerate(first), enumerate(second), enumerate(third)):
        marks = () if (i + j + k) % len(third) == 0 else (pytest.mark.study,)
        triples.append(pytest.param(a, b, c, marks=marks, id="-".join(str(getattr(v, "name", v)) for v in (a, b, c))))
    return triples


def lattice(counts: tuple[int, int, int], spacing: float, jitter: float = 0.3, seed: int = 0) -> Array:
    """Particles of a box with a corner at the origin."""
    lines = [(np.arange(n) + 0.5) * spacing for n in counts]
    x = np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, 3)
    return x + jitter * spacing * (np.random.default_rng(seed).random(x.shape) - 0.5)


def block(
    material: Material = STVK,
    side: int = 5,
    spacing: float = 0.05,
    gravity: bool = True,
    obstacles: Sequence[NodeObstacle] = (),
    terms: Sequence[EnergyTerm] = (),
    speed: float = 0.3,
    fall: float = 1.0,
    **options: Any,
) -> tuple[System, State]:
    """A cube of particles with random velocities, which falls."""
    x = lattice((side, side, side), spacing, **options)
    volume = np.full(len(x), spacing**3)
    mass = 1000.0 * volume
    v = speed * np.random.default_rng(7).standard_normal(x.shape) - np.array([0.0, fall, 0.0])
    cloud = Cloud(np.arange(len(x), dtype=np.int32), volume, material)
    weight = [Gravity(mass, G)] if gravity else []
    system = build_system(x, mass, [*weight, *terms], clouds=[cloud], node_obstacles=obstacles)
    return system, State(0.0, x, v)


def strained(n: int, seed: int = 1, size: float = 0.03, history: int = 0) -> Matter:
    """Deformed particles with random affine velocities."""
    rng = np.random.default_rng(seed)
    return Matter(
        np.eye(3) + size * rng.standard_normal((n, 3, 3)), rng.standard_normal((n, 3, 3)), np.ones((n, history))
    )


class Slide:
    """A script that lifts and pushes."""

    def position(self, X: Array, t: float) -> Array:
        return np.asarray(X + t * np.array([0.5, 1.0, 0.0]))

    def velocity(self, X: Array, t: float) -> Array:
        return np.tile([0.5, 1.0, 0.0], (len(X), 1))


class Turn:
    """A script that turns about z."""

    def position(self, X: Array, t: float) -> Array:
        c, s = np.cos(2.0 * t), np.sin(2.0 * t)
        return np.asarray(X @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]))

    def velocity(self, X: Array, t: float) -> Array:
        return np.cross([0.0, 0.0, 2.0], self.position(X, t))
