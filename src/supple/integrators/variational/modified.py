"""Modified Newton's method for the stages of variational steps: one matrix for all iterations of a run.

    x <- x - relaxation A^-1 grad Phi(x),  A = Phi'' of the first step's start, made positive semidefinite element by element
It is assembled once and factorised once per step; an iteration costs a gradient and a solve. It converges linearly
while the stiffness has changed little, and it does not rotate with the body. It is intended for loose tolerances.
"""

from __future__ import annotations

import math

import numpy as np

from supple.dynamics.stage import Stage, StageObjective
from supple.dynamics.state import State
from supple.dynamics.step import Memory, Tools
from supple.dynamics.system import System
from supple.errors import StepRejected
from supple.linalg.reduce import dot, largest
from supple.types import Array

ROUND_OFF = 8 * np.finfo(np.float64).eps
ITERATIONS = 200


def fixed_matrix(stage: Stage, state: State, memory: Memory, h: float, tools: Tools) -> Memory:
    """Memory with the matrix of a step of h: the previous matrix, or a new one if h has changed."""
    if "matrix" in memory and float(memory["h"]) == h:
        return memory
    linearised = tools.linearise(state, project=True)
    values = sum(s.weight * s.scale for s in stage.positions) * linearised.stiffness
    if linearised.damping is not None:
        values += sum(s.weight * s.scale for s in stage.velocities) * linearised.damping
    system = linearised.system
    values[system.pattern.diagonal] += system.unknown_mass
    return {**memory, "matrix": values, "h": np.array(h)}


def modified_newton(system: System, stage: Stage, memory: Memory, tools: Tools, relaxation: float) -> Array:
    """Minimiser of the stage to its own tolerance; raises StepRejected if the matrix does not lead to convergence."""
    objective = StageObjective(system, stage)
    values = memory["matrix"]
    solve = tools.factor(values, definite=True)
    steepest = largest(values[system.pattern.diagonal])
    x = objective.place(stage.start)
    for _ in range(ITERATIONS):
        g = objective.evaluate(x).gradient
        size = math.sqrt(dot(g, g))
        if size <= (stage.tolerance or 0.0) or largest(g) <= ROUND_OFF * steepest * largest(x):
            return x
        if not math.isfinite(size):
            break
        x = x - relaxation * solve(g)
    raise StepRejected(
        f"variational: modified Newton did not reach its tolerance in {ITERATIONS} iterations; "
        'use solver = "newton" or a smaller time.step'
    )
