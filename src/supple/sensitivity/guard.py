"""The guard of a record: every step is replayed by its program, and a program that does not reproduce the step is refused.

Two quantities are compared: the results of the program for the recorded solutions, and the residuals of the equations that
these solutions must satisfy. A rehearsal that followed another branch than the step fails one of them.
"""

from __future__ import annotations

from supple.errors import SuppleError
from supple.linalg.reduce import largest
from supple.sensitivity.bordered import BorderedStage
from supple.sensitivity.equations import EquationStep
from supple.sensitivity.rehearsal.program import EquationSolve, Solve
from supple.sensitivity.replay import Played

SAME = 1e-6
"""Allowed deviation of a replayed step from the recorded one, relative to its size: the solver tolerance, enlarged by the
cancellation in differences of positions over small steps."""
SOLVED = 1e-5
"""Residual of a recorded solution in the program's equation, relative to the largest single force in it."""
NOISE = 1e-10
"""Residual, relative to masses times positions, that counts as round-off: bodies in free flight have no other forces."""


def check(played: Played, name: str, tolerance: float) -> None:
    """Raise SuppleError if the program does not reproduce the step; `tolerance`: that of the run's solver."""
    step, new = played.step, played.step.program.outputs
    dx, dv = largest(played.of(new["x"]) - step.after.x), largest(played.of(new["v"]) - step.after.v)
    size = largest(step.after.x - step.before.x) + abs(step.h) * largest(step.after.v)
    missed = max(dx, abs(step.h) * dv)
    if not missed <= SAME * size + 1e-13 * largest(step.after.x):
        raise _refusal(played, name, f"misses the recorded one by {missed:.1e} m")
    off = max((_residual(played, k) for k in range(len(step.program.instructions))), default=0.0)
    if not off <= max(SOLVED, 100.0 * tolerance):
        raise _refusal(played, name, f"leaves a residual of {off:.1e} of the largest force")


def _residual(played: Played, k: int) -> float:
    """Residual of the recorded solution of an instruction, relative to the largest single force; 0 without a solve."""
    asked, x = played.step.program.instructions[k], played.values[len(played.step.program.inputs) + k]
    least = NOISE / SOLVED * largest(played.system.mass[:, None] * x)
    if isinstance(asked, EquationSolve):
        found = EquationStep(played, asked, x).missed()
        return largest(found.vector) / max(found.scale, least)
    if not isinstance(asked, Solve):
        return 0.0
    objective = played.stage(asked, x)
    evaluation = objective.evaluate(x)
    gradient = evaluation.gradient
    if asked.constrained:
        gradient = gradient + played.system.on_free(BorderedStage(played.system, objective, x).forces(played.system))
    return largest(gradient) / max(evaluation.scale, least)


def _refusal(played: Played, name: str, how: str) -> SuppleError:
    return SuppleError(
        f"{name}: no derivatives of this run: replayed from its rehearsal, the step at t = {played.t:g} s {how}; "
        "use another method, such as avf"
    )
