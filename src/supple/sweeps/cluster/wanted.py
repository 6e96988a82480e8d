"""Whether anybody still waits for the run that this worker computes.

Dask cannot stop a thread. A run whose sweep was interrupted would go on to its end, hold its folder, and keep a later `--resume`
out of it. So each frame asks here, which costs a look into a dictionary.
"""

from __future__ import annotations

import sys
from typing import Any

STAGES = frozenset({"executing", "long-running"})
"""States of a task that somebody waits for."""


def still_wanted() -> bool:
    """False once the sweep was interrupted, its client is gone, or this worker is to close."""
    worker = this_worker()
    if worker is None:
        return True
    from distributed import Status

    task = worker.state.tasks.get(worker.get_current_task())
    return worker.status is Status.running and task is not None and task.state in STAGES


def this_worker() -> Any | None:
    """The worker whose task this is; None outside of a cluster, where Dask need not be installed."""
    if "distributed" not in sys.modules:
        return None
    from distributed import get_worker

    try:
        return get_worker()
    except ValueError:
        return None
