"""Where the runs of a sweep are computed: processes on this machine, or the workers of a Dask cluster.

Each worker takes one run at a time and keeps to its threads: two workers on two cores do not fight. The same client speaks to
both, so that a farm is one address away.
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
"""For a scheduler to answer [s]."""
PATIENCE = 60.0
"""For its first worker [s]."""
ATTEMPTS = 3
"""Workers that may die over one run before it counts as failed."""
EXTRA = "sweeps run on dask.distributed: install it with  pip install 'supple[sweep]'"


@dataclass(frozen=True)
class Farm:
    """Workers, and how to speak to them."""

    client: Client
    local: bool
    threads: int
    """Of each run."""

    @property
    def address(self) -> str:
        """Of the scheduler."""
        return str(self.client.scheduler.addr)

    @property
    def dashboard(self) -> str | None:
        """Address of the page that shows what the workers do; None if it is off, or the scheduler lacks Bokeh."""

        def drawn() -> bool:  # sent by its code: the scheduler need not have supple
            import importlib.util

            return importlib.util.find_spec("bokeh") is not None

        services = self.client.scheduler_info().get("services", {})
        if "dashboard" not in services or not self.client.run_on_scheduler(drawn):
            return None
        return str(self.client.dashboard_link)

    def workers(self) -> dict[str, Any]:
        """What the scheduler says of each worker, by address."""
        return dict(self.client.scheduler_info(n_workers=-1)["workers"])

    def lost(self) -> bool:
        """Whether the scheduler is gone."""
        return self.client.status != "running"

    def idle_nannies(self) -> set[Any]:
        """Keepers of local workers that keep none. Dask starts a worker again that died, but not one that died while it
        was being started."""
        kept = self.client.cluster.workers.values() if self.local else ()
        return {nanny for nanny in kept if not nanny.is_alive()}

    def revive(self, nannies: set[Any]) -> None:
        """Let them have a worker again."""
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
    """Workers for a sweep: `workers` processes here (cores over threads if absent), or those of a running `scheduler`."""
    if importlib.util.find_spec("distributed") is None:
        raise BackendMissing(EXTRA)
    if threads < 1:
        raise SuppleError(f"--threads: found {threads}; give 1 or more")
    with _quiet():
        if scheduler is not None:
            if workers is not None:
                raise SuppleError(
                    "--workers: those of a running scheduler are what it has; leave it out with --scheduler"
                )
            yield from _joined(scheduler, threads)
        else:
            yield from _started(workers, threads)


def _joined(address: str, threads: int) -> Iterator[Farm]:
    from distributed import Client

    try:
        client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SuppleError(
            f"--scheduler {address}: no scheduler answers there ({error}); start one by `dask scheduler`"
        ) from None
    try:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise SuppleError(
                f"--scheduler {address}: it has no workers; start some by `dask worker {address} --nthreads 1`"
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
    """Environment of a worker whose libraries keep to so many threads."""
    counts = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), str(threads))
    return {**counts, "OPENBLAS_NUM_THREADS": "1"}


@contextmanager
def _quiet() -> Iterator[None]:
    """Workers that come and go are no news, and a task that ran once may run again."""
    import dask
    import distributed  # noqa: F401  # its defaults must be there before some of them are changed for a while

    loggers = [logging.getLogger(name) for name in ("distributed", "distributed.client")]
    levels = [logger.level for logger in loggers]
    settings = {
        "distributed.scheduler.allowed-failures": ATTEMPTS,
        "distributed.worker.daemon": False,
        "distributed.scheduler.work-stealing": True,
        "distributed.admin.log-length": 100,
        "distributed.worker.profile.enabled": False,  # it stops a run a hundred times a second to look at its stack
        "distributed.deploy.lost-worker-timeout": "1 day",  # nobody but `revive` decides that a worker is missing
        "distributed.nanny.pre-spawn-environ": {},  # would change the environment of this process too
    }
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with dask.config.set(settings):
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
