"""The folder of a sweep that was not computed."""

import itertools
from pathlib import Path

from report_runs import make_run
from supple.recording.folder import RunStatus
from supple.sweeps.manifest import Manifest, Row, State
from supple.sweeps.report.strips import Grade

YOUNG, METHOD = "body.0.material.young", "integrator.name"
YOUNGS, METHODS = (1e5, 4e5, 1e6), ("avf", "bdf2")
FAILED, WAITING = 4, 5
SMALL = (Grade(6, 128, 96),)
"""Pictures of a page where it does not matter how fine they are."""
MESSAGE = "step 3 at t = 0.1 s gave an energy that is not finite: <unstable>"


def make_sweep(path: Path, title: str = "bar") -> Path:
    """Three stiffnesses by two methods, of which run 4 failed and run 5 has not begun."""
    rows = []
    for k, (young, method) in enumerate(itertools.product(YOUNGS, METHODS)):
        values, folder = {YOUNG: young, METHOD: method}, f"runs/{k:03d}"
        if k == WAITING:
            rows.append(Row(k, folder, values))
            continue
        failed = k == FAILED
        status = RunStatus.FAILED if failed else RunStatus.FINISHED
        (path / "runs").mkdir(parents=True, exist_ok=True)
        make_run(path / folder, 7 if failed else 21, method, status, title, frames=3 if failed else 8, rate=-0.3 * k)
        measures = {} if failed else {"loss": 0.1 * k, "total@end": 10.0 - k}
        state, error = (State.FAILED, MESSAGE) if failed else (State.FINISHED, None)
        rows.append(Row(k, folder, values, state, 0.5 + k, "machine:1", error, measures))
    Manifest(path, _plan(), rows).write()
    return path


def _plan() -> dict[str, object]:
    return {
        "scene": "", "source": "bar.toml", "settings": ["time.duration=1"],
        "axes": [
            {"kind": "listed", "key": YOUNG, "values": list(YOUNGS)},
            {"kind": "listed", "key": METHOD, "values": list(METHODS)},
        ],
        "design": {"kind": "grid"}, "measures": {"loss": "x", "total@end": "total@end"}, "steps": None, "threads": 1,
    }  # fmt: skip
