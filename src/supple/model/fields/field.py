"""Base of all fields, and their limits: some bodies, a time interval, a region.

There are three kinds of fields. Air fields move the air, which acts on bodies through their drag. Force fields are
terms of the potential. Drag in a region is a term of the dissipation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from supple.energies.term import EnergyTerm
from supple.errors import SceneError, SuppleError, WrongOption
from supple.formulas.curves import at_time
from supple.model.fields.region import FieldRegion
from supple.model.placed import Placed
from supple.registry import Registry
from supple.types import Array
from supple.values import Names, NotNegative

Per = Literal["mass", "body", "vertex"]


@dataclass(frozen=True)
class Reached:
    """The bodies on which a field acts, as parts of one system."""

    mass: Array
    """(n,) masses of all vertices of the system, zero for other bodies [kg]."""
    parts: Sequence[Placed]

    def weights(self, per: Per) -> Array:
        """(n,) weight of a force field at each vertex: its mass, its fraction of the body's mass, or 1."""
        if per == "mass":
            return self.mass
        weight = np.zeros_like(self.mass)
        for part in self.parts:
            own = self.mass[part.span]
            weight[part.span] = own / own.sum() if per == "body" else 1.0
        return weight


@contextmanager
def at_place(path: str) -> Iterator[None]:
    """Errors of options inside are reported with the place of the field in the scene: `field[0]`."""
    try:
        yield
    except WrongOption as error:
        raise SceneError(f"{path}.{error.key}: {error.sentence}") from None


@dataclass(frozen=True)
class ForceField:
    """Base of the kinds; subclasses are frozen dataclasses of their options, registered in FIELDS."""

    bodies: Names | None = field(default=None, kw_only=True)
    """Names of the bodies on which it acts; all if absent."""
    start: NotNegative = field(default=0.0, kw_only=True)
    """Start time [s]."""
    stop: NotNegative | None = field(default=None, kw_only=True)
    """End time; unlimited if absent [s]."""
    fade: NotNegative = field(default=0.0, kw_only=True)
    """Time in which it grows to its full strength after `start`, and fades to zero before `stop` [s]."""

    name: ClassVar[str]
    moves_air: ClassVar[bool] = False
    """Whether it is an air velocity."""
    dissipates: ClassVar[bool] = False
    """Whether it acts through dissipation, which material points do not have."""

    def __post_init__(self) -> None:
        if self.stop is not None and self.stop <= self.start:
            raise SuppleError(f"{self.name}: stop must be after start, found {self.stop:g} s and {self.start:g} s")
        if self.stop is not None and self.start + 2 * self.fade > self.stop:
            raise SuppleError(
                f"{self.name}: fade must fit twice between start and stop, found {self.fade:g} s from {self.start:g} s to "
                f"{self.stop:g} s"
            )

    def acts_on(self, body: str) -> bool:
        """Whether it acts on a body of that name."""
        return self.bodies is None or body in self.bodies

    @property
    def lasts(self) -> bool:
        """Whether it acts at all times."""
        return self.start == 0.0 == self.fade and self.stop is None

    def presence(self, t: float) -> float:
        """Factor from 0 to 1 on its strength at a time [s]."""
        if self.lasts:
            return 1.0  # before the run too, which methods that go back in time may evaluate
        if (t < self.start and self.start > 0.0) or (self.stop is not None and t > self.stop):
            return 0.0
        if self.fade == 0.0:
            return 1.0
        since, left = t - self.start, np.inf if self.stop is None else self.stop - t
        s = max(min(since / self.fade, left / self.fade, 1.0), 0.0)
        return float(s * s * (3.0 - 2.0 * s))

    def now(self, key: str, t: float) -> float:
        """The value of an option, which may depend on time, at a time [s]."""
        with self.option(key):
            return at_time(getattr(self, key), t)

    @contextmanager
    def option(self, key: str) -> Iterator[None]:
        """Errors inside are those of an option: a run reports them with its place in the scene."""
        try:
            yield
        except WrongOption:
            raise
        except SuppleError as error:
            raise WrongOption(self.name, key, str(error)) from None

    def velocity(self, x: Array, t: float) -> Array:
        """(n, 3) velocity of the air at the positions x (n, 3) and the time t [m/s]; defined by air fields."""
        raise TypeError(f"{type(self).__name__} does not move the air")

    def terms(self, reached: Reached, column: str) -> Iterable[EnergyTerm]:
        """Its terms of the potential; defined by force fields. `column`: name of its work in the ledger."""
        return ()

    def dampers(self, reached: Reached, path: str) -> Iterable[EnergyTerm]:
        """Its terms of the dissipation; defined by drag. `path`: its place in the scene, for messages."""
        return ()


@dataclass(frozen=True)
class LocalField(ForceField):
    """A field that may be limited to a region."""

    region: FieldRegion | None = field(default=None, kw_only=True)
    """Region of action; everywhere if absent."""

    def share(self, x: Array, t: float) -> Array | float:
        """Factors from 0 to 1 on its strength at the positions x (n, 3) and the time t [s]."""
        there = self.presence(t)
        return there if self.region is None or there == 0.0 else there * self.region.weights(x, t)


FIELDS: Registry[ForceField] = Registry("field", "supple.model.fields", variable="FIELDS")
