"""The lowest modes of K x = lambda M x by Lanczos on the inverse of K - sigma M (ARPACK, through SciPy).

With sigma below every eigenvalue the matrix is positive definite, so Cholesky itself certifies that no lower mode was
missed. Its inverse amplifies the lowest modes most. Small systems are solved densely.
"""

from __future__ import annotations

import numpy as np

from supple.dynamics.linear.linearised import Linearised
from supple.dynamics.linear.modes import Modes
from supple.dynamics.state import State
from supple.dynamics.system import System
from supple.errors import NotPositiveDefinite, StepRejected, SuppleError
from supple.solvers.direct import DirectSolver, Factored
from supple.solvers.options import Backend, SolverOptions
from supple.solvers.report import SolveReport
from supple.types import Array
from supple.work import EVALUATION, most, spend

CUBES = 10**5
"""Products of a dense eigenvalue problem that take as long as an evaluation of all energies."""
DENSE = 240
"""Unknowns up to which the whole spectrum is computed at once."""
FIRST_SHIFT = 1e-5
"""Distance of sigma below 0, relative to the largest eigenvalue. Rigid-body modes are amplified by its inverse, and
round-off with them, so it must not be too small; if it is far above the lowest frequencies, Lanczos takes longer."""
RESTARTS = 2000
"""Limit on restarts of Lanczos. Thousands of equal eigenvalues, as in a slack net of springs, take more than a thousand."""


def lowest_modes(system: System, x: Array, count: int, backend: Backend = "auto", tolerance: float = 0.0) -> Modes:
    """The `count` lowest modes about the configuration x (fewer if the system has fewer unknowns).

    `tolerance`: relative error of 1 / (lambda - sigma); 0 is round-off. With a tolerance, repeated eigenvalues may be
    returned fewer times than they occur."""
    direct = DirectSolver(system, SolverOptions(backend=backend))
    try:
        state = State(0.0, np.array(x, np.float64, order="C"), np.zeros_like(x, dtype=np.float64))
        return find_modes(Linearised(system, state), count, direct, SolveReport(), tolerance)
    finally:
        direct.close()


def find_modes(
    linearised: Linearised, count: int, direct: DirectSolver, report: SolveReport, tolerance: float = 0.0
) -> Modes:
    """The lowest modes of given matrices."""
    if count < 1:
        raise SuppleError(f"modes: at least 1 must be requested, found {count}")
    system = linearised.system
    unknowns = system.pattern.unknowns
    count = min(count, unknowns)
    if not unknowns:  # every vertex is held
        return Modes(np.zeros((0, system.n, 3)), np.zeros(0))
    root = np.sqrt(system.unknown_mass)
    _afford(count, unknowns)
    if unknowns <= DENSE or 2 * count >= unknowns:
        values, vectors = _dense(linearised, root, count)
    else:
        values, vectors = _lanczos(linearised, root, count, direct, report, tolerance)
    shapes = np.zeros((count, system.n, 3))
    shapes[:, system.free] = (vectors / root[:, None]).T.reshape(count, -1, 3)
    largest = np.argmax(np.abs(shapes.reshape(count, -1)), axis=1)
    # an eigenvector's sign is arbitrary: let its largest entry be positive
    shapes *= np.sign(shapes.reshape(count, -1)[np.arange(count), largest])[:, None, None]
    return Modes(shapes, values)


def _afford(count: int, unknowns: int) -> None:
    """Refuse, before anything large is allocated, what takes longer than a step may; most of the work is in bases."""
    basis = min(unknowns, 2 * count + 1)
    units = unknowns * basis**2 // CUBES
    if units > most():  # no smaller step would help
        raise SuppleError(
            f"modes: {count:,} modes of {unknowns:,} unknowns take {units:,} units of work, found solver.max_work = {most():,}; "
            "request fewer modes, or raise it"
        )
    spend(units)


def _dense(linearised: Linearised, root: Array, count: int) -> tuple[Array, Array]:
    from scipy.linalg import eigh

    pattern = linearised.system.pattern
    upper = np.zeros((pattern.unknowns, pattern.unknowns))
    upper[np.repeat(np.arange(pattern.unknowns), np.diff(pattern.indptr)), pattern.indices] = linearised.stiffness
    upper /= root[:, None] * root
    if not np.isfinite(upper).all():
        raise StepRejected("modes: the stiffness over the mass has entries that are not finite")
    values, vectors = eigh(upper, lower=False, subset_by_index=(0, count - 1))
    return values, vectors


def _lanczos(
    linearised: Linearised, root: Array, count: int, direct: DirectSolver, report: SolveReport, tolerance: float
) -> tuple[Array, Array]:
    from scipy.sparse.linalg import ArpackError, ArpackNoConvergence, LinearOperator, eigsh

    system = linearised.system
    size = system.pattern.unknowns
    sigma, solve = _factor_below(linearised, direct, report)

    def inverse(y: Array) -> Array:
        spend(EVALUATION)
        return root * solve.unknowns(root * y.ravel())

    operator = LinearOperator((size, size), matvec=inverse, dtype=np.float64)
    # a fixed start that no symmetry of the body makes orthogonal to a mode
    start = np.random.default_rng(0).standard_normal(size)
    basis = min(size, max(2 * count + 1, count + 20))
    try:
        gaps, vectors = eigsh(operator, k=count, which="LA", v0=start, ncv=basis, maxiter=RESTARTS, tol=tolerance)
    except ArpackNoConvergence as problem:
        raise StepRejected(f"modes: only {len(problem.eigenvalues)} of {count} were found; request fewer") from None
    except ArpackError as problem:
        raise StepRejected(f"modes: none were found: {problem}") from None
    order = np.argsort(-gaps)
    return sigma + 1.0 / gaps[order], np.ascontiguousarray(vectors[:, order])


def _factor_below(linearised: Linearised, direct: DirectSolver, report: SolveReport) -> tuple[float, Factored]:
    """Factorise K - sigma M with a sigma below all eigenvalues, as close to 0 as multiplying can reach."""
    pattern, mass = linearised.system.pattern, linearised.system.unknown_mass
    top = float(np.max(np.abs(linearised.stiffness[pattern.diagonal]) / mass, initial=0.0))
    sigma = -FIRST_SHIFT * max(top, np.finfo(np.float64).tiny)
    while True:
        values = linearised.stiffness.copy()
        values[pattern.diagonal] -= sigma * mass
        try:
            return sigma, direct.factor(values, report, definite=True)
        except NotPositiveDefinite:
            sigma *= 8.0
            if -sigma > 1e6 * max(top, 1.0):
                raise
