"""Estimated cost of a step with factors or with multigrid, from counts: the choice must not depend on the clock.

The rates refer to one core of a desktop machine; only their ratios matter.
"""

from __future__ import annotations

from supple.linalg.pattern import SymmetricPattern
from supple.linalg.precond.factors import OldFactors

SOLVE, PRODUCT, CYCLE = 0.75e-9, 1.3e-9, 4.5e-9
"""Time per entry: of factors in a solve, of a matrix in a product and in a multigrid cycle [s]."""
OPERATION = 2.1e-11
"""Time per operation of a factorisation [s]."""
SOLVES, CYCLES, RENEWED = 14, 18, 8
"""Iterations per step with old factors and with multigrid, and lifetime of factors in steps, for the benchmark bars."""
STAGES = 4
"""Newton iterations per step."""
ANALYSED = 250_000
"""Unknowns up to which the pattern is analysed for the choice; larger ones only if they are slender."""
BROAD = 2_500
"""Unknowns across a body beyond which its factors are certainly large."""
PATIENT = 150
"""Iteration limit of multigrid where factors are not an option."""


def prefers_multigrid(pattern: SymmetricPattern, factors: OldFactors, broad: float) -> tuple[bool, int]:
    """Whether multigrid is the better choice for a step, and the number of iterations up to which it is."""
    entries = 2.0 * pattern.nnz
    iteration = (CYCLE + PRODUCT) * entries
    if pattern.unknowns > ANALYSED and broad > BROAD:
        return True, PATIENT
    made = factors.analysed()
    filled = made.entries or broad * pattern.unknowns / 3.0
    operations = made.operations or broad * broad * pattern.unknowns
    direct = SOLVES * (SOLVE * filled + PRODUCT * entries) + OPERATION * operations / RENEWED
    return CYCLES * iteration < direct, max(int(direct / STAGES / iteration), CYCLES)
