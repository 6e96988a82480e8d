"""Whether the result of this worker's run is still needed.

Dask cannot stop a thread. A run of an interrupted sweep would continue to its end, keep its folder locked, and block a later
`--resume`. So each frame checks here, at the cost of a dictionary lookup.
"""

from __future__ import annotations

import sys
from typing import Any

STAGES = frozenset({"executing", "long-running"})
"""States of a task whose result is needed."""


def still_wanted() -> bool:
    """False once the sweep was interrupted, its client is gone, or this worker is closing."""
    worker = this_worker()
    if worker is None:
        return True
    from distributed import Status

    task = worker.state.tasks.get(worker.get_current_task())
    return worker.status is Status.running and task is not None and task.state in STAGES


def this_worker() -> Any | None:
    """The worker whose task this is; None outside a cluster, where Dask need not be installed."""
    if "distributed" not in sys.modules:
        return None
    from distributed import get_worker

    try:
        return get_worker()
    except ValueError:
        return None
