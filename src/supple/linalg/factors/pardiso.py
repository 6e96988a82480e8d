"""MKL PARDISO, called directly: no copies of the pattern, reproducible bits, several handles concurrently."""

from __future__ import annotations

import ctypes
import importlib.metadata
import weakref
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from supple.errors import BackendMissing, NotPositiveDefinite, StepRejected, SuppleError
from supple.linalg.factors.factorisation import Kind, check_finite
from supple.linalg.threads import calm_workers
from supple.types import Array, Ints

ANALYSE, FACTOR, SOLVE, RELEASE = 11, 22, 33, -1
MATRIX_TYPE = {"cholesky": 2, "ldl": -2, "lu": 11}
SMALL = 10_000
"""Below this many unknowns a second thread costs more than it gains, and on a busy machine much more: waking it takes
longer than the solve."""


@cache
def library() -> Any:
    """The MKL runtime that the `mkl` wheel installed."""
    calm_workers()
    try:
        files = importlib.metadata.files("mkl") or []
    except importlib.metadata.PackageNotFoundError:
        raise BackendMissing("PARDISO needs MKL; install it with: pip install pypardiso") from None
    for file in files:
        if "mkl_rt" in file.name and file.suffix in {".3", ".2", ".1", ".so", ".dll", ".dylib"}:
            lib = ctypes.CDLL(str(Path(str(file.locate())).resolve()))
            lib.pardiso.restype = None
            lib.pardiso.argtypes = [ctypes.c_void_p] * 16
            return lib
    raise BackendMissing("the installed mkl package has no mkl_rt library; reinstall it with: pip install mkl")


@cache
def version() -> str:
    """MKL's version, or why PARDISO cannot be used."""
    try:
        library()
        return f"MKL {importlib.metadata.version('mkl')}"
    except (BackendMissing, OSError) as problem:
        return f"missing: {problem}"


class Pardiso:
    """One handle: analysed on construction, with a fixed thread count, since changing it corrupts the handle. `single`:
    single-precision factors, which take half the memory and half the time."""

    def __init__(self, kind: Kind, indptr: Ints, indices: Ints, threads: int, single: bool = False) -> None:
        self.kind = kind
        self._single = single
        self._scale = 1.0
        self.n = len(indptr) - 1
        self.negative = 0
        self._indptr, self._indices = indptr, indices
        self._threads = threads if self.n >= SMALL else 1
        self._handle = np.zeros(64, np.int64)
        self._iparm = np.zeros(64, np.int32)
        self._head = np.array([1, 1, MATRIX_TYPE[kind], 0, self.n, 1, 0, 0], np.int32)
        self._before, self._between, self._error = _pointers(self._handle, self._head, self._iparm, indptr, indices)
        self._unused = np.zeros(1)
        self._values: np.ndarray = self._unused
        self._ready = False
        self._options()
        self._finalizer = weakref.finalize(self, _release, self._handle, self._head, self._iparm, indptr, indices)
        self._call(ANALYSE, self._unused if kind == "cholesky" else np.ones(len(indices)), self._unused, self._unused)

    def _options(self) -> None:
        """Our own settings; PARDISO's numbering from 1 is one more than these indices."""
        p = self._iparm
        p[0] = 1  # no defaults: they include 1-based indices
        p[1] = 2  # METIS ordering
        p[9] = 13 if self.kind == "lu" else 8  # pivots below 10^-p are perturbed
        # No scaling and matching, not even for LU: they belong to the analysis, which does not have the values yet.
        p[20] = int(self.kind == "ldl")  # Bunch-Kaufman pivots
        # The same bits on every run. Two-level factorisation gives that on its own, and its solves use the threads, at
        # half the time of the reproducible mode's; the bits then belong to the thread count.
        two_level = self.kind == "cholesky" and self._threads > 1
        p[23] = int(two_level)
        p[33] = 0 if two_level or self._threads == 1 else 2
        p[27] = int(self._single)
        p[34] = 1  # indices from 0
        p[17] = p[18] = -1  # report the entries of the factors, and the operations they take [1e6]

    def factor(self, values: Array) -> None:
        self._ready = False
        if self.kind != "cholesky":
            check_finite(values)  # pivots are perturbed rather than rejected there, so a NaN would pass unnoticed
        self._values = self._narrowed(values) if self._single else values
        error = self._call(FACTOR, self._values, self._unused, self._unused)
        if error == -4 and self.kind == "cholesky":
            check_finite(values)
            raise NotPositiveDefinite(f"pivot {int(self._iparm[29])} of {self.n} is not positive")
        if error:
            check_finite(values)
            raise StepRejected(f"PARDISO could not factorise the matrix (error {error})")
        self.negative = int(self._iparm[22])
        self._ready = True

    def solve(self, rhs: Array) -> Array:
        if not self._ready:
            raise SuppleError("solve was called without a successful factor")
        size = _power_of_two(rhs) if self._single else 1.0
        rhs = (rhs / size).astype(np.float32) if self._single else np.ascontiguousarray(rhs)
        out = np.empty_like(rhs)
        self._head[5] = len(rhs) if rhs.ndim == 2 else 1
        error = self._call(SOLVE, self._values, rhs, out)
        if error:
            raise StepRejected(f"PARDISO could not solve (error {error})")
        return np.asarray(out * np.float64(size / self._scale)) if self._single else out

    @property
    def entries(self) -> int:
        """Entries of the factors."""
        return int(self._iparm[17])

    @property
    def operations(self) -> float:
        """Operations of a factorisation."""
        return 1e6 * float(self._iparm[18])

    def close(self) -> None:
        self._ready = False
        self._finalizer()

    def _narrowed(self, values: Array) -> np.ndarray:
        """In single precision, scaled so that neither tiny nor huge units leave its range."""
        self._scale = _power_of_two(values[self._indptr[:-1]])
        return (values / self._scale).astype(np.float32)

    def _call(self, phase: int, values: np.ndarray, rhs: np.ndarray, out: np.ndarray) -> int:
        library().MKL_Set_Num_Threads(self._threads)
        self._head[3], self._head[7] = phase, 0
        library().pardiso(
            *self._before, values.ctypes.data, *self._between, rhs.ctypes.data, out.ctypes.data, self._error
        )
        return int(self._head[7])


def _pointers(
    handle: np.ndarray, head: Ints, iparm: Ints, indptr: Ints, indices: Ints
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """The constant ones of the sixteen arguments, in three groups.

    Before the values: handle, maxfct, mnum, mtype, phase, n. Before right-hand side and solution: ia, ja, perm
    (unused), nrhs, iparm, msglvl. At the end: error.
    """
    h = head.ctypes.data
    return (
        (handle.ctypes.data, *(h + 4 * i for i in range(5))),
        (indptr.ctypes.data, indices.ctypes.data, h, h + 20, iparm.ctypes.data, h + 24),
        h + 28,
    )


def _power_of_two(values: Array) -> float:
    """Near the largest magnitude; dividing by it rounds nothing."""
    largest = float(np.max(np.abs(values), initial=0.0))
    return 2.0 ** round(np.log2(largest)) if np.isfinite(largest) and largest > 0.0 else 1.0


def _release(handle: np.ndarray, head: Ints, iparm: Ints, indptr: Ints, indices: Ints) -> None:
    nothing = np.zeros(1)
    before, between, error = _pointers(handle, head, iparm, indptr, indices)
    head[3], head[7] = RELEASE, 0
    library().pardiso(*before, nothing.ctypes.data, *between, nothing.ctypes.data, nothing.ctypes.data, error)
    handle[:] = 0
