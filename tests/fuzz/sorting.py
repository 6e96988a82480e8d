"""How a case ended: in order, or with a bug of some kind."""

from __future__ import annotations

import json
import re
import signal
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fuzz import ledger
from fuzz.worker import OWN, Outcome

IN_ORDER = ("ran", "expectation", "refused", "failed", "stopped")
BUGS = (
    "traceback",
    "memory",
    "hang",
    "crash",
    "warning",
    "number",
    "residual",
    "message",
    "leftover",
    "dishonest",
    "exit",
    "difference",
)
KINEMATIC = frozenset({"projection", "velocity", "linearised", "repulsion"})
"""Laws of obstacles that move vertices or add springs: no method has a bound on the energy then."""
LONGEST = 20_000
"""Characters of a message that anybody might read."""
_NOISE = re.compile(
    r"Traceback|Warning:|Exception ignored|illegal value|On entry to|OMP:|Segmentation|<class '|object at 0x"
)


@dataclass(frozen=True)
class Verdict:
    """Outcome of a case; `group` is the same for the same bug."""

    kind: str
    group: str = ""
    detail: str = ""
    slow: bool = False
    """Whether it took longer than its first limit of time."""

    @property
    def bug(self) -> bool:
        """Whether it must not be."""
        return self.kind not in IN_ORDER


def verdict(outcome: Outcome, folder: Path, before: frozenset[str], out: str = "out") -> Verdict:
    """Sort an outcome; `before`: names of the files that were in its folder, `out`: the folder of the run."""
    found = _ended_badly(outcome)
    if found is not None:
        return found
    if outcome.warnings:
        first = outcome.warnings[0]
        return Verdict("warning", re.sub(r":\d+: .*", "", first, flags=re.S), "\n".join(outcome.warnings[:5]))
    noise = _NOISE.search(outcome.stderr + outcome.stdout)
    if noise:
        return Verdict("message", f"{noise[0]} on the terminal", outcome.stderr[-1500:])
    status = _status(folder / out)
    if outcome.exit in (0, 1, 3):
        return _ran(outcome, folder / out, status)
    if outcome.exit != 2:
        return Verdict("exit", f"exit {outcome.exit}", outcome.stderr[-1500:])
    return _refused(outcome, folder, before, out, status)


def _ended_badly(outcome: Outcome) -> Verdict | None:
    """Hangs, signals and exceptions."""
    if outcome.hung:
        stack = outcome.stderr.find("most recent call first")
        return Verdict("hang", outcome.where or "nowhere in supple", outcome.stderr[stack : stack + 1500])
    if outcome.signal:
        name = signal.Signals(outcome.signal).name
        return Verdict("crash", f"{name} {outcome.where}", outcome.stderr[-2500:])
    if outcome.error in ("MemoryError", "_ArrayMemoryError"):
        return Verdict("memory", f"{outcome.error} in {outcome.where}", outcome.traceback[-1200:])
    if outcome.error:
        return Verdict("traceback", f"{outcome.error} in {outcome.where}", outcome.traceback[-1200:])
    return None


def _refused(outcome: Outcome, folder: Path, before: frozenset[str], out: str, status: str) -> Verdict:
    message = outcome.stderr.strip()
    if not message or len(message) > LONGEST:
        return Verdict("message", f"a message of {len(message)} characters" if message else "no message", message[:500])
    if not status:
        more = sorted(entry.name for entry in folder.iterdir() if entry.name not in before | OWN)
        if more:
            return Verdict("leftover", f"refused, but left {more[0]}", ", ".join(more))
        return Verdict("refused", "", message[-500:])
    log = folder / out / "log.txt"
    last = log.read_text(encoding="utf-8", errors="replace").strip() if log.is_file() else ""
    if status != "FAILED":
        return Verdict("dishonest", f"exit 2, but the status of the folder is {status}", message[-500:])
    if "stopped by an error" not in last:
        return Verdict("dishonest", "the log of a failed run has no reason", message[-500:] + "\n" + last[-500:])
    return Verdict("failed", "", message[-500:])


def _ran(outcome: Outcome, run: Path, status: str) -> Verdict:
    if outcome.exit == 3:
        fine = status == "INTERRUPTED"
        return Verdict(
            "stopped" if fine else "dishonest", "" if fine else f"exit 3, but the status of the folder is {status}"
        )
    if status != "FINISHED":
        return Verdict("dishonest", f"exit {outcome.exit}, but the status of the folder is {status or 'missing'}")
    try:
        history = ledger.rows(run / "history.csv")
        tables = tomllib.loads((run / "scene.toml").read_text(encoding="utf-8"))
        json.loads(outcome.stdout.strip().splitlines()[-1])
    except (OSError, ValueError, IndexError) as error:
        return Verdict("dishonest", f"results that cannot be read: {type(error).__name__}", str(error))
    bad = ledger.not_finite(history)
    if bad:
        return Verdict("number", f"not finite in history.csv: {bad}")
    wrong = ledger.unexplained(history, *promise(tables), ledger.rounding(run))
    if wrong:
        name = tables.get("integrator", {}).get("name")
        return Verdict("residual", f"residual of {name}", f"{wrong}\n{outcome.stderr[-1500:]}")
    return Verdict("ran" if outcome.exit == 0 else "expectation")


def promise(tables: dict[str, Any]) -> tuple[bool, float]:
    """Whether the method of a scene conserves energy, and the tolerance of its solver."""
    method, solver = tables.get("integrator", {}), tables.get("solver", {})
    alone = not method.get("budget") and not method.get("adaptive")
    exact = method.get("rule", "auto") == "auto" and method.get("polish", True)
    exact = exact and not any(obstacle.get("law") in KINEMATIC for obstacle in tables.get("obstacle", ()))
    loose = max(10.0 * float(solver.get("energy_tolerance", 0.0)), 10.0 * float(solver.get("tolerance", 0.0)))
    return method.get("name") in ledger.CONSERVING and alone and exact, max(ledger.PROMISED, loose)


def _status(run: Path) -> str:
    try:
        return str(json.loads((run / "run.json").read_text(encoding="utf-8"))["status"]).upper()
    except (OSError, ValueError, KeyError):
        return ""
