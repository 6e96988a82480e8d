"""The ledger as a witness: which accepted steps made or lost more energy than their method's own figures allow.

Energy in play: the largest energy so far that the numerics did not make. Of a method that promises to keep the energy, every
step is held to the promise. Of the others, a step is doubtful if
    its gain exceeds 10 % of the energy in play and 10 times the running scale, or its loss 50 % and 10 times that scale,
    or all that was made since the start exceeds the energy in play; that is told again whenever it has grown tenfold.
The running scale is the largest gain or loss of recent steps over the energy in play: it fades by a tenth per step, and
begins at 10 %. Energy that obstacles without forces or temporary springs brought is booked by name, so it is no jump.
"""

from __future__ import annotations

from dataclasses import dataclass

from supple.dynamics.ledger import Ledger

PROMISED = 1e-8
"""Part of the energy in play that a step of a conserving method may miss."""
GAIN, LOSS = 0.1, 0.5
"""Parts of the energy in play that a step of any other method may gain and lose without being a jump."""
JUMP = 10.0
"""Times the running scale from which on a larger gain or loss is one."""
FADES = 0.9
"""Part of the running scale that is left after a step."""
LARGEST = 1e300
"""Running scale at most, so that it is a number."""
AGAIN = 10.0
"""Growth of all that was made after which it is told again."""


@dataclass(frozen=True)
class Step:
    """What an accepted step did to the energy."""

    before: Ledger
    after: Ledger
    named: float = 0.0
    """Part of its residue that has a name of its own [J]."""
    promised: float | None = None
    """Part of the energy in play that it may miss; None if the method promises nothing."""


@dataclass(frozen=True)
class Witness:
    """What later steps are compared with."""

    scale: float = GAIN
    """Running scale of the residue of a step, over the energy in play [-]."""
    in_play: float = 0.0
    """Largest energy so far, less what was made from nothing [J]."""
    told: float = 0.0
    """All that was made when that was told last [J]."""

    def hears(self, step: Step) -> tuple[Witness, str]:
        """The witness after a step, and its doubt in words; empty if it has none."""
        before, after = step.before, step.after
        made = after.residue
        in_play = max(self.in_play, abs(before.initial), _honest(before), _honest(after))
        change = made - before.residue
        share = _share(change - step.named, in_play)
        told, doubt = self.told, ""
        if step.promised is not None:
            if abs(share) > step.promised:
                doubt = _words(change, in_play, f"where it promises to keep {step.promised:.0e}")
        elif made > max(in_play, AGAIN * told):
            told = made
            doubt = f"{made:.2g} J were made from nothing by now, more than the {in_play:.2g} J ever in play"
        elif abs(share) > max(GAIN if share > 0.0 else LOSS, JUMP * self.scale):
            doubt = _words(change - step.named, in_play, f"after at most {self.scale:.1e} of it in recent steps")
        scale = max(min(abs(share), LARGEST), FADES * self.scale)
        return Witness(scale, in_play, told), doubt


def _honest(ledger: Ledger) -> float:
    """Energy in play that was not made from nothing [J]."""
    return ledger.energies.scale - max(ledger.residue, 0.0)


def _share(change: float, in_play: float) -> float:
    if in_play > 0.0:
        return change / in_play
    return 0.0 if change == 0.0 else float("inf") * change


def _words(change: float, in_play: float, why: str) -> str:
    did = "made" if change > 0.0 else "lost"
    return f"the step {did} {abs(change):.2g} J of {in_play:.2g} J in play, {why}"
