"""Thread counts of the numerical libraries, set in one place.

Two OpenMP runtimes live in the process (MKL's and Numba's), and NumPy's and SciPy's OpenBLAS beside them. Workers that
spin after their work is done would steal the others' cores, so they spin for microseconds only. OpenBLAS, which has
little to do here, gets one thread (steps of SIERE took five times as long with two), unless the user's environment sets
it.
"""

from __future__ import annotations

import os

from supple.errors import SuppleError
from supple.linalg.forks import demand_threads

_DEFAULTS = {
    "KMP_BLOCKTIME": "0",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GOMP_SPINCOUNT": "10000",  # a few microseconds: assembly calls follow each other closely
    "NUMBA_THREADING_LAYER": "omp",
    "OPENBLAS_NUM_THREADS": "1",
}
_asked = "OPENBLAS_NUM_THREADS" in os.environ
"""Whether the user chose the threads of OpenBLAS; read before the default is set."""

_limited = False
"""Whether the OpenBLAS libraries loaded before the defaults have one thread; later ones read the environment."""
_chosen = 0
_suited = True
"""Whether the number of threads follows the system size: no other number was requested."""

FEW = 6_000
"""Unknowns below which one thread suffices: waking another takes longer than its work."""


def calm_workers() -> None:
    """Set the defaults where the environment has no value; to be called before MKL or Numba's threads start."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def use_threads(count: int) -> int:
    """Set the threads for assembly and for later factorisations; 0 uses all cores, or one for small systems built
    later. Returns the count."""
    global _suited
    _suited = count == 0
    return _set(count or cores())


def suit_threads(unknowns: int) -> int:
    """The number of threads for a system of this many unknowns, active from now on unless another was requested."""
    return _set(1 if unknowns < FEW else cores()) if _suited else threads()


def _set(count: int) -> int:
    global _chosen
    demand_threads()
    calm_workers()
    from numba import config, set_num_threads

    _chosen = max(1, min(count, config.NUMBA_NUM_THREADS))
    try:
        set_num_threads(_chosen)
    except ValueError as error:  # Numba loads its threading layer here
        raise SuppleError(f"NUMBA_THREADING_LAYER: {' '.join(str(error).split())}; remove it, or set omp") from None
    if not (_limited or _asked):
        _limit_loaded()
    return _chosen


def _limit_loaded() -> None:
    """Give one thread to the OpenBLAS libraries that are loaded; finding them takes about a millisecond."""
    global _limited
    from threadpoolctl import ThreadpoolController

    ThreadpoolController().select(internal_api="openblas").limit(limits=1)
    _limited = True


def threads() -> int:
    """Number of active threads."""
    demand_threads()
    return _chosen or use_threads(0)


def thread_counts() -> dict[str, int | str]:
    """Thread settings for `supple info`."""
    calm_workers()
    return {"cores": cores(), "threads": threads(), "numba layer": os.environ["NUMBA_THREADING_LAYER"]}
