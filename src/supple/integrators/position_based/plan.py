"""The constraints of a potential in the order in which they are visited: built once per potential and cached with it.

Constraints of one kind and term are grouped, coloured and sorted by colour; measures of whole bodies follow. The order
follows the terms, so it depends on the scene alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from supple.contact.obstacles.obstacle import ObstacleContact
from supple.dynamics.potential import Potential
from supple.energies.areas.whole_measure import WholeMeasure
from supple.energies.compliant import Compliance
from supple.energies.roles.compliant import compliances
from supple.energies.term import EnergyTerm
from supple.integrators.position_based.blocks import sweep_blocks
from supple.integrators.position_based.kernels import sweep_combinations, sweep_springs
from supple.integrators.position_based.measures import KINDS
from supple.linalg.colouring import Colouring, colour_elements
from supple.linalg.threads import threads
from supple.types import Array, Ints

SOLIDS = ("neo-hookean", "neo-hookean-log", "neo-hookean-soft")
"""Kinds whose entries do not vanish at rest: plain PBD uses the strain of the same tets instead."""

SPLIT = {"spring": 16384, "combination": 16384, "block": 1024}
"""Smallest number of constraints of a colour that is split among threads: a third of a millisecond of work. On busy
cores, synchronisation costs milliseconds."""


@dataclass(frozen=True)
class Substep:
    """Data shared by all constraints of a substep."""

    x0: Array
    """(n, 3) positions at its start [m]."""
    w: Array
    """(n,) inverse masses, zero for prescribed vertices [1/kg]."""
    h2: float
    """Square of the substep [s^2]."""
    share: float = 0.0
    """Fraction of C that plain PBD removes per visit; 0: XPBD."""


@dataclass(frozen=True)
class Block:
    """Coloured constraints of one kind."""

    constraints: Compliance
    start: Ints

    def pushes(self, n: int, iterations: int) -> Array:
        """Storage for the impulses of each constraint of n vertices; empty for a single iteration."""
        c = self.constraints
        wide = 3 * c.vertices.shape[1] if c.kind in KINDS else 3
        return np.zeros((len(c.vertices) if iterations > 1 else 0, wide))

    def sweep(self, u: Array, substep: Substep, first: bool, keep: bool, pushes: Array) -> None:
        """Visit every constraint once; the displacements u (n, 3) are updated."""
        c, s = self.constraints, substep
        common = (s.x0, u, s.w, s.h2, s.share, first, keep, pushes)
        if c.kind in KINDS:
            number, q = KINDS[c.kind]
            K = c.stiffness.reshape(-1, q, q)
            sweep_blocks(self.start, threads(), SPLIT["block"], number, q, c.vertices, c.parameters, K, *common)
        elif c.kind == "combination":
            sweep_combinations(
                self.start, threads(), SPLIT["combination"], c.vertices, c.parameters, c.stiffness, *common
            )
        else:
            squared = c.kind == "squared-length"
            sweep_springs(
                self.start, threads(), SPLIT["spring"], c.vertices, c.parameters, c.stiffness, squared, *common
            )


class Whole:
    """One measure m of a whole body with the energy U(m): the push along g = m'(x) solves
    (1 + h^2 U'' g . W g) lam = h^2 (U'' g . W P - U'), P the last push; linear in m, as for any other constraint."""

    def __init__(self, term: WholeMeasure) -> None:
        self.term = term

    def pushes(self, n: int, iterations: int) -> Array:
        return np.zeros((n if iterations > 1 else 0, 3))

    def sweep(self, u: Array, substep: Substep, first: bool, keep: bool, pushes: Array) -> None:
        x = substep.x0 + u
        g = self.term.field(x)
        wg = substep.w[:, None] * g
        weight = float(np.vdot(g, wg))
        if weight == 0.0:
            return
        old = np.zeros_like(x) if first else pushes
        m = self.term.size(x)
        if substep.share > 0.0:
            lam = substep.share * (self.term.at_rest - m) / weight
        else:
            _, slope, curvature = self.term.law.energies(m, self.term.at_rest)
            lam = substep.h2 * (curvature * float(np.vdot(wg, old)) - slope) / (1.0 + substep.h2 * curvature * weight)
        new = lam * g
        u += substep.w[:, None] * (new - old)
        if keep:
            pushes[:] = new


@dataclass(frozen=True)
class Plan:
    """All constraints of a potential, and the other forces."""

    asked: tuple[tuple[EnergyTerm, int, Colouring], ...]
    """Term, index among its kinds, and colours of each block."""
    blocks: tuple[Block, ...]
    wholes: tuple[Whole, ...]
    obstacles: tuple[ObstacleContact, ...]
    steady: Potential
    """Terms that are linear in x, such as weight."""

    def current(self) -> tuple[Block, ...]:
        """The blocks, refreshed where constants may have changed since the last step."""
        return tuple(
            _block((compliances(term) or ())[k], colours) if block.constraints.live else block
            for (term, k, colours), block in zip(self.asked, self.blocks, strict=True)
        )

    def rigid(self) -> tuple[Block, ...]:
        """The blocks for plain PBD."""
        return tuple(replace(block, constraints=_strain(block.constraints)) for block in self.current())


def is_steady(term: EnergyTerm) -> bool:
    """Whether the gradient does not depend on x."""
    return term.degree is not None and term.degree <= 1


def unknown_terms(potential: Potential) -> list[EnergyTerm]:
    """Terms that are neither constraints, nor obstacles, nor steady forces."""
    known = (ObstacleContact, WholeMeasure)
    return [t for t in potential.terms if not (is_steady(t) or isinstance(t, known)) and compliances(t) is None]


def plan_for(potential: Potential) -> Plan:
    """The plan of a potential whose terms are all supported."""
    if potential not in _plans:
        _plans[potential] = _made(potential)
    return _plans[potential]


_plans: WeakKeyDictionary[Potential, Plan] = WeakKeyDictionary()


def _made(potential: Potential) -> Plan:
    asked, blocks, wholes = [], [], []
    for term in potential.terms:
        if isinstance(term, WholeMeasure):
            wholes.append(Whole(term))
            continue
        found: Sequence[Compliance] = () if is_steady(term) else compliances(term) or ()
        for k, constraints in enumerate(found):
            colours = colour_elements(constraints.vertices)
            asked.append((term, k, colours))
            blocks.append(_block(constraints, colours))
    obstacles = tuple(term for term in potential.terms if isinstance(term, ObstacleContact))
    return Plan(tuple(asked), tuple(blocks), tuple(wholes), obstacles, potential.only(is_steady))


def _block(c: Compliance, colours: Colouring) -> Block:
    o = colours.order
    return Block(
        replace(c, vertices=c.vertices[o], parameters=c.parameters[o], stiffness=c.stiffness[o]), colours.start
    )


def _strain(c: Compliance) -> Compliance:
    if c.kind not in SOLIDS:
        return c
    K = c.stiffness[:, :1, :1] * np.eye(6)
    return replace(c, kind="tet-strain", parameters=np.ascontiguousarray(c.parameters[:, :9]), stiffness=K)
