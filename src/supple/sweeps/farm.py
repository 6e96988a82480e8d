"""Workers of a sweep: processes on this machine, or the workers of a Dask cluster.

Each worker computes one run at a time within its threads, so two workers on two cores do not compete. The same client
serves both, so a farm is specified by its address alone.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from supple.errors import BackendMissing, SuppleError
from supple.linalg.threads import cores
from supple.sweeps.cluster.apart import apart
from supple.sweeps.cluster.calm import calm
from supple.sweeps.cluster.scratch import scratch_folder

if TYPE_CHECKING:
    from distributed import Client

ANSWER = 15.0
"""Time limit for a scheduler to respond [s]."""
PATIENCE = 60.0
"""Time limit for its first worker [s]."""
ATTEMPTS = 3
"""Worker deaths per run before it counts as failed."""
EXTRA = "sweeps run on dask.distributed: install it with: pip install 'supple[sweep]'"


@dataclass(frozen=True)
class Farm:
    """Workers and their client."""

    client: Client
    local: bool
    threads: int
    """Threads per run."""

    @property
    def address(self) -> str:
        """Address of the scheduler."""
        return str(self.client.scheduler.addr)

    @property
    def dashboard(self) -> str | None:
        """Address of the dashboard; None if it is off, or the scheduler lacks Bokeh."""

        def drawn() -> bool:  # sent by its code: the scheduler need not have supple
            import importlib.util

            return importlib.util.find_spec("bokeh") is not None

        services = self.client.scheduler_info().get("services", {})
        if "dashboard" not in services or not self.client.run_on_scheduler(drawn):
            return None
        return str(self.client.dashboard_link)

    def workers(self) -> dict[str, Any]:
        """Scheduler information on each worker, by address."""
        return dict(self.client.scheduler_info(n_workers=-1)["workers"])

    def lost(self) -> bool:
        """Whether the scheduler is lost."""
        return self.client.status != "running"

    def idle_nannies(self) -> set[Any]:
        """Nannies without a worker. Dask restarts a worker that died, but not one that died during
        its start."""
        kept = self.client.cluster.workers.values() if self.local else ()
        return {nanny for nanny in kept if not nanny.is_alive()}

    def revive(self, nannies: set[Any]) -> None:
        """Restart their workers."""
        for nanny in nannies:
            self.client.cluster.sync(nanny.instantiate)

    def one_per_host(self) -> list[str]:
        """The address of one worker on each machine."""
        hosts: dict[str, str] = {}
        for address, worker in sorted(self.workers().items()):
            hosts.setdefault(worker["host"], address)
        return list(hosts.values())


@contextmanager
def open_farm(workers: int | None = None, threads: int = 1, scheduler: str | None = None) -> Iterator[Farm]:
    """Workers for a sweep: `workers` local processes (default: cores divided by threads), or those of a running `scheduler`."""
    if importlib.util.find_spec("distributed") is None:
        raise BackendMissing(EXTRA)
    if threads < 1:
        raise SuppleError(f"--threads: found {threads}; give 1 or more")
    with _quiet():
        if scheduler is not None:
            if workers is not None:
                raise SuppleError("--workers: a running scheduler has its own workers; leave it out with --scheduler")
            yield from _joined(scheduler, threads)
        else:
            yield from _started(workers, threads)


def _joined(address: str, threads: int) -> Iterator[Farm]:
    from distributed import Client

    try:
        client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SuppleError(
            f"--scheduler {address}: no scheduler responds there ({error}); start one with `dask scheduler`"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SuppleError(
                f"--scheduler {address}: has no workers; start some with `dask worker {address} --nthreads 1`"
            ) from None
        yield Farm(client, False, threads)
    finally:
        client.close()


def _started(workers: int | None, threads: int) -> Iterator[Farm]:
    import dask
    from distributed import Client, LocalCluster

    count = max(1, cores() // threads) if workers is None else workers
    if count < 1:
        raise SuppleError(f"--workers: found {count}; give 1 or more")
    with (
        apart(),
        scratch_folder() as scratch,
        dask.config.set({"temporary-directory": scratch}),
        ExitStack() as opened,
    ):
        with calm():
            cluster = opened.enter_context(
                LocalCluster(
                    n_workers=count, threads_per_worker=1, processes=True, memory_limit=0,
                    dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL, env=pinned(threads),
                )
            )  # fmt: skip
        yield Farm(opened.enter_context(Client(cluster, set_as_default=False)), True, threads)


def pinned(threads: int) -> dict[str, str]:
    """Environment of a worker whose libraries use at most `threads` threads."""
    counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), str(threads))
    return {**counts, "OPENBLAS_NUM_THREADS": "1"}


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask settings: silent worker changes, and repeatable tasks."""
    import dask
    import distributed  # noqa: F401  # its defaults must be loaded before some are changed temporarily

    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    settings = {
        "distributed.scheduler.allowed-failures": ATTEMPTS,
        "distributed.worker.daemon": False,
        "distributed.scheduler.work-stealing": True,
        "distributed.admin.log-length": 100,
        "distributed.worker.profile.enabled": False,  # it interrupts a run a hundred times per second to inspect its stack
        "distributed.deploy.lost-worker-timeout": "1 day",  # only `revive` decides that a worker is missing
        "distributed.scheduler.worker-ttl": None,  # after a suspension of the machine all workers seem to have been silent
        "distributed.nanny.pre-spawn-environ": {},  # would change the environment of this process too
    }
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with dask.config.set(settings):
            yield
    except KeyboardInterrupt:
        levels = [logging.CRITICAL for _ in loggers]  # a cluster that was never complete has complaints until the end
        raise
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
