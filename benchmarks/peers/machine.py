"""The machine of a sitting: kind of CPU, cores, memory, system and Python; no names of hosts, users or folders."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path


def machine() -> dict[str, str | int | float]:
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        "memory_gib": memory_gib(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def cpu_model() -> str:
    """As the kernel calls it, else the architecture."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def memory_gib() -> float:
    if not hasattr(os, "sysconf"):
        return 0.0
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)


def load() -> float:
    """Mean number of busy processes over the last minute; -1 where the system does not report it."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else -1.0


def busy(seconds: float = 1.0) -> float:
    """Cores that other work keeps busy right now; the load where the kernel has no counters.

    The load lags by a minute: it still counts processes that have just ended.
    """
    stat = Path("/proc/stat")
    if not stat.exists():
        return load()
    before, began = _idle(stat), time.perf_counter()
    time.sleep(seconds)
    idle = (_idle(stat) - before) / os.sysconf("SC_CLK_TCK") / (time.perf_counter() - began)
    return max(0.0, (os.cpu_count() or 1) - idle)


def _idle(stat: Path) -> float:
    """Ticks without work, of all cores together."""
    fields = stat.read_text(encoding="utf-8").splitlines()[0].split()
    return float(fields[4]) + float(fields[5])
