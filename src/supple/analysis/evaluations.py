"""Number of force evaluations of a run: the potential of its system with a counter.

One evaluation is the value and the gradient of all terms at one configuration. A stage that samples q points of a step takes q
of them per iteration, and a term evaluated alone counts by its share of all elements. So the count is independent of how
a method splits its potential, nor on the machine.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

from supple.dynamics.potential import Potential
from supple.dynamics.system import System
from supple.energies.samples import Samples
from supple.energies.term import EnergyTerm
from supple.types import Array


@dataclass
class Count:
    """Evaluations so far."""

    whole: int
    """Elements of all terms."""
    elements: int = 0
    """Elements evaluated, one by one."""

    @property
    def evaluations(self) -> float:
        return self.elements / self.whole if self.whole else 0.0


class CountedPotential(Potential):
    """A potential that adds to a count; so do the parts that are made of it."""

    count: Count

    @classmethod
    def of(cls, potential: Potential) -> CountedPotential:
        made = cls.__new__(cls)
        made.__dict__.update(copy.copy(potential).__dict__)
        made._kept = {}  # parts created earlier do not count
        made.count = Count(sum(len(term.elements) for term in potential.terms))
        return made

    def contributions(self, samples: Samples) -> Iterator[tuple[EnergyTerm, float, Array]]:
        self.count.elements += len(samples.x) * sum(len(term.elements) for term in self.terms)
        return super().contributions(samples)


def counted(system: System) -> tuple[System, Count]:
    """The same system, with a count of its evaluations."""
    potential = CountedPotential.of(system.potential)
    return replace(system, potential=potential), potential.count
