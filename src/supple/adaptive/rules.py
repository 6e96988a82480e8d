"""The rules: short steps while a body is fast, strongly accelerated or deformed (Kharevych 2010, made C^1).

All are at most 1, so time.step is the longest step. Energies are measured as speeds: the speed of an energy E is
sqrt(2 E/m), with m the mass of all free vertices.

    poses         (1 + s/eps^2)^(-1/2)               s = smooth max of 2 (E0 - W)/m and 0
    phase         (1 + (s + tau^2 a^2)/eps^2)^(-1/2) a^2 = grad W . M^-1 grad W/m
    acceleration  (1 + a^2/eps^2)^(-1/2)
    elastic       1/(1 + 2 W_elastic/(m eps^2))
E0 is the energy at the start. The smooth maximum is (z + sqrt(z^2 + 4 eps^4))/2. A plain maximum has a kink where the
body is at rest, and E0 - W drops below 0 there because no method conserves the energy exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Gt

from supple.adaptive import RULES
from supple.adaptive.place import Place
from supple.adaptive.rule import Rule, positive, root
from supple.linalg.reduce import dot
from supple.types import Array

Positive = Annotated[float, Gt(0)]


@RULES("constant")
@dataclass(frozen=True)
class ConstantRule(Rule):
    """Every step is time.step."""

    constant: ClassVar[bool] = True

    def value(self, place: Place) -> float:
        return 1.0

    def gradient(self, place: Place) -> Array:
        return np.zeros_like(place.x)


@RULES("poses")
@dataclass(frozen=True)
class PosesRule(Rule):
    """Short steps while the body is fast: about the same distance in every step."""

    eps: Positive = 1.0
    """Speed at which steps are markedly shorter [m/s]."""

    def value(self, place: Place) -> float:
        return root(*_speed(place, self.eps))[0]

    def gradient(self, place: Place) -> Array:
        return root(*_speed(place, self.eps))[1]


@RULES("phase")
@dataclass(frozen=True)
class PhaseRule(Rule):
    """Short steps while the body is fast or strongly accelerated: about the same distance in phase space in every step."""

    eps: Positive = 1.0
    """Speed at which steps are markedly shorter [m/s]."""
    tau: Positive = 1.0
    """Time that converts accelerations to speeds: small for stiff bodies, about 1/omega [s]."""

    def value(self, place: Place) -> float:
        speed, _ = _speed(place, self.eps)
        return 1.0 / float(np.sqrt(1.0 + speed + self._weight * place.squared_acceleration))

    def gradient(self, place: Place) -> Array:
        speed, slope = _speed(place, self.eps)
        pull, pull_slope = place.squared_acceleration, place.squared_acceleration_gradient
        return root(speed + self._weight * pull, slope + self._weight * pull_slope)[1]

    @property
    def _weight(self) -> float:
        return (self.tau / self.eps) ** 2


@RULES("acceleration")
@dataclass(frozen=True)
class AccelerationRule(Rule):
    """Short steps while the body is strongly accelerated."""

    eps: Positive = 10.0
    """Acceleration at which a step is shorter by sqrt(2) [m/s^2]."""

    def value(self, place: Place) -> float:
        return 1.0 / float(np.sqrt(1.0 + place.squared_acceleration / self.eps**2))

    def gradient(self, place: Place) -> Array:
        weight = self.eps**-2
        return root(weight * place.squared_acceleration, weight * place.squared_acceleration_gradient)[1]


@RULES("elastic")
@dataclass(frozen=True)
class ElasticRule(Rule):
    """Short steps while the body is deformed."""

    eps: Positive = 1.0
    """Speed of the elastic energy at which steps are halved [m/s]."""

    def value(self, place: Place) -> float:
        return 1.0 / (1.0 + self._weight(place) * place.elastic)

    def gradient(self, place: Place) -> Array:
        return -(self.value(place) ** 2) * self._weight(place) * place.elastic_gradient

    def _weight(self, place: Place) -> float:
        return 2.0 / (place.mass * self.eps**2)


@RULES("switching")
@dataclass(frozen=True)
class SwitchingRule(Rule):
    """Full steps while the potential energy grows, half steps while it falls: Skeel's counterexample."""

    smooth: ClassVar[bool] = False

    def value(self, place: Place) -> float:
        return 1.0 if place.v is not None and dot(place.gradient, place.v) > 0.0 else 0.5


def _speed(place: Place, eps: float) -> tuple[float, Array]:
    """s/eps^2 of the rule `poses`, and its gradient."""
    square, slope = positive(place.squared_speed, 2.0 * eps**2)
    return square / eps**2, -2.0 * slope / (place.mass * eps**2) * place.gradient
