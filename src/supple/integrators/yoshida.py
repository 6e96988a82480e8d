"""Yoshida's triple jump (1990), order 4: three steps of a symmetric method of order 2, the middle one backward in time.

    h -> w1 h, w0 h, w1 h,   w1 = 1/(2 - 2^(1/3)) = 1.3512,  w0 = 1 - 2 w1 = -1.7024
A symmetric method has an error series in even powers of h only; w1^3 + w0^3 + w1^3 = 0 removes its first term.
Invariants that every step of the inner method conserves to round-off are conserved by the composition.

Limits: the substeps are longer than the step, so stability is lost earlier: Verlet's h omega < 2 becomes 1.57. In the
backward substep dampers drive the motion, by (1 + a)/(1 - a) with a = |w0| h d/(2 m). A step in which a damped body
gains 1 % of its energy is rejected, and the loop halves it. A method that is symmetric only without velocity-dependent
forces (Verlet) has order 3 with them. At the start of a run scripts are evaluated at times before it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from supple.dynamics.invariants import Energies
from supple.dynamics.needs import Need, Objection, needs_of, unmet
from supple.dynamics.state import State
from supple.dynamics.step import Facts, Memory, StepReport, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected, SuppleError
from supple.integrators import INTEGRATORS
from supple.integrators.explicit.symplectic import Verlet
from supple.integrators.method import Method
from supple.integrators.pieces import take_pieces
from supple.integrators.wrapper import Wrapper, inside, outside

W1 = 1 / (2 - 2 ** (1 / 3))
W0 = 1 - 2 * W1
LONGER = 1.3
"""Effective lengthening of a step for the stability of the inner method: 2/1.57, measured with Verlet."""
GAINED = 0.01
"""Energy that a damped body may gain in one step beyond the work of scripts, relative to the total: the error of the method."""
BACK_IN_TIME = frozenset({Need.BARRIER, Need.FRICTION, Need.CONSTRAINTS})
"""Needs that no composition meets: its substeps leave the path of the step, on which barriers and constraints are
checked, and friction drives the motion in the backward substep."""


@INTEGRATORS("yoshida")
@dataclass(frozen=True)
class Yoshida(Wrapper):
    """Lifts a symmetric method of order 2 to order 4, at three times its cost."""

    of: Method = field(default_factory=Verlet)
    """The inner method: its name, or a table with its name and options; it must be symmetric and of order 2."""

    def __post_init__(self) -> None:
        if not composable(self.of):
            known = [name for name, cls in sorted(INTEGRATORS.load().items()) if composable(cls())]
            raise SuppleError(
                f"yoshida.of: found '{self.of.name}', which is not a symmetric method of order 2; "
                f"known: {', '.join(known)}"
            )

    @property
    def facts(self) -> Facts:
        inner = self.of.facts
        return Facts(
            order=4,
            solves=3 * inner.solves,
            stability=f"as {self.of.name} at {LONGER} times the step",
            damping=inner.damping,
            choose="for accurate motion at well-resolved steps; with damping around an implicit method",
            conserves=inner.conserves,
            symmetric=True,
        )

    @property
    def freezes_at(self) -> float | None:
        """The midpoint of the whole step, which limits the order to 2 with such dissipation."""
        return None if self.of.freezes_at is None else 0.5

    @property
    def meets(self) -> frozenset[Need]:
        return self.of.meets - BACK_IN_TIME

    def objection(self, system: System) -> Objection | None:
        name = f"{self.name} of {self.of.name}"
        return unmet(name, self.meets, needs_of(system)) or self.of.objection(system)

    def start(self, system: System, state: State) -> Memory:
        return outside(self.of.start(system, state))

    def step(
        self, system: System, state: State, memory: Memory, h: float, tools: Tools
    ) -> tuple[State, Memory, StepReport]:
        lengths = (W1 * h, W0 * h, W1 * h)
        end, inner, report = take_pieces(system, self.of, state, inside(memory), lengths, tools)
        # the three lengths add up to h up to round-off, which must shift neither the clock nor scripted vertices
        new = self.arrived(system, state.t + h, end.x, end.v)
        if system.dissipation.terms:
            self._refuse_driven(tools.energies(state), tools.energies(new), report)
        return new, outside(inner), dataclasses.replace(report, h=h)

    def _refuse_driven(self, before: Energies, after: Energies, report: StepReport) -> None:
        """Dampers only dissipate energy; a step in which a damped body gained much is rejected."""
        gained = after.total - before.total - (report.external_work or 0.0)
        if gained > GAINED * max(before.scale, after.scale):
            raise StepRejected(
                f"a damped body gained {gained:.1e} J: in the backward substep of yoshida dampers "
                f"drive the motion; use a smaller time.step, or {self.of.name} by itself"
            )


def composable(method: Method) -> bool:
    """Whether the triple jump gains two orders with this method, which must not itself wrap another one."""
    return method.facts.symmetric and method.facts.order == 2 and not isinstance(method, Wrapper)
